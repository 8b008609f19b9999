"""AGN, the notation of recorded games: parse logs and write them in canonical form.

This room knows no game: a statement is a list of words, numbers and other items, which the rules
interpret.
"""
