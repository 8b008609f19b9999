"""The limits of logs, and of the findings on their syntax."""

# The maximum lengths of a statement (over all its lines) and of a line, in characters. A longer
# line counts as one statement that is too long.
MAX_STATEMENT = 10_000
MAX_LINE = 5_000_000

# Numbers with so many digits fit into 32 bits.
MAX_DIGITS = 9

# The maximum number of syntax findings for a file; the rest are counted.
MAX_FINDINGS = 1000

# How many characters of malformed text are diagnosed; that takes a thousand times as long as
# parsing.
MAX_EXPLAINED = 50_000

# The maximum number of statements and headings in one game.
MAX_GAME = 200_000
