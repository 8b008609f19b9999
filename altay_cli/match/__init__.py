"""A game under way: its state, and the judge of each statement."""
