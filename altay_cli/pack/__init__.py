"""Rule folders to a checked, merged, compiled pack."""
