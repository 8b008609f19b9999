"""Archives: sources of games, work on several cores and machines, tables of results."""
