"""Convert between other notations and logs; a converter is two functions and a table row."""
