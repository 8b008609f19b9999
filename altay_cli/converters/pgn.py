"""Convert PGN, the notation of chess programs, with python-chess.

Clocks, NAGs and variations go into a comment after the move, as PGN has them: `# $1 {[%clk
0:03:00]} (1. d4 d5)`. Other comments of a log go into braces.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import chess
import chess.pgn

from altay_cli.base.findings import Text
from altay_cli.converters import limits
from altay_cli.converters.games import Imported, Recorded
from altay_cli.notation.lexis import CONTROL, quote, unescape

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that PGN requires, in this order."""

RESERVED_TAGS = frozenset({"game", "variant", "recorded", "rules", "laws"})
"""The tags with a meaning in logs of chess, in lower case."""

PLAIN_VARIANTS = frozenset({"", "standard", "chess", "normal", "from position"})

SINCE_2014 = "2014.07"
"""Since then the fifth repetition and the 75th move end a game."""

WINGS = {"kingside": 7, "queenside": 0}
"""Sides to castle on, each with the file of its rook, from 0."""

REASONS = {
    chess.Termination.INSUFFICIENT_MATERIAL: Text("too little was left to mate"),
    chess.Termination.SEVENTYFIVE_MOVES: Text(
        "it was the 75th move without a capture or a pawn's move"
    ),
    chess.Termination.FIVEFOLD_REPETITION: Text("the position was there for the fifth time"),
}
"""Why a game has ended despite legal moves."""

BY_COUNT = {chess.Termination.SEVENTYFIVE_MOVES, chess.Termination.FIVEFOLD_REPETITION}
PIECES = {name: kind for kind, name in enumerate(chess.PIECE_NAMES) if name}


def _corner(wing: str, side: bool) -> chess.Bitboard:
    return chess.BB_SQUARES[chess.square(WINGS[wing], 0 if side else 7)]


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects errors; the base class logs them."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def read_games(text: str) -> Iterator[Imported]:
    """Yield each game as a log."""
    stream = io.StringIO(text)
    while (game := chess.pgn.read_game(stream, Visitor=_Builder)) is not None:
        variant = game.headers.get("Variant", "")
        if variant.casefold() not in PLAIN_VARIANTS:
            yield Imported("", Text("it is played by other rules, {variant}", variant=variant))
        elif game.variations or "FEN" in game.headers or game.headers["White"] != "?":
            yield _imported(game)


def _imported(game: chess.pgn.Game) -> Imported:
    names = _names(game)
    seats = {chess.WHITE: _quoted(names[0]), chess.BLACK: _quoted(names[1])}
    board = game.board()
    turns, continues, over = _turns(game, board.copy(), seats)
    tags = [("Game", "chess"), *_tags(game)]
    if continues:
        tags.append(("Laws", "before-2014"))
    ending, problem = _ending(game, seats, continues=continues)
    head = [f"[{name} {quote(value)}]" for name, value in tags]
    lines = [*head, "", *_beginning(game, board, seats), "", *turns, *ending]
    errors = "; ".join(map(str, game.errors))
    return Imported("\n".join([*lines, ""]), errors or over or problem)


def _names(game: chess.pgn.Game) -> tuple[str, str]:
    white, black = (
        _clean(unescape(game.headers.get(side, "")))[: limits.MAX_NAME].rstrip()
        for side in ("White", "Black")
    )
    white = white if white.strip("?") else "White"
    black = black if black.strip("?") else "Black"
    if white.casefold() == black.casefold():
        white, black = f"{white} (White)", f"{black} (Black)"
    return white, black


def _clean(text: str) -> str:
    return " ".join(CONTROL.sub(" ", text).split())


def _quoted(name: str) -> str:
    plain = re.fullmatch(r"[^\W\d_]{2,}", name) and name.casefold() not in {"as", "to", "turn"}
    return name if plain else quote(name)


def _tags(game: chess.pgn.Game) -> Iterator[tuple[str, str]]:
    for name, value in game.headers.items():
        known = value.strip("?.")
        if known and re.fullmatch(r"[A-Za-z]\w*", name) and name.casefold() not in RESERVED_TAGS:
            yield name, _clean(unescape(value))[: limits.MAX_TAG].rstrip()


