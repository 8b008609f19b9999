"""Beliefs about hidden things."""
