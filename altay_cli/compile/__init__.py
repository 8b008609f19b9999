"""Rule files to a model and to Python."""
