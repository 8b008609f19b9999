"""Limits of judging, and what it costs in steps."""

# Judging a move requirement by requirement, besides its rules.
JUDGING_STEPS = 1_000

# After so many breaches, the rest of a list is left out.
MAX_BREACHES = 20

# Statements undone to find the one that broke a requirement.
MAX_SINCE = 300

# After so many findings, legal alternatives are no longer listed.
MAX_HELPED = 100

# The fixed cost of a statement.
READING_STEPS = 300

# Moving entities of one kind, drawing one, or continuing effects.
MOVE_STEPS = 10

# The meanings of a list of names.
MAX_READINGS = 16

# Searching the hidden things for a named one.
IDENTIFYING_STEPS = 100

# Resolving one name of a list.
NAME_STEPS = 20

# The share of one game in the budget of its file.
GAME_SHARE = 0.9

# With more unreadable statements, errors after one of them prove nothing.
MOST_UNREAD = 50

MAX_FINDINGS = 1_000

# Combinations of unknown sizes; beyond it each group is tried alone.
MAX_SUPPOSED = 64

# Possible draws tried for unrecorded answers before a statement.
MAX_ANSWERS = 200

# With more combinations, a statement that is legal for the largest sizes rules out none.
FEW_COMBINATIONS = 4

# Possible names that are listed for an unknown one of a setup.
FEW_NAMES = 12
