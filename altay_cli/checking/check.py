"""Check a log: a pure function of text and rules."""

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
from altay_cli.checking.fixing import applied_in_place, at_original_place, by_line, join_corrections
from altay_cli.checking.tags import badly_quoted, beginning, no_game_tag, rules_of, values_of
from altay_cli.converters.table import description
from altay_cli.match.referee import Played
from altay_cli.match.reporting import Gap
from altay_cli.notation.lexis import GAME_TAG, Comment, split_lines
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Log, SectionKind, with_turn_headings
from altay_cli.pack.candidates import on_pad
from altay_cli.repair.play import Correct, Watch, play
from altay_cli.scoring.claims import Claims
from altay_cli.scoring.outcomes import NO_SCORES, Outcomes
from altay_cli.scoring.score import Standing

# Syntax findings that do not quote the log.
_PLAIN = frozenset({"no-game", "game-tag", "statement-outside-section", "unclosed-quote"})

_IGNORE_MARK = "altay:"

# Errors that prevent judging.
_UNJUDGED = frozenset(
    {
        "internal-error", "no-moves", "no-players", "not-judged", "rule-budget", "rule-failure",
        "score-failure", "statement-outside-section", "too-many-statements", "undecided",
    }
)  # fmt: skip

MOST_SHOWN = 5

# Statements with these were skipped; so were those with unknown names.
_UNREAD = frozenset({"malformed-statement", "statement-phase", "syntax"})

# With these, the last state is unreliable.
_CUT_SHORT = frozenset({"undecided", "rule-budget", "not-judged"})

# Findings that are right only if the last state is.
_OF_LAST_STATE = frozenset({"claim-winner", "claim-wrong", "game-unfinished", "not-judged"})


@dataclass(slots=True, eq=False, repr=False)
class GameReport:
    """The findings and the result of one game.

    played: None without rules to play by.

    outcomes: None if no player has a seat.

    only: a position or a result, if the log has no game that leads to it.

    ignored: the notes and warnings ignored by comments.

    settled: the verdict, if ``findings`` is not complete.

    title: the name of what was checked, if it is not a game.
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
        """Replace the findings by an internal error; the game is then not judged.

        quoted: its message may quote the log.
        """
        found = internal_error(error, self.span or START, quoted=quoted)
        self.findings = [translated_finding(self.language, found)]
        self.played = self.outcomes = self.only = self.settled = None
        self.claims, self.ignored = (), 0

    @property
    def failed(self) -> bool:
        """Whether the program failed on the game."""
        return any(finding.rule == RULE for finding in self.findings)

    @property
    def verdict(self) -> Verdict:
        """The verdict: legal if the game was judged to its end without an error."""
        if self.settled is not None:
            return self.settled
        errors = [finding.rule for finding in errors_of(self.findings)]
        judged = self.played is not None and self.played.judged
        if not judged or not _UNJUDGED.isdisjoint(errors) or errors == ["too-many-findings"]:
            return Verdict.NOT_JUDGED
        return Verdict.ILLEGAL if errors else Verdict.LEGAL

    @property
    def recorded(self) -> bool:
        """Whether everything was recorded; if not, the game is judged as recorded."""
        players = () if self.standing is None else self.standing.players
        lacks = any(category.unrecorded for player in players for category in player.categories)
        return self.played is None or not (self.played.gaps or lacks)

    @property
    def standing(self) -> Standing | None:
        """The scores with the fewest assumptions."""
        return None if self.outcomes is None else self.outcomes.first

    @property
    def legal(self) -> bool:
        """Whether the game was judged without an error."""
        return self.verdict is Verdict.LEGAL

    def __repr__(self) -> str:
        found, scores = len(self.findings), self.standing
        return short_repr(self, verdict=self.verdict.value, findings=found, standing=scores)

    def to_dict(self, *, explain: bool = False, related: bool = False) -> dict[str, object]:
        """Return the report as JSON, as `docs/json.md` describes a game.

        Args:
            explain: derive every number of the scores.
            related: add the second places of findings.

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


@dataclass(slots=True, eq=False, repr=False)
class FileCheck:
    """A file with its games, which are judged as they are iterated, once."""

    path: str
    games: Iterable[GameReport]
    lines: Sequence[str] = ()


_SPAN = attrgetter("span")
_Item = TypeVar("_Item", Finding, Comment)

LeftOut = Iterable[tuple[str, str]]
"""Files that were not checked, with the reasons."""


class CheckSettings(NamedTuple):
    """The arguments of ``check_text``."""

    folder: Path | None = None
    under: tuple[Path | str, ...] = ()
    language: str = ENGLISH
    watch: Watch | None = None
    complete: bool = False
    only: int | None = None

    @property
    def chosen(self) -> slice:
        """The games to judge."""
        if self.only is None:
            return slice(None)
        return slice(self.only - 1, self.only) if self.only > 0 else slice(0)