def _beginning(game: chess.pgn.Game, board: chess.Board, seats: dict[bool, str]) -> list[str]:
    lines = ["setup", *(f"  seat {seats[side]}" for side in chess.COLORS)]
    if "FEN" in game.headers:
        lines[0] = "position"
        for side in chess.COLORS:
            for name, kind in PIECES.items():
                if squares := [chess.square_name(at) for at in board.pieces(kind, side)]:
                    lines.append(f"  {seats[side]}: has {name} on {', '.join(squares)}")
            rights = [wing for wing in WINGS if board.castling_rights & _corner(wing, side)]
            if rights:
                lines.append(f"  {seats[side]}: may castle {', '.join(rights)}")
        if board.ep_square is not None:
            lines.append(f"  passing {chess.square_name(board.ep_square)}")
    return [*lines, *_comments(_annotation(game))]


def _turns(
    game: chess.pgn.Game, board: chess.Board, seats: dict[bool, str]
) -> tuple[list[str], bool, str]:
    """Return the turns, whether newer laws would have ended the game earlier, and the problem.

    The problem is that the game continues after its end.
    """
    lines = [f"turn {board.fullmove_number} {seats[board.turn]}"]
    date = game.headers.get("Date", "?")
    continues, is_old = False, not date[:4].isdigit() or date < SINCE_2014
    over = problem = ""
    for node in game.mainline():
        problem = problem or over
        if board.turn == chess.WHITE and len(lines) > 1:
            lines.append(f"turn {board.fullmove_number} {seats[chess.WHITE]}")
        move = node.move
        into = f" as {chess.piece_name(move.promotion)}" if move.promotion else ""
        line = (
            f"  move {chess.square_name(move.from_square)} to {chess.square_name(move.to_square)}"
        )
        others = [variation for variation in node.parent.variations if variation is not node]
        annotation = [*_annotation(node), *(f"({variation})" for variation in others)]
        first, *rest = _comments(annotation) or [""]
        if first and len(line) + len(into) + len(first) <= limits.WIDTH:
            lines += [f"{line}{into} {first.removeprefix(' ')}", *rest]
        else:
            lines += [f"{line}{into}", *([first] if first else []), *rest]
        shown = f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san_and_push(move)}"
        outcome = board.outcome()
        by_count = outcome is not None and outcome.termination in BY_COUNT
        continues = continues or (is_old and by_count)
        if outcome is not None and not (is_old and by_count):
            over = Text(
                "the log continues after {move}, which ended the game: {reason}; "
                "it is illegal from there",
                move=shown,
                reason=REASONS.get(outcome.termination, ""),
            )
    return lines, continues, problem


def _annotation(node: chess.pgn.GameNode) -> list[str]:
    comment = _clean(node.comment)
    return [*(f"${nag}" for nag in sorted(node.nags)), *([f"{{{comment}}}"] if comment else [])]


