"""How much of what may lie hidden is gone through, and what that costs, in steps."""

# What it costs to find out how much lies where in a world.
SIZE_STEPS = 10

# What a change costs, however little is believed, and for each world before or after it.
CHANGE_STEPS = 150
WORLD_STEPS = 25

# Where the steps run out while at least so many worlds are changed, that is told as the cause.
MANY_WORLDS = 1_000

# The maximum number of ways in which what some bags hold is limited to what fits.
MOST_LIMITED = 2_000

# The maximum number of contents of bags for which it is asked whether something can hold.
MOST_ASKED = 100

# What it costs to ask a condition where bags hold one of the things that they may hold.
SUPPOSED_STEPS = 100

# How many worlds a belief can have; of more it is not told what is possible.
MAX_WORLDS = 20_000

# The maximum number of ways in which the worlds of a belief can become others in one event.
MAX_WAYS = 5 * MAX_WORLDS

# The largest set of things of which it is told that one of them certainly lies somewhere.
LARGEST_SET = 3

# The maximum number of such sets that are told.
MOST_SETS = 2

# The maximum number of worlds in which such sets are looked for, each time it is asked.
MOST_LOOKED_AT = 20_000

# What it costs to ask of a world which of several copies can be the least in some zones.
LEAST_STEPS = 10

# What it costs to count some things in a world.
BETWEEN_STEPS = 8
