"""PGN, the notation of chess programs, to logs and back; python-chess reads and writes the moves.

Comments with their clocks, NAGs and variations are kept as PGN writes them, in a comment of the log
after the move: `# $1 {[%clk 0:03:00]} (1. d4 d5)`. Any other comment of a log goes into braces.
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
from altay_cli.converters.table import Imported, Recorded
from altay_cli.notation.lexis import CONTROL, quote, unescape

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The seven tags that each game in PGN has, in this order."""

OWN_TAGS = frozenset({"game", "variant", "recorded", "rules", "laws"})
"""The tags that a log of chess gives a meaning of its own, in small letters."""

PLAIN_VARIANTS = frozenset({"", "standard", "chess", "normal", "from position"})

SINCE_2014 = "2014.07"
"""When the fifth repetition and the 75th move began to end a game."""

WINGS = {"kingside": 7, "queenside": 0}
"""The sides on which a king castles, each with the column of its rook, from 0."""

REASONS = {
    chess.Termination.INSUFFICIENT_MATERIAL: Text("too little was left to mate"),
    chess.Termination.SEVENTYFIVE_MOVES: Text(
        "it was the 75th move without a capture or a pawn's move"
    ),
    chess.Termination.FIVEFOLD_REPETITION: Text("the position was there for the fifth time"),
}
"""Why a game is over although there are legal moves."""

BY_COUNT = {chess.Termination.SEVENTYFIVE_MOVES, chess.Termination.FIVEFOLD_REPETITION}
PIECES = {name: kind for kind, name in enumerate(chess.PIECE_NAMES) if name}


def _corner(wing: str, side: bool) -> chess.Bitboard:
    """Return the square of the rook with which a side castles, as a set."""
    return chess.BB_SQUARES[chess.square(WINGS[wing], 0 if side else 7)]


# ---------------------------------------------------------------- from PGN


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps what is wrong with a game, instead of writing it to a log of the program."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def read_games(text: str) -> Iterator[Imported]:
    """Yield each game of a text in PGN as a log."""
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
    turns, goes_on, over = _turns(game, board.copy(), seats)
    tags = [("Game", "chess"), *_tags(game)]
    if goes_on:
        tags.append(("Laws", "before-2014"))
    ending, problem = _ending(game, seats, goes_on=goes_on)
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
    """Return a text in one line, without control characters."""
    return " ".join(CONTROL.sub(" ", text).split())


def _quoted(name: str) -> str:
    plain = re.fullmatch(r"[^\W\d_]{2,}", name) and name.casefold() not in {"as", "to", "turn"}
    return name if plain else quote(name)


def _tags(game: chess.pgn.Game) -> Iterator[tuple[str, str]]:
    """Yield the tags that a log keeps: all that are known, and mean nothing else there."""
    for name, value in game.headers.items():
        known = value.strip("?.")
        if known and re.fullmatch(r"[A-Za-z]\w*", name) and name.casefold() not in OWN_TAGS:
            yield name, _clean(unescape(value))[: limits.MAX_TAG].rstrip()


def _beginning(game: chess.pgn.Game, board: chess.Board, seats: dict[bool, str]) -> list[str]:
    """Return the setup, or the position that the game begins from."""
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
    """Return the turns, and whether the game went on where newer laws would have ended it.

    With them comes what is wrong if it went on where the laws of its time had ended it.
    """
    lines = [f"turn {board.fullmove_number} {seats[board.turn]}"]
    date = game.headers.get("Date", "?")
    goes_on, is_old = False, not date[:4].isdigit() or date < SINCE_2014
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
        others = [one for one in node.parent.variations if one is not node]
        annotation = [*_annotation(node), *(f"({one})" for one in others)]
        first, *rest = _comments(annotation) or [""]
        if first and len(line) + len(into) + len(first) <= limits.WIDTH:
            lines += [f"{line}{into} {first.removeprefix(' ')}", *rest]
        else:
            lines += [f"{line}{into}", *([first] if first else []), *rest]
        shown = f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san_and_push(move)}"
        outcome = board.outcome()
        by_count = outcome is not None and outcome.termination in BY_COUNT
        goes_on = goes_on or (is_old and by_count)
        if outcome is not None and not (is_old and by_count):
            over = Text(
                "it goes on after {move}, which ended it: {reason}; the log is illegal from there",
                move=shown,
                reason=REASONS.get(outcome.termination, ""),
            )
    return lines, goes_on, problem


def _annotation(node: chess.pgn.GameNode) -> list[str]:
    """Return the NAGs and the comment of a position, as PGN writes them."""
    comment = _clean(node.comment)
    return [*(f"${nag}" for nag in sorted(node.nags)), *([f"{{{comment}}}"] if comment else [])]


