"""Limits of listing legal moves, and its costs in steps."""

# By default, for a listing, and for setting up a game.
LISTING_STEPS = 5_000_000

# Writing a move, and each of its slots.
MOVE_STEPS = 150

# Asking who can move.
ABLE_STEPS = 50

# Searching the best that a player can reach from a position.
SEARCH_STEPS = 10_000_000

# The moves of a turn, one after the other, in such a search.
MAX_LINE = 50

# A game pays for one of so many steps of a search.
SEARCH_SHARE = 20

# How deeply `can move` may depend on `can move`.
MAX_ASKED = 3

# Bags tried for a slot, by default.
MAX_BAGS = 10_000

# Lists tried in every order for a slot.
MAX_ORDERS = 1_000

# Statements of a setup that are tried before later ones, by the order of the rules.
MAX_EARLY = 200

# Making the choices of a move.
CHOICE_STEPS = 100
