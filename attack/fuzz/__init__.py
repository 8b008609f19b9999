"""Fuzzing: texts that nobody would write, for the readers of logs, expressions and variants.

``targets`` says what must hold of any text, ``mutation`` how to change a text token by token,
``seeds`` where to begin, ``driver`` is the process that atheris runs in, ``runner`` starts it and
keeps the corpus. Only the driver needs atheris (``pip install -e '.[fuzz]'``).
"""

from attack.fuzz.runner import command

__all__ = ["command"]
