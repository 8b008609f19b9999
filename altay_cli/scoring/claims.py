"""What the table wrote down as the result, checked against what is computed."""

from __future__ import annotations

from collections.abc import Iterator

from altay_cli.engine.binding import elements, player_name
from altay_cli.engine.referee import Played
from altay_cli.findings import Finding, Severity
from altay_cli.notation import GameRecord, Item, Kind, SectionKind, Statement
from altay_cli.pack.spelling import normal
from altay_cli.scoring.score import Standing

MAX_CLAIMS = 1_000


def check_claims(record: GameRecord, played: Played, standing: Standing) -> Iterator[Finding]:
    """Check every claim of the game's `result`; yields a finding for each wrong one."""
    checker = _Claims(played, standing)
    count = 0
    for section in record.sections:
        if section.kind is not SectionKind.RESULT:
            continue
        for statement in section.statements:
            finding = checker.check(statement)
            if finding is not None:
                count += 1
                yield finding
            if count >= MAX_CLAIMS:
                return
        if not played.ended and any(s.kind is SectionKind.TURN for s in record.sections):
            message = (
                "the log ends before the game does; the claims are held against the last state"
            )
            yield Finding("game-unfinished", Severity.NOTE, message, section.heading.span())


class _Claims:
    def __init__(self, played: Played, standing: Standing) -> None:
        self.standing = standing
        self.names = {normal(score.player): score.player for score in standing.players}
        self.categories = {category.id: category.title for category in played.state.pack.categories}
        cites = {c.id: c.cite for c in played.state.pack.categories}
        self.cites = cites

    def check(self, statement: Statement) -> Finding | None:
        """Check one claim."""
        items = statement.items
        verb = items[0].text.casefold() if items else ""
        if statement.outcome is not None:
            return self._malformed(statement)
        if not statement.actor:
            return self._winner(statement) if verb == "winner" else self._malformed(statement)
        player = self.names.get(normal(player_name(statement.actor)))
        if player is None:
            return self._unknown(statement, statement.actor)
        if len(items) != 2 or items[1].kind is not Kind.NUMBER:
            return self._malformed(statement)
        return self._points(statement, player, verb, items[1].value)

    def _points(
        self, statement: Statement, player: str, category: str, claimed: int
    ) -> Finding | None:
        score = self.standing.of(player)
        if category in {"score", "total"}:
            computed, title, cite = score.total, "score", {}
        elif category in self.categories:
            found = next(c for c in score.categories if c.category.id == category)
            computed, title, cite = found.points, category, dict(self.cites[category])
        else:
            from difflib import get_close_matches

            known = ["score", *self.categories]
            near = get_close_matches(category[:40], known, 1)
            help_line = f"did you mean `{near[0]}`?" if near else f"possible: {', '.join(known)}"
            message = f"there is no score category `{category[:40]}`"
            span = statement.span_of(statement.items[0])
            return Finding("unknown-category", Severity.ERROR, message, span, {}, (help_line,))
        if computed == claimed:
            return None
        message = f"{player}: {title} {claimed} is claimed, {computed} is computed"
        span = statement.span_of(statement.items[1])
        return Finding(
            "claim-wrong", Severity.ERROR, message, span, cite,
            ("`altay score --explain` derives every number",), None, player,
        )  # fmt: skip

    def _winner(self, statement: Statement) -> Finding | None:
        claimed: list[str] = []
        for element in elements(statement.items[1:]):
            player = self.names.get(normal(player_name(element))) if element else None
            if player is None:
                return self._unknown(statement, element) if element else self._malformed(statement)
            claimed.append(player)
        if set(claimed) == set(self.standing.winners):
            return None
        computed = ", ".join(self.standing.winners)
        message = f"winner {', '.join(claimed)} is claimed, {computed} is computed"
        decided = self.standing.decided_by
        if decided not in {"total", "shared"}:
            message += f" (the tie is decided by {decided})"
        elif decided == "shared":
            message += " (tied in every category: the victory is shared)"
        return Finding("claim-winner", Severity.ERROR, message, statement.span())

    def _unknown(self, statement: Statement, items: tuple[Item, ...] | list[Item]) -> Finding:
        span = statement.span(items[0].start, items[-1].end)
        known = ", ".join(self.names.values())
        message = f"there is no player `{player_name(items)[:40]}`"
        return Finding(
            "unknown-player", Severity.ERROR, message, span, {}, (f"at the table: {known}",)
        )

    def _malformed(self, statement: Statement) -> Finding:
        return Finding(
            "malformed-statement",
            Severity.ERROR,
            "this is no claim of a result",
            statement.span(),
            {},
            (
                "it is written: NAME: score NUMBER, NAME: CATEGORY NUMBER, or: winner NAME, NAME",
                f"categories: {', '.join(self.categories)}",
            ),
        )
