"""CEL, the Common Expression Language, compiled to Python.

``checker.check`` checks an expression against an ``environment.Environment``, which defines the
available names, members and functions; ``runtime.link`` makes a Python function of the result.
``checker.evaluate`` does both for plain values. Supported are null, bool, int, string, list and map
of google/cel-spec; anything else raises ExpressionError.
"""
