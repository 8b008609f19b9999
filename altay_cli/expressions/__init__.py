"""CEL, the Common Expression Language, compiled to Python.

Supported are null, bool, int, string, list and map of google/cel-spec.
"""