@dataclass(slots=True, eq=False, repr=False)
class FileReport(FileCheck):
    """The games of one file, with its lines."""

    games: list[GameReport]

    def __repr__(self) -> str:
        verdicts = [game.verdict.value for game in self.games[:MOST_SHOWN]]
        return short_repr(self, path=self.path, games=len(self.games), verdicts=verdicts)

    def to_dict(self, *, explain: bool = False) -> dict[str, object]:
        """Return the document that `altay check --format json` writes.

        Args:
            explain: derive every number of the scores.

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
    """Return the findings, verdicts and scores of all games of a log.

    Args:
        text: the log, with one game or more.
        path: the name to report it by.
        folder: where variant files are looked up; without it, none are read.
        under: variants to apply to the rules in the log: files, or ids of shipped ones.
        language: the code of the language of names and messages, such as "en" or "de".
        watch: is called with each game and its match before it is played.
        complete: require complete records, like the tag `Recorded`.
        only: the number of the only game to judge, from 1.

    Raises:
        OSError: if data of the program is missing. A log raises nothing: a game on which the
            program fails has the finding `internal-error`.

    """
    settings = CheckSettings(
        None if folder is None else Path(folder), tuple(under), language, watch, complete, only
    )
    check = check_games(text, settings, path)
    return FileReport(check.path, list(check.games), check.lines)


def check_games(
    text: str, settings: CheckSettings, path: str = "<text>", before: int = 0
) -> FileCheck:
    """Check the games of a log like ``check_text``, one by one, keeping none.

    before: the number of lines that precede ``text`` in its file.
    """
    try:
        return _check_games(text, settings, path, before)
    except Exception as error:
        report = GameReport({}, [], language=settings.language)
        report.fail(error, quoted=GAME_TAG.search(text) is not None)
        return FileCheck(path, [report], text.split("\n"))


def _check_games(text: str, settings: CheckSettings, path: str, before: int) -> FileCheck:
    size = len(text)
    if text.count("\n") + text.count(";") > limits.MAX_STATEMENTS:
        ends = islice(re.finditer("[\n;]", text), limits.MAX_STATEMENTS - 1, None)
        text = text[: next(ends).start()]
    log = read_log(split_lines(text, before), comments=_IGNORE_MARK)
    if not before and not GAME_TAG.search(text):
        # The text may be any private file: do not quote it.
        tags = (no_game_tag(record) for record in log.games if record.tags)
        first = min((*log.findings, *tags), key=_SPAN)
        message = first.message if first.rule in _PLAIN else "this is not a log"
        known = description(text, path)
        no_log = first._replace(message=known or message, help=() if known else (beginning(),))
        found = [translated_finding(settings.language, no_log)]
        return FileCheck(path, [GameReport({}, found, language=settings.language)])
    return FileCheck(path, _games(log, len(text) < size, settings), log.lines)


def _games(log: Log, is_cut: bool, settings: CheckSettings) -> Iterator[GameReport]:
    numbers = range(len(log.games))[settings.chosen]
    try:
        checker = _Checker(log, settings, is_cut=is_cut)
        syntax = (
            [] if numbers else [translated_finding(settings.language, f) for f in checker.syntax]
        )
    except Exception as error:
        yield from (
            _failed(log.games, number, settings.language, error) for number in numbers or [0]
        )
        return
    if not log.games:
        yield GameReport({}, syntax, language=settings.language)
    for number in numbers:
        try:
            report = checker.report(number)
        except Exception as error:
            report = _failed(log.games, number, settings.language, error)
        yield report


def _failed(
    games: Sequence[GameRecord], number: int, language: str, error: Exception
) -> GameReport:
    report = GameReport({}, [], language=language)
    with suppress(Exception):  # its tags may be what fails
        report.span = games[number].span
        report.tags = values_of(games[number])
    report.fail(error)
    return report


class _Checker:
    def __init__(self, log: Log, settings: CheckSettings, *, is_cut: bool) -> None:
        self.log, self.settings, self.lines = log, settings, log.lines
        first = log.games[0].span.line if log.games else 0
        self.ignore_comments = [
            comment for comment in log.comments if log.games and comment.line >= first
        ]
        self.corrections: list[Finding] | None = None
        self.failures: dict[int, Exception] = {}
        # Without errors, nothing needs correction.
        if log.findings:
            self._correct()
        self.syntax = [*self.log.findings]
        if is_cut:
            message = Text(
                "a file with more than {count} statements; the rest is not read",
                count=f"{limits.MAX_STATEMENTS:,}",
            )
            end = Span(len(log.lines), 1, len(log.lines), 1)
            self.syntax.append(Finding("too-many-statements", Severity.ERROR, message, end))
        self.syntax.sort(key=_SPAN)
        self.account = Account(steps_for(self.log.lines.size), "this file")

    def _correct(self) -> list[Finding]:
        self.log, self.corrections = correct_log(self.log, self.settings, self.failures)
        return self.corrections

    @postpone_collection()
    def report(self, number: int) -> GameReport:
        def correct() -> GameRecord | None:
            corrections = self._correct()
            self._raise_failure(number)
            return self.log.games[number] if corrections else None

        self._raise_failure(number)
        log, settings, account = self.log, self.settings, self.account
        report = _check_game(
            log.games[number], settings, account, correct if self.corrections is None else None
        )
        # The result may be what needs correction.
        if (
            self.corrections is None
            and errors_of(report.findings)
            and (corrected := correct()) is not None
        ):
            report = _check_game(corrected, settings, account, None)
        log = self.log
        report.findings += _of_game(self.syntax, log.games, number)
        if self.corrections:
            edits = by_line(finding.fixes[0] for finding in self.corrections)
            report.findings = [at_original_place(finding, edits) for finding in report.findings]
            report.findings += join_corrections(
                _of_game(self.corrections, log.games, number), self.lines
            )
        if self.ignore_comments:
            report.findings, report.ignored = _suppressed(
                report.findings,
                _of_game(self.ignore_comments, log.games, number),
                log.games[number],
                judged=report.played is not None
                and not report.played.abandoned
                and report.verdict is not Verdict.NOT_JUDGED,
            )
        report.findings.sort(key=_SPAN)
        played = report.played
        terms = played.state.pack.translations(settings.language) if played is not None else {}
        report.findings = [
            translated_finding(settings.language, finding, terms) for finding in report.findings
        ]
        return report

    def _raise_failure(self, number: int) -> None:
        if number in self.failures:
            raise self.failures[number]


def _of_game(items: Sequence[_Item], games: Sequence[GameRecord], number: int) -> Sequence[_Item]:
    """Return the items of a game; those before the first belong to it."""
    if not items:
        return ()
    first, *further = (
        bisect_left(items, record.span, key=_SPAN) for record in games[number : number + 2]
    )
    return items[first if number else 0 : further[0] if further else None]


def correct_log(
    log: Log, settings: CheckSettings, failures: dict[int, Exception] | None = None
) -> tuple[Log, list[Finding]]:
    """Return a log with unambiguous corrections, which are the first fix of the findings.

    failures: exceptions by game are added to it.
    """
    from altay_cli.repair.mending import TextBudget, mend  # legal logs do not need it

    corrections: list[Finding] = []
    budget = TextBudget()
    for number in range(len(log.games))[settings.chosen]:
        try:
            record = log.games[number]
            if (rules := rules_of(record, settings.folder, [], under=settings.under)) is not None:
                corrections += mend(record, rules[0], budget)
        except Exception as error:
            if failures is None:
                raise
            failures[number] = error
    if corrections:
        corrected = read_log(
            applied_in_place(log.lines, [finding.fixes[0] for finding in corrections]),
            comments=_IGNORE_MARK,
        )
        if len(corrected.games) == len(log.games):
            return corrected, corrections
    return log, []


def headings(text: str, folder: Path | None) -> frozenset[str]:
    """Return the first words of headings, apart from `turn`."""
    packs = (rules_of(record, folder, []) for record in read_log(text).games)
    return frozenset(word for rules in packs if rules is not None for word in rules[0].headings)


def _check_game(
    record: GameRecord, settings: CheckSettings, account: Account, correct: Correct | None
) -> GameReport:
    report = GameReport(
        values_of(record), [*badly_quoted(record)], span=record.span, language=settings.language
    )
    rules = rules_of(record, settings.folder, report.findings, under=settings.under)
    if rules is None:
        # A problem with a tag is reported there.
        for error in errors_of(report.findings)[-1:]:
            _add_help(report, error, "without its rules, nothing in this game is judged")
        return report
    words = rules[0].headings
    record = with_turn_headings(record, words)

    def corrected() -> GameRecord | None:
        game = correct() if correct is not None else None
        return game and with_turn_headings(game, words)

    played = play(
        *rules,
        record,
        settings.language,
        settings.watch,
        account,
        complete=settings.complete,
        mend=corrected,
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
        _add_result(report, record, played)
    return report


def _add_result(report: GameReport, record: GameRecord, played: Played) -> None:
    result = Claims(record, played)
    report.outcomes = result.outcomes
    report.findings += _score_faults(result.outcomes, record)
    cause, report.claims = _judged_claims(report, record, result)
    report.findings += report.claims
    if cause:
        results = (part for part in record.sections if part.kind is SectionKind.RESULT)
        if any(part.statements for part in results):
            rest = "the claims of the result are not judged"
            _add_help(report, cause, Text("because of this, {rest}", rest=rest))
    elif result.pad:
        report.findings += result.not_judged()
    elif (played.ended or report.only) and not errors_of(report.findings):
        report.findings += result.open_winner()


def _judged_claims(
    report: GameReport, record: GameRecord, result: Claims
) -> tuple[Finding | None, list[Finding]]:
    if cause := next((finding for finding in report.findings if finding.rule in _CUT_SHORT), None):
        return cause, []
    claims = list(result.check())
    wrong = {finding.rule for finding in errors_of(claims)}
    if not wrong:
        return None, claims
    # The scores may lack what an unreadable line was about.
    for error in errors_of(report.findings):
        if (error.rule in _UNREAD or error.rule.startswith("unknown-")) and not error.fixes:
            notes = [finding for finding in claims if finding.severity is not Severity.ERROR]
            return error, [finding for finding in notes if finding.rule not in _OF_LAST_STATE]
    slips = errors_of(result.played.findings)
    if slips and not result.played.ended and not wrong.isdisjoint(_OF_LAST_STATE):
        # An illegal statement may have ended the game.
        turns = [section for section in record.sections if section.kind is SectionKind.TURN]
        last = [line for turn in turns[-1:] for line in (turn.heading, *turn.statements)][-1:]
        if last and (result.claims_game_end or slips[-1].span.line >= last[0].line):
            return slips[-1], [finding for finding in claims if finding.rule not in _OF_LAST_STATE]
    return None, claims


def _add_help(report: GameReport, about: Finding, line: str) -> None:
    report.findings[report.findings.index(about)] = about._replace(help=(*about.help, line))


def _score_faults(scored: Outcomes, record: GameRecord) -> list[Finding]:
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
        template = "the unrecorded facts of this log cannot be computed: {reason}"
        problems.append(("score-failure", Text(template, reason=scored.fault)))
    return [Finding(rule, Severity.ERROR, line, record.span) for rule, line in problems]


# ---------------------------------------------------------------- ignored findings
# `# altay: ignore[rule, ...]` after a statement ignores its notes and warnings, not its errors.

_IGNORE = re.compile(r"altay:\s*ignore\s*\[([^\]]*)\]", re.IGNORECASE)
_ERROR = "an error cannot be ignored; `altay: ignore` is for notes and warnings"


def _suppressed(
    findings: Sequence[Finding], comments: Iterable[Comment], record: GameRecord, *, judged: bool
) -> tuple[list[Finding], int]:
    """Return the findings that no comment ignores, and the number of others.

    An unneeded comment gets a note if the game was ``judged`` to its end.
    """
    # The first line of a statement, by its later lines.
    first = {
        line: statement.line
        for section in record.sections
        for statement in (section.heading, *section.statements)
        for line in range(statement.line + 1, statement.span().end_line + 1)
    }
    found = {
        (first.get(finding.span.line, finding.span.line), finding.rule) for finding in findings
    }
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
    remaining: list[Finding] = []
    for finding in findings:
        line = finding.span.line
        if (first.get(line, line), finding.rule) not in ignored:
            remaining.append(finding)
        elif finding.severity is Severity.ERROR:
            remaining.append(finding._replace(help=(*finding.help, _ERROR)))
    return [*remaining, *notes], len(findings) - len(remaining)


def _unneeded(
    comment: Comment,
    place: re.Match[str],
    needed: Sequence[str],
    unmet: Sequence[str],
    lines: Sequence[str],
) -> Finding:
    start, end = (comment.column + offset for offset in place.span())
    span = Span(comment.line, start, comment.line, end)
    fix = Fix(span, f"altay: ignore[{', '.join(needed)}]" if needed else "", certain=True)
    if not needed and comment.text[1:].strip() == place[0]:  # it holds nothing else
        before = lines[comment.line - 1][: comment.column - 1].rstrip()
        fix = fix._replace(span=Span(comment.line, len(before) + 1, comment.line, end))
    names = ", ".join(f"`{rule[:60]}`" for rule in unmet[:5])
    message = (
        Text("there is no finding to ignore here: {names}", names=names)
        if names
        else "this comment names no rule to ignore; write `altay: ignore[rule]`"
    )
    help_lines = ("write it after the statement whose findings it ignores",) * comment.is_alone
    return Finding("ignore-unneeded", Severity.NOTE, message, span, {}, help_lines, fixes=(fix,))
