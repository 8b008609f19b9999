"""The words of statements as they are written in logs that are in form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from altay_cli.base.findings import Fix
from altay_cli.base.suggest import normal
from altay_cli.checking.fixing import applied
from altay_cli.checking.tags import rules_of
from altay_cli.match.match import PHASES
from altay_cli.notation import GameRecord, Item, Kind, Log, Statement, divided, read
from altay_cli.pack.binding import Binder
from altay_cli.pack.candidates import capture, elements
from altay_cli.pack.model import MoveDef, Pack, Phase


def plain_words(text: str, folder: Path | None) -> str:
    """Return a log with the words of statements in lower case, and plurals in the singular.

    Args:
        text: the log; a game whose rules are not known stays as it is.
        folder: where variant files are looked up, as in ``check_text``.

    """
    log = read(text)
    edits: list[Fix] = []
    for record in log.games:
        rules = rules_of(record, folder, [])
        if rules is not None:
            edits += _of_game(divided(record, rules[0].headings), rules[0])
    return applied(text, [*edits, *_kept_columns(edits, log)])


def _kept_columns(edits: Sequence[Fix], log: Log) -> Iterator[Fix]:
    """Give the blanks that comments need behind edits in order to stay in their columns."""
    less: dict[int, int] = {}
    for place, text, _ in edits:
        if place.line == place.end_line:
            less.setdefault(place.line, 0)
            less[place.line] += place.end_column - place.column - len(text)
    for comment in log.comments if less else ():
        if less.get(comment.line, 0) > 0:
            yield Fix(comment.span, " " * less[comment.line], certain=True)


def _of_game(record: GameRecord, pack: Pack) -> Iterator[Fix]:
    """Yield edits that write the words of statements small, and several of a thing as one."""
    binder = Binder(pack)
    claims = {"winner", "loser", "draw", "score", "total", *(one.id for one in pack.categories)}
    for section in record.sections:
        phase = PHASES[section.kind]
        for statement in section.statements:
            if phase is Phase.RESULT:
                words = (one for one in statement.items[:1] if normal(one.text) in claims)
                yield from _small(statement, words)
                continue
            for parsed in binder.good(statement.phrase, phase)[:1]:
                named = [*parsed.slots.values(), *(drawn or () for drawn in parsed.drawn.values())]
                places = {one.start for slot in named for one in slot if one.text}
                yield from _singulars(statement, places, pack)
                yield from _small(statement, _keywords(statement, parsed.move))


def _keywords(statement: Statement, move: MoveDef) -> Sequence[Item]:
    """Return the words of a statement that are those of its move, and no names."""
    for pattern in move.patterns:
        captured = capture(pattern, statement.items)
        if captured is not None:
            names = {item.start for items in captured.values() for item in items}
            return [item for item in statement.items if item.start not in names]
    return ()


def _small(statement: Statement, words: Iterable[Item]) -> Iterator[Fix]:
    for item in words:
        if item.kind is Kind.WORD and item.text != item.text.casefold():
            yield Fix(statement.span(item.start, item.end), item.text.casefold(), certain=True)


def _singulars(statement: Statement, places: set[int], pack: Pack) -> Iterator[Fix]:
    for element in [*elements(statement.items), *elements(statement.outcome or ())]:
        # A name may follow on the words of the statement; its count stands before it.
        for first, item in enumerate(element):
            if item.start not in places:
                continue
            rest = element[first + (item.kind is Kind.NUMBER) :]
            words = list(takewhile(lambda one: one.kind is Kind.WORD, rest))
            for size in range(len(words), 0, -1):
                one = pack.plurals.get(normal(" ".join(word.text for word in words[:size])))
                if one is not None:
                    span = statement.span(words[0].start, words[size - 1].end)
                    yield Fix(span, one, certain=True)
                    break
