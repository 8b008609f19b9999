"""How long lines, names and tags are that converters write, in characters."""

# The maximum length of a line with a comment in a log, where it can be divided at a blank.
WIDTH = 100

# The maximum length of a line of moves in PGN, by its standard.
PGN_WIDTH = 79

# The maximum number of characters of a player's name, and of a tag, that are kept.
MAX_NAME = 60
MAX_TAG = 1_000
