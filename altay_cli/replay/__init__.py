"""Make a page that plays games back in a browser: one file that loads nothing else.

``GameData`` turns a game into data, ``page`` makes the page. The scripts in ``assets`` show the
states and know no rules.
"""
