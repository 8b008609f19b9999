"""Limits for the length of reports."""

MAX_OUTCOMES = 40

# Equal messages shown in a game, and notes of each kind in a run.
MAX_REPEATED = 3

# Further lines listed for a merged message.
MAX_LINES = 20

# Possible scores shown for a player.
MAX_CELLS = 4

# Entities of a kind (or two more if that is all) and clear differences shown. JSON lists all.
SHOWN = 10

# With fewer games, the normal approximation makes intervals of means too narrow.
FEW_GAMES = 30

# Annotations of each level that GitHub shows per step.
MOST_ANNOTATIONS = 10

# Characters of a job's summary; GitHub accepts a mebibyte.
MAX_SUMMARY = 500_000

# Bars or rows of a panel.
MOST_DRAWN = 30

# Curves of a sweep, on one page.
MOST_CURVES = 6

# Longer values, in columns, are printed one below the other.
SIDE_BY_SIDE = 80
