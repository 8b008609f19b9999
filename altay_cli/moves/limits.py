"""How much is tried where legal moves are listed, and what it costs, in steps."""

# The default budget of one listing, and that for laying out a game, in steps.
LISTING_STEPS = 5_000_000

# The cost of writing a move down, and again of each of its slots, in steps.
MOVE_STEPS = 150

# The fixed cost of asking who can move, in steps.
ABLE_STEPS = 50

# The maximum depth to which who can move may depend on who can move.
MAX_ASKED = 3

# The default maximum number of sets of things tried for one slot.
MAX_BAGS = 10_000

# The default maximum number of lists whose every order is tried for one slot.
MAX_ORDERS = 1_000
