"""What may have been meant where something is wrong in a game, the likeliest first.

A statement may be one too many, or stand for another one; one may have been left out before it; two
may be the other way round; a name may be another. An edit says what is read in the place of which
statements, from which moment on; whether the game goes on better so is for ``search`` to find out.
Those of the setup are in ``setups``.
"""

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from itertools import chain
from sys import maxsize
from typing import NamedTuple

from altay_cli.base.findings import Finding, Fix, Related, Severity, Span, Text
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity
from altay_cli.match.match import Match
from altay_cli.match.referee import HEADING, Checkpoint, Point, Referee
from altay_cli.match.reporting import Report, Stop, Telling
from altay_cli.match.statements import play
from altay_cli.moves.listing import Lister, Move
from altay_cli.moves.wording import speller
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import Item, Statement
from altay_cli.pack.candidates import Name, elements, names_in, player_name
from altay_cli.pack.model import Pack, Phase
from altay_cli.pack.words import times
from altay_cli.repair import limits

_WORDS = re.compile(r"\w+")
# A number before a number: a count, or the names of two things.
_SIDE_BY_SIDE = re.compile(r"(?<![\w\"(])([0-9]+)[ \t]+(?=[0-9]+(?![\w\")]))")


class EditKind(Enum):
    """What an edit does; those that come first are likelier where several explain as much."""

    SWAP = 0
    INSERT = 1
    INSERT_FOR_OTHERS = 2
    RENAME = 3
    REPLACE = 4
    DELETE = 5


Replaced = tuple[Statement, Sequence[Statement]]
"""What is read in the place of a statement."""


class Edit(NamedTuple):
    """What is read in the place of which statements, from the moment ``at`` on.

    ``text`` is what is asked about it in words. If it is elsewhere than at the slip, that is in the
    place of a ``part`` of the statement ``where``, of all of it if there is none; and it is told
    instead of the errors that it explains, where ``error`` is. Of edits that are ``alike``, the
    others are of no use if one changes nothing.
    """

    kind: EditKind
    at: Checkpoint
    instead: Sequence[Replaced]
    text: str = ""
    where: Statement | None = None
    part: tuple[int, int] | None = None
    error: Finding | None = None
    alike: object = None

    @property
    def assumed(self) -> list[Statement]:
        """What is read that is not in the log."""
        known = {id(statement) for statement, _ in self.instead}
        return [one for _, way in self.instead for one in way if id(one) not in known]


# ---------------------------------------------------------------- in the place of a wrong statement


def plainly_meant(match: Match, slip: Checkpoint) -> Edit | None:
    """Return what was meant by a statement, where only one legal statement says what it says.

    The match is at the moment before it.
    """
    # A comma between numbers, where things have numbers for names.
    text = _SIDE_BY_SIDE.sub(r"\1, ", slip.statement.text)
    other = None if text == slip.statement.text else reworded(slip.statement, text)
    if other is None or not is_legal(match, other, slip.phase):
        return None
    return _replaced(slip, other, other.text)


def said_alike(match: Match, slip: Checkpoint) -> Edit | None:
    """Return the one legal statement that says what one says that cannot be read, if there is one.

    It names most of what that one names, and nothing else if it begins with another word.
    """
    statement = slip.statement
    if slip.phase == "heading":
        return None
    words = [item.text.casefold() for item in statement.items]
    best: list[Move] = []
    most = 0
    for move in brief_lister(match, named_in(match.pack, statement)).moves():
        like = _likeness(move, words)
        same = bool(words) and move.kind == words[0]
        draws = any(pattern.outcome for pattern in move.definition.patterns)
        if (
            move.definition.closes
            or (statement.outcome and not draws)
            or (not same and like < len(_named(move)))
        ):
            continue
        if like >= max(most, 1):
            best = [*best, move] if like == most else [move]
            most = like
    if len(best) > 1:  # which is given and which taken, their order tells
        best = [move for move in best if _in_order(move, words)]
    if len(best) != 1:
        return None
    other = _instead(best[0], statement)
    return _replaced(slip, other, other.text)


