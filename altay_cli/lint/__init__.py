"""Checks of rules beyond their form: `altay rules check`."""
