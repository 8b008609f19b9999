"""Checking a log, from its text to findings and scores: a pure function of text and rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, TypeVar

from altay_cli.base.budget import Account, steps_for
from altay_cli.base.findings import (
    START,
    Finding,
    Fix,
    Severity,
    Span,
    Text,
    Verdict,
    errors_of,
    filled,
    short_repr,
)
from altay_cli.base.garbage import postpone_collection
from altay_cli.base.internal import RULE, build_safely, internal_error
from altay_cli.base.translations import ENGLISH, translated_finding
from altay_cli.checking import limits
from altay_cli.checking.fixing import applied_in_place, as_one, as_written, by_line
from altay_cli.checking.tags import badly_quoted, beginning, no_game_tag, rules_of, values_of
from altay_cli.converters.table import description
from altay_cli.match.referee import Played
from altay_cli.match.reporting import Gap
from altay_cli.notation.lexis import GAME_TAG, Comment, split_lines
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Log, SectionKind, with_turn_headings
from altay_cli.pack.candidates import on_pad
from altay_cli.repair.play import Mend, Watch, play
from altay_cli.scoring.claims import Claims
from altay_cli.scoring.outcomes import NO_SCORES, Outcomes
from altay_cli.scoring.score import Standing

# Syntax findings whose messages do not quote the log.
_PLAIN = frozenset({"no-game", "game-tag", "statement-outside-section", "unclosed-quote"})

# What stands in comments that have something ignored; no others are kept.
_WISH = "altay:"

# Errors that say that something could not be judged, not that it is wrong.
_UNJUDGED = frozenset(
    {
        "internal-error", "no-moves", "no-players", "not-judged", "rule-budget", "rule-failure",
        "score-failure", "statement-outside-section", "too-many-statements", "undecided",
    }
)  # fmt: skip

MOST_SHOWN = 5
"""The number of verdicts in the repr of a report."""

# Findings of statements that are left out, as are those whose names nobody knows.
_UNREAD = frozenset({"malformed-statement", "statement-phase", "syntax"})

# Errors after which the state is unreliable and says nothing about the end of the game.
_CUT_SHORT = frozenset({"undecided", "rule-budget", "not-judged"})

# Findings about a result that hold only if the state before it is the right one.
_OF_LAST_STATE = frozenset({"claim-winner", "claim-wrong", "game-unfinished", "not-judged"})


@dataclass(slots=True)
class GameReport:
    """What was found in one game.

    ``played`` is None if there are no rules to play it by, ``outcomes`` where nobody has a seat.
    ``only`` is a position or a result, if the log has no game that leads to it. Comments in the log
    have ``ignored`` so many notes and warnings. ``claims`` are those of the findings that are about
    what the result claims; ``settled`` is the verdict, if ``findings`` does not hold all findings.
    ``title`` is the name of what was checked; empty for a game, which has a number. ``language`` is
    that of the findings.
    """

    tags: Mapping[str, str | list[str]]
    findings: list[Finding]
    played: Played | None = None
    outcomes: Outcomes | None = None
    only: SectionKind | None = None
    span: Span | None = None
    ignored: int = 0
    claims: Sequence[Finding] = ()
    settled: Verdict | None = None
    title: str = ""
    language: str = ENGLISH

    def fail(self, error: Exception, *, quoted: bool = True) -> None:
        """Replace all that was found by an internal error, ``error``; the game is not judged.

        Its message is only shown where it may be ``quoted``.
        """
        found = internal_error(error, self.span or START, quoted=quoted)
        self.findings = [translated_finding(self.language, found)]
        self.played = self.outcomes = self.only = self.settled = None
        self.claims, self.ignored = (), 0

    @property
    def failed(self) -> bool:
        """Whether the program itself failed on the game."""
        return any(finding.rule == RULE for finding in self.findings)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the game: legal if all of it was judged without an error."""
        if self.settled is not None:
            return self.settled
        errors = [finding.rule for finding in errors_of(self.findings)]
        judged = self.played is not None and self.played.judged
        if not judged or not _UNJUDGED.isdisjoint(errors) or errors == ["too-many-findings"]:
            return Verdict.NOT_JUDGED
        return Verdict.ILLEGAL if errors else Verdict.LEGAL

    @property
    def recorded(self) -> bool:
        """Whether everything was recorded; if not, the game is judged as far as it was."""
        players = () if self.standing is None else self.standing.players
        lacks = any(one.unrecorded for player in players for one in player.categories)
        return self.played is None or not (self.played.gaps or lacks)

    @property
    def standing(self) -> Standing | None:
        """The scores; if several are possible, those with the fewest assumptions."""
        return None if self.outcomes is None else self.outcomes.first

    @property
    def legal(self) -> bool:
        """Whether all of it was judged without an error."""
        return self.verdict is Verdict.LEGAL

    def __repr__(self) -> str:
        found, scores = len(self.findings), self.standing
        return short_repr(self, verdict=self.verdict.value, findings=found, standing=scores)

    def to_dict(self, *, explain: bool = False, related: bool = False) -> dict[str, object]:
        """Return the report as JSON has it: what `docs/json.md` says of a game.

        Args:
            explain: whether every number of the scores is derived.
            related: whether findings come with the second places that they are about.

        """
        played, outcomes = self.played, self.outcomes
        scores = dict(NO_SCORES) if outcomes is None else outcomes.to_dict()
        return {
            "tags": dict(self.tags),
            "verdict": self.verdict.value,
            "recorded": "wholly" if self.recorded else "partly",
            "ended": played.ended if played else False,
            "rounds": played.state.round if played else 0,
            "moves": played.moves if played else 0,
            "findings": [finding.to_dict(related=related) for finding in self.findings],
            **{key: scores.pop(key) for key in NO_SCORES},
            **filled({
                "unrecorded": _unrecorded(played.gaps) if played else None,
                "ignored": self.ignored or None,
                **scores,
                "explain": outcomes.first.derivation() if explain and outcomes else None,
            }),
        }  # fmt: skip


