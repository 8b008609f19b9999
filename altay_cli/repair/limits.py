"""What repair may take and how far it looks: limits that shape what is told of a slip."""

# How many edits are tried at the place of a slip, and answers in the place of another one.
FEW_EDITS = 12

# How many of these are compared if each leaves errors: those with which it goes well longest.
COMPARED = 5

# The least number of errors for which one cause elsewhere is looked for.
LEAST_ERRORS = 2

# What may be tried in a game: so many steps, and more for each step of reading it once.
FREE_STEPS = 1_500_000
GAME_TIMES = 4

# The most that may be tried in any game, in steps: a log of several hours takes a third of it.
MOST_STEPS = 10_000_000

# One kind of search after one slip may take one part in so many of what is left.
SHARE = 4

# The number of statements behind a slip that tell which way to go on is good.
NEAR = 60

# How many moves that an unreadable statement may stand for are held against what follows.
STAND_INS = 200

# Where so many statements can be read without an error, what follows may be another slip.
FAR_ENOUGH = 10

# If the first error is in the setup, another setup may leave one in so many of the errors.
LEFT = 4

# How many sets of things are tried for a slot of a statement that may have been meant.
MAX_BAGS = 100

# The budget of listing statements that may have been meant, in steps: an equal part of it is for
# each kind of move.
ALL_STEPS = 1_000_000

# The number of errors whose statements are searched for what was meant.
NAMING = 4

# Before how many statements of the same player, and of others, one may have been left out.
REACH = 30

# Kinds with at most this many things, such as resources, are named by many moves, and tried even
# if no error names them.
FEW_THINGS = 8

# How often a game is played to find out what was meant, in each of the ways; and before how many
# statements up to an error a missing answer is looked for.
MAX_PLAYED = 24

# Where more cannot be read, that is why something is not where it should be.
MOST_MISREAD = 10

# The maximum number of changed texts looked at in one search for what a statement means.
MAX_TRIES = 300

# Statements longer than this are not changed.
MAX_LENGTH = 1_000

# The maximum number of changed texts read per log; long ones count more than once.
LOG_TRIES = 3_000

# One statement may take one part in so many of the tries that are left, so that the others get
# theirs. Counting the errors of a game read otherwise may take as large a part of the steps left.
SHARES = 8

# How many more there are for each statement that is mended: where one slip is made in each.
EARNED = 50

# What a badly written statement costs at the least, in such tries.
LEAST_TRIES = 8

# How many slips there may be in a word of a statement that is guessed.
WORD_SLIPS = 2

# In a statement of more words, none is looked for that is missing.
MAX_GAPS = 12

# A text of more characters is long: no word is added that it may begin with, and to read it counts
# as one more try for each time that it is so long.
LONG = 100

# A name of fewer letters is not corrected by itself: too many others are a letter away.
LEAST_SPELLED = 5

# What is so many slips away from a word is near it, so that it may have been meant.
NEAR_SLIPS = 2

# The number of headings from which on it is seen that their numbers count turns.
LEAST_TURNS = 3
