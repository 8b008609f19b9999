"""A page to play games back in a browser: one file, nothing loaded from elsewhere.

``GameData`` makes the data of the page out of a watched game, ``page`` the page. What happens in
the browser stands in ``assets``: it shows states that were computed here, and knows no rules.
"""