def in_place(match: Match, slip: Checkpoint, ahead: Collection[Entity]) -> Iterator[Edit]:
    """Yield what may have been meant at the place of a slip, the likeliest first.

    That is what names the same as the statement, then what names what errors ``ahead`` of it do.
    """
    if slip.phase != "heading":
        yield Edit(EditKind.DELETE, slip, ((slip.statement, ()),))
    yield from (_replaced(slip, other) for other in _with_doubt(slip.statement))
    like, others = _legal_moves(match, slip, ahead)
    yield from (_replaced(slip, _instead(move, slip.statement)) for move in like)
    if slip.phase != "heading":
        yield from (_replaced(slip, _instead(move, slip.statement)) for move in others)


def stand_ins(match: Match, slip: Checkpoint, ahead: Collection[Entity]) -> list[Edit]:
    """Return an edit for each legal move that an unreadable statement may stand for.

    Those that name the same as the statement, or things ``ahead`` of it, come first.
    """
    like, others = _legal_moves(match, slip, ahead)
    return [_replaced(slip, _instead(move, slip.statement)) for move in (*like, *others)]


def _legal_moves(
    match: Match, slip: Checkpoint, ahead: Collection[Entity]
) -> tuple[list[Move], list[Move]]:
    """Return the legal moves that begin with the word of a statement, and all others."""
    statement, phase = slip.statement, slip.phase
    match.restore(slip.snapshot, told=True)
    words = [item.text.casefold() for item in statement.items]
    named_ahead = frozenset(ahead)
    like: list[Move] = []
    others: list[Move] = []
    lister = brief_lister(match, named_in(match.pack, statement))
    # In an order of their own: not that of the files in which the moves stand.
    for move in sorted(lister.moves(), key=lambda move: move.id):
        # A turn that ended too early is another slip.
        if phase == "heading" or not (move.definition.closes or move.definition.heading):
            (like if words and move.kind == words[0] else others).append(move)
    like.sort(key=lambda move: (-_likeness(move, words), -len(things_of(move) & named_ahead)))
    others.sort(key=lambda move: -len(things_of(move) & named_ahead))
    return like, others


def is_legal(match: Match, statement: Statement, phase: Phase) -> bool:
    """Play a statement, without a word; return whether it is legal."""
    report = match.report
    mark = report.mark
    with report.only(Telling.COUNTING), suppress(Stop):
        play(match, statement, phase)
    right = report.errors == mark.errors
    report.undo(mark)
    return right


def brief_lister(
    match: Match,
    likely: Container[Entity] = (),
    *,
    phase: Phase = "turns",
    kinds: frozenset[str] | None = None,
) -> Lister:
    """Return a lister of what may have been meant, with less room than one for a player.

    It begins with moves that name what is ``likely``; if ``kinds`` are given, others are left out.
    """
    return Lister(
        match.resolver,
        speller(match.pack, match.writing),
        phase=phase,
        max_bags=limits.MAX_BAGS,
        max_each=limits.ALL_STEPS // len(match.pack.moves),
        likely=likely,
        kinds=kinds,
    )


def named_in(pack: Pack, statement: Statement, start: int = 0) -> frozenset[Entity]:
    """Return the things that a statement names from the character ``start`` on."""
    names = (name for name in names_in(pack, statement) if name.start >= start)
    return frozenset(thing for name in names for thing in name.things)


def things_of(move: Move) -> frozenset[Entity]:
    """Return the things that a move names."""
    return frozenset(thing for name in move.written for thing in entities_in(move.values[name]))


def entities_in(value: object) -> Iterator[Entity]:
    """Yield the things in the value of a slot, and of which they are copies."""
    if isinstance(value, Entity):
        yield value
        if value.parent is not None:
            yield value.parent
    elif isinstance(value, Mapping | list | tuple):
        for one in value:
            yield from entities_in(one)


def _replaced(slip: Checkpoint, other: Statement, text: str = "") -> Edit:
    return Edit(EditKind.REPLACE, slip, ((slip.statement, (other,)),), text)


def _likeness(move: Move, words: Sequence[str]) -> int:
    """Tell how much of what a move names stands in a statement as well."""
    return sum(1 if word in words else -1 for word in _named(move))


def _in_order(move: Move, words: Sequence[str]) -> bool:
    """Tell whether a statement names in the same order what a move names."""
    named = [word for word in move.statement.replace(",", " ").casefold().split() if word in words]
    places = iter(words)
    return all(word in places for word in named)


def _named(move: Move) -> Sequence[str]:
    """Return the words and numbers that a move names."""
    return " ".join(move.written.values()).replace(",", " ").casefold().split()


