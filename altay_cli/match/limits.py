"""Limits of judging, and what it costs in steps."""

# The cost of judging a move requirement by requirement, besides its rules.
JUDGING_STEPS = 1_000

# After so many breaches in one list, the rest of it is left out.
MAX_BREACHES = 20

# How many statements are undone to find the one that broke a requirement.
MAX_SINCE = 300

# After so many findings, legal alternatives are no longer listed.
MAX_HELPED = 100

# The fixed cost of a statement.
READING_STEPS = 300

# The cost of moving entities of one kind, of drawing one, and of continuing effects.
MOVE_STEPS = 10

# The meanings of a list of names.
MAX_READINGS = 16

# The cost of searching the hidden things for a named one.
IDENTIFYING_STEPS = 100

# The cost of resolving one name of a list.
NAME_STEPS = 20

# The share of the budget of its file that one game may use.
GAME_SHARE = 0.9

# With more unreadable statements, errors after one of them prove nothing.
MOST_UNREAD = 50

# Findings per game.
MAX_FINDINGS = 1_000

# Combinations of unknown sizes; beyond it each group is tried alone.
MAX_SUPPOSED = 64

# Possible draws tried to see if a statement can be legal after unrecorded answers.
MAX_ANSWERS = 200

# Combinations tried for a statement that is legal with the largest sizes. With more, it rules out
# no sizes.
FEW_COMBINATIONS = 4

# Names listed as possible for an unknown name of a setup.
FEW_NAMES = 12
