"""Games in progress, for bots and other programs: list, make and undo moves.

    from random import Random
from typing import NamedTuple
    from altay_cli.checking.playing import new_game

    game = new_game("altay", ["Ann", "Bob"], seed=7)
    while not game.ended:
        game.apply(Random().choice(game.legal_moves()))
    print(game.log())

``open_game`` opens a recorded game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from math import inf
from pathlib import Path
from random import Random
from typing import NamedTuple

from altay_cli.base.budget import Account
from altay_cli.base.findings import (
    START,
    BudgetError,
    Finding,
    ImpossibleError,
    errors_of,
    joined_by_semicolon,
    short_repr,
)
from altay_cli.base.garbage import postpone_collection
from altay_cli.base.internal import FATAL, internal_error
from altay_cli.base.translations import translated_finding
from altay_cli.base.values import (
    Bag,
    Chance,
    Entity,
    Odds,
    Pick,
    bag_of,
    expand,
    likeliest,
    unseen_in,
)
from altay_cli.checking.check import CheckSettings, check_games, correct_log
from altay_cli.checking.fixing import by_line, original_position
from altay_cli.checking.setting_up import SettingUp
from altay_cli.checking.tags import rules_of
from altay_cli.hidden.queries import Known
from altay_cli.match.match import Match, Snapshot
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Gap, Stop
from altay_cli.match.statements import play
from altay_cli.moves import limits
from altay_cli.moves.ability import Ability
from altay_cli.moves.addresses import ref_of
from altay_cli.moves.choices import DRAW, NAME, UNNAMED, Choice, Choices
from altay_cli.moves.listing import Lister, Move
from altay_cli.moves.opening import Choose, Opening
from altay_cli.moves.outcomes import Outcome, changes_since, outcome
from altay_cli.moves.wording import speller
from altay_cli.notation.lexis import quote
from altay_cli.notation.parser import parse
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import (
    GameRecord,
    Section,
    SectionKind,
    Statement,
    is_heading,
    with_turn_headings,
)
from altay_cli.notation.writing import format_log
from altay_cli.pack.candidates import on_pad
from altay_cli.pack.model import Pack
from altay_cli.repair.play import judge_game
from altay_cli.scoring.score import Standing, score


class IllegalMove(ImpossibleError):  # noqa: N818 - the field's word
    """A move that the rules forbid; ``findings`` say why.

    There are none if the text cannot be read as a move.
    """

    def __init__(self, statement: str, findings: Sequence[Finding]) -> None:
        reasons = joined_by_semicolon(finding.message for finding in findings)
        super().__init__(f"{statement}: {reasons or 'this is not a statement'}")
        self.findings = tuple(findings)


class _DrawNeeded(Exception):  # noqa: N818 - no error
    def __init__(self, bag: Bag) -> None:
        super().__init__()
        self.bag = bag


class GameError(ImpossibleError):
    """A game that cannot be begun or opened; its ``findings`` may say why."""

    def __init__(self, message: str, findings: Sequence[Finding] = (), **values: object) -> None:
        super().__init__(message, **values)
        self.findings = tuple(findings)


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
        terms = self.pack.texts.get(self._language, {})
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
        hidden = self.state.hidden
        for slot in move.definition.slots.values():
            value = move.values.get(slot.name)
            zones: list[Bag] = [
                self.state.cells[zone.at.fn(self.state, move.values)] for zone in slot.reveals
            ]
            if hidden.beliefs.placeholders and slot.domain is not None and slot.kind:
                domain = bag_of(slot.domain.fn(self.state, move.values))
                zones += [domain] if unseen_in(domain) else []
            # Legality depends on hidden contents only.
            veiled = any(any(zone.unknown) or unseen_in(zone) for zone in zones)
            names = self._names(move, slot.name) if veiled and value is not None else Counter()
            for name in names:
                count = sum([n for alternative, n in names.items() if name.issuperset(alternative)])
                if hidden.queries.count_bounds(zones, list(name))[0] < count:
                    return False
        return True

    def _names(self, move: Move, slot: str) -> Counter[frozenset[Entity]]:
        names: Counter[frozenset[Entity]] = Counter()
        for parsed in self.match.binder.bind(parse(move.statement).phrase, "turns").readings:
            if parsed.move is move.definition:
                for element in parsed.slots.get(slot, ()):
                    names[frozenset(element.entities)] += element.count
        return names

    def unseen(self) -> Iterator[tuple[str, str, Known]]:
        """Yield player, title of the zone, and what is known of each bag with hidden entities."""
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
        """Return what can follow in a setup: statements, and headings if it may be complete."""
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

        >>> game = new_game("chess", ["Ann", "Bob"])
        >>> game.apply(game.choices()[0].statement)
        'turn 1 Ann'
        >>> knight = game.choices()[0]
        >>> [choice.statement for choice in game.choices([knight])]
        ['move b1 to c3', 'move b1 to a3']

        """
        parts, drawn = _keys(named)
        choices = self._choices_for(parts)
        way = choices.completed(parts)
        found = [] if drawn else choices.after(parts)
        if way is not None and way.draws():
            found += self._draws(way.move, drawn)
        return found

    def chosen(self, named: Iterable[Choice | str]) -> str | None:
        """Return the statement that choices complete; None if more must be named.

        Arguments are those of ``choices``.

        >>> game = new_game("chess", ["Ann", "Bob"])
        >>> game.chosen(["player Ann in player/Ann//"])
        'turn 1 Ann'
        """
        parts, drawn = _keys(named)
        way = self._choices_for(parts).completed(parts)
        if way is None or not drawn:
            return None if way is None else way.move.statement
        with suppress(IllegalMove):
            statement = self._next_draw(way.move, drawn)
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
                    moves = self._without_twins(moves)
                choices = Choices(self.state, self.speller, moves, name)
        self._untried = self._untried or not choices.complete
        return choices

    def _without_twins(self, moves: Sequence[Move]) -> list[Move]:
        """Return the legal moves that lead to different states, while the steps last."""
        hidden = self.state.hidden.beliefs
        resolver = self.match.resolver if hidden.groups or hidden.placeholders else None
        first: dict[object, Move] = {}
        try:
            for move in moves:
                self.state.grant()
                changed = outcome(self.state, move, resolver)
                if changed in first:
                    continue
                # Hidden things can rule out what each requirement alone allows.
                if (changed is not None and resolver is None) or self.accepts(move):
                    first[move if changed is None else changed] = move
        except BudgetError:
            self._untried = True
        return [*first.values()]

    def _draws(self, move: Move, drawn: Sequence[str]) -> list[Choice]:
        """Return what chance can bring after what it has brought."""
        bag: Bag | str = ""
        with suppress(IllegalMove):
            bag = self._next_draw(move, drawn)
        choices: list[Choice] = []
        if not isinstance(bag, Bag):
            return choices
        for thing, count in bag.items():
            key, ref = f"{DRAW} {ref_of(thing)}", ref_of(thing)
            with suppress(IllegalMove):  # ruled out by the rest of the draw
                then = self._next_draw(move, [*drawn, key])
                choices.append(
                    Choice(
                        key,
                        DRAW,
                        self.speller.exact(thing),
                        None if isinstance(then, Bag) else then,
                        int(isinstance(then, Bag)),
                        (move.id,),
                        ref=ref,
                        certain=len(bag) == 1,
                        count=None if isinstance(bag, Odds) else count,
                        draws=isinstance(then, Bag),
                    )
                )
        return choices

    def _next_draw(self, move: Move, drawn: Sequence[str]) -> Bag | str:
        """Return the bag of the next draw, or the statement if nothing more is drawn."""
        left = list(drawn)

        def pick(bag: Bag) -> Entity:
            if not left:
                raise _DrawNeeded(bag)
            wanted = left.pop(0)
            thing = next((item for item in bag if f"{DRAW} {ref_of(item)}" == wanted), None)
            if thing is None:
                raise IllegalMove(move.statement, ())
            return thing

        try:
            if self._setup is not None:
                return self._drawn_in_setup(self._setup, move, pick)
            statement = self.apply(move, pick=pick)
        except _DrawNeeded as needed:
            return needed.bag
        self.undo()
        return statement

    @staticmethod
    def _drawn_in_setup(setup: SettingUp, move: Move, pick: Pick) -> str:
        statement = setup.drawn(move, pick)
        if not setup.accepts(statement):
            raise IllegalMove(statement, ())
        return statement

    def alike(self, one: Move, other: Move) -> bool:
        """Return True if ``one`` and ``other`` lead to the same state."""
        return self._outcome(one) == self._outcome(other)

    def _outcome(self, move: Move) -> Outcome | None:
        """Return what a legal move changes; None if it is illegal."""
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
        """Add a statement to the setup, or begin the game with a heading."""
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


