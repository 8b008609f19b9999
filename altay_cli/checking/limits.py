"""Limits on files, and on the search for fixes and histories."""

# Per file: some ten thousand games.
MAX_STATEMENTS = 4_000_000

# Histories tried for a complete log.
MAX_TRIES = 40

# Give up after so many histories with the same errors.
SAME_TRIES = 4

# Single `?` that are resolved.
MAX_UNKNOWN = 20

# Names tried for each.
MAX_NAMES = 60

# Passes over a text, as a fix may reveal others.
MAX_ROUNDS = 10

# Checks to find harmful fixes.
MAX_DOUBTED = 30

# Per game.
MAX_VARIANTS = 20

# Checked for misspelling.
MAX_TAGS = 100