def _comments(annotation: Sequence[str]) -> list[str]:
    text = _clean(" ".join(annotation))
    lines = textwrap.wrap(text, limits.WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return [f"  # {line}" for line in lines]


def _ending(
    game: chess.pgn.Game, seats: dict[bool, str], *, continues: bool
) -> tuple[list[str], str]:
    result, last = game.headers.get("Result", "*"), game.end().board()
    outcome = last.outcome()
    if continues and outcome is not None and outcome.termination in BY_COUNT:
        outcome = None
    if outcome is not None:
        lines = [f"  winner {seats[outcome.winner]}" if outcome.winner is not None else "  draw"]
        wrong = result not in {"*", outcome.result()}
        template = "its result is {told}, but the last position says {result}"
        problem = Text(template, told=result, result=outcome.result())
        return ["", "result", *lines], problem if wrong else ""
    if result == "1/2-1/2":
        return ["  draw", "", "result", "  draw"], ""
    if result not in {"1-0", "0-1"}:
        return [], ""
    winner = result == "1-0"
    how = _concession(game.headers.get("Termination", ""), last, winner)
    who = "" if last.turn is not winner else f"{seats[not winner]}: "
    return [f"  {who}{how}", "", "result", f"  winner {seats[winner]}"], ""


def _concession(termination: str, last: chess.Board, winner: bool) -> str:
    words = termination.casefold()
    if "abandon" in words or ("forfeit" in words and "time" not in words):
        return "forfeit"
    if last.has_insufficient_material(winner):
        return "resign"
    return "time" if "time" in words else "illegal" if "infraction" in words else "resign"


def write_games(games: Iterable[Recorded]) -> str:
    """Return games in PGN."""
    return "\n".join(map(_exported, games))


def _exported(game: Recorded) -> str:
    white, black = game.players
    result = "1/2-1/2" if game.drawn else "*"
    if len(game.winners) == 1:
        result = "1-0" if game.winners[0] == white else "0-1"
    board = _board(game)
    tags: dict[str, str] = dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??"}
    tags |= {
        name: value for name, value in game.tags.items() if name.casefold() not in RESERVED_TAGS
    }
    for side, name in (("White", white), ("Black", black)):
        if tags[side] == "?" and name != side:
            tags[side] = name
    if re.fullmatch(r"\d{4}", tags["Date"]):
        tags["Date"] += ".??.??"
    tags["Result"] = result
    if game.position:
        tags |= {"SetUp": "1", "FEN": board.fen()}
    tokens = _annotated(game.comments, board)
    needs_number, before = True, board.copy()  # whether a move by Black needs its number
    for step in game.turns:
        if "from" in step.values:
            number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
            tokens += [number] if needs_number or board.turn else []
            before = board.copy()
            into = "".join(step.values.get("into", ()))
            move = chess.Move(
                chess.parse_square(step.values["from"][0]),
                chess.parse_square(step.values["to"][0]),
                PIECES[into] if into else None,
            )
            tokens.append(board.san_and_push(move))
        annotation = _annotated(step.comments, before)
        tokens += annotation
        needs_number = bool(annotation)
    tokens.append(result)
    head = [f"[{name} {quote(value)}]" for name, value in tags.items()]
    lines = textwrap.wrap(
        " ".join(tokens), limits.PGN_WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([*head, "", *lines, ""])


def _board(game: Recorded) -> chess.Board:
    if not game.position:
        return chess.Board()
    board = chess.Board(None)
    board.turn = game.first == game.players[0]
    board.fullmove_number = max(game.round, 1)
    for step in game.position:
        side = step.actor == game.players[0]
        for square in step.values.get("squares", ()):
            piece = chess.Piece(PIECES[step.values["piece"][0]], side)
            board.set_piece_at(chess.parse_square(square), piece)
        for wing in step.values.get("wings", ()):
            board.castling_rights |= _corner(wing, side)
        for square in step.values.get("square", ()):
            board.ep_square = chess.parse_square(square)
    return board


_PART = re.compile(r"\s*(?:(\$\d+)|(\{[^{}]*\})|(\())")


def _annotated(comments: Sequence[str], before: chess.Board) -> list[str]:
    """Return comments of a log as PGN; text that is not PGN goes into braces.

    Variations are alternatives to the move made in ``before``.
    """
    text = " ".join(comment.strip() for comment in comments).strip()
    parts: list[str] = []
    at = 0
    while at < len(text):
        found = _PART.match(text, at)
        end = found.end() if found and not found[3] else _closing(text, found.end()) if found else 0
        part = text[at:end].strip()
        if not end or (part.startswith("(") and not _is_variation(part[1:-1], before)):
            plain = text[at:].translate({ord("{"): "(", ord("}"): ")"}).strip()
            return [*parts, *(["{" + plain + "}"] if plain else [])]
        parts.append(part)
        at = end
    return parts


def _closing(text: str, at: int) -> int:
    """Return the end of the bracket that opens before ``at``; 0 without one."""
    depth = 1
    for found in re.finditer(r"\{[^}]*\}|[()]", text[at:]):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return at + found.end()
    return 0


def _is_variation(text: str, before: chess.Board) -> bool:
    pgn = f'[SetUp "1"]\n[FEN "{before.fen()}"]\n\n{text} *\n'
    game: Any = chess.pgn.read_game(io.StringIO(pgn), Visitor=_Builder)
    return game is not None and bool(game.variations) and not game.errors