def _instead(move: Move, statement: Statement) -> Statement:
    """Return a legal move as a statement in the place of another, with what that one drew."""
    bare = _undrawn(move, statement)
    if not statement.outcome:
        return bare
    text = f"{move.statement} => {statement.text[statement.outcome[0].start :]}"
    return bare._replace(text=text, phrase=bare.phrase._replace(outcome=statement.outcome))


def _undrawn(move: Move, before: Statement) -> Statement:
    """Return a legal move as a statement before another one; what it drew is told by nobody."""
    phrase = parse(move.statement).phrase._replace(outcome=None)
    return before._replace(text=move.statement, phrase=phrase)


def reworded(statement: Statement, text: str) -> Statement | None:
    """Return a statement with another text; None if that cannot be read."""
    parsed = parse(text)
    return statement._replace(text=text, phrase=parsed.phrase) if parsed.sound else None


def _with_doubt(statement: Statement) -> Iterator[Statement]:
    """Yield a statement with each of the things that were drawn in doubt, or not drawn at all."""
    drawn = [_counted(one) for one in elements(statement.outcome or ()) if one]
    for number, (count, name) in enumerate(drawn):
        for doubted in (1, 0):
            rest = [*drawn[:number], (count - 1, name), (doubted, "?"), *drawn[number + 1 :]]
            text = ", ".join(times(n, one) for n, one in rest if n > 0)
            outcome = parse(f"x => {text}").phrase.outcome
            yield statement._replace(phrase=statement.phrase._replace(outcome=outcome))


def _counted(items: Sequence[Item]) -> tuple[int, str]:
    """Return how many of what are drawn by one element of a list."""
    first, *rest = items
    count, rest = (first.value, rest) if first.kind == "number" and rest else (1, [first, *rest])
    words = [f"({one.text})" if one.kind == "qualifier" else one.text for one in rest]
    return count, " ".join(words)


# ---------------------------------------------------------------- before a wrong statement


def near(referee: Referee, slip: Checkpoint, errors: Sequence[Finding]) -> Iterator[Edit]:
    """Yield what statements before a slip may have named or drawn instead, or in another order.

    That is what the slip names, or what is drawn again where the first errors are. No state is
    needed to find it.
    """
    match, last = referee.match, referee.checkpoints[: slip.number + 1][-limits.REACH :]
    named = named_in(match.pack, slip.statement)
    missed = {one: 0 for one in named if len(match.pack.entities[one.kind]) > limits.FEW_THINGS}
    again = frozenset(
        thing for one in _at(referee, errors[:2]) for thing in _drawn_by(match.pack, one)
    )
    spell = speller(match.pack, match.writing)
    players = [spell.player(player.id) for player in match.state.players]
    drawn = [not missed.keys().isdisjoint(_drawn_by(match.pack, one.statement)) for one in last]
    for place in reversed(range(len(last))):
        one = last[place]
        own = one.place.section == slip.place.section
        if own or slip.number - one.number <= 2 or any(drawn[place : place + 2]):
            yield from swapped(referee, one, one.place)
        if one is slip:
            continue
        yield from _renamed(match, one, errors[0], missed, again, own=own)
        if own and one.statement.actor:  # it may be of somebody else
            actor = one.statement.actor
            name = Name(actor[0].start, actor[-1].end, ())
            yield from with_name(one, one.statement, name, players)


