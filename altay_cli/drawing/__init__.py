"""How maps are drawn: outlines of land, its borders and textures, and the positions of pieces.

See `docs/architecture.md`.
"""
