"""Logs from text to verdict, and what is done with them."""
