"""Limits of repair: they decide which edits are found."""

# How many edits at a slip, and how many other answers to a decision, are tried.
FEW_EDITS = 12

# How many of these are compared if all leave errors.
COMPARED = 5

# The minimum number of errors for a search before the slip.
LEAST_ERRORS = 2

# The steps for trials in a game: a fixed number, and a multiple of judging it once.
FREE_STEPS = 1_500_000
GAME_TIMES = 4

# The maximum number of these; a game of several hours takes a third.
MOST_STEPS = 10_000_000

# A search after a slip may take one part in so many of the steps left.
SHARE = 4

# How many statements after a slip are judged to compare edits.
NEAR = 60

# How many moves are tried in place of an unreadable statement.
STAND_INS = 200

# After so many clean statements, an error may be another slip.
FAR_ENOUGH = 10

# If the first error is in the setup, an edit may leave one in so many errors.
LEFT = 4

# How many sets of things are listed for a slot.
MAX_BAGS = 100

# The steps for listing legal moves, divided equally among the kinds of move.
ALL_STEPS = 1_000_000

# How many errors are searched for names.
NAMING = 4

# Before how many statements of a player, and of the others, insertions are tried.
REACH = 30

# Many moves name kinds with so few things, such as resources: all their names are tried.
FEW_THINGS = 8

# How often a game is restarted for other names, and for missing answers; and before how many
# statements up to an error an answer may be missing.
MAX_PLAYED = 24

# With more unreadable statements, they explain why a thing is not in its place.
MOST_MISREAD = 10

# The maximum number of changed texts per statement and stage.
MAX_TRIES = 300

# Statements longer than this are not changed.
MAX_LENGTH = 1_000

# The maximum number of changed texts per log; long ones count more than once.
LOG_TRIES = 3_000

# A statement may take one part in so many of the changed texts left. Counting the errors of
# another reading may take the same part of the steps left.
SHARES = 8

# How many more there are for each corrected statement.
EARNED = 50

# The minimum cost of a statement that cannot be read, in changed texts.
LEAST_TRIES = 8

# How many letters may be wrong in a word that is guessed.
WORD_SLIPS = 2

# In a statement of more words, no missing word is inserted.
MAX_GAPS = 12

# A text of more characters is long: no first word is inserted, and each such length counts as
# one more changed text.
LONG = 100

# A name of fewer letters is not corrected: too many others differ by one letter.
LEAST_SPELLED = 5

# Names that differ in so many letters are similar.
NEAR_SLIPS = 2

# The minimum number of headings that show that their numbers count turns.
LEAST_TURNS = 3
