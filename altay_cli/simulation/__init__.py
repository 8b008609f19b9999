"""Play games automatically, and count the results of many games."""
