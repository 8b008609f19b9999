"""How long what stands in a log may be, and how much of what is wrong is told."""

# The maximum length of a statement in characters, all its lines together; and that of a line: a
# longer one counts as one statement that is too long.
MAX_STATEMENT = 10_000
MAX_LINE = 5_000_000

# The maximum number of digits, so that every number fits into 32 bits.
MAX_DIGITS = 9

# The maximum number of syntax findings reported for a file; the rest are only counted.
MAX_FINDINGS = 1000

# How many characters of malformed text are explained; the rest is only located. The explanation
# takes a thousand times as long as the reading.
MAX_EXPLAINED = 50_000

# The maximum number of statements and headings read of one game.
MAX_GAME = 200_000
