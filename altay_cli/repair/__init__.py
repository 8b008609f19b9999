"""Corrections of statements, and repairs of a game with errors."""
