"""The command line: a thin module for each group of commands."""
