"""How much of a file is read, and how long fixes and draws are looked for."""

# The maximum number of statements read from one file: some ten thousand games.
MAX_STATEMENTS = 4_000_000

# How many courses are tried until one of them passes as a complete log.
MAX_TRIES = 40

# If this many courses all lack the same, the failure is not a matter of chance. Claims of a
# result are: they may fit few of the courses.
SAME_TRIES = 4

# The maximum number of `?` that are tried, each of which stands for one thing.
MAX_UNKNOWN = 20

# The maximum number of things that are tried for one of them.
MAX_NAMES = 60

# A fix may reveal further ones: the maximum number of passes over a text.
MAX_ROUNDS = 10

# How often a text is checked to find out which of its fixes would make it worse.
MAX_DOUBTED = 30

# The maximum number of variants in one game.
MAX_VARIANTS = 20

# How many tags of one game are checked for misspelling.
MAX_TAGS = 100
