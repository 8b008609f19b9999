"""Limits on what rules and statements may name, and costs in steps."""

# The name of a player, in characters.
MAX_NAME = 60

# Entities in one statement.
MAX_NAMED = 1_000

# Letters that identify a name, if no other known name begins with them.
LEAST_BEGINNING = 3

# Unknown names per game that are compared with known ones.
MAX_LOOKUPS = 1_000

# In a name.
MAX_WORDS = 4

# Statements that are read to detect the language of a log.
MAX_STATEMENTS = 300

# Ways to pay that are listed.
MAX_PAYMENTS = 1_000

# Of one entity in a bag.
MAX_COUNT = 1_000_000_000

# Squares of a grid, and cells of a game.
MAX_PLACES = 1_000
MAX_CELLS = 65_536

# Charged for each value tried for a slot.
CANDIDATE_STEPS = 5

# Surplus players that a state accepts, to read a log with a slip.
SPARE_SEATS = 4

# Up to this many equal numbers are written out: `2, 2`.
MOST_SIDE_BY_SIDE = 20

# The length of an expression in a message, in characters.
MAX_SHOWN = 120

# The length of a foreign statement, in characters.
MAX_FOREIGN = 24
