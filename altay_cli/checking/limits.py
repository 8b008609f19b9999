"""Limits on files, and on the search for fixes and histories."""

# The maximum number of statements read from one file: some ten thousand games.
MAX_STATEMENTS = 4_000_000

# The maximum number of histories tried for a complete log.
MAX_TRIES = 40

# After so many histories with the same errors, give up. Claims do not count: few histories may fit
# them.
SAME_TRIES = 4

# The maximum number of single `?` that are resolved.
MAX_UNKNOWN = 20

# The maximum number of names tried for each.
MAX_NAMES = 60

# The maximum number of passes over a text, as a fix may reveal others.
MAX_ROUNDS = 10

# The maximum number of checks to find harmful fixes.
MAX_DOUBTED = 30

# The maximum number of variants in one game.
MAX_VARIANTS = 20

# The maximum number of tags checked for misspelling.
MAX_TAGS = 100
