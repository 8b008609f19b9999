"""Limits on compiled rules, and costs of generated code in steps."""

# The maximum nesting of loops: Python allows twenty.
MAX_LOOPS = 15

# Calling a function of the rules, without its body.
CALL_STEPS = 4

# Scoring one entity, without its expressions.
POINT_STEPS = 5

EFFECT_STEPS = 10

# How many places are drawn in a row, if the rules give no positions.
MAX_ROW = 12
