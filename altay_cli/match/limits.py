"""What judging a game costs, in steps, and how far it goes: limits that shape what is found."""

# What it costs to judge a move condition by condition, beside what its rules take.
JUDGING_STEPS = 1_000

# After this many breaches in one list, the rest of the list is left out.
MAX_BREACHES = 20

# How many statements to search back for the one that broke a condition.
MAX_SINCE = 300

# After this many findings in a game, legal alternatives are no longer searched for.
MAX_HELPED = 100

# The fixed cost of reading a statement, in steps.
READING_STEPS = 300

# The cost of moving things of one kind from one place to another, of drawing one, and of going on
# with what a move set in motion, in steps.
MOVE_STEPS = 10

# How many things that a list of names can mean are gone through.
MAX_READINGS = 16

# What it costs to look for a named thing among what is hidden.
IDENTIFYING_STEPS = 100

# The cost of resolving one name of a list.
NAME_STEPS = 20

# The part of what is left for its file that one game may take.
GAME_SHARE = 0.9

# Where more statements of a game cannot be read, what is found wrong behind one says nothing.
MOST_UNREAD = 50

# The maximum number of findings reported for one game.
MAX_FINDINGS = 1_000

# The maximum number of combinations of unknown sizes; beyond it each group is tried alone.
MAX_SUPPOSED = 64

# How many things that unrecorded answers may have brought are tried, in all, to find out whether a
# statement can be legal behind them.
MAX_ANSWERS = 200

# The maximum number of combinations tried for a statement that is legal with the largest sizes.
# Beyond it, a statement that depends on a size does not rule out the sizes with which it is
# illegal.
FEW_COMBINATIONS = 4

# In the place of an unknown name of a setup, no more possible names than these are listed.
FEW_NAMES = 12
