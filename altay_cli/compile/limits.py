"""How large what is compiled may be, and what printed code costs, in steps."""

# How deep loops can be nested: Python allows no more than twenty.
MAX_LOOPS = 15

# What a call of a function of the rules costs, beside what it does.
CALL_STEPS = 4

# What counting the points for one thing costs, beside the expressions for them.
POINT_STEPS = 5

# What an effect costs of the budget of its statement.
EFFECT_STEPS = 10

# How many places are drawn in a row, where rules say nothing of how they lie.
MAX_ROW = 12
