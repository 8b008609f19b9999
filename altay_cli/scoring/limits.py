"""Limits of outcomes and claims, and costs of scores in steps."""

# The most wrong claims reported, and claims compared with each outcome.
MAX_CLAIMS = 1_000

# The most computed values in a message.
MAX_VALUES = 6

# The most outcomes.
MAX_OUTCOMES = 150

# The most joint assumptions.
MAX_OPEN = 30

# The most sets of players tested as winners.
MAX_TRIED = 1_000

# The most entities in a line of a score.
MAX_LISTED = 60

# The greatest absolute number of points.
MAX_POINTS = 10**9

# The budget for all scores of a game, and again for all outcomes.
SCORE_STEPS = 6_000_000

# A line of a score.
LINE_STEPS = 20
