"""Games in progress, for bots and other programs: list, make and undo moves.

    from random import Random
    from altay_cli import new_game

    game = new_game("altay", ["Ann", "Bob"], seed=7)
    while not game.ended:
        game.apply(Random().choice(game.legal_moves()))
    print(game.log())

``opening`` begins games and opens recorded ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import (
    Finding,
    errors_of,
    short_repr,
)
from altay_cli.base.garbage import postpone_collection
from altay_cli.base.translations import translated_finding
from altay_cli.base.values import (
    Bag,
    Chance,
    Pick,
    expand,
    likeliest,
)
from altay_cli.checking.choosing import distinct_moves, draw_choices, next_draw, split_keys
from altay_cli.checking.errors import IllegalMove
from altay_cli.checking.setting_up import SettingUp
from altay_cli.hidden.queries import Known
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.reporting import Gap, Stop
from altay_cli.match.statements import play
from altay_cli.moves import limits
from altay_cli.moves.ability import Ability
from altay_cli.moves.certainty import is_certain
from altay_cli.moves.choices import NAME, UNNAMED, Choice, Choices
from altay_cli.moves.listing import Lister, Move
from altay_cli.moves.outcomes import Outcome, changes_since, outcome
from altay_cli.moves.wording import speller
from altay_cli.notation.lexis import quote
from altay_cli.notation.parser import parse
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import (
    GameRecord,
    SectionKind,
    Statement,
    is_heading,
    with_turn_headings,
)
from altay_cli.notation.writing import format_log
from altay_cli.repair.play import judge_game
from altay_cli.scoring.score import Standing, score


class _Step(NamedTuple):
    """The game before a move made here, with the choices found there."""

    match: Match
    before: Snapshot
    choices: Choices | None
    setup: SettingUp | None


class Game:
    """A game in progress, made by ``new_game`` or ``open_game``.

    statements: headings and statements since the game was opened, as in a log.
    """

    def __init__(
        self,
        match: Match,
        record: GameRecord,
        random: Random,
        language: str,
        findings: Sequence[Finding] | None = None,
        setup: SettingUp | None = None,
    ) -> None:
        self._setup = setup
        self.pack = match.pack
        self.speller = speller(match.pack, language)
        self._enter(match)
        self.record = record
        self.random = random
        self.statements: list[str] = []
        self._steps: list[_Step] = []
        # As `check` reports them if the log has errors.
        found = match.report.findings if findings is None else findings
        # A match with a longer setup reports everything again.
        self._found = tuple(found if setup is None else ())
        self._log_findings = len(match.report.findings) if setup is None else 0
        self._language = language
        self._untried = False

    def _enter(self, match: Match) -> None:
        self.match, self.state = match, match.state
        self._choices: Choices | None = None
        self._lister = Lister(match.resolver, self.speller)
        match.report.begin("turns")
        # Moves may be made and undone without end, so no account is charged.
        self.state.account = None

    def __repr__(self) -> str:
        players, rounds = [player.id for player in self.state.players], self.state.round
        return short_repr(self, pack=self.pack.id, players=players, round=rounds, ended=self.ended)

    # ------------------------------------------------------------ the state

    @property
    def ended(self) -> bool:
        """Whether the game has ended."""
        return self.state.ended

    @property
    def in_setup(self) -> bool:
        """Whether the game is still being set up; the heading of a turn begins it."""
        return self._setup is not None

    @property
    def round(self) -> int:
        """The number of the round; 0 if there are none."""
        return self.state.round

    @property
    def player(self) -> str | None:
        """The name of the player to act: to answer a decision, or whose turn it is."""
        decision = self.state.next_decision
        player = decision.who if decision is not None else self.state.status("active")
        return None if player is None else str(player.id)

    @property
    def findings(self) -> Sequence[Finding]:
        """All findings so far, those of legal moves included."""
        return self._in_language([*self._found, *self.match.report.findings[self._log_findings :]])

    def _in_language(self, findings: Sequence[Finding]) -> list[Finding]:
        terms = self.pack.translations(self._language)
        return [translated_finding(self._language, finding, terms) for finding in findings]

    @property
    def errors(self) -> int:
        """The number of errors in the log; moves made here add none."""
        return len(errors_of(self.findings))

    def score(self) -> Standing:
        """Return the scores, the ranking and the winners as if the game ended now."""
        return score(self.state)

    # ------------------------------------------------------------ moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, each once; none if the game has ended for good.

        Between two turns the only one is the next heading. Of several moves that one statement can
        name (`build F2, F3`), the first is listed before the others. ``complete`` says whether all
        were found.
        """
        if self._setup is not None:
            return self.candidates()
        account = Account(limits.LISTING_STEPS, "trying all moves", within=self.state.account)
        with postpone_collection():
            candidates = self.candidates()
            with self.state.paid_by(account):
                legal = [move for move in candidates if self.accepts(move)]
        self._untried = account.left < 0
        return legal

    def is_certain(self, move: Move) -> bool:
        """Return True if a legal move is legal for all possible hidden contents."""
        return is_certain(self.match, move)

    def unseen(self) -> Iterator[tuple[str, str, Known]]:
        """Yield player, title and known contents of each zone with hidden entities."""
        state = self.state
        for player in state.players:
            for zone in self.pack.zones:
                if zone.shape == "bag" and zone.per == ("player",) and not zone.tally:
                    known = state.hidden.queries.known(state.zones.held(zone.index, player))
                    if known is not None:
                        yield player.id, zone.title, known

    def candidates(self) -> list[Move]:
        """Return the moves whose conditions hold, without trying their effects.

        These are the ``legal_moves``, found much faster, unless the rules have a mistake.
        """
        self._untried = False
        if self._setup is not None:
            return self._setup_moves(self._setup)
        moves = self._lister.moves()
        last = self.record.sections[-1].kind if self.record.sections else None
        if self._steps or last not in {SectionKind.SETUP, SectionKind.POSITION}:
            return moves
        # Before the first turn, a move would be part of the setup.
        return [move for move in moves if move.definition.heading] or moves

    def _setup_moves(self, setup: SettingUp, name: str = UNNAMED) -> list[Move]:
        moves = setup.moves(name)
        self._untried = not setup.complete
        begun = setup.finished()
        if not begun.report.errors and begun.state.players:
            listed = Lister(begun.resolver, self.speller).moves()
            moves += [move for move in listed if move.definition.heading]
        return moves

    @property
    def complete(self) -> bool:
        """Whether the last listing tried all moves; false only under absurd rules."""
        return not self._lister.limits_reached and not self._untried

    def accepts(self, move: Move | str) -> bool:
        """Return True if ``move``, or a statement in AGN, is legal; the game is unchanged."""
        try:
            self.example(move)
        except IllegalMove:
            return False
        return True

    # ------------------------------------------------------------ choices

    def choices(self, named: Iterable[Choice | str] = ()) -> list[Choice]:
        """Return what can be named next in a move, for interfaces that tap.

        Args:
            named: the choices made so far, or their keys, in any order.

        Returns:
            Nothing if no move has these parts, or if nothing can be added. Of moves that lead to
            the same state, only the first counts. ``complete`` says whether all were found.

        >>> from altay_cli import new_game
        >>> game = new_game("chess", ["Ann", "Bob"])
        >>> game.apply(game.choices()[0].statement)
        'turn 1 Ann'
        >>> knight = game.choices()[0]
        >>> [choice.statement for choice in game.choices([knight])]
        ['move b1 to c3', 'move b1 to a3']

        """
        parts, drawn = split_keys(named)
        choices = self._choices_for(parts)
        way = choices.completed(parts)
        found = [] if drawn else choices.after(parts)
        if way is not None and way.draws():
            found += draw_choices(self.speller, way.move, drawn, self._drawn)
        return found

    def chosen(self, named: Iterable[Choice | str]) -> str | None:
        """Return the statement that choices complete; None if more must be named.

        Arguments are those of ``choices``.

        >>> from altay_cli import new_game
        >>> game = new_game("chess", ["Ann", "Bob"])
        >>> game.chosen(["player Ann in player/Ann//"])
        'turn 1 Ann'
        """
        parts, drawn = split_keys(named)
        way = self._choices_for(parts).completed(parts)
        if way is None or not drawn:
            return None if way is None else way.move.statement
        with suppress(IllegalMove):
            statement = next_draw(way.move, drawn, self._drawn)
            return None if isinstance(statement, Bag) else statement
        return None

    def _choices_for(self, parts: Sequence[str]) -> Choices:
        typed = (key.removeprefix(f"{NAME} ") for key in parts if key.startswith(f"{NAME} "))
        name = next(typed, "") or UNNAMED
        if self._choices is None or self._choices.name != name:
            self._choices = self._listed_choices(name)
        return self._choices

    def _listed_choices(self, name: str) -> Choices:
        account = Account(limits.LISTING_STEPS, "listing choices", within=self.state.account)
        with postpone_collection(), self.state.hidden.beliefs.keeping_answers():
            if self._setup is not None:
                moves = self._setup_moves(self._setup, name)
            else:
                moves = self.candidates()
            with self.state.paid_by(account):
                if self._setup is None:
                    moves, every = distinct_moves(self.match, moves, self.accepts)
                    self._untried = self._untried or not every
                choices = Choices(self.state, self.speller, moves, name)
        self._untried = self._untried or not choices.complete
        return choices

    def _drawn(self, move: Move, pick: Pick) -> str:
        """Return the statement of a move with the things picked; the game is unchanged.

        Raise IllegalMove if it is not legal with them.
        """
        if self._setup is None:
            statement = self.apply(move, pick=pick)
            self.undo()
            return statement
        statement = self._setup.drawn(move, pick)
        if not self._setup.accepts(statement):
            raise IllegalMove(statement, ())
        return statement

    def alike(self, one: Move, other: Move) -> bool:
        """Return True if ``one`` and ``other`` lead to the same state."""
        return self._outcome(one) == self._outcome(other)

    def _outcome(self, move: Move) -> Outcome | None:
        hidden = self.state.hidden.beliefs
        if not (hidden.groups or hidden.placeholders):
            return outcome(self.state, move)
        mark = self.state.journal.mark()
        try:
            self.apply(move, pick=likeliest)
        except IllegalMove:
            return None
        changed = changes_since(self.state, mark, hidden=True)
        self.undo()
        return changed

    def example(self, move: Move | str) -> str:
        """Return the statement of ``move`` with a possible draw; the game is unchanged.

        Raise IllegalMove if it is not legal.
        """
        statement = self.apply(move, pick=likeliest)
        self.undo()
        return statement

    def apply(self, move: Move | str, pick: Pick | Chance | None = None) -> str:
        """Make a move.

        Args:
            move: one of ``legal_moves``, or a statement in AGN, with drawn cards after `=>`.
            pick: chooses each drawn card that the statement does not name; without it, chance does.

        Returns:
            The statement as in the log, with its draws.

        Raises:
            IllegalMove: if the rules forbid it, or it is no move; the game is unchanged.

        A statement may be legal only if an earlier one is read in another way. The game is then
        replayed in that way, with a new ``state``.

        """
        if self._setup is not None:
            return self._apply_in_setup(self._setup, move, pick)
        text = move.strip() if isinstance(move, str) else move.statement
        parsed = parse(text)
        heading_kind = SectionKind.TURN if is_heading(parsed.phrase, self.pack.headings) else None
        kind = parsed.section or heading_kind
        if not parsed.sound or kind not in {None, SectionKind.TURN}:
            raise IllegalMove(text, ())
        statement = Statement(text, parsed.phrase, len(self.statements) + 1, 1)
        match, before = self.match, self.match.snapshot()
        hidden = match.state.hidden
        varies = hidden.beliefs.groups and hidden.queries.any_size_uncertain
        if not isinstance(pick, Chance):
            pick = Chance(pick or (lambda bag: self.random.choice(expand(bag))))
        stopped = True
        try:
            with match.resolver.chancing(pick), suppress(Stop):
                play(match, statement, "heading" if kind else "turns")
                stopped = False
        except BaseException:
            match.restore(before)
            raise
        errors = errors_of(match.report.findings[before.report.findings :])
        if errors or stopped:
            match.restore(before)
            # Listed moves are unambiguous.
            reread = self._read_again(text) if isinstance(move, str) and match.open else None
            if reread is None:
                raise IllegalMove(text, self._in_language(errors))
            self._steps.append(_Step(match, before, self._choices, None))
            self._enter(reread)
            return self._add(text)
        if pick.drawn:
            if parsed.phrase.outcome:  # as many `?` as were to be drawn
                text = text[: parsed.phrase.items[-1].end]
            text += f" => {self.speller.drawn(pick.drawn)}"
            if varies:
                # Each hidden history drew for itself: apply one result to all.
                match.restore(before)
                return self.apply(text)
        self._steps.append(_Step(match, before, self._choices, None))
        return self._add(text)

    def _apply_in_setup(
        self, setup: SettingUp, move: Move | str, pick: Pick | Chance | None
    ) -> str:
        text = move.strip() if isinstance(move, str) else move.statement
        parsed = parse(text)
        step = _Step(self.match, self.match.snapshot(), self._choices, setup)
        if parsed.section is SectionKind.TURN or is_heading(parsed.phrase, self.pack.headings):
            return self._begin(setup, text, step)
        if not parsed.sound or parsed.section is not None:
            raise IllegalMove(text, ())
        if not isinstance(move, str):
            draw = pick.pick if isinstance(pick, Chance) else pick
            text = setup.drawn(move, draw or (lambda bag: self.random.choice(expand(bag))))
        longer = setup.with_statement(text)
        if errors := longer.new_errors(setup):
            raise IllegalMove(text, self._in_language(errors))
        self._steps.append(step)
        self._setup = longer
        self._enter(longer.match)
        return self._add(text)

    def _begin(self, setup: SettingUp, heading: str, step: _Step) -> str:
        begun = setup.finished()
        if errors := errors_of(begun.report.findings):
            raise IllegalMove(heading, self._in_language(errors))
        self._setup = None
        self._enter(begun)
        try:
            text = self.apply(heading)
        except IllegalMove:
            self._setup = setup
            self._enter(step.match)
            raise
        self._steps[-1] = step
        return text

    def _add(self, text: str) -> str:
        self._choices = None
        self.statements.append(text)
        return text

    def _read_again(self, text: str) -> Match | None:
        if self.errors:
            return None
        record = with_turn_headings(read_log(self._text(text)).games[0], self.pack.headings)
        new = Match(self.pack, self.state.options, Ability, self.state.language, log=record)
        match, _ = judge_game(new, record)
        if match.report.errors or len(match.report.noted(Gap)) > len(self.match.report.noted(Gap)):
            return None
        return match

    def undo(self) -> None:
        """Undo the last move made here; raise IndexError if there is none."""
        match, before, choices, self._setup = self._steps.pop()
        if match is not self.match:
            self._enter(match)
        match.restore(before)
        self._choices = choices
        self.statements.pop()

    # ------------------------------------------------------------ as a log

    def log(self) -> str:
        """Return the game as a log in AGN, as `altay fmt` writes it."""
        return format_log(self._text(), self.pack.headings)

    def _text(self, *further: str) -> str:
        lines = [f"[{tag.name} {quote(tag.value)}]" for tag in self.record.tags]
        for section in self.record.sections:
            lines += [statement.text for statement in (section.heading, *section.statements)]
        return "\n".join([*lines, *self.statements, *further, ""])
