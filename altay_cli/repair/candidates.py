"""Candidates for edits of the turns, the likeliest first."""

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from sys import maxsize

from altay_cli.base.findings import Finding
from altay_cli.base.suggest import normal
from altay_cli.base.values import Entity, entities_in
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.match.reporting import Stop
from altay_cli.match.sections import HEADING, Checkpoint, Point
from altay_cli.match.statements import play
from altay_cli.moves.listing import Lister, Move
from altay_cli.moves.wording import speller
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import Item, Statement
from altay_cli.pack.candidates import Name, elements, names_in, player_name
from altay_cli.pack.model import Pack, Phase
from altay_cli.pack.words import times
from altay_cli.repair import limits
from altay_cli.repair.edits import Edit, EditKind

# A count, or two names without a comma.
_ADJACENT_NUMBERS = re.compile(r"(?<![\w\"(])([0-9]+)[ \t]+(?=[0-9]+(?![\w\")]))")


# ---------------------------------------------------------------- replacing a wrong statement


def missing_comma(match: Match, slip: Checkpoint) -> Edit | None:
    """Return the edit that adds commas between numbers, which can be names."""
    text = _ADJACENT_NUMBERS.sub(r"\1, ", slip.statement.text)
    corrected = None if text == slip.statement.text else reworded(slip.statement, text)
    if corrected is None or not is_legal(match, corrected, slip.phase):
        return None
    return _replacement(slip, corrected, corrected.text)


def closest_legal_statement(match: Match, slip: Checkpoint) -> Edit | None:
    """Return the only legal statement with most names of an unreadable one.

    If it begins with another word, it has no other names.
    """
    statement = slip.statement
    if slip.phase == "heading":
        return None
    words = [item.text.casefold() for item in statement.items]
    best: list[Move] = []
    best_score = 0
    for move in brief_lister(match, named_entities(match.pack, statement)).moves():
        score = _similarity(move, words)
        same_verb = bool(words) and move.kind == words[0]
        draws = any(pattern.outcome for pattern in move.definition.patterns)
        if (
            move.definition.closes
            or (statement.outcome and not draws)
            or (not same_verb and score < len(_named_words(move)))
        ):
            continue
        if score >= max(best_score, 1):
            best = [*best, move] if score == best_score else [move]
            best_score = score
    if len(best) > 1:  # the order of names shows who gets what
        best = [move for move in best if _in_order(move, words)]
    if len(best) != 1:
        return None
    legal = _with_outcome_of(best[0], statement)
    return _replacement(slip, legal, legal.text)


def edits_at_slip(match: Match, slip: Checkpoint, entities: Collection[Entity]) -> Iterator[Edit]:
    """Yield edits of the wrong statement; moves with ``entities`` come early."""
    if slip.phase != "heading":
        yield Edit(EditKind.DELETE, slip, ((slip.statement, ()),))
    yield from (_replacement(slip, doubted) for doubted in _with_doubtful_outcome(slip.statement))
    yield from legal_replacements(match, slip, entities)


def legal_replacements(
    match: Match, slip: Checkpoint, entities: Collection[Entity]
) -> Iterator[Edit]:
    """Yield an edit for each legal move, first those with the same verb.

    In place of a heading, only those. Moves with one of the ``entities`` come early.
    """
    statement, is_heading = slip.statement, slip.phase == "heading"
    match.rewind(slip.snapshot)
    words = [item.text.casefold() for item in statement.items]
    likely = frozenset(entities)
    same_verb: list[Move] = []
    others: list[Move] = []
    lister = brief_lister(match, named_entities(match.pack, statement))
    # The order of rule files must not matter.
    for move in sorted(lister.moves(), key=lambda move: move.id):
        # A turn that ended too early is another slip.
        if is_heading or not (move.definition.closes or move.definition.heading):
            (same_verb if words and move.kind == words[0] else others).append(move)
    same_verb.sort(
        key=lambda move: (-_similarity(move, words), -len(entities_of_move(move) & likely))
    )
    others.sort(key=lambda move: -len(entities_of_move(move) & likely))
    for move in same_verb if is_heading else (*same_verb, *others):
        yield _replacement(slip, _with_outcome_of(move, statement))


def is_legal(match: Match, statement: Statement, phase: Phase) -> bool:
    """Apply a statement without findings; return whether it is legal."""
    report, errors = match.report, match.report.errors
    with report.suppressed():
        with suppress(Stop):
            play(match, statement, phase)
        return report.errors == errors


