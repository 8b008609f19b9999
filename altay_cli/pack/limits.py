"""Limits on what rules and statements may name, and costs in steps."""

# In characters.
MAX_NAME = 60

# The maximum number of entities in one statement.
MAX_NAMED = 1_000

# How many letters identify a name, if no other known name begins with them.
LEAST_BEGINNING = 3

# How many unknown names per game are compared with known ones.
MAX_LOOKUPS = 1_000

MAX_WORDS = 4

# How many statements are read to detect the language of a log.
MAX_STATEMENTS = 300

# The maximum number of ways to pay that are listed.
MAX_PAYMENTS = 1_000

MAX_COUNT = 1_000_000_000

# The maximum number of squares of a grid, and of cells of a game.
MAX_PLACES = 1_000
MAX_CELLS = 65_536

# The steps charged for each value tried for a slot.
CANDIDATE_STEPS = 5

# How many surplus players a state accepts, to read a log with a slip.
SPARE_SEATS = 4

# Up to this many equal numbers are written out: `2, 2`.
MOST_SIDE_BY_SIDE = 20

# The maximum length of an expression in a message, in characters.
MAX_SHOWN = 120

# The maximum length of a statement in a foreign notation, in characters.
MAX_FOREIGN = 24
