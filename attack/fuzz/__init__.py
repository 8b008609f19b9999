"""Fuzzing: texts that nobody would write, for the readers of logs, expressions and variants.

Only ``driver`` needs atheris (``pip install -e '.[fuzz]'``).
"""

from attack.fuzz.runner import command

__all__ = ["command"]