def brief_lister(
    match: Match,
    likely: Container[Entity] = (),
    *,
    phase: Phase = "turns",
    kinds: frozenset[str] | None = None,
) -> Lister:
    """Return a lister of legal moves with a smaller budget than for players."""
    return Lister(
        match.resolver,
        speller(match.pack, match.writing),
        phase=phase,
        max_bags=limits.MAX_BAGS,
        max_each=limits.ALL_STEPS // len(match.pack.moves),
        likely=likely,
        kinds=kinds,
    )


def named_entities(pack: Pack, statement: Statement, start: int = 0) -> frozenset[Entity]:
    """Return the entities that a statement names from ``start`` on."""
    names = (name for name in names_in(pack, statement) if name.start >= start)
    return frozenset(thing for name in names for thing in name.things)


def entities_of_move(move: Move) -> frozenset[Entity]:
    """Return the entities that a move names."""
    return frozenset(thing for name in move.written for thing in entities_in(move.values[name]))


def _replacement(slip: Checkpoint, new: Statement, text: str = "") -> Edit:
    return Edit(EditKind.REPLACE, slip, ((slip.statement, (new,)),), text)


def _similarity(move: Move, words: Sequence[str]) -> int:
    return sum(1 if word in words else -1 for word in _named_words(move))


def _in_order(move: Move, words: Sequence[str]) -> bool:
    shared = [word for word in move.statement.replace(",", " ").casefold().split() if word in words]
    remaining = iter(words)
    return all(word in remaining for word in shared)


def _named_words(move: Move) -> Sequence[str]:
    return " ".join(move.written.values()).replace(",", " ").casefold().split()


def _with_outcome_of(move: Move, statement: Statement) -> Statement:
    bare = _without_outcome(move, statement)
    if not statement.outcome:
        return bare
    text = f"{move.statement} => {statement.text[statement.outcome[0].start :]}"
    return bare._replace(text=text, phrase=bare.phrase._replace(outcome=statement.outcome))


def _without_outcome(move: Move, place: Statement) -> Statement:
    phrase = parse(move.statement).phrase._replace(outcome=None)
    return place._replace(text=move.statement, phrase=phrase)


def reworded(statement: Statement, text: str) -> Statement | None:
    """Return a statement with another text, if that can be parsed."""
    parsed = parse(text)
    return statement._replace(text=text, phrase=parsed.phrase) if parsed.sound else None


def _with_doubtful_outcome(statement: Statement) -> Iterator[Statement]:
    """Yield a statement with each drawn thing as `?`, then without it."""
    drawn = [_count_and_name(items) for items in elements(statement.outcome or ()) if items]
    for number, (count, name) in enumerate(drawn):
        for doubtful in (1, 0):
            rest = [*drawn[:number], (count - 1, name), (doubtful, "?"), *drawn[number + 1 :]]
            text = ", ".join(times(n, drawn_name) for n, drawn_name in rest if n > 0)
            outcome = parse(f"x => {text}").phrase.outcome
            yield statement._replace(phrase=statement.phrase._replace(outcome=outcome))


def _count_and_name(items: Sequence[Item]) -> tuple[int, str]:
    first, *rest = items
    count, rest = (first.value, rest) if first.kind == "number" and rest else (1, [first, *rest])
    words = [f"({item.text})" if item.kind == "qualifier" else item.text for item in rest]
    return count, " ".join(words)


# ---------------------------------------------------------------- before a wrong statement


def stateless_edits(
    referee: Referee, slip: Checkpoint, errors: Sequence[Finding]
) -> Iterator[Edit]:
    """Yield edits of the statements up to a slip that need no state.

    These exchange statements, correct the player, or replace names: by names in the slip, or by
    any, in outcomes with a thing that is drawn again at the first errors.
    """
    match, last = referee.match, referee.checkpoints[: slip.number + 1][-limits.REACH :]
    named = named_entities(match.pack, slip.statement)
    wanted = {
        thing: 0 for thing in named if len(match.pack.entities[thing.kind]) > limits.FEW_THINGS
    }
    drawn_again = frozenset(
        thing
        for statement in _statements_at(referee, errors[:2])
        for thing in _drawn_entities(match.pack, statement)
    )
    spell = speller(match.pack, match.writing)
    players = [spell.player(player.id) for player in match.state.players]
    draws_wanted = [
        not wanted.keys().isdisjoint(_drawn_entities(match.pack, checkpoint.statement))
        for checkpoint in last
    ]
    for number in reversed(range(len(last))):
        checkpoint = last[number]
        same_turn = checkpoint.place.section == slip.place.section
        is_near = slip.number - checkpoint.number <= 2
        if same_turn or is_near or any(draws_wanted[number : number + 2]):
            yield from swap_edits(referee, checkpoint, checkpoint.place)
        if checkpoint is slip:
            continue
        yield from _rename_edits(
            match, checkpoint, errors[0], wanted, drawn_again, same_turn=same_turn
        )
        if same_turn and checkpoint.statement.actor:
            actor = checkpoint.statement.actor
            name = Name(actor[0].start, actor[-1].end, ())
            yield from edits_of_name(checkpoint, checkpoint.statement, name, players)


