"""How much of an archive is read."""

# The maximum number of files in one archive. A directory of a million members takes some
# 500 MB of memory before the first game is read.
MAX_MEMBERS = 300_000

# The maximum size of the directory of a zip file, in bytes: some 60 bytes a member.
MAX_DIRECTORY = 20_000_000

# Text of games rarely shrinks to less than a thirtieth. A compressed source that expands to more
# bytes than this, and to more than this many times its size, is refused.
FREE_BYTES = 200_000_000
MAX_EXPANSION = 100

# Starting processes pays from this many games on.
MIN_SHARED = 200

# How many of the files that are left out of a folder are named.
MAX_NAMES = 3
