"""Format findings, scores and simulations, for people and for programs."""
