"""The state of a game as plain data that can be shown, and what changes from move to move.

``scene`` and ``watching`` alone touch the engine; everything that draws or retells a game goes by
what they give.
"""