def elsewhere(
    referee: Referee, slip: Checkpoint, errors: Sequence[Finding]
) -> Iterator[tuple[Checkpoint, Iterator[Edit]]]:
    """Yield moments at and before a slip, the last first, and what may have been meant there.

    That names what the slip and the ``errors`` behind it name, of which it is the first. The edits
    are to be gone through when the match is at that moment.
    """
    match, checkpoints = referee.match, referee.checkpoints[: slip.number + 1]
    things = mentioned(referee, errors)
    named_here = frozenset(things) | named_in(match.pack, slip.statement)
    # What few moves name is likelier to have been meant elsewhere.
    rare = frozenset(
        one for one in named_here if len(match.pack.entities[one.kind]) > limits.FEW_THINGS
    )
    likely = rare or named_here
    begun = {second.span[:2] for one in errors[: limits.NAMING] for second in one.related}
    named = [one.number for one in checkpoints[:-1] if one.statement.span()[:2] in begun]
    left = {True: limits.REACH, False: limits.REACH}
    for one in reversed(checkpoints):
        before = slip.number - one.number
        # What stands just before a heading belongs to the turn before it.
        section = one.place.section - (one.place.number == HEADING)
        player = normal(player_name(referee.sections[section].heading.items[2:]))
        own = not before or errors[0].player is None or player == normal(errors[0].player)
        edits: list[Iterator[Edit]] = []
        if before and max(left.values()) > 0:
            edits.append(_answered(match, one, likely))
        if left[own] > 0:
            edits.append(_inserted(match, one, likely, every=not before, own=own))
        left[own] -= 1
        if not before or one.number in named:
            there = named_in(match.pack, one.statement)
            wanted = {thing: number for number, thing in enumerate(things) if thing not in there}
            edits.append(_renamed(match, one, errors[0], wanted, own=True))
        if edits:
            yield one, chain.from_iterable(edits)
        if max(left.values()) <= 0 and one.number < min(named, default=slip.number):
            return


def swapped(referee: Referee, at: Checkpoint, place: Point) -> Iterator[Edit]:
    """Yield a statement and the one behind it the other way round.

    What begins a turn may be the end of the one before, and the other way round.
    """
    section, *behind = referee.sections[place.section : place.section + 2]
    if place.number == HEADING:
        return
    one, *later = section.statements[place.number :]
    if later:
        other = later[0]
        yield Edit(EditKind.SWAP, at, ((one, (other,)), (other, (one,))), where=other)
    elif behind and behind[0].statements:
        heading, first = behind[0].heading, behind[0].statements[0]
        yield Edit(EditKind.SWAP, at, ((one, ()), (first, (one, first))), where=heading)
        yield Edit(EditKind.SWAP, at, ((first, ()), (one, (one, first))), where=first)


def _inserted(
    match: Match, at: Checkpoint, likely: frozenset[Entity], *, every: bool, own: bool
) -> Iterator[Edit]:
    """Yield legal moves before a statement, those first that name what is ``likely``.

    Without ``every``, only these. Moves that name the same of it are alike.
    """
    kinds = None if every else frozenset(thing.kind for thing in likely) or None
    kind = EditKind.INSERT if own else EditKind.INSERT_FOR_OTHERS
    moves = [
        (things_of(move) & likely, move)
        for move in brief_lister(match, likely, kinds=kinds).moves()
        if not move.definition.closes
    ]
    # With the longest first: it does most, so that if it changes nothing, the others do not either.
    moves.sort(key=lambda one: (not one[0], -len(one[1].statement), one[1].id, one[1].statement))
    for names, move in moves:
        if every or names:
            edit = _put_in(kind, at, _undrawn(move, at.statement))
            yield edit._replace(alike=(at.number, move.id, names or move.statement))


def _put_in(kind: EditKind, at: Checkpoint, new: Statement) -> Edit:
    before = at.statement
    return Edit(kind, at, ((before, (new, before)),), new.text, before, (0, 0))


def drawing(match: Match, edit: Edit, left: Sequence[Finding]) -> Iterator[Edit]:
    """Yield an inserted statement with each of the names that it may have drawn or revealed.

    That is what the errors that are ``left`` mark; without any, what there is of its kinds.
    """
    (new,), pack = edit.assumed, match.pack
    kinds = {
        move.slots[pattern.outcome].kind
        for move in pack.moves
        for pattern in move.patterns
        if pattern.outcome and pattern.verb in {"", normal(new.items[0].text)}
    }
    spell = speller(pack, match.writing)
    possible = [thing for kind in sorted(kinds) for thing in pack.entities[kind]]
    if left:
        lines = [line for one in left for line in (one.message, *one.help)]
        marked = frozenset(_spelled_in(match, lines))
        possible = [thing for thing in possible if thing in marked]
    for thing in possible:
        if (drawn := reworded(new, f"{new.text} => {spell.exact(thing)}")) is not None:
            yield _put_in(edit.kind, edit.at, drawn)


