"""Scores: categories with what they are made of, ranks, ties, and claims checked against them."""
