"""Limits of simulated games, and costs in steps."""

# The budget for the worth of one move.
WORTH_STEPS = 100_000

# The budget of a game: about ten times the cost of a long one.
GAME_STEPS = 100_000_000

# Comparing one of the legal moves.
CHOICE_STEPS = 300

# The most values in one sweep.
MOST_VALUES = 40
