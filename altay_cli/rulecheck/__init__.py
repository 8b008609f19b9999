"""Checking rules before anyone plays by them: form, references, types, and sense."""
