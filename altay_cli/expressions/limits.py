"""How large expressions may be, and what they cost, in steps."""

# How many values from outside there may be.
MAX_BINDING_VALUES = 1_000_000

# How many characters of generated code count as one step, and how many nodes of a body.
SIGNS_PER_STEP = 40
NODES_PER_STEP = 4

# What an error costs that is absorbed.
ERROR_STEPS = 40

# How many signs of a text, and entries of a list, are copied or compared in a step: the number of
# halvings. A text of 100,000 signs is compared in two microseconds, and copied in thirty.
MADE_SIGNS = 6
MADE_ITEMS = 3
COMPARED_SIGNS = 10

# How long an expression may be, in characters, and how deep it, or a value from outside, may be
# nested.
MAX_LENGTH = 10_000
MAX_DEPTH = 100

# Python's own parser reads a chain of conditionals recursively.
MAX_BRANCHES = 250

# The maximum length of a pattern in characters, and how often a part of it may be repeated, nested
# repeats multiplied: RE2 refuses more.
MAX_PATTERN = 1_000

# The maximum length of a path in `longestPath`.
MAX_PATH = 1_000
