"""Limits on how much of a state is shown, and its budget."""

# Values of one field.
MAX_POSSIBLE = 150

# The budget of a game, and what each scene adds.
VIEW_STEPS = 5_000_000
SCENE_STEPS = 200_000

# Entities in a list or on a map, against absurd rules.
MAX_SHOWN = 2_000

# Statements that are shown; later ones are only judged.
MAX_MOMENTS = 20_000

# Keys of each kind, and the length of an expression, in the explanation of a requirement.
MAX_KEYS = 6
MAX_SOURCE = 60

# Legal moves listed instead of an illegal one.
MAX_ALTERNATIVES = 12