def _answered(match: Match, at: Checkpoint, likely: frozenset[Entity]) -> Iterator[Edit]:
    """Yield other answers to what is due at a statement; those first that name what is likely."""
    wrong = at.statement
    if match.state.due is None:
        return
    words = [item.text.casefold() for item in wrong.items]
    answers = [
        move
        for move in brief_lister(match, likely).moves()
        if move.definition.answers and not any(one.outcome for one in move.definition.patterns)
    ]
    answers.sort(key=lambda one: (-len(things_of(one) & likely), -_likeness(one, words)))
    for move in answers[: limits.FEW_EDITS]:
        new = _undrawn(move, wrong)
        yield Edit(EditKind.REPLACE, at, ((wrong, (new,)),), new.text, wrong)


def _renamed(
    match: Match,
    at: Checkpoint,
    error: Finding,
    wanted: Mapping[Entity, int],
    again: Collection[Entity] = (),
    *,
    own: bool,
) -> Iterator[Edit]:
    """Yield a statement with something that is ``wanted`` in the place of what it names.

    Where that is marked as wrong, or it drew what is drawn ``again``, it may be anything else. A
    statement of the turn of the slip is looked at more closely.
    """
    wrong = at.statement
    names = [*names_in(match.pack, wrong)]
    drawn = wrong.outcome or ()  # nothing where `=>` ends the statement
    for name in names if own or drawn or len(names) == 1 else ():
        drew = bool(drawn) and name.start >= drawn[0].start
        marked = wrong.span(name.start, name.end) == error.span
        any_other = marked or (drew and any(thing in again for thing in name.things))
        others = other_names(match, name, wanted, maxsize if any_other else 0)
        yield from with_name(at, wrong, name, others)


def other_names(
    match: Match, name: Name, wanted: Mapping[Entity, int], most: int = 0
) -> Sequence[str]:
    """Return other names that may have been meant: what is ``wanted``, in that order.

    Behind it come all other things of its kinds, if there are at most so many of the kind.
    """
    entities, spell = match.pack.entities, speller(match.pack, match.writing)
    others = [
        thing
        for kind in sorted({thing.kind for thing in name.things})
        for thing in entities[kind]
        if thing not in name.things and (thing in wanted or len(entities[kind]) <= most)
    ]
    others.sort(key=lambda thing: wanted.get(thing, len(wanted)))
    return list(dict.fromkeys(map(spell.exact, others)))


def with_name(
    at: Checkpoint, wrong: Statement, name: Name, others: Sequence[str]
) -> Iterator[Edit]:
    """Yield a statement with each of other names in the place of one, if it can be read so."""
    for other in others:
        new = reworded(wrong, wrong.text[: name.start] + other + wrong.text[name.end :])
        if new is not None:
            part = name.start, name.end
            yield Edit(EditKind.RENAME, at, ((wrong, (new,)),), other, wrong, part)


def mentioned(referee: Referee, errors: Sequence[Finding]) -> list[Entity]:
    """Return what the first errors, and the statements at which they stand, name."""
    match, first = referee.match, errors[: limits.NAMING]
    named = [
        thing
        for statement in _at(referee, first)
        for name in names_in(match.pack, statement)
        for thing in name.things
    ]
    messages = [
        message
        for error in first
        for message in (error.message, *error.help, *(second.message for second in error.related))
    ]
    return list(dict.fromkeys([*named, *_spelled_in(match, messages)]))


def _at(referee: Referee, errors: Sequence[Finding]) -> list[Statement]:
    """Return the statements at which errors stand."""
    lines = {error.span.line for error in errors}
    return [
        statement
        for section in referee.sections
        for statement in (section.heading, *section.statements)
        if statement.line in lines
    ]


def _drawn_by(pack: Pack, statement: Statement) -> frozenset[Entity]:
    """Return what a statement says that it drew."""
    outcome = statement.outcome
    return named_in(pack, statement, outcome[0].start) if outcome else frozenset()


def _spelled_in(match: Match, lines: Sequence[str]) -> Iterator[Entity]:
    """Yield the things that some lines of what is told name."""
    spell, text = speller(match.pack), "\n".join(lines)
    for things in match.pack.entities.values():
        for thing in things:
            if spell.exact(thing) in text:
                yield thing


# ---------------------------------------------------------------- what is told of an edit


def stands_in(one: Finding | Related, statement: Statement) -> bool:
    """Return whether something is told of a place in a statement."""
    span = statement.span()
    return span[:2] <= one.span[:2] <= span[2:]


