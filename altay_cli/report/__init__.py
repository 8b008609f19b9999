"""Reports and scores, for people and for programs."""
