"""CEL, the Common Expression Language: the part that rule files need, compiled to Python.

``checker.check`` an expression against an ``environment.Environment`` that says which names,
members and functions there are and how they read in Python; ``runtime.link`` makes a function of a
checked one. Or ``checker.evaluate`` one with plain values. The language is that of google/cel-spec
with null, bool, int, string, list and map; everything else is refused with an ``ExpressionError``.
"""
