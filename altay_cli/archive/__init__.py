"""Read archives of games, judge them in several processes, write datasets."""
