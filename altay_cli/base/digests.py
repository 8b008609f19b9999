"""Digests, without OpenSSL: `hashlib` loads it, and a start has no use for that."""

try:
    from _blake2 import blake2b
except ImportError:  # it is no public module
    from hashlib import blake2b

__all__ = ["blake2b"]
