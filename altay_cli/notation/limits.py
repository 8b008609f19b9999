"""The limits of logs, and of findings on their syntax."""

# The lengths of a statement (over all its lines) and of a line, in characters. A longer line counts
# as one statement that is too long.
MAX_STATEMENT = 10_000
MAX_LINE = 5_000_000

# Numbers with so many digits fit into 32 bits.
MAX_DIGITS = 9

# Syntax findings for a file; the rest are counted.
MAX_FINDINGS = 1000

# Characters of malformed text that are diagnosed, which takes a thousand times as long as parsing.
MAX_EXPLAINED = 50_000

# Statements and headings in one game.
MAX_GAME = 200_000