def _keys(named: Iterable[Choice | str]) -> tuple[list[str], list[str]]:
    """Return the keys of choices: parts of a move, and what chance brings."""
    keys = [choice.key if isinstance(choice, Choice) else choice for choice in named]
    parts = [key for key in keys if not key.startswith(f"{DRAW} ")]
    return parts, [key for key in keys if key.startswith(f"{DRAW} ")]


# ---------------------------------------------------------------- opening games


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
    record = None if at is None else _begun_setup(log.games[game - 1], at, folder)
    if record is not None:
        setup = SettingUp(_rules_of(record, folder), record, language)
        random = Random(seed)  # noqa: S311 - a game needs no secrets
        return Game(setup.match, record, random, language, setup=setup)
    match, cut, wrong, until = _opened(log.games[game - 1], at, folder, language)
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
        alone = on_pad(log.games[game - 1])
        message = (
            "the log has only a result, and no position to show"
            if alone
            else "no players are seated"
        )
        raise GameError(message, earlier or ())
    return Game(match, cut, Random(seed), language, earlier)  # noqa: S311 - a game needs no secrets


def _rules_of(
    record: GameRecord, folder: Path | None, findings: list[Finding] | None = None
) -> tuple[Pack, Mapping[str, str]]:
    findings = [] if findings is None else findings
    rules = rules_of(record, folder, findings)
    if rules is None:
        raise GameError("the log names no rules that this program has", findings)
    return rules


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
    cut, until = _cut(record, at, words, corrections)
    match, _ = judge_game(Match(*rules, Ability, language), record, until=until)
    wrong = bool(findings or match.report.errors or not match.state.players)
    results = (section.heading for section in record.sections if section.kind is SectionKind.RESULT)
    end = until or next(results, None)
    return match, cut, wrong, end and end.span()[:2]


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


