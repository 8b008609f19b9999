"""Limits of expressions, and costs in steps."""

# Values in a binding.
MAX_BINDING_VALUES = 1_000_000

# Characters of generated code, and nodes of a macro body, that cost one step.
SIGNS_PER_STEP = 40
NODES_PER_STEP = 4

# The cost of an absorbed error.
ERROR_STEPS = 40

# Characters and entries that are copied or compared for one step, as powers of two.
MADE_SIGNS = 6
MADE_ITEMS = 3
COMPARED_SIGNS = 10

# The length (in characters) and depth of an expression; the depth limits bindings too.
MAX_LENGTH = 10_000
MAX_DEPTH = 100

# Python's own parser reads a chain of conditionals recursively.
MAX_BRANCHES = 250

# The length of a pattern, and product of its nested repeats; RE2 refuses more.
MAX_PATTERN = 1_000

# The length of a path in `longestPath`.
MAX_PATH = 1_000
