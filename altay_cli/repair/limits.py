"""Limits of repair: they decide which edits are found."""

# Edits at a slip, and other answers, that are tried.
FEW_EDITS = 12

# So many are compared if all leave errors.
COMPARED = 5

# Fewer errors start no search before the slip.
LEAST_ERRORS = 2

# For trials in a game: fixed, plus a multiple of judging it once.
FREE_STEPS = 1_500_000
GAME_TIMES = 4

# The most of them; a game of several hours takes a third.
MOST_STEPS = 10_000_000

# One in so many steps left is for one search.
SHARE = 4

# Statements judged after a slip to compare edits.
NEAR = 60

# Moves tried for an unreadable statement.
STAND_INS = 200

# After so many clean statements, an error may be another slip.
FAR_ENOUGH = 10

# If the first error is in the setup, an edit may leave one error in so many.
LEFT = 4

# Sets of things tried for a slot.
MAX_BAGS = 100

# For listing legal moves, divided among the kinds of move.
ALL_STEPS = 1_000_000

# Errors whose entities matter.
NAMING = 4

# Statements of a player, and of the others, before which moves are inserted.
REACH = 30

# Kinds with so few things, such as resources: all names are tried.
FEW_THINGS = 8

# Restarts for other names or answers, and statements that may lack one.
MAX_PLAYED = 24

# More unreadable statements explain why a thing is not in its place.
MOST_MISREAD = 10

# Changed texts per statement and stage.
MAX_TRIES = 300

MAX_LENGTH = 1_000

# Changed texts per log; long ones count more than once.
LOG_TRIES = 3_000

# One in so many texts is for one statement, and one in so many steps for another reading.
SHARES = 8

# Changed texts that a correction adds.
EARNED = 50

# What an unreadable statement costs at least, in changed texts.
LEAST_TRIES = 8

# Wrong letters in a guessed word.
WORD_SLIPS = 2

# In a statement of more words, none is inserted.
MAX_GAPS = 12

# Longer texts get no first word, and each such length counts as another text.
LONG = 100

# Too many others differ from a shorter name by one letter.
LEAST_SPELLED = 5

# Names that differ in so many letters are similar.
NEAR_SLIPS = 2

# So many headings show that their numbers count turns.
LEAST_TURNS = 3
