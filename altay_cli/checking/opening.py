"""Open recorded games, and begin new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from altay_cli.base.findings import (
    START,
    Finding,
    ImpossibleError,
    errors_of,
    joined_by_semicolon,
)
from altay_cli.base.internal import FATAL, internal_error
from altay_cli.base.translations import translated_finding
from altay_cli.checking.check import CheckSettings, check_games, correct_log
from altay_cli.checking.errors import GameError
from altay_cli.checking.playing import Game
from altay_cli.checking.points import begun_setup, cut_at
from altay_cli.checking.setting_up import SettingUp
from altay_cli.checking.tags import rules_of
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.moves.ability import Ability
from altay_cli.moves.opening import Choose, Opening
from altay_cli.notation.lexis import quote
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, SectionKind, with_turn_headings
from altay_cli.pack.candidates import on_pad
from altay_cli.pack.model import Pack
from altay_cli.repair.play import judge_game


def open_game(
    text: str,
    at: str | None = None,
    *,
    game: int = 1,
    folder: Path | str | None = None,
    seed: int | None = None,
    language: str = "en",
) -> Game:
    """Open a recorded game at a point.

    Args:
        text: the log.
        at: a line, a line and a column (`34:7`) or the heading of a turn (`turn 3 Ann`): the game
            is opened before that statement; without it, at the end of the log. In a setup, or with
            `setup` for its end, statements of the setup can follow.
        game: the number of the game in the log, from 1.
        folder: where variant files are looked up; without it, none are read.
        seed: makes chance repeatable.
        language: the code of the language of names and findings.

    Returns:
        The game; errors before that point are among its ``findings``.

    Raises:
        GameError: if there is no such game or point, or no rules for it; or if the program fails
            on it, with the finding `internal-error`.

    """
    try:
        return _open(text, at, game, None if folder is None else Path(folder), seed, language)
    except (GameError, *FATAL):
        raise
    except Exception as error:
        found = translated_finding(language, internal_error(error, START))
        raise GameError(found.message, [found]) from error


def _open(
    text: str, at: str | None, game: int, folder: Path | None, seed: int | None, language: str
) -> Game:
    log = read_log(text)
    if not 1 <= game <= len(log.games):
        template = "there is no game {number}: the log holds {count}"
        raise GameError(template, log.findings, number=game, count=len(log.games))
    recorded, random = log.games[game - 1], Random(seed)  # noqa: S311 - a game needs no secrets
    if at is not None:
        rules = _rules_of(recorded, folder)
        begun = begun_setup(recorded, at, rules[0].headings)
        if begun is not None:
            setup = SettingUp(rules, begun, language)
            return Game(setup.match, begun, random, language, setup=setup)
    match, cut, wrong, until = _opened(recorded, at, folder, language)
    earlier: list[Finding] | None = None
    if log.findings or wrong:
        settings = CheckSettings(folder, language=language, only=game)
        log, corrections = correct_log(log, settings)
        if corrections:
            match, cut, _, until = _opened(log.games[game - 1], at, folder, language, corrections)
        report = next(iter(check_games(text, settings).games))
        earlier = [
            finding for finding in report.findings if until is None or finding.span[:2] < until
        ]
    if not match.state.players:
        alone = on_pad(recorded)
        message = (
            "the log has only a result, and no position to show"
            if alone
            else "no players are seated"
        )
        raise GameError(message, earlier or ())
    return Game(match, cut, random, language, earlier)


def _opened(
    record: GameRecord,
    at: str | None,
    folder: Path | None,
    language: str,
    corrections: Sequence[Finding] = (),
) -> tuple[Match, GameRecord, bool, tuple[int, int] | None]:
    """Return the match, the game up to there, whether it has errors, and where the rest begins."""
    findings: list[Finding] = []
    rules = _rules_of(record, folder, findings)
    words = rules[0].headings
    record = with_turn_headings(record, words)
    cut, until = cut_at(record, at, words, corrections)
    match, _ = judge_game(Match(*rules, Ability, language), record, until=until)
    wrong = bool(findings or match.report.errors or not match.state.players)
    results = (section.heading for section in record.sections if section.kind is SectionKind.RESULT)
    end = until or next(results, None)
    return match, cut, wrong, end and end.span()[:2]


def _rules_of(
    record: GameRecord, folder: Path | None, findings: list[Finding] | None = None
) -> tuple[Pack, Mapping[str, str]]:
    findings = [] if findings is None else findings
    rules = rules_of(record, folder, findings)
    if rules is None:
        raise GameError("the rules of the log are missing or unusable", findings)
    return rules


# ---------------------------------------------------------------- new games


def new_game(
    pack: str,
    players: Sequence[str],
    *,
    seed: int | str | None = None,
    tags: Iterable[tuple[str, str]] = (),
    folder: Path | str | None = None,
    choose: Choose | None = None,
    language: str = "en",
) -> Game:
    """Return a new game with a random setup, as ``playouts.yaml`` of its rules says.

    Args:
        pack: the id of the rules.
        players: names in the order of seats.
        seed: makes the setup and later draws repeatable.
        tags: further tags of the log, such as ``("Variant", "trading")``.
        folder: where variant files are looked up; without it, none are read.
        choose: makes the players' choices during the setup; without it, chance does.
        language: the code of the language of names and findings.

    Raises:
        GameError: if there are no such rules, or they have no setup for that number of players.
        TypeError: if ``players`` is a text instead of a list of names.

    """
    if isinstance(players, str):  # else each letter would take a seat
        raise TypeError(f"players is a list of names, not the text {players!r}")
    random = Random(seed)  # noqa: S311 - a game needs no secrets
    head, rules = rules_by_tags(pack, tags, folder)
    try:
        # Chance is asked only if there is a choice.
        chosen = choose or (lambda _, moves: random.choice(moves) if moves[1:] else moves[0])
        statements = Opening(*rules, players, random, chosen, language).statements()
    except ImpossibleError as error:
        raise GameError(*error.args) from error
    record = read_log("\n".join([head, "setup", *statements, ""])).games[0]
    match = Match(*rules, Ability)
    Referee(match, record).run()
    if errors := errors_of(match.report.findings):
        raise GameError("the setup of a game fails: {reason}", errors, reason=errors[0].message)
    return Game(match, record, random, language)


def setup_to_fill_in(
    pack: str,
    players: Sequence[str],
    *,
    tags: Iterable[tuple[str, str]] = (),
    folder: Path | str | None = None,
    language: str = "en",
) -> str:
    """Return the tags and the setup of a log, with blanks in comments.

    Arguments and errors are those of ``new_game``.
    """
    head, rules = rules_by_tags(pack, tags, folder)
    random = Random(0)  # noqa: S311 - its draws are not written
    opening = Opening(*rules, players, random, lambda _, moves: moves[0], language)
    try:
        opening.statements()
    except ImpossibleError as error:
        raise GameError(*error.args) from error
    lines = [f"  {line}" for line in opening.blank_statements(language)]
    return "\n".join([head, "", SectionKind.SETUP, *lines, ""])


def rules_by_tags(
    pack: str, tags: Iterable[tuple[str, str]], folder: Path | str | None
) -> tuple[str, tuple[Pack, Mapping[str, str]]]:
    """Return the tags of a log, and its rules with the values of their options.

    Raise GameError if they name no usable rules.
    """
    head = "\n".join(f"[{name} {quote(value)}]" for name, value in [("Game", pack), *tags])
    log = read_log(f"{head}\nsetup\n")
    findings = [*log.findings]
    rules = rules_of(log.games[0], None if folder is None else Path(folder), findings)
    if rules is None or errors_of(findings):
        raise GameError(joined_by_semicolon(finding.message for finding in findings), findings)
    return head, rules