def drops_name(
    errors: Sequence[Finding], statement: Statement, part: tuple[int, int], text: str
) -> bool:
    """Return whether a text in the place of a part leaves out unknown names and puts none in.

    ``errors`` are told of the statement. A fix keeps each name that is written, or replaces it.
    """
    old, new = (set(_WORDS.findall(one.casefold())) for one in (statement.text[slice(*part)], text))
    gone = old - new
    dropped = [
        one
        for one in errors
        if one.rule.startswith("unknown-")
        and not gone.isdisjoint(_WORDS.findall(_text_at(statement, one.span).casefold()))
    ]
    return len(dropped) > sum(not word.isdecimal() for word in new - old)


def _text_at(statement: Statement, span: Span) -> str:
    """Return the text of a statement at a place in it, as far as the first line of that."""
    lines = (" " * (statement.column - 1) + statement.text).split("\n")
    if not 0 <= span.line - statement.line < len(lines):
        return ""
    end = span.end_column - 1 if span.end_line == span.line else None
    return lines[span.line - statement.line][span.column - 1 : end]


def meant_instead(report: Report, statement: Statement, text: str) -> None:
    """Add to the error at a statement that cannot be read which one may have been meant."""
    findings, question = report.findings, Text("did you mean `{name}`?", name=text)
    wrong = [
        number
        for number, finding in enumerate(findings)
        if finding.severity is Severity.ERROR and stands_in(finding, statement)
    ]
    unknown = [findings[number] for number in wrong]
    for number in reversed(wrong[1:]):  # what else is wrong with it does not matter then
        del findings[number]
    for number in wrong[:1]:
        dropped = drops_name(unknown, statement, (0, len(statement.text)), text)
        fixes = () if dropped else (Fix(statement.span(), text, certain=False),)
        told = (question, *findings[number].help)
        findings[number] = findings[number]._replace(help=told, fixes=fixes)


def told_of(edit: Edit, *, of_setup: bool) -> Finding:
    """Return what is told of an edit elsewhere than at a slip.

    That is its error with a question about what may have been meant before its other help. What is
    only wrong in a setup by what follows is told where it stands there.
    """
    where, text, error = edit.where, edit.text, edit.error
    assert where is not None
    assert error is not None
    start, end = edit.part or (0, len(where.text))
    span, was = where.span(start, end), where.text[start:end]
    if edit.kind is EditKind.SWAP:
        if of_setup and edit.instead[0][1]:  # no heading lies between
            message = "what follows does not go with the order of this line and the one above"
            error = _contradicted(error, message, span)
        question = "was this meant to come before the line above?"
        if span.line != error.span.line:
            question = Text("was this meant to come after line {line}?", line=span.line)
        return error._replace(help=(question, *error.help))
    if edit.kind is EditKind.DELETE:
        question, error = "was this line not meant at all?", error._replace(fixes=())
    elif edit.kind in {EditKind.INSERT, EditKind.INSERT_FOR_OTHERS}:
        question = Text("was `{statement}` left out before this?", statement=text)
        if start:
            question = Text("was `{text}` left out after line {line}?", text=text, line=span.line)
        elif span.line != error.span.line:
            question = Text(
                "was `{statement}` left out before line {line}?", statement=text, line=span.line
            )
        text = f"; {text}" if start else f"{text}; "
    elif of_setup and not stands_in(error, where):
        message = Text(
            "`{name}` was perhaps meant: what follows does not go with `{was}`", name=text, was=was
        )
        return _contradicted(error, message, span, Fix(span, text, certain=False))
    elif span == error.span:
        question = Text("did you mean `{name}`?", name=text)
    elif of_setup:
        question = Text("did you mean `{name}` instead of `{was}`?", name=text, was=was)
    else:
        new = edit.assumed[0].text
        question = Text("did you mean `{name}`?", name=new)
        if span.line < error.span.line:
            question = Text(
                "did you mean `{statement}` in line {line}?", statement=new, line=span.line
            )
    fixes = (Fix(span, text, certain=False), *error.fixes)
    return error._replace(help=(question, *error.help), fixes=fixes)


def _contradicted(first: Finding, message: str, span: Span, *fixes: Fix) -> Finding:
    """Return what is told of something in the setup of which no error was told."""
    related = (Related(first.span, first.message),)
    return Finding(
        "setup-contradicted", Severity.ERROR, message, span, fixes=fixes, related=related
    )
