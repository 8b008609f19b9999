"""The grammar of AGN, and what makes the regular expressions of the reader from it."""
