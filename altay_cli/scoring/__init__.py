"""Compute scores, ranks and ties, and check claims against them."""
