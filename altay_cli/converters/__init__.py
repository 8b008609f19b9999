"""Other notations: games to logs and back; a converter is two functions and a row of a table."""
