"""Show states of a game as plain data, and the changes from move to move.

Only ``scene`` and ``watching`` use the engine.
"""
