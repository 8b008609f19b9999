"""How many outcomes and claims are gone through, and what counting points costs, in steps."""

# The maximum number of wrong claims reported, and of claims compared with each outcome.
MAX_CLAIMS = 1_000

# The maximum number of computed values that a message lists.
MAX_VALUES = 6

# The maximum number of outcomes; of what is hidden, what makes no difference is one of them.
MAX_OUTCOMES = 150

# The maximum number of things assumed together.
MAX_OPEN = 30

# The maximum number of sets of players of whom it is asked whether they can have won.
MAX_TRIED = 1_000

# The maximum number of things that a line of a score names.
MAX_LISTED = 60

# The greatest number of points, or of points less than none.
MAX_POINTS = 10**9

# The budget for all scores of a game, in steps; for those of all outcomes it is the same.
SCORE_STEPS = 6_000_000

# The cost of a line of a score, in steps.
LINE_STEPS = 20
