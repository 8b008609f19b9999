"""The compiler: rule files to a model and Python functions."""