def _unrecorded(gaps: Sequence[Gap]) -> list[dict[str, object]]:
    draws, things = Counter[tuple[str | None, str]](), Counter[tuple[str | None, str]]()
    for gap in gaps:
        draws[gap.player, gap.kind] += 1
        things[gap.player, gap.kind] += gap.things
    return [
        {"player": of[0], "kind": of[1], "draws": count, "things": things[of]}
        for of, count in draws.items()
    ]


@dataclass(slots=True)
class FileCheck:
    """A file being checked: its games, which can be iterated once, and its lines for display.

    Each game is judged when the iteration reaches it.
    """

    path: str
    games: Iterable[GameReport]
    lines: Sequence[str] = ()


_SPAN = attrgetter("span")
_Item = TypeVar("_Item", Finding, Comment)

LeftOut = Iterable[tuple[str, str]]
"""Files that were not checked, each by its name and with the reason."""


class CheckSettings(NamedTuple):
    """How a log is checked; the arguments of ``check_text`` tell more."""

    folder: Path | None = None
    under: tuple[Path | str, ...] = ()
    language: str = ENGLISH
    watch: Watch | None = None
    complete: bool = False
    only: int | None = None

    @property
    def chosen(self) -> slice:
        """Which games of a log are judged: the one of the number ``only``, from 1, else all."""
        if self.only is None:
            return slice(None)
        return slice(self.only - 1, self.only) if self.only > 0 else slice(0)


@dataclass(slots=True)
class FileReport(FileCheck):
    """What was found in one file: its games, and its lines for display."""

    games: list[GameReport]

    def __repr__(self) -> str:
        verdicts = [game.verdict.value for game in self.games[:MOST_SHOWN]]
        return short_repr(self, path=self.path, games=len(self.games), verdicts=verdicts)

    def to_dict(self, *, explain: bool = False) -> dict[str, object]:
        """Return the report as JSON has it: the document that `altay check --format json` writes.

        Args:
            explain: whether every number of the scores is derived.

        """
        games = [
            build_safely(game, lambda game: game.to_dict(explain=explain)) for game in self.games
        ]
        return {"files": [{"path": self.path, "games": games}]}

    @property
    def legal(self) -> bool:
        """Whether all games were judged without an error."""
        return all(game.legal for game in self.games)