def edits_by_checkpoint(
    referee: Referee, slip: Checkpoint, errors: Sequence[Finding]
) -> Iterator[tuple[Checkpoint, Iterator[Edit]]]:
    """Yield checkpoints from a slip backwards, each with the edits to try there.

    Iterate over the edits while the match is at their checkpoint. The first of the ``errors`` is
    that of the slip.
    """
    match, checkpoints = referee.match, referee.checkpoints[: slip.number + 1]
    things = concerned_entities(referee, errors)
    named_here = frozenset(things) | named_entities(match.pack, slip.statement)
    # Few moves name a thing of a large kind, so it says most about what is missing.
    rare = frozenset(
        thing for thing in named_here if len(match.pack.entities[thing.kind]) > limits.FEW_THINGS
    )
    likely = rare or named_here
    related = {place.span[:2] for error in errors[: limits.NAMING] for place in error.related}
    related_numbers = [
        checkpoint.number
        for checkpoint in checkpoints[:-1]
        if checkpoint.statement.span()[:2] in related
    ]
    remaining = {True: limits.REACH, False: limits.REACH}
    for checkpoint in reversed(checkpoints):
        at_slip = checkpoint.number == slip.number
        # A statement before a heading belongs to the turn before it.
        section = checkpoint.place.section - (checkpoint.place.number == HEADING)
        player = normal(player_name(referee.sections[section].heading.items[2:]))
        same_player = at_slip or errors[0].player is None or player == normal(errors[0].player)
        edits: list[Iterator[Edit]] = []
        if not at_slip and max(remaining.values()) > 0:
            edits.append(_other_answers(match, checkpoint, likely))
        if remaining[same_player] > 0:
            edits.append(
                _insertions(match, checkpoint, likely, every=at_slip, same_player=same_player)
            )
        remaining[same_player] -= 1
        if at_slip or checkpoint.number in related_numbers:
            named = named_entities(match.pack, checkpoint.statement)
            wanted = {thing: number for number, thing in enumerate(things) if thing not in named}
            edits.append(_rename_edits(match, checkpoint, errors[0], wanted, same_turn=True))
        if edits:
            yield checkpoint, chain.from_iterable(edits)
        earliest = min(related_numbers, default=slip.number)
        if max(remaining.values()) <= 0 and checkpoint.number < earliest:
            return


def swap_edits(referee: Referee, at: Checkpoint, place: Point) -> Iterator[Edit]:
    """Yield the exchange of a statement with the next one.

    At the end of a turn, move it into the next turn, or that turn's first into this one.
    """
    section, *later_sections = referee.sections[place.section : place.section + 2]
    if place.number == HEADING:
        return
    statement, *later = section.statements[place.number :]
    if later:
        following = later[0]
        replacements = ((statement, (following,)), (following, (statement,)))
        yield Edit(EditKind.SWAP, at, replacements, where=following)
    elif later_sections and later_sections[0].statements:
        heading, first = later_sections[0].heading, later_sections[0].statements[0]
        both = (statement, first)
        yield Edit(EditKind.SWAP, at, ((statement, ()), (first, both)), where=heading)
        yield Edit(EditKind.SWAP, at, ((first, ()), (statement, both)), where=first)


def _insertions(
    match: Match, at: Checkpoint, likely: frozenset[Entity], *, every: bool, same_player: bool
) -> Iterator[Edit]:
    kinds = None if every else frozenset(thing.kind for thing in likely) or None
    kind = EditKind.INSERT if same_player else EditKind.INSERT_FOR_OTHERS
    moves = [
        (entities_of_move(move) & likely, move)
        for move in brief_lister(match, likely, kinds=kinds).moves()
        if not move.definition.closes
    ]
    # The longest of a group first: if it is useless, the group is.
    moves.sort(
        key=lambda listed: (
            not listed[0],
            -len(listed[1].statement),
            listed[1].id,
            listed[1].statement,
        )
    )
    for names, move in moves:
        if every or names:
            edit = _insertion(kind, at, _without_outcome(move, at.statement))
            yield edit._replace(group=(at.number, move.id, names or move.statement))


def _insertion(kind: EditKind, at: Checkpoint, new: Statement) -> Edit:
    following = at.statement
    return Edit(kind, at, ((following, (new, following)),), new.text, following, (0, 0))


