"""Limits of outcomes and claims, and costs of scores."""

# Wrong claims reported, and claims compared per outcome.
MAX_CLAIMS = 1_000

# Computed values in a message.
MAX_VALUES = 6

# Possible points in a message.
MAX_SHOWN_VALUES = 20

MAX_OUTCOMES = 150

# Joint assumptions.
MAX_OPEN = 30

# Sets of players tested as winners.
MAX_TRIED = 1_000

# Entities in a line of a score.
MAX_LISTED = 60

MAX_POINTS = 10**9

# For all scores of a game, and again for all outcomes.
SCORE_STEPS = 6_000_000

# For a line of a score.
LINE_STEPS = 20