def _comments(annotation: Sequence[str]) -> list[str]:
    """Return comments of a log, a line each, with an annotation in them."""
    text = _clean(" ".join(annotation))
    lines = textwrap.wrap(text, limits.WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return [f"  # {line}" for line in lines]


def _ending(
    game: chess.pgn.Game, seats: dict[bool, str], *, goes_on: bool
) -> tuple[list[str], str]:
    """Return how the game ended, and what is wrong about that."""
    told, last = game.headers.get("Result", "*"), game.end().board()
    outcome = last.outcome()
    if goes_on and outcome is not None and outcome.termination in BY_COUNT:
        outcome = None
    if outcome is not None:
        lines = [f"  winner {seats[outcome.winner]}" if outcome.winner is not None else "  draw"]
        wrong = told not in {"*", outcome.result()}
        template = "its result is {told}, but the last position says {result}"
        problem = Text(template, told=told, result=outcome.result())
        return ["", "result", *lines], problem if wrong else ""
    if told == "1/2-1/2":
        return ["  draw", "", "result", "  draw"], ""
    if told not in {"1-0", "0-1"}:
        return [], ""
    winner = told == "1-0"
    how = _concession(game.headers.get("Termination", ""), last, winner)
    who = "" if last.turn is not winner else f"{seats[not winner]}: "
    return [f"  {who}{how}", "", "result", f"  winner {seats[winner]}"], ""


def _concession(termination: str, last: chess.Board, winner: bool) -> str:
    """Return by what statement a game was lost."""
    words = termination.casefold()
    if "abandon" in words or ("forfeit" in words and "time" not in words):
        return "forfeit"
    if last.has_insufficient_material(winner):
        return "resign"
    return "time" if "time" in words else "illegal" if "infraction" in words else "resign"


# ---------------------------------------------------------------- to PGN


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
    tags |= {name: value for name, value in game.tags.items() if name.casefold() not in OWN_TAGS}
    for side, name in (("White", white), ("Black", black)):
        if tags[side] == "?" and name != side:
            tags[side] = name
    if re.fullmatch(r"\d{4}", tags["Date"]):
        tags["Date"] += ".??.??"
    tags["Result"] = result
    if game.position:
        tags |= {"SetUp": "1", "FEN": board.fen()}
    tokens = _annotated(game.comments, board)
    told, before = True, board.copy()  # whether black's move too needs its number
    for done in game.turns:
        if "from" in done.values:
            number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
            tokens += [number] if told or board.turn else []
            before = board.copy()
            into = "".join(done.values.get("into", ()))
            move = chess.Move(
                chess.parse_square(done.values["from"][0]),
                chess.parse_square(done.values["to"][0]),
                PIECES[into] if into else None,
            )
            tokens.append(board.san_and_push(move))
        annotation = _annotated(done.comments, before)
        tokens += annotation
        told = bool(annotation)
    tokens.append(result)
    head = [f"[{name} {quote(value)}]" for name, value in tags.items()]
    lines = textwrap.wrap(
        " ".join(tokens), limits.PGN_WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([*head, "", *lines, ""])


def _board(game: Recorded) -> chess.Board:
    """Return the position that a game begins from."""
    if not game.position:
        return chess.Board()
    board = chess.Board(None)
    board.turn = game.first == game.players[0]
    board.fullmove_number = max(game.round, 1)
    for done in game.position:
        side = done.actor == game.players[0]
        for square in done.values.get("squares", ()):
            piece = chess.Piece(PIECES[done.values["piece"][0]], side)
            board.set_piece_at(chess.parse_square(square), piece)
        for wing in done.values.get("wings", ()):
            board.castling_rights |= _corner(wing, side)
        for square in done.values.get("square", ()):
            board.ep_square = chess.parse_square(square)
    return board


_PART = re.compile(r"\s*(?:(\$\d+)|(\{[^{}]*\})|(\())")


def _annotated(comments: Sequence[str], before: chess.Board) -> list[str]:
    """Return comments of a log as PGN: what is PGN already, and all else in braces.

    Variations are those of the move that was made in the position ``before``.
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
    """Return where the bracket that opens before ``at`` is closed; 0 if it is not."""
    depth = 1
    for found in re.finditer(r"\{[^}]*\}|[()]", text[at:]):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return at + found.end()
    return 0


def _is_variation(text: str, before: chess.Board) -> bool:
    """Return whether a text is moves in PGN that are legal in a position."""
    pgn = f'[SetUp "1"]\n[FEN "{before.fen()}"]\n\n{text} *\n'
    game: Any = chess.pgn.read_game(io.StringIO(pgn), Visitor=_Builder)
    return game is not None and bool(game.variations) and not game.errors
