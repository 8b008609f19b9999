"""Limits of repair: they decide which edits are found."""

# Edits at a slip, and other answers to a decision, that are tried.
FEW_EDITS = 12

# So many are compared if all leave errors.
COMPARED = 5

# Fewer errors start no search before the slip.
LEAST_ERRORS = 2

# Steps for trials in a game: a fixed number, plus a multiple of judging it once.
FREE_STEPS = 1_500_000
GAME_TIMES = 4

# Their maximum; a game of several hours takes a third.
MOST_STEPS = 10_000_000

# One in so many steps left is for one search.
SHARE = 4

# Statements after a slip that are judged to compare edits.
NEAR = 60

# Moves tried in place of an unreadable statement.
STAND_INS = 200

# After so many clean statements, an error may be another slip.
FAR_ENOUGH = 10

# If the first error is in the setup, an edit may leave one error in so many.
LEFT = 4

# Sets of things listed for a slot.
MAX_BAGS = 100

# For listing legal moves, divided equally among the kinds of move.
ALL_STEPS = 1_000_000

# Errors whose entities matter.
NAMING = 4

# Statements of a player, and of the others, before which insertions are tried.
REACH = 30

# Of a kind with so few things, such as resources, all names are tried.
FEW_THINGS = 8

# Restarts of a game for other names, and for missing answers; also statements before an error that
# may lack an answer.
MAX_PLAYED = 24

# With more unreadable statements, they explain why a thing is not in its place.
MOST_MISREAD = 10

# Changed texts per statement and stage.
MAX_TRIES = 300

MAX_LENGTH = 1_000

# Changed texts per log; long ones count more than once.
LOG_TRIES = 3_000

# One in so many is for one statement; also of the steps left, to count the errors of another
# reading.
SHARES = 8

# Changed texts that a corrected statement adds.
EARNED = 50

# What an unreadable statement costs at least, in changed texts.
LEAST_TRIES = 8

# Wrong letters in a word that is guessed.
WORD_SLIPS = 2

# In a statement of more words, no missing word is inserted.
MAX_GAPS = 12

# Longer texts get no first word, and each such length counts as one more changed text.
LONG = 100

# A shorter name is not corrected: too many others differ by one letter.
LEAST_SPELLED = 5

# Names that differ in so many letters are similar.
NEAR_SLIPS = 2

# So many headings show that their numbers count turns.
LEAST_TURNS = 3