# ---------------------------------------------------------------- points


def _cut(
    record: GameRecord, at: str | None, headings: Collection[str], corrections: Sequence[Finding]
) -> tuple[GameRecord, Statement | None]:
    sections = [section for section in record.sections if section.kind is not SectionKind.RESULT]
    kept_sections = sections
    if at is not None and at.split()[:1] and at.split()[0].casefold() in {"turn", *headings}:
        kept_sections = _up_to_turn(sections, at)
    elif at is not None:
        kept_sections = _up_to_place(sections, at, record.lines, corrections)
    cut = GameRecord(record.tags, tuple(kept_sections), record.span, record.lines)
    played = [
        statement
        for section in kept_sections
        for statement in (section.heading, *section.statements)
    ]
    every = [
        statement
        for section in record.sections
        for statement in (section.heading, *section.statements)
    ]
    following = every[every.index(played[-1]) + 1 :] if played else []
    return cut, following[0] if following else None


def _begun_setup(record: GameRecord, at: str, folder: Path | None) -> GameRecord | None:
    """Return the game up to a point in its setup; None if the point is elsewhere."""
    if not record.sections or record.sections[0].kind is not SectionKind.SETUP:
        return None
    words = _rules_of(record, folder)[0].headings
    first = with_turn_headings(record, words).sections[0]
    if at.strip() == SectionKind.SETUP:
        return record._replace(sections=(first,))
    line, _, column = at.partition(":")
    place = line.isdecimal() and (int(line[:9]), int(column[:9]) if column.isdecimal() else 1)
    if not place or place < _end_of(first.heading) or place > (len(record.lines), inf):
        return None
    before = tuple(statement for statement in first.statements if _end_of(statement) <= place)
    if len(before) == len(first.statements):
        return None
    return record._replace(sections=(first._replace(statements=before),))


def _end_of(statement: Statement) -> tuple[int, int]:
    span = statement.span()
    return span.end_line, span.end_column


def _up_to_place(
    sections: Sequence[Section], at: str, lines: Sequence[str], corrections: Sequence[Finding]
) -> list[Section]:
    line, _, column = at.partition(":")
    if not line.isdecimal() or (column and not column.isdecimal()):
        raise GameError(
            "`{place}` is not a point of a game: write a line, or `turn` with round and player",
            place=at[:40],
        )
    # Python does not read numbers of any length.
    place = (int(line[:9]), int(column[:9] or 1))
    if place > (len(lines), len(lines[-1]) + 1 if lines else 1):
        template = "the log has {lines} lines only, and no line {line}"
        raise GameError(template, lines=len(lines), line=line[:9])
    edits = by_line(finding.fixes[0] for finding in corrections)

    def is_before(statement: Statement) -> bool:
        span = statement.span()
        return original_position(span.end_line, span.end_column, edits, end=True) <= place

    earlier: list[Section] = []
    for section in takewhile(lambda section: is_before(section.heading), sections):
        before = tuple(filter(is_before, section.statements))
        if section.kind is not SectionKind.TURN and len(before) < len(section.statements):
            break
        earlier.append(section._replace(statements=before))
    if not earlier:
        raise GameError("line {line}: moves begin after the setup of the game", line=line)
    return earlier


def _up_to_turn(sections: Sequence[Section], at: str) -> list[Section]:
    wanted = [item.text.casefold() for item in parse(at).phrase.items]
    for number, section in enumerate(sections):
        if [item.text.casefold() for item in section.heading.items] == wanted:
            return [*sections[:number], section._replace(statements=())]
    raise GameError("the log has no `{place}`", place=at[:60])
