"""One log under several rules, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from altay_cli.checking import FileReport, GameReport
from altay_cli.findings import Finding, Severity
from altay_cli.report.json import game_document
from altay_cli.report.terminal import finding_lines, game_title, verdict_text
from altay_cli.report.text import plural, table
from altay_cli.scoring.score import Standing
from altay_cli.translations import word

MAX_LISTED = 20
"""How many games that turn out differently are listed."""

MAX_CELLS = 4
"""How many of the scores that a player may have are shown."""

Reports = Mapping[str, FileReport]
"""Reports of one file by the rules it was checked under; those of the log itself come first."""


def compare_lines(reports: Reports, language: str = "en") -> Iterator[str]:
    """Yield how verdicts, scores and ranks of each game differ under the rules."""
    first = next(iter(reports.values()))
    for number in range(len(first.games)):
        games = {name: report.games[number] for name, report in reports.items()}
        yield game_title(first.games[number], number + 1, first.path, language)
        yield from _verdicts(games)
        yield from _scores(games, language)
        base = _keys(first.games[number])
        for name, game in games.items():
            new = [finding for finding in game.findings if _key(finding) not in base]
            if new:
                yield ""
                yield f"only under {name}:"
            for finding in new:
                yield from finding_lines(finding, first.path, first.lines, language)
            gone = len(base - _keys(game))
            if gone:
                yield f"under {name}, {plural(gone, 'finding')} as played fall away"
        yield ""


def _key(finding: Finding) -> tuple[str, object]:
    return finding.rule, finding.span


def _keys(game: GameReport) -> set[tuple[str, object]]:
    return {_key(finding) for finding in game.findings}


def _verdicts(games: Mapping[str, GameReport]) -> Iterator[str]:
    rows = [["Rules", "Verdict", "Errors", "Ended"]]
    for name, game in games.items():
        errors = sum(finding.severity is Severity.ERROR for finding in game.findings)
        ended = "yes" if game.played is not None and game.played.ended else "no"
        rows.append([name, verdict_text(game), str(errors), ended])
    yield from table(rows, frozenset({2}))


def _scores(games: Mapping[str, GameReport], language: str) -> Iterator[str]:
    """Yield total and rank of each player under each of the rules."""
    players: dict[str, None] = {}
    for game in games.values():
        if game.standing is not None:
            players.update(dict.fromkeys(score.player for score in game.standing.players))
    if not players:
        return
    rows = [[word(language, "player"), *games]]
    for player in players:
        row = [player]
        for game in games.values():
            standing = game.standing
            if standing is None or all(s.player != player for s in standing.players):
                row.append("-")
                continue
            assert game.outcomes is not None
            cells = dict.fromkeys(_cell(outcome.standing, player) for outcome in game.outcomes.all)
            row.append(" or ".join([*list(cells)[:MAX_CELLS], *(["…"] * (len(cells) > MAX_CELLS))]))
        rows.append(row)
    yield ""
    yield from table(rows, frozenset(range(1, len(games) + 1)))


def _cell(standing: Standing, player: str) -> str:
    place = next(i for i, group in enumerate(standing.ranking) if player in group)
    rank = 1 + sum(len(group) for group in standing.ranking[:place])
    return f"{standing.of(player).total} (#{rank})"


@dataclass(slots=True)
class Shifts:
    """Which games turn out differently under other rules, by the name of these."""

    games: int = 0
    verdicts: dict[str, list[str]] = field(default_factory=dict)
    winners: dict[str, list[str]] = field(default_factory=dict)

    def count(self, reports: Reports) -> None:
        """Count the games of a file."""
        first = next(iter(reports.values()))
        self.games += len(first.games)
        for name, report in list(reports.items())[1:]:
            verdicts = self.verdicts.setdefault(name, [])
            winners = self.winners.setdefault(name, [])
            for number, (played, game) in enumerate(zip(first.games, report.games, strict=True)):
                title = first.path if len(first.games) == 1 else f"{first.path}, game {number + 1}"
                if game.verdict is not played.verdict:
                    verdicts.append(title)
                if _winners(game) != _winners(played):
                    winners.append(title)

    def lines(self) -> Iterator[str]:
        """Yield for each of the rules how many games turn out differently, and which."""
        for name, verdicts in self.verdicts.items():
            winners = self.winners[name]
            change = "changes its" if len(verdicts) == 1 else "change their"
            yield (
                f"under {name}: {len(verdicts)} of {plural(self.games, 'game')} {change} verdict, "
                f"{len(winners)} the winner"
            )
            for what, titles in (("verdict", verdicts), ("winner", winners)):
                for title in titles[:MAX_LISTED]:
                    yield f"  {what}: {title}"
                if len(titles) > MAX_LISTED:
                    yield f"  {what}: {len(titles) - MAX_LISTED} more"

    def document(self) -> dict[str, object]:
        """Return the same for programs."""
        return {
            "under": {
                name: {"games": self.games, "verdict": verdicts, "winner": self.winners[name]}
                for name, verdicts in self.verdicts.items()
            }
        }


def _winners(game: GameReport) -> tuple[str, ...] | None:
    return None if game.standing is None else tuple(sorted(game.standing.winners))


def compare_document(reports: Reports) -> dict[str, object]:
    """Return the comparison of a file for JSON: its games, each one report by rules."""
    first = next(iter(reports.values()))
    games = [
        {name: game_document(report.games[number]) for name, report in reports.items()}
        for number in range(len(first.games))
    ]
    return {"path": first.path, "games": games}