def check_text(
    text: str,
    path: str = "<text>",
    folder: Path | str | None = None,
    *,
    under: Sequence[Path | str] = (),
    language: str = "en",
    watch: Watch | None = None,
    complete: bool = False,
    only: int | None = None,
) -> FileReport:
    """Check all games of a log.

    Args:
        text: the log, with one game or more.
        path: the name to report it by.
        folder: where variant files are looked up; without it, none are read.
        under: variants to lay over the rules that the log names: files, or ids of shipped ones.
        language: the code of the language of names and messages, such as "en" or "de".
        watch: is called with each game and its match before it is played.
        complete: whether everything must be written down, as with the tag `Recorded`.
        only: the number of the one game that is judged, from 1; without it, all are.

    Returns:
        The findings, verdicts and scores of all games, in the order of the log.

    Raises:
        OSError: if data of the program is missing. Nothing is raised for what stands in ``text``: a
            game on which the program itself fails has the finding `internal-error`.

    """
    settings = CheckSettings(
        None if folder is None else Path(folder), tuple(under), language, watch, complete, only
    )
    check = check_games(text, settings, path)
    return FileReport(check.path, list(check.games), check.lines)


def check_games(text: str, how: CheckSettings, path: str = "<text>", before: int = 0) -> FileCheck:
    """Check the games of a log as ``check_text`` does, each when it is asked for; none is kept.

    Of a part of a file, ``before`` is how many lines precede it.
    """
    try:
        return _check_games(text, how, path, before)
    except Exception as error:
        report = GameReport({}, [], language=how.language)
        report.fail(error, quoted=GAME_TAG.search(text) is not None)
        return FileCheck(path, [report], text.split("\n"))


def _check_games(text: str, how: CheckSettings, path: str, before: int) -> FileCheck:
    size = len(text)
    if text.count("\n") + text.count(";") > limits.MAX_STATEMENTS:
        ends = islice(re.finditer("[\n;]", text), limits.MAX_STATEMENTS - 1, None)
        text = text[: next(ends).start()]
    log = read_log(split_lines(text, before), comments=_WISH)
    if not before and not GAME_TAG.search(text):
        # It may be any file, of which nothing should be shown to whoever asked for a check of it.
        tags = (no_game_tag(record) for record in log.games if record.tags)
        first = min((*log.findings, *tags), key=_SPAN)
        message = first.message if first.rule in _PLAIN else "this is not written like a log"
        known = description(text, path)
        no_log = first._replace(message=known or message, help=() if known else (beginning(),))
        found = [translated_finding(how.language, no_log)]
        return FileCheck(path, [GameReport({}, found, language=how.language)])
    return FileCheck(path, _games(log, len(text) < size, how), log.lines)


def _games(log: Log, cut: bool, how: CheckSettings) -> Iterator[GameReport]:
    """Check the games of a log; ``cut`` says that it is only the beginning of the file."""
    numbers = range(len(log.games))[how.chosen]
    try:
        checker = _Checker(log, how, cut=cut)
        syntax = [] if numbers else [translated_finding(how.language, f) for f in checker.syntax]
    except Exception as error:
        yield from (_failed(log.games, number, how.language, error) for number in numbers or [0])
        return
    if not log.games:
        yield GameReport({}, syntax, language=how.language)
    for number in numbers:
        try:
            report = checker.report(number)
        except Exception as error:
            report = _failed(log.games, number, how.language, error)
        yield report


def _failed(
    games: Sequence[GameRecord], number: int, language: str, error: Exception
) -> GameReport:
    """Return the report of a game on which the program failed."""
    report = GameReport({}, [], language=language)
    with suppress(Exception):  # to read its tags may be what failed
        report.span = games[number].span
        report.tags = values_of(games[number])
    report.fail(error)
    return report


