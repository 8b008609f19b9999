"""A page to play games back in a browser: one file, nothing loaded from elsewhere.

``document`` makes the data of the page out of watched games, ``page`` the page. What happens in
the browser stands in ``assets``: it shows states that were computed here, and knows no rules.
"""
