"""How far rules are looked into, and what in played games can hardly be an accident."""

# How many times faulty parts are left out to find more: form, references, types, sense.
STAGES = 6

# How many times rules are compiled with some of their changes to find those at fault.
MAX_PARTS = 24

# The maximum number of parts of an expression that are examined, called functions included, and
# the budget of evaluating one all of whose values are known, in steps.
QUESTION_STEPS = 20_000

# The elements of a longer list are not told apart, nor are expressions of more parts.
MOST_APART = 200

# The maximum number of rounds in which it is followed what effects lead to; after ROUNDS of them,
# numbers that still grow are assumed to grow forever.
MOST_ROUNDS = 60
ROUNDS = 3

# How many values are kept apart; of more, nothing is known. Of two that are combined, all pairs are
# worked out.
MOST_AMONG = 12

# How many times in a row a move is tried from where it was found.
PROBES = 2

# How many random walks are tried in a turn to find a way back to where it began.
WALKS = 6

# A move that can be made this often in a row can be made forever, and a walk makes no more moves.
# Of so many such moves no more are looked for.
REPEATS = 150
MOST_ENDLESS = 20

# A trigger that holds after this part of the moves is reported.
ALWAYS = 0.9

# How many of the things that a slot can be about are followed.
MOST_OFFERED = 12

# How often something must show before it is reported, such as a thing on offer that could never be
# taken. A log that proves a repeat shows as many of them.
ENOUGH = 10

# The budget of all questions about a set of rules, besides that of each question.
STARTUP_STEPS = 4_000_000

# The maximum number of table sizes that are tried, and of tables of these sizes with options.
MAX_SIZES = 8
MAX_TABLES = 24

# After so many steps no further game is begun, for each set of rules, and one that takes as many
# is given up: some seconds.
PLAYED_STEPS = 45_000_000

# The default number of games.
GAMES = 20

# How many games are played before others are handed to workers.
FIRST_GAMES = 8

# How long a game is played that does not come to its end.
MAX_ROUNDS = 60
MAX_MOVES = 1_500

# What was legal in this part of a game's usual length can be missed in another one.
EARLY = 0.75

# With fewer games, only what a single game proves is reported.
FEW_GAMES = 5

# Differences with a lower probability than this are not taken for chance.
ACCIDENT = 1e-5

# A seat that certainly wins so much more than it did, and twice so much more than its share.
UNFAIR = 0.1

# Games that certainly take so many times as many rounds as before are reported.
LONG = 1.75
