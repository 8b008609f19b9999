"""Limits on lines, names and tags that converters write, in characters."""

# The maximum length of a line with a comment in a log, if it has a space.
WIDTH = 100

# The maximum length of a line of moves in PGN, by its standard.
PGN_WIDTH = 79

# The maximum length of a player's name, and of a tag.
MAX_NAME = 60
MAX_TAG = 1_000
