"""List legal moves and write them as statements."""
