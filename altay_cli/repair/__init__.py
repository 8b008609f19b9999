"""How to go on after a slip."""