class _Checker:
    """Checks the games of one log, read as they were meant from the first error on.

    ``syntax`` is what is badly written. ``mended`` is None until it is asked what was meant.
    """

    def __init__(self, log: Log, how: CheckSettings, *, cut: bool) -> None:
        self.log, self.how, self.lines = log, how, log.lines
        first = log.games[0].span.line if log.games else 0
        self.wishes = [one for one in log.comments if log.games and one.line >= first]
        self.mended: list[Finding] | None = None
        self.failures: dict[int, Exception] = {}
        # A log in which nothing is wrong needs no mending: it is only tried where something is.
        if log.findings:
            self._mend()
        self.syntax = [*self.log.findings]
        if cut:
            message = Text(
                "a file with more than {count} statements; the rest is not read",
                count=f"{limits.MAX_STATEMENTS:,}",
            )
            end = Span(len(log.lines), 1, len(log.lines), 1)
            self.syntax.append(Finding("too-many-statements", Severity.ERROR, message, end))
        self.syntax.sort(key=_SPAN)
        self.account = Account(steps_for(self.log.lines.size), "this file")

    def _mend(self) -> list[Finding]:
        """Read the log as it was meant; return what is mended."""
        self.log, self.mended = as_meant(self.log, self.how, self.failures)
        return self.mended

    @postpone_collection()
    def report(self, number: int) -> GameReport:
        """Check the game of this index; whatever exception it causes is raised."""

        def mend() -> GameRecord | None:
            """Return a game as it was meant, where anything in the log is badly written."""
            mended = self._mend()
            self._raise_failure(number)
            return self.log.games[number] if mended else None

        self._raise_failure(number)
        log, how, account = self.log, self.how, self.account
        report = _check_game(log.games[number], how, account, mend if self.mended is None else None)
        # The result may be what is badly written.
        if self.mended is None and errors_of(report.findings) and (meant := mend()) is not None:
            report = _check_game(meant, how, account, None)
        log = self.log
        report.findings += _of_game(self.syntax, log.games, number)
        if self.mended:
            edits = by_line(one.fixes[0] for one in self.mended)
            report.findings = [as_written(finding, edits) for finding in report.findings]
            report.findings += as_one(_of_game(self.mended, log.games, number), self.lines)
        if self.wishes:
            report.findings, report.ignored = _suppressed(
                report.findings,
                _of_game(self.wishes, log.games, number),
                log.games[number],
                judged=report.played is not None
                and not report.played.abandoned
                and report.verdict is not Verdict.NOT_JUDGED,
            )
        report.findings.sort(key=_SPAN)
        terms = report.played.state.pack.texts.get(how.language, {}) if report.played else {}
        report.findings = [translated_finding(how.language, one, terms) for one in report.findings]
        return report

    def _raise_failure(self, number: int) -> None:
        """Raise the exception that mending a game has caused, if any."""
        if number in self.failures:
            raise self.failures[number]


def _of_game(items: Sequence[_Item], games: Sequence[GameRecord], number: int) -> Sequence[_Item]:
    """Return those of ordered items that stand in a game; the first has those before it too."""
    if not items:
        return ()
    first, *further = (
        bisect_left(items, record.span, key=_SPAN) for record in games[number : number + 2]
    )
    return items[first if number else 0 : further[0] if further else None]


def as_meant(
    log: Log, how: CheckSettings, failures: dict[int, Exception] | None = None
) -> tuple[Log, list[Finding]]:
    """Return a log as it was meant, if it is badly written but unambiguous, and what is mended.

    The first fix of each of these findings is the edit. With ``only``, one game is looked at. An
    exception that a game causes goes into ``failures`` by its index, if there is such a dictionary.
    """
    from altay_cli.repair.mending import Attempts, mend

    mended: list[Finding] = []
    tries = Attempts()
    for number in range(len(log.games))[how.chosen]:
        try:
            record = log.games[number]
            if (rules := rules_of(record, how.folder, [], under=how.under)) is not None:
                mended += mend(record, rules[0], tries)
        except Exception as error:
            if failures is None:
                raise
            failures[number] = error
    if mended:
        meant = read_log(
            applied_in_place(log.lines, [one.fixes[0] for one in mended]), comments=_WISH
        )
        if len(meant.games) == len(log.games):
            return meant, mended
    return log, []


