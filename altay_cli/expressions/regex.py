"""Regular expressions for `matches`, with RE2, which takes linear time.

Without RE2 (``pip install 'altay[regex]'``), `matches` is refused, because Python's own patterns
can take exponential time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from altay_cli.base.findings import EvaluationError
from altay_cli.expressions import limits

_MEMORY = 1 << 18


def is_available() -> bool:
    """Return True if RE2 is installed."""
    return find_spec("re2") is not None


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> Any:
    """Compile a pattern to an object with a method ``search``.

    Raise EvaluationError: "regex" for an invalid pattern, "unsupported" if RE2 is missing.
    """
    if not is_available():
        message = "`matches` needs google-re2, which is not installed: pip install 'altay[regex]'"
        raise EvaluationError("unsupported", message)
    if len(pattern) > limits.MAX_PATTERN:
        template = "the pattern is longer than {count} characters"
        raise EvaluationError("regex", template, count=limits.MAX_PATTERN)
    re2: Any = import_module("re2")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern, options)
    except UnicodeEncodeError:
        raise EvaluationError("regex", "half of a surrogate pair is not a character") from None
    except re2.error as error:
        raw = error.args[0]
        reason = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)
        template = "this is not a pattern of RE2: {reason}"
        raise EvaluationError("regex", template, reason=reason) from None


def weight(pattern: str) -> int:
    """Return an upper bound of a pattern's size with its repeats expanded.

    >>> weight("(ab){10}") > weight("ab")
    True
    """
    product = 1
    for number in re.findall(r"\{(?:\d+,)?(\d{1,4})", pattern):
        product = min(product * max(int(number), 1), limits.MAX_PATTERN)
    return len(pattern) * product
