"""Legal moves: listed and spelled."""
