"""AGN, the notation of recorded games: parse logs and write them in canonical form."""
