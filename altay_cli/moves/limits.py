"""Limits on listing legal moves, and its cost in steps."""

# The default budget of a listing, and that of setting up a game.
LISTING_STEPS = 5_000_000

# The cost of writing a move, and of each of its slots.
MOVE_STEPS = 150

# The fixed cost of asking who can move.
ABLE_STEPS = 50

# The maximum depth at which `can move` may depend on `can move`.
MAX_ASKED = 3

# The default maximum number of bags tried for a slot.
MAX_BAGS = 10_000

# The default maximum number of lists tried in every order for a slot.
MAX_ORDERS = 1_000
