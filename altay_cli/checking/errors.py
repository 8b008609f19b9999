"""Exceptions of games in progress."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.base.findings import Finding, ImpossibleError, joined_by_semicolon


class IllegalMove(ImpossibleError):  # noqa: N818 - the field's word
    """A move that the rules forbid; ``findings`` say why.

    There are none if the text cannot be read as a move.
    """

    def __init__(self, statement: str, findings: Sequence[Finding]) -> None:
        reasons = joined_by_semicolon(finding.message for finding in findings)
        super().__init__(f"{statement}: {reasons or 'this is not a statement'}")
        self.findings = tuple(findings)


class GameError(ImpossibleError):
    """A game that cannot be begun or opened; its ``findings`` may say why."""

    def __init__(self, message: str, findings: Sequence[Finding] = (), **values: object) -> None:
        super().__init__(message, **values)
        self.findings = tuple(findings)
