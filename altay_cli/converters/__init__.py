"""Convert between other notations and logs."""
