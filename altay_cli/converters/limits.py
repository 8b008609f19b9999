"""Limits on what converters write, in characters."""

# A line with a comment in a log, if it has a space.
WIDTH = 100

# A line of moves in PGN, by its standard.
PGN_WIDTH = 79

# A player's name, and a tag.
MAX_NAME = 60
MAX_TAG = 1_000
