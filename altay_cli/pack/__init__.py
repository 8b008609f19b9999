"""Compiled games: their model, and how statements and values are written for them."""
