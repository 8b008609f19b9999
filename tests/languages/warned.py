"""Warnings of texts that have no translation, and are shown in English."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from altay_cli.base.findings import Finding


class UntranslatedWarning(UserWarning):
    """Some texts have no translation, or some translations no text."""


def warn_untranslated(
    language: str, texts: Iterable[object], what: str = "without a translation"
) -> None:
    """Warn of texts that have no translation, if there are any."""
    listed = sorted(map(str, texts))
    if listed:
        message = f"{language}: {len(listed)} {what}: {'; '.join(listed[:5])}"
        warnings.warn(UntranslatedWarning(message), stacklevel=2)


def without_unused(problems: Iterable[Finding]) -> list[Finding]:
    """Return problems of rules; only warn of translations of texts that were reworded."""
    found = [*problems]
    unused = [f"{one.file}:{one.span.line}" for one in found if one.rule == "unknown-text"]
    warn_untranslated("rules", unused, "translations of no text")
    return [one for one in found if one.rule != "unknown-text"]
