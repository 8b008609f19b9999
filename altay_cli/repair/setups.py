"""What may have been meant by a setup: what is wrong there shows where the game comes to it.

That is often many turns later. A statement may have been left out, two lines be the other way
round, another name or number be meant, a line be one too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise

from altay_cli.base.findings import ExpressionError, Finding, Fix, Related, Severity, Span, Text
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity
from altay_cli.match.course import Setup
from altay_cli.match.match import PHASES, Match
from altay_cli.match.operations import Values
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop, Telling
from altay_cli.match.statements import play
from altay_cli.moves.listing import Move, joined, listed_slot
from altay_cli.moves.wording import speller
from altay_cli.notation import SectionKind, Statement
from altay_cli.notation.parser import parse
from altay_cli.pack.candidates import Name, names_in, player_name
from altay_cli.repair import limits
from altay_cli.repair.candidates import (
    Edit,
    EditKind,
    Replaced,
    brief_lister,
    entities_in,
    explained,
    mentioned,
    misplaced,
    others_of,
    renamed,
    stands_in,
    with_question,
)


class OfSetup:
    """What may have been meant by the setup of a game that has errors."""

    def __init__(self, referee: Referee, errors: Sequence[Finding]) -> None:
        assert referee.start is not None
        self.referee = referee
        self.pack = referee.pack
        self.start = referee.start
        self.errors = errors
        self.mentioned = mentioned(referee, errors)
        self.which = self.start.place.section
        self.section = referee.sections[self.which]
        self.statements = self.section.statements
        self.phase = PHASES[self.section.kind]
        wrong = [n for n, one in enumerate(self.statements) if stands_in(errors[0], one)]
        self.at = wrong[0] if wrong else None
        """The number of the statement at which the first error stands, if it is in the setup."""
        self.wrong = self.statements[self.at] if self.at is not None else None

    def edits(self) -> Iterator[Edit]:
        """Yield what may have been meant, the likeliest first."""
        statements, at = self.statements, self.at
        if self.wrong is not None and any(o.text == self.wrong.text for o in statements[:at]):
            yield self._one_too_many(self.wrong)
        yield from self._seats()
        yield from self._exchanged(concerned=True)
        own = [one for one in statements if self._concerns(one)]
        likely = [*((self.wrong,) if self.wrong is not None else ()), *own]
        for statement in likely:
            yield from self._renamed(statement)
        first, last = self.section.heading.span(), statements[-1].span()
        inside = [one for one in self.errors if first[:2] <= one.span[:2] <= last[2:]]
        if inside:
            yield from self._left_out(inside[0])
        yield from self._exchanged(concerned=False)
        for statement in statements:
            if statement not in likely:
                yield from self._renamed(statement)
        if self.wrong is not None:
            yield from self._renamed(self.wrong, others=True)
            yield self._one_too_many(self.wrong)

    def _one_too_many(self, statement: Statement) -> Edit:
        """Return that a statement was not meant at all."""
        told = with_question(self.errors[0], "was this line not meant at all?")
        told = told._replace(fixes=(Fix(statement.span(), "", certain=False),))
        return self._edit(EditKind.DELETE, told, (statement, ()))

    def _edit(self, kind: EditKind, told: Finding, *instead: Replaced) -> Edit:
        return Edit(kind, self.start, instead, told=told)

    def _concerns(self, statement: Statement) -> bool:
        """Tell whether a statement is of the player of the first error, or such a second place."""
        first = self.errors[0]
        if any(stands_in(one, statement) for one in first.related):
            return True
        player = normal(first.player or "")
        items = (*statement.actor, *statement.items)
        return any(normal(item.text) == player for item in items)

    def _contradicted(self, message: str, span: Span, fixes: tuple[Fix, ...] = ()) -> Finding:
        """Return what is told of something in the setup of which no error was told."""
        first = self.errors[0]
        return Finding(
            "setup-contradicted",
            Severity.ERROR,
            message,
            span,
            fixes=fixes,
            related=(Related(first.span, first.message),),
        )

    # ------------------------------------------------------------ lines in another order

    def _exchanged(self, *, concerned: bool) -> Iterator[Edit]:
        """Yield two lines of a kind the other way round, or the last in turn 1.

        ``concerned`` says whether they are of the player of the first error.
        """
        statements = self.statements
        for one, other in pairwise(statements):
            if _verb(one) != _verb(other):
                continue
            if (self._concerns(one) or self._concerns(other)) is not concerned:
                continue
            message = "what follows does not go with the order of this line and the one above"
            told = misplaced(self._contradicted(message, other.span()), other)
            yield self._edit(EditKind.SWAP, told, (one, (other,)), (other, (one,)))
        following = self.referee.sections[self.which + 1 : self.which + 2]
        if concerned and self.at == len(statements) - 1 and following and following[0].statements:
            error = misplaced(self.errors[0], following[0].heading)
            first, last = following[0].statements[0], statements[-1]
            yield self._edit(EditKind.SWAP, error, (last, ()), (first, (last, first)))

    # ------------------------------------------------------------ lines left out

    def _seats(self) -> Iterator[Edit]:
        """Yield the game with a seat for the one player who has none."""
        known = self._laid(len(self.statements)).binder.players
        named = [player_name(one.actor) for one in self.statements if one.actor]
        named += [
            player_name(section.heading.items[2:])
            for section in self.referee.sections
            if section.kind is SectionKind.TURN
        ]
        strangers = [name for name in named if name and normal(name) not in known]
        if len(set(map(normal, strangers))) != 1:
            return
        name = strangers[0]
        error = next((one for one in self.errors if name in one.message), self.errors[0])
        error = next((one for one in self.errors if one.rule == "unknown-player"), error)
        seating = [move for move in self.pack.moves if move.seat and self.phase in move.phases]
        verbs = {pattern.verb for move in seating for pattern in move.patterns}
        seats = [
            number
            for number, one in enumerate(self.statements)
            if not one.actor and _verb(one) in verbs
        ]
        for place in (*seats, *(n + 1 for n in seats[-1:])):
            match = self._laid(place)
            player = Entity("player", name, len(match.state.players))
            match.binder.add_player(player)
            lister = brief_lister(match, phase=self.phase)
            base: Values = {"me": None, "asked": {}}
            for move in seating:
                with suppress(ExpressionError):
                    for one in lister.of(move, base, {move.seat or "": player}):
                        yield self._inserted(one.statement, place, error)

    def _left_out(self, error: Finding) -> Iterator[Edit]:
        """Yield the game with a legal statement put in that names what errors name."""
        mentioned, whole = set(self.mentioned), len(self.statements)
        groups: dict[tuple[object, ...], list[Move]] = {}
        match = self._laid(whole if self.at is None else self.at)
        for move in brief_lister(match, phase=self.phase).moves():
            listed = listed_slot(move.definition)
            named = {
                one
                for slot, value in move.values.items()
                if listed in {None, slot}
                for one in entities_in(value)
            }
            if mentioned & named or (listed is None and move.actor in mentioned):
                rest = {slot: text for slot, text in move.written.items() if slot != listed}
                key = move.id, move.actor, tuple(sorted(rest.items()))
                groups.setdefault(key if listed else (*key, len(groups)), []).append(move)
        for moves in groups.values():
            first, spell = moves[0], speller(self.pack, self.referee.match.writing)
            text = joined(moves, spell) if len(moves) > 1 else first.statement
            place = self.at
            if place is None:
                like = [n for n, one in enumerate(self.statements) if _verb(one) == first.kind]
                place = like[-1] + 1 if like else whole
            yield self._inserted(text, place, error)

    def _inserted(self, text: str, place: int, error: Finding) -> Edit:
        """Return the game with a statement put in."""
        statements = self.statements
        last = place == len(statements)
        near = statements[place - 1 if last else place]
        new = Statement(text, parse(text).phrase, near.line, near.column)
        suggested = explained(error, near, text)
        if last:
            end = near.span()
            line = Text("was `{text}` left out after line {line}?", text=text, line=end.end_line)
            behind = Span(end.end_line, end.end_column, end.end_line, end.end_column)
            suggested = with_question(error, line, Fix(behind, f"; {text}", certain=False))
        way = (near, new) if last else (new, near)
        return self._edit(EditKind.INSERT, suggested, (near, way))

    def _laid(self, count: int) -> Match:
        """Return a match in which so many statements of the setup have been carried out."""
        match = self.referee.match.again(self.referee.match.meant)
        match.state.account = self.referee.state.account
        setup = Setup(match, self.section, self.statements[:count], partial(play, match))
        with match.report.only(Telling.COUNTING), suppress(Stop):
            setup.lay_out()
        return match

    # ------------------------------------------------------------ other names

    def _renamed(self, statement: Statement, *, others: bool = False) -> Iterator[Edit]:
        """Yield the game with another name or number in a statement.

        The names are those that errors mention, and of small kinds all; with ``others`` the rest.
        """
        spell = speller(self.pack, self.referee.match.writing)
        near = {thing: number for number, thing in enumerate(self.mentioned)}
        few = self._concerns(statement) or statement is self.wrong
        for name in names_in(self.pack, statement):
            if not name.things and few and not others:
                number = int(statement.text[name.start : name.end])
                for other in (number - 1, number + 1):
                    if other > 0:
                        yield from self._with_name(statement, name, str(other))
            things = [
                thing
                for thing in others_of(self.pack, name)
                if (
                    thing in near
                    or (few and len(self.pack.entities[thing.kind]) <= limits.FEW_THINGS)
                )
                is not others
            ]
            things.sort(key=lambda thing: near.get(thing, len(near)))
            for thing in things:
                yield from self._with_name(statement, name, spell.exact(thing))

    def _with_name(self, statement: Statement, name: Name, other: str) -> Iterator[Edit]:
        new = renamed(statement, name, other)
        if new is None:
            return
        was = statement.text[name.start : name.end]
        span = statement.span(name.start, name.end)
        fix = Fix(span, other, certain=False)
        if statement is self.wrong:
            first = self.errors[0]
            asked = Text("did you mean `{name}`?", name=other)
            if first.span != span:
                asked = Text("did you mean `{name}` instead of `{was}`?", name=other, was=was)
            suggested = with_question(first, asked, fix)
        else:
            message = Text(
                "`{name}` was perhaps meant: what follows does not go with `{was}`",
                name=other,
                was=was,
            )
            suggested = self._contradicted(message, span, (fix,))
        yield self._edit(EditKind.RENAME, suggested, (statement, (new,)))


def _verb(statement: Statement) -> str:
    return normal(statement.items[0].text) if statement.items else ""
