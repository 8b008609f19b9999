"""The digest of files and cache entries, without OpenSSL, which `hashlib` takes 3 ms to load."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # not CPython
    from hashlib import blake2b

__all__ = ["blake2b"]
