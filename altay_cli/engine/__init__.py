"""The referee: states, moves and decisions of any game that a pack describes."""
