"""Limits on outcomes and claims, and the cost of scores in steps."""

# The maximum number of wrong claims reported, and of claims compared with each outcome.
MAX_CLAIMS = 1_000

# The maximum number of computed values in a message.
MAX_VALUES = 6

# The maximum number of different outcomes.
MAX_OUTCOMES = 150

# The maximum number of joint assumptions.
MAX_OPEN = 30

# The maximum number of sets of players tested as winners.
MAX_TRIED = 1_000

# The maximum number of entities in a line of a score.
MAX_LISTED = 60

# The greatest absolute number of points.
MAX_POINTS = 10**9

# The budget for all scores of a game, and again for all outcomes.
SCORE_STEPS = 6_000_000

# The cost of a line of a score.
LINE_STEPS = 20