def headings(text: str, folder: Path | None) -> frozenset[str]:
    """Return the words that headings begin with in the games of a log, apart from `turn`."""
    packs = (rules_of(record, folder, []) for record in read_log(text).games)
    return frozenset(word for rules in packs if rules is not None for word in rules[0].headings)


def _check_game(
    record: GameRecord, how: CheckSettings, account: Account, mend: Mend | None
) -> GameReport:
    report = GameReport(
        values_of(record), [*badly_quoted(record)], span=record.span, language=how.language
    )
    rules = rules_of(record, how.folder, report.findings, under=how.under)
    if rules is None:
        # What follows from a tag is told at that tag.
        for error in errors_of(report.findings)[-1:]:
            _add_help(report, error, "without its rules, nothing in this game is judged")
        return report
    words = rules[0].headings
    record = with_turn_headings(record, words)

    def meant() -> GameRecord | None:
        mended = mend() if mend is not None else None
        return mended and with_turn_headings(mended, words)

    played = play(
        *rules, record, how.language, how.watch, account, complete=how.complete, mend=meant
    )
    report.played = played
    report.findings += played.findings
    if played.abandoned:
        message = Text(
            "this game has {count} findings; the rest of it is not judged",
            count=f"{len(played.findings):,}",
        )
        report.findings.append(Finding("too-many-findings", Severity.ERROR, message, record.span))
    kinds = {section.kind for section in record.sections}
    if kinds and kinds.isdisjoint({SectionKind.SETUP, SectionKind.TURN}):
        report.only = SectionKind.POSITION if SectionKind.POSITION in kinds else SectionKind.RESULT
    if played.state.players or on_pad(record):
        result = Claims(record, played)
        report.outcomes = result.outcomes
        report.findings += _score_faults(result.outcomes, record)
        cut, report.claims = _judged_claims(report, record, result)
        report.findings += report.claims
        if cut:
            if any(one.statements for one in record.sections if one.kind is SectionKind.RESULT):
                rest = "the claims of the result are not judged"
                _add_help(report, cut, Text("because of this, {rest}", rest=rest))
        elif result.pad:
            report.findings += result.not_judged()
        elif (played.ended or report.only) and not errors_of(report.findings):
            report.findings += result.open_winner()
    return report


def _judged_claims(
    report: GameReport, record: GameRecord, result: Claims
) -> tuple[Finding | None, list[Finding]]:
    """Return what is told of the result; first the error because of which it is not judged."""
    if cut := next((one for one in report.findings if one.rule in _CUT_SHORT), None):
        return cut, []
    claims = list(result.check())
    wrong = {one.rule for one in errors_of(claims)}
    if not wrong:
        return None, claims
    # What a line that nobody can read was about, the scores may lack.
    for error in errors_of(report.findings):
        if (error.rule in _UNREAD or error.rule.startswith("unknown-")) and not error.fixes:
            notes = [one for one in claims if one.severity is not Severity.ERROR]
            return error, [one for one in notes if one.rule not in _OF_LAST_STATE]
    slips = errors_of(result.played.findings)
    if slips and not result.played.ended and not wrong.isdisjoint(_OF_LAST_STATE):
        # A statement that is wrong may be what ended the game, where the table says that it is
        # over, or where no other statement follows.
        turns = [one for one in record.sections if one.kind is SectionKind.TURN]
        last = [one for turn in turns[-1:] for one in (turn.heading, *turn.statements)][-1:]
        if last and (result.claims_end or slips[-1].span.line >= last[0].line):
            return slips[-1], [one for one in claims if one.rule not in _OF_LAST_STATE]
    return None, claims


