"""Limits for reading archives."""

# Files in an archive. The directory of a million members takes some 500 MB.
MAX_MEMBERS = 300_000

# Bytes of a zip file's directory: some 60 per member.
MAX_DIRECTORY = 20_000_000

# Compressed sources are refused if they expand to more bytes than this and to more than this many
# times their size. Games rarely compress to less than a thirtieth.
FREE_BYTES = 200_000_000
MAX_EXPANSION = 100

# Games from which starting processes saves time.
MIN_SHARED = 200

# Files named in the warning about files left out of a folder.
MAX_NAMES = 3
