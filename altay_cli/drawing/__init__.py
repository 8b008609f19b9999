"""How maps are drawn: outlines, borders and textures of land, and positions of pieces.

See `docs/architecture.md`.
"""