def _add_help(report: GameReport, about: Finding, line: str) -> None:
    report.findings[report.findings.index(about)] = about._replace(help=(*about.help, line))


def _score_faults(scored: Outcomes, record: GameRecord) -> list[Finding]:
    """Report each category that the rules cannot compute, once, and what the log leaves open."""
    faults = {
        score.category.id: score
        for outcome in scored.all
        for player in outcome.standing.players
        for score in player.categories
        if score.fault is not None
    }
    problems: list[tuple[str, str]] = [
        (
            "undecided" if score.unrecorded else "score-failure",
            Text("the category {name} cannot be computed: {reason}", name=name, reason=score.fault),
        )
        for name, score in faults.items()
    ]
    if scored.fault is not None:
        template = "what the log leaves open cannot be worked out: {reason}"
        problems.append(("score-failure", Text(template, reason=scored.fault)))
    return [Finding(rule, Severity.ERROR, line, record.span) for rule, line in problems]


# ---------------------------------------------------------------- what a log suppresses
#
# A comment `# altay: ignore[rule, ...]` stands behind a statement, and is about the notes and
# warnings that are found in that statement. An error cannot be ignored, whatever it says.

_IGNORE = re.compile(r"altay:\s*ignore\s*\[([^\]]*)\]", re.IGNORECASE)
_ERROR = "an error cannot be ignored; `altay: ignore` is for notes and warnings"


def _suppressed(
    findings: Sequence[Finding], comments: Iterable[Comment], record: GameRecord, *, judged: bool
) -> tuple[list[Finding], int]:
    """Return the findings of a game without those that its comments suppress, and how many.

    A comment that is not needed gets a note, if the game was ``judged`` to its end.
    """
    # For each line of a statement of several lines the first one.
    first = {
        line: statement.line
        for section in record.sections
        for statement in (section.heading, *section.statements)
        for line in range(statement.line + 1, statement.span().end_line + 1)
    }
    found = {(first.get(one.span.line, one.span.line), one.rule) for one in findings}
    ignored: set[tuple[int, str]] = set()
    notes: list[Finding] = []
    for comment in comments:
        if (match := _IGNORE.search(comment.text)) is not None:
            rules = [name for part in match[1].split(",") if (name := part.strip())]
            line = first.get(comment.line, comment.line)
            ignored.update((line, rule) for rule in rules)
            unmet = [rule for rule in rules if (line, rule) not in found]
            if judged and (unmet or not rules):
                needed = [rule for rule in rules if (line, rule) in found]
                notes.append(_unneeded(comment, match, needed, unmet, record.lines))
    left: list[Finding] = []
    for finding in findings:
        line = finding.span.line
        if (first.get(line, line), finding.rule) not in ignored:
            left.append(finding)
        elif finding.severity is Severity.ERROR:
            left.append(finding._replace(help=(*finding.help, _ERROR)))
    return [*left, *notes], len(findings) - len(left)


def _unneeded(
    comment: Comment,
    place: re.Match[str],
    needed: Sequence[str],
    unmet: Sequence[str],
    lines: Sequence[str],
) -> Finding:
    """Return the note that a comment suppresses less than it says, with what mends it."""
    start, end = (comment.column + offset for offset in place.span())
    span = Span(comment.line, start, comment.line, end)
    fix = Fix(span, f"altay: ignore[{', '.join(needed)}]" if needed else "", certain=True)
    if not needed and comment.text[1:].strip() == place[0]:  # nothing else stands in it
        before = lines[comment.line - 1][: comment.column - 1].rstrip()
        fix = fix._replace(span=Span(comment.line, len(before) + 1, comment.line, end))
    names = ", ".join(f"`{rule[:60]}`" for rule in unmet[:5])
    message = (
        Text("nothing is left to ignore here: {names}", names=names)
        if names
        else "no rule is named here"
    )
    help_lines = ("it goes after the statement that it is about",) * comment.is_alone
    return Finding("ignore-unneeded", Severity.NOTE, message, span, {}, help_lines, fixes=(fix,))
