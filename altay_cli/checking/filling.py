"""Write out what a log leaves open: every draw, in one consistent history."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from altay_cli.base.findings import Finding, Fix, ImpossibleError, Span, Verdict, errors_of
from altay_cli.base.values import Entity, Placeholder, Sink
from altay_cli.checking import limits
from altay_cli.checking.check import check_text
from altay_cli.checking.fixing import applied
from altay_cli.hidden.beliefs import Group
from altay_cli.hidden.course import Changed, Event, Joined, draw_in, follow, minimum_drawn
from altay_cli.match.match import PHASES, Match
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Blank
from altay_cli.moves.wording import counted, speller
from altay_cli.notation.lexis import split_lines
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, Statement, with_turn_headings
from altay_cli.repair.play import StopAtFirstError

CLAIMS = frozenset({"claim-wrong", "claim-winner"})


class LegalPart(NamedTuple):
    """A log without the part of each game after its first error; comments mark the gaps.

    rests: the removed text by comment.

    lines: those with the errors.

    failures: the internal errors of games that are unchanged.
    """

    text: str
    rests: Mapping[str, str]
    lines: Sequence[int]
    failures: Sequence[str] = ()

    def completed(self, filled: str) -> str:
        """Return the filled text with the removed parts."""
        for comment, rest in self.rests.items():
            filled = filled.replace(comment, rest, 1)
        return filled


def legal_part(text: str, folder: Path | None = None) -> LegalPart:
    """Return each game of a log up to its first error.

    Raise ImpossibleError if no game remains.
    """
    mark = "# \ufdd0"  # a character that no log uses
    while mark in text:
        mark += "\ufdd0"
    rests: dict[str, str] = {}
    errors: list[int] = []
    failures: list[str] = []
    games = read_log(text).games
    for number in reversed(range(len(games))):
        lines = _WITH_ENDS.findall(text)
        start, end = games[number].span.line, games[number].span.end_line
        if number + 1 < len(games):
            end = min(end, games[number + 1].span.line - 1)
        comment, at, remaining_text = f"{mark}{number};", end + 1, text
        failed = len(failures)
        while at > start:
            error = _first_error(remaining_text, number, folder, failures)
            if error is None:
                break
            if not error and at > end:
                break  # not judged, for another reason
            # A later error concerns the whole game.
            at = error if start < error < at else start
            last = lines[end - 1]
            rest = "".join(lines[at - 1 : end])
            rests[comment] = rest.rstrip("\r\n")
            line_end = last[len(last.rstrip("\r\n")) :]
            remaining_text = "".join([*lines[: at - 1], comment, line_end, *lines[end:]])
        if at <= end and len(failures) == failed:
            errors.append(at)
        text = remaining_text
    if (errors or failures) and not read_log(text).games:
        illegal = "the log is illegal: `altay check` shows the errors"
        raise ImpossibleError(failures[0] if failures else illegal)
    return LegalPart(text, rests, errors[::-1], failures)


_WITH_ENDS = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def _first_error(text: str, number: int, folder: Path | None, failures: list[str]) -> int | None:
    """Return the line of the statement with the first error of a game.

    None for a legal game, 0 for one not judged; after an internal error, which is added to
    ``failures``, 1.
    """
    (report,) = check_text(text, folder=folder, only=number + 1).games
    if report.failed:
        failures.append(report.findings[0].message)
        return 1
    if report.verdict is not Verdict.ILLEGAL:
        return None if report.legal else 0
    line = errors_of(report.findings)[0].span.line
    sections = read_log(text).games[number].sections
    for statement in (
        statement for part in sections for statement in (part.heading, *part.statements)
    ):
        span = statement.span()
        if span.line <= line <= span.end_line:
            return span.line
    return line


def fill_any(text: str, folder: Path | None = None, *, seed: int = 0) -> str:
    """Return a log with every draw written out, in one consistent history.

    seed: another one may give another history.

    Raise ImpossibleError if the log is not legal or no history is found.
    """
    text = _with_statements(text, folder)[0]
    text = _with_names(text, folder, Random(f"{seed}"), anything=True)  # noqa: S311
    matches = _traced(text, folder)
    failures: list[list[Finding]] = []
    for number in range(limits.MAX_TRIES):
        random = Random(f"{seed} {number}")  # noqa: S311 - a game needs no secrets
        edits: list[Fix] = []
        for match in matches:
            _follow(_events(match), random)
            edits += _edits(match, None)
        filled = applied(text, sorted(edits))
        games = check_text(filled, folder=folder, complete=True).games
        errors = errors_of(finding for game in games for finding in game.findings)
        if not errors:
            return filled
        if not {finding.rule for finding in errors} <= CLAIMS:
            failures.append(errors)
        if len(failures) == limits.SAME_TRIES and all(failure == errors for failure in failures):
            break
    first = (failures or [errors])[0][0]
    raise ImpossibleError(
        "no course of events was found that passes as a complete log: {reason}",
        reason=f"line {first.span.line}: {first.message}",
    )


def fill(text: str, folder: Path | None = None) -> str:
    """Return a log with each draw written out that has one possible result.

    Raise ImpossibleError if the log is not legal.
    """
    text, added = _with_statements(text, folder)
    text = _with_names(text, folder, Random(0), anything=False)  # noqa: S311
    edits = [edit for match in _traced(text, folder) for edit in _edits(match, _certain(match))]
    lines, edited = split_lines(text), {edit.span.line for edit in edits}
    edits += [
        Fix(Span(number - 1, len(lines[number - 2]) + 1, number, len(line) + 1), "", certain=True)
        for number, line in added.items()
        if number not in edited and lines[number - 1] == line  # nothing is known about it
    ]
    return applied(text, sorted(edits))


_TOO_MANY = (
    "too many unrecorded moves are possible; record a few more draws, and the others can be deduced"
)


def _traced(text: str, folder: Path | None) -> list[Match]:
    matches: dict[Span, Match] = {}

    def watch(record: GameRecord, match: Match) -> None:
        match.state.hidden.beliefs.keep_trace()
        matches[record.span] = match  # the last replay of a game counts

    for game in check_text(text, folder=folder, watch=watch).games:
        if game.verdict is Verdict.ILLEGAL:
            raise ImpossibleError("the log is illegal: `altay check` shows the errors")
        if game.failed:
            raise ImpossibleError(game.findings[0].message)
        if game.verdict is Verdict.NOT_JUDGED:
            # Tracing takes more steps than judging.
            if check_text(text, folder=folder).legal:
                raise ImpossibleError(_TOO_MANY)
            raise ImpossibleError("the log is not judged: `altay check` shows the reason")
    for match in matches.values():
        beliefs = match.state.hidden.beliefs
        if any(group.now.belief is None for group in beliefs.groups_at(beliefs.groups)):
            raise ImpossibleError(_TOO_MANY)
    return list(matches.values())


# ---------------------------------------------------------------- missing statements


def _with_statements(text: str, folder: Path | None) -> tuple[str, dict[int, str]]:
    """Return a log with a line of `?` for each missing statement of a setup, and these lines."""
    added: list[tuple[int, str]] = []
    # Backwards, so that earlier places stay valid.
    for number, match in reversed([*enumerate(_traced(text, folder))]):
        for last, begins, _ in reversed(match.report.missing_setup):
            row = last.span().end_line
            end = len(split_lines(text)[row - 1]) + 1
            for count in range(1, limits.MAX_UNKNOWN + 1):
                line = f"  {begins} {counted(['?'] * count)}"
                longer = applied(text, [_put(row, end, f"\n{line}")])
                if _may_be_legal(match, longer, number):
                    text = longer
                    added.append((row, line))
                    break
    return text, {row + len(added) - later: line for later, (row, line) in enumerate(added)}


# ---------------------------------------------------------------- single `?`


def _with_names(text: str, folder: Path | None, random: Random, *, anything: bool) -> str:
    """Return a log in which `?` for a single entity is a name.

    Only where one name keeps the log legal, or ``anything`` will do.
    """
    matches = _traced(text, folder)
    unknown = [(gap, n) for n, match in enumerate(matches) for gap in _unknown(match)]
    for (span, names), number in sorted(unknown, reverse=True)[: limits.MAX_UNKNOWN]:
        fitting: list[str] = []
        for name in random.sample(names, len(names)):
            named = applied(text, [Fix(span, name, certain=True)])
            if not _may_be_legal(matches[number], named, number):
                continue
            games = check_text(named, folder=folder, watch=lambda *_: None).games
            if all(game.verdict is Verdict.LEGAL for game in games):
                fitting.append(named)
                if anything or len(fitting) > 1:
                    break
        if anything or len(fitting) == 1:
            text = fitting[0] if fitting else text
    return text


def _may_be_legal(match: Match, text: str, number: int) -> bool:
    trial = match.restarted(match.name_choices)
    trial.resolver.leaves_open = True
    record = with_turn_headings(read_log(text).games[number], match.pack.headings)
    Referee(trial, record, repairing=StopAtFirstError).run()
    return not trial.report.errors


def _unknown(match: Match) -> Iterator[tuple[Span, list[str]]]:
    spell = speller(match.pack)
    for section in match.log.sections if match.log is not None else ():
        for statement in section.statements if section.kind in PHASES else ():
            for parsed in match.binder.bind(statement.phrase, PHASES[section.kind]).readings[:1]:
                for slot, written in parsed.slots.items():
                    things = match.pack.entities.get(parsed.move.slots[slot].kind, ())
                    names = [spell.exact(entity) for entity in things]
                    for item in written:
                        if item.text == "?" and 0 < len(names) <= limits.MAX_NAMES:
                            yield statement.span(item.start, item.end), names


# ---------------------------------------------------------------- draws


def _events(match: Match) -> list[Event]:
    events: list[Event] = []
    rest = match.state.hidden.beliefs.trace
    while rest:
        rest, event = rest
        events.append(event)
    return events[::-1]


def _follow(events: Sequence[Event], random: Random) -> None:
    for event in events:
        if isinstance(event, Changed) and event.sink is not None:
            event.sink.clear()
    ended = {event.other for event in events if isinstance(event, Joined)}
    groups = (event.first if isinstance(event, Joined) else event.group for event in events)
    last = (group for group in groups if isinstance(group, Group) and group not in ended)
    follow(events, {group: group.now.belief or {} for group in last}, random)


# What each draw brought in every history, by the id of its sink.
_Certain = dict[int, list[Entity]]

# Sampled histories rule out most candidates.
_SAMPLES = 10


def _certain(match: Match) -> _Certain:
    events = _events(match)
    hidden = match.state.hidden
    draws = [
        (number, event, event.sink)
        for number, event in enumerate(events, 1)
        if isinstance(event, Changed) and event.sink is not None
    ]
    common: dict[int, Counter[int]] = {}
    for seed in range(_SAMPLES):
        _follow(events, Random(seed))  # noqa: S311 - a game needs no secrets
        for _, _, sink in draws:
            came = Counter(thing.kind for thing in sink if thing.kind is not None)
            common[id(sink)] = common.get(id(sink), came) & came
    batches = Counter(id(sink) for _, _, sink in draws)
    # Samples may agree by chance; `minimum_drawn` proves it, slowly.
    return {
        id(sink): [
            hidden.beliefs.entity_of(kind)
            for kind, count in common[id(sink)].items()
            for _ in range(
                minimum_drawn(event, events[number:], kind, count, hidden.beliefs.unused_zone)
            )
        ]
        for number, event, sink in draws
        # The size of named or single draws was unknown.
        if common[id(sink)] and batches[id(sink)] == 1 and draw_in(event) is not None
    }


# ---------------------------------------------------------------- edits


def _names_of(match: Match, blank: Blank, certain: _Certain | None) -> list[str]:
    hidden, spell = match.state.hidden, speller(match.pack, match.writing)
    names: list[str] = []
    for thing in blank.what:
        if isinstance(thing, Entity) and not isinstance(thing, Placeholder):
            names.append(spell.exact(thing))
            continue
        sink: Sink = thing.identity if isinstance(thing, Placeholder) else thing
        came = (
            [hidden.beliefs.entity_of(found.kind) for found in sink if found.kind is not None]
            if certain is None
            else certain.get(id(sink), [])
        )
        size = 1 if isinstance(thing, Entity) else len(thing)
        names += [*map(spell.exact, came), *["?"] * (size - len(came))]
    return names


def _edits(match: Match, certain: _Certain | None) -> Iterator[Fix]:
    decided = certain is None
    places: dict[tuple[Statement, tuple[int, int] | None], list[str]] = {}
    left_out: dict[Statement, list[str]] = {}
    missing: dict[tuple[Statement, str], list[str]] = {}
    for blank in match.report.noted(Blank):
        names = _names_of(match, blank, certain)
        if blank.before.endswith("=>"):
            left_out.setdefault(blank.statement, []).append(f"{blank.before} {counted(names)}")
        elif blank.before:
            missing.setdefault((blank.statement, blank.before), []).extend(names)
        elif blank.drawn:
            places.setdefault((blank.statement, blank.place), []).extend(names)
        elif decided:
            places[blank.statement, blank.place] = names
    for (statement, begins), names in missing.items() if decided else ():
        yield _put(*statement.span()[2:], f"\n  {begins} {counted(names)}")
    for statement, texts in left_out.items() if decided else ():
        # Before a heading they get a line each.
        form = "  {}\n" if statement.column == 1 else "{}; "
        yield _put(statement.line, statement.column, "".join(map(form.format, texts)))
    for (statement, place), names in places.items():
        text = counted(names)
        if any(name != "?" for name in names):
            yield (
                _put(*statement.span()[2:], f" => {text}")
                if place is None
                else Fix(statement.span(*place), text, certain=True)
            )


def _put(line: int, column: int, text: str) -> Fix:
    return Fix(Span(line, column, line, column), text, certain=True)
