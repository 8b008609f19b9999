"""Compiled games, and how their statements and values are written."""
