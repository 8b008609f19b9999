"""How long a simulated game may take, in steps, and how many runs there may be."""

# The budget for evaluating the worth of one move, in steps.
WORTH_STEPS = 100_000

# The budget of a simulated game; about ten times what a long one needs.
GAME_STEPS = 100_000_000

# What it takes to weigh up one of the legal moves, in steps.
CHOICE_STEPS = 300

# The maximum number of values in one sweep.
MOST_VALUES = 40
