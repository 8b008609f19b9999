"""The limits of rule files, and of the problems reported for them."""

# The maximum number of problems reported for one file.
MAX_PROBLEMS = 200

# The maximum length of a value shown in a difference.
MAX_VALUE = 100

# The maximum number of errors of one file that are examined.
MAX_ERRORS = 1000

# The maximum number of names, places or possibilities in a message.
MAX_NAMES = 12

# The maximum length of a chain of variants that extend each other.
MAX_CHAIN = 10

# The maximum length of a rule file, in characters, and depth of its parts.
MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 60

# The maximum number of keys and values, ten times that of the largest rule file.
MAX_NODES = 30_000

# Integers up to here (2**53) are the same in every JSON tool.
MAX_DIGITS = 15
