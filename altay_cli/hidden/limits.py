"""Limits and costs, in steps, of beliefs."""

# Reading a world; of batches: a batch, a kind or a set of taken things.
LOOK_STEPS = 10

# A change, and each world before or after it.
CHANGE_STEPS = 150
WORLD_STEPS = 25

# Above this, a budget error blames the belief, and batches may replace it.
MANY_WORLDS = 1_000

# A change of many worlds takes at most these parts of the steps left for a statement and a game;
# otherwise batches replace the worlds.
STATEMENT_PART = 2
GAME_PART = 20

# Draws cached with a pack, and worlds per belief in them.
KEPT_DRAWS = 50
KEPT_WORLDS = 1_000

# Contents that a condition selects from.
MOST_LIMITED = 2_000

# Contents tried for a condition.
MOST_ASKED = 100

# Worlds of a belief, or searched for ``Known.one_of``.
MAX_WORLDS = 20_000

# Steps between worlds in one event.
MAX_WAYS = 5 * MAX_WORLDS

# Things in a set of ``Known.one_of``, and sets in it.
LARGEST_SET = 3
MOST_SETS = 2
