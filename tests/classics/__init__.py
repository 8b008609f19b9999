"""Classic games as packs, against public numbers and against other programs."""
