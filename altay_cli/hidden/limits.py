"""Limits of the search through hidden contents, and its costs in steps."""

# Cost of reading a world.
LOOK_STEPS = 10

# Cost of a change, real or supposed, and of each world before or after it.
CHANGE_STEPS = 150
WORLD_STEPS = 25

# Above this many worlds, a budget error names the size of the belief as its cause.
MANY_WORLDS = 1_000

# Draws cached with a pack for its other games, and the largest beliefs before and after one.
KEPT_DRAWS = 50
KEPT_WORLDS = 1_000

# The most contents among which a condition selects those that satisfy it.
MOST_LIMITED = 2_000

# The most contents that are tried for whether a condition can hold.
MOST_ASKED = 100

# The most worlds of a belief; with more it is lost. Also the most worlds that are searched for
# the sets of ``Known.one_of``.
MAX_WORLDS = 20_000

# The most steps between worlds in one event.
MAX_WAYS = 5 * MAX_WORLDS

# The largest set in ``Known.one_of``.
LARGEST_SET = 3

# The most sets in ``Known.one_of``.
MOST_SETS = 2
