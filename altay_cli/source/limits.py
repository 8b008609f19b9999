"""The limits of rule files, and of problems reported for them."""

# Reported for one file.
MAX_PROBLEMS = 200

# Shown in a difference, in characters.
MAX_VALUE = 100

# Examined in one file.
MAX_ERRORS = 1000

# Names, places or possibilities in a message.
MAX_NAMES = 12

# Variants that extend each other.
MAX_CHAIN = 10

# The length of a rule file, in characters, and depth of its parts.
MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 60

# Keys and values: ten times those of the largest file.
MAX_NODES = 30_000

# Integers up to here (2**53) are the same in every JSON tool.
MAX_DIGITS = 15
