"""How much of what there is to tell is shown."""

# The maximum number of possible outcomes shown.
MAX_OUTCOMES = 40

# Findings with the same message are reported once if a game has more of them than this. Of each
# kind so many notes of a run are shown; the others are counted.
MAX_ALIKE = 3

# The maximum number of further lines named for a message that is reported once.
MAX_LINES = 20

# The maximum number of possible scores shown for a player.
MAX_CELLS = 4

# How many things of a kind, or two more if that is all, and how many of the clear differences a
# report of simulated games lists. The JSON lists every one.
SHOWN = 10

# With fewer games, the normal approximation makes intervals of means too narrow.
FEW_GAMES = 30

# How many annotations of each level GitHub shows of a step.
MOST_ANNOTATIONS = 10

# The length of the summary of a job, in characters; GitHub takes a mebibyte.
MAX_SUMMARY = 500_000

# The maximum number of bars and rows of a panel of a picture, and of its curves.
MOST_DRAWN = 30

# Longer values, in columns, are printed one below the other.
SIDE_BY_SIDE = 80
