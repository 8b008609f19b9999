"""altay: a referee for recorded board games, with the rules as data."""

__version__ = "0.1.0"
