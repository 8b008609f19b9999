"""Limits on examining rules, and thresholds for results of played games."""

# How often faulty parts are left out to find more.
STAGES = 6

# How often rules are compiled with some changes to find the faulty ones.
MAX_PARTS = 24

# How many parts of an expression, called functions included, are examined; also the steps for
# evaluating one with known values.
QUESTION_STEPS = 20_000

# Lists and expressions of this size are handled exactly.
MOST_APART = 200

# Rounds for following effects; after ROUNDS, growing numbers count as unbounded.
MOST_ROUNDS = 60
ROUNDS = 3

# Larger sets of values are unknown. Two sets combine by all pairs.
MOST_AMONG = 12

# How often in a row a move is tried from where it was found.
PROBES = 2

# How many random walks per turn search for a way back to its start.
WALKS = 6

# A move possible this often in a row is possible forever. Also how long walks are, and how many
# such moves are searched for.
REPEATS = 150
MOST_ENDLESS = 20

# Report a trigger that holds after this share of the moves.
ALWAYS = 0.9

# How many entities of a slot are followed.
MOST_OFFERED = 12

# How often something must occur before it is reported; also the repeats in a log that proves it.
ENOUGH = 10

# The budget of all questions about a set of rules.
STARTUP_STEPS = 4_000_000

# Player counts tried, and games at each with options.
MAX_SIZES = 8
MAX_TABLES = 24

# Steps (some seconds) after which no game begins, and a single game is given up.
PLAYED_STEPS = 45_000_000

GAMES = 20

MAX_ROUNDS = 60
MAX_MOVES = 1_500

# A move legal in this share of a game's usual length can be missed in another game.
EARLY = 0.75

# With fewer, only proofs from a single game are reported.
FEW_GAMES = 5

# Further games, and their steps, to confirm that something never happens.
CONFIRMING_GAMES = 40
CONFIRMING_STEPS = 90_000_000

# A requirement that held so often, and never failed, forbids nothing.
ENOUGH_TESTS = 200

# How many changes are left out to find the cause of a problem.
MOST_CAUSES = 8

# A change is left out in so many games to show that it does nothing: few may show it.
LEFT_OUT_GAMES = 30

# So many games, or moments between rounds, show what never happens.
ENOUGH_GAMES = 12
ENOUGH_MOMENTS = 60

# Differences with a lower probability are not chance.
ACCIDENT = 1e-5

# Report a seat whose share of victories surely grew by this, and is twice this above average.
UNFAIR = 0.1

# Report games that surely take this many times as many rounds as before; longer games can be meant.
LONG = 4