def insertions_with_outcome(match: Match, edit: Edit, errors: Sequence[Finding]) -> Iterator[Edit]:
    """Yield variants of an inserted statement, one per plausible drawn name.

    errors: those that remain; only their entities are then plausible.
    """
    (new,), pack = edit.assumed, match.pack
    kinds = drawn_kinds(pack, normal(new.items[0].text))
    spell = speller(pack, match.writing)
    possible = [thing for kind in sorted(kinds) for thing in pack.entities[kind]]
    if errors:
        mentioned = frozenset(_entities_about(pack, errors))
        possible = [thing for thing in possible if thing in mentioned]
    for thing in possible:
        variant = reworded(new, f"{new.text} => {spell.exact(thing)}")
        if variant is not None:
            yield _insertion(edit.kind, edit.checkpoint, variant)


def drawn_kinds(pack: Pack, verb: str) -> frozenset[str]:
    """Return the kinds that moves with a verb draw or reveal."""
    return frozenset(
        move.slots[pattern.outcome].kind
        for move in pack.moves
        for pattern in move.patterns
        if pattern.outcome and pattern.verb in {"", verb}
    )


def _other_answers(match: Match, at: Checkpoint, likely: frozenset[Entity]) -> Iterator[Edit]:
    answer = at.statement
    if match.state.next_decision is None:
        return
    words = [item.text.casefold() for item in answer.items]
    moves = [
        move
        for move in brief_lister(match, likely).moves()
        if move.definition.answers
        and not any(pattern.outcome for pattern in move.definition.patterns)
    ]
    moves.sort(key=lambda move: (-len(entities_of_move(move) & likely), -_similarity(move, words)))
    for move in moves[: limits.FEW_EDITS]:
        new = _without_outcome(move, answer)
        yield Edit(EditKind.REPLACE, at, ((answer, (new,)),), new.text, answer)


def _rename_edits(
    match: Match,
    at: Checkpoint,
    error: Finding,
    wanted: Mapping[Entity, int],
    drawn_again: Collection[Entity] = (),
    *,
    same_turn: bool,
) -> Iterator[Edit]:
    """Yield a statement with each of its names replaced by a ``wanted`` entity.

    A name that the error marks, or that is drawn again, may be any of its kind. In other turns,
    only outcomes and single names are changed.
    """
    statement = at.statement
    names = [*names_in(match.pack, statement)]
    outcome = statement.outcome or ()
    for name in names if same_turn or outcome or len(names) == 1 else ():
        is_drawn = bool(outcome) and name.start >= outcome[0].start
        is_marked = statement.span(name.start, name.end) == error.span
        any_other = is_marked or (is_drawn and any(thing in drawn_again for thing in name.things))
        others = alternative_names(match, name, wanted, maxsize if any_other else 0)
        yield from edits_of_name(at, statement, name, others)


def alternative_names(
    match: Match, name: Name, wanted: Mapping[Entity, int], most: int = 0
) -> Sequence[str]:
    """Return names of entities of the same kinds, first those ``wanted``.

    most: other names are included if the kind has no more entities.
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


def edits_of_name(
    at: Checkpoint, statement: Statement, name: Name, others: Sequence[str]
) -> Iterator[Edit]:
    """Yield a statement with a name replaced by each of ``others``."""
    for other in others:
        new = reworded(statement, statement.text[: name.start] + other + statement.text[name.end :])
        if new is not None:
            part = name.start, name.end
            yield Edit(EditKind.RENAME, at, ((statement, (new,)),), other, statement, part)


def concerned_entities(referee: Referee, errors: Sequence[Finding]) -> list[Entity]:
    """Return the entities of the first errors and their lines."""
    match, first = referee.match, errors[: limits.NAMING]
    named = [
        thing
        for statement in _statements_at(referee, first)
        for name in names_in(match.pack, statement)
        for thing in name.things
    ]
    return list(dict.fromkeys([*named, *_entities_about(match.pack, first)]))


def _statements_at(referee: Referee, errors: Sequence[Finding]) -> list[Statement]:
    lines = {error.span.line for error in errors}
    return [
        statement
        for section in referee.sections
        for statement in (section.heading, *section.statements)
        if statement.line in lines
    ]


def _drawn_entities(pack: Pack, statement: Statement) -> frozenset[Entity]:
    outcome = statement.outcome
    return named_entities(pack, statement, outcome[0].start) if outcome else frozenset()


def _entities_about(pack: Pack, findings: Sequence[Finding]) -> list[Entity]:
    subjects = {subject for finding in findings for subject in finding.about}
    return [
        entity
        for entities in pack.entities.values()
        for entity in entities
        if (entity.kind, entity.id) in subjects
    ]
