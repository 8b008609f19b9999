"""The command line: a thin module for each group of commands."""

import gc

from altay_cli.base.garbage import OBJECTS

# Scanning the many long-lived objects takes a fifth of the time to score a game. Most are made by
# imports.
gc.set_threshold(OBJECTS)
