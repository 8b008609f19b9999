"""AGN, the notation of a recorded game: text to syntax tree, tree to canonical text.

Nothing here knows a game: a statement is a list of words, numbers and the
like, and what it means is the rules pack's business.
"""
