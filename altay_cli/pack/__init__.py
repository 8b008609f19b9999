"""Compiled games: what they are made of, and how what they are about is written and said."""
