"""Limits for the length of reports."""

# The maximum number of possible outcomes shown.
MAX_OUTCOMES = 40

# Findings with the same message are merged if a game has more than this. Only this many notes of
# each kind are shown per run; the others are counted.
MAX_REPEATED = 3

# The maximum number of further lines listed for a merged message.
MAX_LINES = 20

# The maximum number of possible scores shown for a player.
MAX_CELLS = 4

# How many things of a kind (or two more if that is all) and clear differences a report of simulated
# games lists. The JSON lists every one.
SHOWN = 10

# With fewer games, the normal approximation makes intervals of means too narrow.
FEW_GAMES = 30

# How many annotations of each level GitHub shows per step.
MOST_ANNOTATIONS = 10

# Length of a job's summary, in characters; GitHub accepts a mebibyte.
MAX_SUMMARY = 500_000

# The maximum number of bars and rows of a panel, and of curves.
MOST_DRAWN = 30

# Longer values, in columns, are printed one below the other.
SIDE_BY_SIDE = 80
