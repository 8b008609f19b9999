"""Budgets and limits of simulated games, in steps."""

# Budget for evaluating the worth of one move, in steps.
WORTH_STEPS = 100_000

# Budget of a simulated game, in steps: about ten times the cost of a long one.
GAME_STEPS = 100_000_000

# Cost of comparing one of the legal moves, in steps.
CHOICE_STEPS = 300

# The maximum number of values in one sweep.
MOST_VALUES = 40
