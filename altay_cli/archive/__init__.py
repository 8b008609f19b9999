"""Read archives of games, share work among processes, write tables of results."""
