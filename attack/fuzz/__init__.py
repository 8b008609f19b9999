"""Fuzzing: texts that nobody would write, for the readers of logs, expressions and variants.

``targets`` says what must hold of any text; ``mutation`` changes texts; ``runner`` starts the
``driver``, the process of atheris, and keeps the corpus. Only the driver needs atheris (``pip
install -e '.[fuzz]'``).
"""

from attack.fuzz.runner import command

__all__ = ["command"]
