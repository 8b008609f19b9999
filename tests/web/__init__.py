"""Tests of what the page runs: its Python, here in this Python."""
