"""Limits of repair: they decide which edits are found."""

# How many edits at a slip, and other answers to a decision, are tried.
FEW_EDITS = 12

# How many of them are compared if all leave errors.
COMPARED = 5

# Fewer errors start no search before the slip.
LEAST_ERRORS = 2

# Steps for trials in a game: a fixed number, plus a multiple of judging it once.
FREE_STEPS = 1_500_000
GAME_TIMES = 4

# Their maximum; a game of several hours takes a third.
MOST_STEPS = 10_000_000

# The part of the steps left that a search may take: one in so many.
SHARE = 4

# Statements after a slip that are judged to compare edits.
NEAR = 60

# Moves that are tried in place of an unreadable statement.
STAND_INS = 200

# After so many clean statements, an error may be another slip.
FAR_ENOUGH = 10

# If the first error is in the setup, an edit may leave one error in so many.
LEFT = 4

# Sets of things that are listed for a slot.
MAX_BAGS = 100

# Steps for listing legal moves, divided equally among the kinds of move.
ALL_STEPS = 1_000_000

# Errors whose entities are concerned.
NAMING = 4

# Statements of a player, and of the others, before which insertions are tried.
REACH = 30

# Kinds with so few things, such as resources: all their names are tried.
FEW_THINGS = 8

# Restarts of a game for other names, and for missing answers; and the statements up to an error
# before which an answer may be missing.
MAX_PLAYED = 24

# With more unreadable statements, they explain why a thing is not in its place.
MOST_MISREAD = 10

# Changed texts per statement and stage.
MAX_TRIES = 300

# Statements longer than this are not changed.
MAX_LENGTH = 1_000

# Changed texts per log; long ones count more than once.
LOG_TRIES = 3_000

# The part of the changed texts left for one statement, and of the steps left for counting the
# errors of another reading: one in so many.
SHARES = 8

# Changed texts that a corrected statement adds.
EARNED = 50

# The minimum cost of an unreadable statement, in changed texts.
LEAST_TRIES = 8

# Wrong letters in a word that is guessed.
WORD_SLIPS = 2

# In a statement of more words, no missing word is inserted.
MAX_GAPS = 12

# Longer texts get no first word, and each such length counts as one more changed text.
LONG = 100

# A name of fewer letters is not corrected: too many others differ by one letter.
LEAST_SPELLED = 5

# Names that differ in so many letters are similar.
NEAR_SLIPS = 2

# So many headings show that their numbers count turns.
LEAST_TURNS = 3
