"""Limits of simulated games, and costs in steps."""

# For the worth of one move.
WORTH_STEPS = 100_000

# For a game: about ten times the cost of a long one.
GAME_STEPS = 100_000_000

# For comparing one of the legal moves.
CHOICE_STEPS = 300

# In one sweep.
MOST_VALUES = 40

# Games that are played until one of them ends, for the example of a new game.
EXAMPLE_TRIES = 8

# How often players make a move that is sought, where one is legal.
SEEKING = 0.8
