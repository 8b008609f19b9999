"""How much of a state is shown, and what that may cost, in steps."""

# The maximum number of contents of hidden places that are gone through for one value.
MAX_POSSIBLE = 150

# The budget for showing a game: a base, and an allowance for each scene.
VIEW_STEPS = 5_000_000
SCENE_STEPS = 200_000

# The maximum number of things of a list or a map that are shown; a guard against absurd rules.
MAX_SHOWN = 2_000

# The maximum number of statements of a game that are shown; the rest are only judged.
MAX_MOMENTS = 20_000
