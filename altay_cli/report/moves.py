"""Write the legal moves of a state, and the knowledge of hidden things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from altay_cli.base.findings import filled
from altay_cli.checking.playing import Game
from altay_cli.moves.listing import Move
from altay_cli.report.json import dump
from altay_cli.report.text import counted, listed, phrase


def moves_lines(game: Game, path: str) -> Iterator[str]:
    """Yield the legal moves as statements of AGN, grouped by first word.

    Between turns, the moves of the next turn are listed too.
    """
    yield from _listed(game, path, unseen_lines(game))
    if game.ended or game.state.next_decision is not None:
        return
    moves = game.legal_moves()
    if len(moves) == 1 and moves[0].definition.heading:
        game.apply(moves[0])
        yield ""
        then = phrase("then, after `{statement}`", statement=moves[0].statement)
        yield from _listed(game, then, ())
        game.undo()


def _listed(game: Game, path: str, known: Iterable[str]) -> Iterator[str]:
    legal = game.legal_moves()
    longer = _longer_statements(game, legal)
    moves = [move for move in legal if move.statement not in longer]
    yield listed([path, *_whose_turn(game)])
    yield counted("{count} legal move", "{count} legal moves", len(moves))
    if not game.complete:
        yield phrase("(there are so many possible moves that some were not tried)")
    yield from known
    groups: dict[str, list[Move]] = {}
    for move in moves:
        groups.setdefault(move.kind, []).append(move)
    for kind, group in groups.items():
        yield ""
        yield f"{kind} ({len(group):,})"
        for move in group:
            statement = game.example(move)
            remarks = []
            if statement != move.statement:
                remarks.append(phrase("one of several possible draws"))
            if not game.is_certain(move):
                remarks.append(phrase("possibly legal: it depends on hidden things"))
            others = (more for more, short in longer.items() if short == move.statement)
            remarks += [phrase("or: {statement}", statement=more) for more in others]
            yield f"  {statement}" + f"  # {'; '.join(remarks)}" * bool(remarks)


def _longer_statements(game: Game, moves: Sequence[Move]) -> dict[str, str]:
    """Return statements that only add details, each with the shorter one."""
    by_text = {move.statement: move for move in moves}
    shorter: dict[str, str] = {}
    for text, move in by_text.items():
        short = "" if "=>" in text else text.rpartition(" ")[0]
        while short and not (short in by_text and game.alike(by_text[short], move)):
            short = short.rpartition(" ")[0]
        if short:
            shorter[text] = shorter.get(short, short)
    return shorter


def _whose_turn(game: Game) -> list[str]:
    if game.ended:
        return [phrase("the game has ended")]
    words = [phrase("round {round}", round=game.round)] if game.round else []
    if (decision := game.state.next_decision) is None:
        return words if game.player is None else [*words, game.player]
    title = game.state.words.word(game.pack.decisions[decision.decision].title)
    players = listed(who.id for who in (decision.who, *decision.also))
    return [*words, phrase("{player} decides: {title}", player=players, title=title)]


def moves_json(game: Game, path: str) -> str:
    """Return the legal moves as JSON (docs/json.md)."""
    return dump(moves_document(game, path))


def moves_document(game: Game, path: str) -> dict[str, object]:
    """Return the legal moves for a JSON document."""
    unseen = [
        {
            "player": who,
            "zone": title,
            "size": known.size,
            "certain": {item.id: count for item, count in known.certain.items()},
            "one_of": [[item.id for item in some] for some in known.one_of],
            "likely": {item.id: round(share, 6) for item, share in known.shares.items()},
        }
        for who, title, known in game.unseen()
    ]
    document = {
        "path": path,
        "round": game.round,
        "player": game.player,
        "ended": game.ended,
        "decision": None if game.state.next_decision is None else game.state.next_decision.decision,
        "errors_before": game.errors,
        "moves": [_move(game, move) for move in game.legal_moves()],
        "complete": game.complete,
    }
    return document | filled({"unseen": unseen})


def _move(game: Game, move: Move) -> dict[str, object]:
    statement = game.example(move)
    return {
        "statement": statement,
        "move": move.statement,
        "kind": move.kind,
        "id": move.id,
        "title": game.state.words.word(move.definition.title),
        "player": None if move.actor is None else move.actor.id,
        "slots": dict(move.written),
        "draws": statement != move.statement,
        **({} if game.is_certain(move) else {"certain": False}),
    }


def unseen_lines(game: Game) -> Iterator[str]:
    """Yield a line for each partly unknown bag of a player."""
    state = game.state
    for who, title, known in game.unseen():
        certain = state.words.text(known.certain)
        parts = [phrase("{things} certain", things=certain)] if known.certain else []
        some = (listed(map(state.words.name, things)) for things in known.one_of)
        parts += [phrase("at least one of {things}", things=names) for names in some]
        possible = listed(
            f"{state.words.name(item)} ({_percent(share)})"
            for item, share in sorted(known.shares.items(), key=lambda pair: -pair[1])
            if not known.certain.get(item)
        )
        if possible:
            parts.append(phrase("possible {things}", things=possible))
        if known.size is not None:
            parts.append(phrase("{count} unknown", count=f"{known.size - known.certain.size():,}"))
        yield f"{who}, {state.words.word(title)}: {'; '.join(parts)}"


def _percent(share: float) -> str:
    if share >= 0.995:
        return phrase("over 99%")
    return phrase("under 1%") if share < 0.005 else f"{share:.0%}"
