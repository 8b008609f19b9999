"""AGN, the notation of recorded games: parse logs and write them in canonical form.

A statement is a list of words, numbers and other items, which the rules of a game interpret.
"""
