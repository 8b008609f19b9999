"""How much of what may lie hidden is gone through, and what that costs, in steps."""

# What it costs to look in a world how much lies where, or which copies.
LOOK_STEPS = 10

# What a change costs, also one that is only supposed, and for each world before or after it.
CHANGE_STEPS = 150
WORLD_STEPS = 25

# Where the steps run out while at least so many worlds are changed, that is told as the cause.
MANY_WORLDS = 1_000

# How many draws are kept with a pack for other games with the same ones, and how many worlds there
# may be before one, and after it.
KEPT_DRAWS = 50
KEPT_WORLDS = 1_000

# The maximum number of ways in which what some bags hold is limited to what fits.
MOST_LIMITED = 2_000

# The maximum number of contents of bags for which it is asked whether something can hold.
MOST_ASKED = 100

# How many worlds a belief can have; with more, what is possible is not told. As many are searched,
# at most, for sets of things of which one certainly lies somewhere.
MAX_WORLDS = 20_000

# The maximum number of ways in which the worlds of a belief can become others in one event.
MAX_WAYS = 5 * MAX_WORLDS

# The largest set of things of which it is told that one of them certainly lies somewhere.
LARGEST_SET = 3

# The maximum number of such sets that are told.
MOST_SETS = 2
