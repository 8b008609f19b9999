"""Compare the results of games under several rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from altay_cli.base.findings import Finding, Verdict, errors_of
from altay_cli.checking.check import GameReport
from altay_cli.report import limits
from altay_cli.report.results import GameResult
from altay_cli.report.terminal import finding_lines, game_title, or_unknown, together
from altay_cli.report.text import counted, listed, phrase, table
from altay_cli.scoring.score import points_of

AS_PLAYED = "as played"
Reports = Mapping[str, GameReport]
"""Reports of one game by rules, first those of the log."""


def compare_lines(games: Reports, path: str, number: int, text: Sequence[str]) -> Iterator[str]:
    """Yield how verdict, scores and ranks of a game differ between rules."""
    first = next(iter(games.values()))
    lines = dict(enumerate(text, 1))
    yield game_title(first, number, path)
    yield from _verdicts(games)
    yield from _scores(games)
    base = _keys(first)
    for name, game in games.items():
        new = [finding for finding in game.findings if _key(finding) not in base]
        if new:
            yield from ("", phrase("only under {rules}:", rules=name))
        for finding in new:
            yield from finding_lines(finding, path, lines)
        if gone := len(base - _keys(game)):
            findings = counted("{count} finding", "{count} findings", gone)
            template = "under {rules}, {findings} of the game as played no longer apply"
            yield phrase(template, rules=name, findings=findings)
    yield ""


def _key(finding: Finding) -> tuple[str, object]:
    return finding.rule, finding.span


def _keys(game: GameReport) -> set[tuple[str, object]]:
    return {_key(finding) for finding in game.findings}


def _errors(game: GameReport) -> list[Finding]:
    claims = {_key(finding) for finding in game.claims}
    return [error for error in errors_of(game.findings) if _key(error) not in claims]


def _verdict_without_claim(game: GameReport) -> Verdict:
    """Ignore the claimed result: other rules score differently."""
    if game.verdict is Verdict.ILLEGAL and game.settled is None and not _errors(game):
        return Verdict.LEGAL
    return game.verdict


def _verdicts(games: Mapping[str, GameReport]) -> Iterator[str]:
    rows = [list(map(phrase, ("Rules", "Verdict", "Errors", "Wrong claims", "Ended")))]
    for name, game in games.items():
        ended = phrase("yes" if game.played is not None and game.played.ended else "no")
        numbers = (str(len(_errors(game))), str(len(errors_of(game.claims))))
        rows.append([_title(name), _verdict_text(game), *numbers, ended])
    yield from table(rows, (2, 3))


def _title(name: str) -> str:
    return phrase(name) if name == AS_PLAYED else name


def _verdict_text(game: GameReport) -> str:
    verdict = _verdict_without_claim(game)
    partly = verdict is game.verdict is Verdict.LEGAL and not game.recorded
    return phrase(verdict.value) + (phrase(" as far as recorded") if partly else "")


def _scores(games: Mapping[str, GameReport]) -> Iterator[str]:
    standings = [
        [] if game.outcomes is None else [outcome.standing for outcome in game.outcomes.all]
        for game in games.values()
    ]
    rows = [[phrase("Player"), *map(_title, games)]]
    for player in dict.fromkeys(
        standing.player for of in standings for s in of[:1] for standing in s.players
    ):
        row = [player]
        for of in standings:
            cells = dict.fromkeys(
                f"{or_unknown(points_of(s)[player]['total'])} (#{s.ranks[player]})"
                for s in of
                if player in s.ranks
            )
            shown = [*list(cells)[: limits.MAX_CELLS], *(["…"] * (len(cells) > limits.MAX_CELLS))]
            row.append(phrase(" or ").join(shown) or "-")
        rows.append(row)
    if len(rows) > 1:
        yield from ("", *table(rows, range(1, len(rows[0]))))


@dataclass(slots=True)
class GameShift:
    """How one game changes under other rules, in words; fields are empty if unchanged.

    claims: the claimed result is right under only one of the sets of rules.
    """

    verdict: str = ""
    winner: str = ""
    claims: bool = False


@dataclass(slots=True)
class ComparedGame:
    """The comparison of one game under several rules; can be pickled.

    played: the result under its own rules.
    shifts: the changes by other rules; None for rules of other games.
    document, lines: reports by rules, for JSON and for people.
    usable: all rules for this game can be used.
    """

    path: str
    number: int
    played: GameResult
    shifts: Mapping[str, GameShift | None] = field(default_factory=dict)
    document: Mapping[str, object] = field(default_factory=dict)
    lines: Sequence[str] = ()
    usable: bool = True
    error: str = ""


def shift_of(played: GameReport, game: GameReport, name: str) -> GameShift:
    """Return how a game changes under the rules called ``name``."""
    return GameShift(
        _other_verdict(played, game, name),
        _other_winner(played, game, name),
        bool(errors_of(played.claims)) is not bool(errors_of(game.claims)),
    )


@dataclass(slots=True)
class Shift:
    """Counts games checked under other rules, and those that changed."""

    games: int = 0
    left_out: int = 0
    verdict: list[str] = field(default_factory=list)
    winner: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)


class Shifts:
    """The changed games by the name of the other rules."""

    def __init__(self, names: Iterable[str]) -> None:
        self.of = {name: Shift() for name in names}

    def count(self, game: ComparedGame, *, alone: bool) -> list[str]:
        """Count a game, and return a line for each set of rules that changes it.

        ``alone``: it is the only game of its file.
        """
        lines = []
        # Names in JSON do not depend on the language.
        name_of_game = title = game.path
        if not alone:
            name_of_game = f"{title}, game {game.number}"
            title = listed([title, phrase("game {number}", number=game.number)])
        for name, shift in self.of.items():
            found = game.shifts.get(name)
            if found is None:
                shift.left_out += 1
                continue
            shift.games += 1
            shift.verdict += [name_of_game] * bool(found.verdict)
            shift.winner += [name_of_game] * bool(found.winner)
            shift.claims += [name_of_game] * found.claims
            if found.verdict or found.winner:
                lines.append(f"{title}: {'; '.join(filter(None, (found.verdict, found.winner)))}")
        return lines

    def lines(self) -> Iterator[str]:
        """Yield the number of changed games for each set of rules."""
        for name, shift in self.of.items():
            template = (
                "under {rules}: {count} of {games} changes its verdict, {winners} the winner"
                if len(shift.verdict) == 1
                else "under {rules}: {count} of {games} change their verdict, {winners} the winner"
            )
            changed, won = len(shift.verdict), len(shift.winner)
            line = phrase(
                template, rules=name, count=changed, games=_games(shift.games), winners=won
            )
            if claims := len(shift.claims):
                only = "; the claimed results of {games} are right under only one of the rules"
                line += phrase(only, games=_games(claims))
            if shift.left_out:
                line += phrase("; {games} of other rules left out", games=_games(shift.left_out))
            yield line

    def document(self) -> dict[str, object]:
        """Return the numbers and the changed games for JSON."""
        return {"under": {name: asdict(shift) for name, shift in self.of.items()}}


def _games(count: int) -> str:
    return counted("{count} game", "{count} games", count)


def _other_verdict(played: GameReport, game: GameReport, name: str) -> str:
    if _verdict_without_claim(game) is _verdict_without_claim(played):
        return ""
    known = _keys(played)
    new = [finding for finding in _errors(game) if _key(finding) not in known]
    before, after = _verdict_text(played), _verdict_text(game)
    text = phrase(
        "{before} as played, {after} under {rules}", before=before, after=after, rules=name
    )
    if new:
        first = min(new, key=lambda finding: finding.span)
        where = phrase(" from line {line} on", line=first.span.line)
        text += f"{where}: {first.message} [{first.rule}]"
    if len(new) > 1:
        text += counted(", and {count} more error", ", and {count} more errors", len(new) - 1)
    return text


def _other_winner(played: GameReport, game: GameReport, name: str) -> str:
    standings = [standing for standing in (played.standing, game.standing) if standing is not None]
    winners = [together(sorted(standing.winners)) or phrase("nobody") for standing in standings]
    if len(set(winners)) < 2:
        return ""
    template = "won by {before} as played, by {after} under {rules}"
    return phrase(template, before=winners[0], after=winners[1], rules=name)
