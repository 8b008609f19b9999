"""CEL, the Common Expression Language, compiled to Python.

``checker.check`` checks an expression in an ``environment.Environment``; ``runtime.link`` makes a
Python function of the result. Supported are null, bool, int, string, list and map of
google/cel-spec.
"""
