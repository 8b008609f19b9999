"""How much rules and statements may name, and what that costs, in steps."""

# How long a player's name can be, in characters.
MAX_NAME = 60

# The maximum number of things that one statement can name.
MAX_NAMED = 1_000

# The number of letters that identify a name if no other known name begins with them.
LEAST_BEGINNING = 3

# The maximum number of unknown names and words per game for which the nearest is looked up.
MAX_LOOKUPS = 1_000

# The number of words of the longest name.
MAX_WORDS = 4

# The number of statements examined to find the language of the names in a log.
MAX_STATEMENTS = 300

# The maximum number of ways to pay that are listed; a guard against absurd costs.
MAX_PAYMENTS = 1_000

# The maximum count of one thing in a bag.
MAX_COUNT = 1_000_000_000

# The most places that a grid may have, and a game.
MAX_PLACES = 1_000
MAX_CELLS = 65_536

# The cost of trying one value for a slot, in steps.
CANDIDATE_STEPS = 5

# How many surplus players a state accepts, so that a log with a slip can be read.
SPARE_SEATS = 4

# The maximum of equal numbers written side by side: dice have few, heaps of thousands are counted.
MOST_SIDE_BY_SIDE = 20

# The maximum length of an expression in a message, in characters.
MAX_SHOWN = 120

# The maximum length of a statement in another notation than AGN, in characters.
MAX_FOREIGN = 24
