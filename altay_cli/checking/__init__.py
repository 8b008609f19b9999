"""Check logs, from text to verdict, and use the result."""
