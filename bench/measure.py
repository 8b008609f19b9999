"""The benchmarks for pyperf, started by run.py in the environment that it makes.

Times are seconds a loop; of logs a statement, of PGN a ply, of hand histories an action.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter, time_ns
from typing import TYPE_CHECKING, Any

import pyperf

if TYPE_CHECKING:
    import chess

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
ALTAY = str(BIN / "altay")
PGN_GAMES = 40
PGN_SEED = 2026
HANDS = 60
POSITIONS = 150
CONDITIONS = 1000
TOGETHER = 100
"""Times are reported for so many statements or actions.

Otherwise pyperf would play thousands of games for one value.
"""
CHESS_SCRIPT = "import chess.pgn, sys; print(chess.pgn.read_game(open(sys.argv[1])).end().ply())"


def logs() -> list[tuple[str, Path]]:
    """Leave out simulated games."""
    paths = sorted((ROOT / "games").glob("*.agn"))
    legal = [path for path in paths if path.stem != "mistakes"]
    return [(path.read_text(encoding="utf-8"), path.parent) for path in legal]


def count_statements(texts: list[tuple[str, Path]]) -> int:
    """Tags, headings and comments do not count."""
    from altay_cli.notation.reading import read_log

    records = [record for text, _ in texts for record in read_log(text).games]
    return sum(len(section.statements) for record in records for section in record.sections)


# ---------------------------------------------------------------- what is read


def chess_boards(count: int = PGN_GAMES, least: int = 50, most: int = 120) -> Iterator[chess.Board]:
    """Yield random games of chess as final boards; captures are three times as likely."""
    import chess

    draw = random.Random(PGN_SEED)  # noqa: S311 - nothing is kept secret here
    for _ in range(count):
        board = chess.Board()
        length = draw.randint(least, most)
        while board.ply() < length and not board.is_game_over():
            moves = list(board.legal_moves)
            weights = [3 if board.is_capture(move) else 1 for move in moves]
            board.push(draw.choices(moves, weights)[0])
        yield board


def chess_games(boards: Iterator[chess.Board]) -> tuple[str, int]:
    """Count the plies, too."""
    import chess.pgn

    texts, plies = [], 0
    for number, board in enumerate(boards):
        game = chess.pgn.Game.from_board(board)
        game.headers["Round"] = str(number + 1)
        texts.append(str(game))
        plies += board.ply()
    return "\n\n".join(texts) + "\n", plies


def chess_logs() -> list[tuple[str, Path]]:
    import chess

    found = []
    for board in chess_boards():
        lines = ['[Game "chess"]', "setup", "seat Ann", "seat Bob", "turn 1 Ann"]
        for move in board.move_stack:
            squares = chess.square_name(move.from_square), chess.square_name(move.to_square)
            into = f" as {chess.piece_name(move.promotion)}" if move.promotion else ""
            lines.append(f"move {squares[0]} to {squares[1]}{into}")
        found.append(("\n".join([*lines, ""]), ROOT))
    return found


def poker_hands() -> list[str]:
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    by_itself = (
        Automation.ANTE_POSTING, Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING, Automation.CARD_BURNING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING, Automation.CHIPS_PULLING,
    )  # fmt: skip
    random.seed(PGN_SEED)  # PokerKit shuffles with it
    game = NoLimitTexasHoldem(by_itself, True, 0, (50, 100), 100)
    texts = []
    for _ in range(HANDS):
        state = game((10_000,) * 6, 6)
        while state.status:
            choice = random.random()  # noqa: S311 - as above
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                state.deal_board()
            elif choice < 0.25 and state.can_fold():
                state.fold()
            elif choice < 0.4 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()
        texts.append(HandHistory.from_game_state(game, state).dumps())
    return texts


# ---------------------------------------------------------------- what is timed


def time_checking(loops: int, games: list[Path], taken: Path) -> float:
    """Time the checking of games that no process has seen before, one a loop.

    Each byte of the file ``taken`` stands for a used game. Return the seconds of TOGETHER
    statements, summed over the loops.
    """
    from altay_cli.checking.check import check_text

    # Loading the rules is measured separately.
    check_text(games[-1].read_text(encoding="utf-8"), folder=games[-1].parent)
    seconds = 0.0
    for _ in range(loops):
        number = taken.stat().st_size
        with taken.open("ab") as file:
            file.write(b".")
        game = games[number % (len(games) - 1)]
        text = game.read_text(encoding="utf-8")
        start = perf_counter()
        check_text(text, folder=game.parent)
        spent = perf_counter() - start
        seconds += TOGETHER * spent / count_statements([(text, game.parent)])
    return seconds


def time_chess_checking(loops: int, texts: list[tuple[str, Path]]) -> float:
    from altay_cli.checking.check import check_text

    start = perf_counter()
    for _ in range(loops):
        for text, folder in texts:
            check_text(text, folder=folder)
    return perf_counter() - start


def time_chess(loops: int, pgn: str, plies: int) -> float:
    import chess.pgn

    start = perf_counter()
    read = 0
    for _ in range(loops):
        file = io.StringIO(pgn)
        while (game := chess.pgn.read_game(file)) is not None:
            read += game.end().ply()
    seconds = perf_counter() - start
    assert read == loops * plies
    return seconds


def time_poker(loops: int, hands: list[str]) -> float:
    """Time the reading of hand histories, state by state; returns seconds as above."""
    from pokerkit import HandHistory

    seconds = 0.0
    for _ in range(loops):
        actions = 0
        start = perf_counter()
        for text in hands:
            history = HandHistory.loads(text)
            for _ in history:
                pass
            actions += len(history.actions)
        seconds += TOGETHER * (perf_counter() - start) / actions
    return seconds


def time_listing(loops: int, text: str) -> float:
    """List moves before POSITIONS statements of a game."""
    from altay_cli.checking.opening import open_game
    from altay_cli.notation.reading import read_log

    sections = [s for s in read_log(text).games[0].sections if s.kind == "turn"]
    lines = [statement.text for s in sections for statement in (s.heading, *s.statements)]
    seconds = 0.0
    for _ in range(loops):
        first = sections[0].heading
        game = open_game(text, f"{first.line}:{first.column}")
        for line in lines[:POSITIONS]:
            start = perf_counter()
            game.candidates()
            seconds += perf_counter() - start
            game.apply(line)
    return seconds


def time_classic_listing(loops: int, pack: str) -> float:
    """List moves in POSITIONS positions of random games."""
    from altay_cli.checking.opening import new_game

    draw = random.Random(PGN_SEED)  # noqa: S311 - nothing is kept secret here
    seconds = 0.0
    for _ in range(loops):
        game = None
        for _ in range(POSITIONS):
            if game is None or game.ended:
                game = new_game(pack, ["Ann", "Bob"], seed=PGN_SEED)
                game.apply("turn 1 Ann")
            start = perf_counter()
            moves = game.candidates()
            seconds += perf_counter() - start
            game.apply(draw.choice(moves))
    return seconds


def time_chess_listing(loops: int) -> float:
    """List moves in POSITIONS positions of a random game."""
    import chess

    draw = random.Random(PGN_SEED)  # noqa: S311 - nothing is kept secret here
    seconds = 0.0
    for _ in range(loops):
        board = chess.Board()
        for _ in range(POSITIONS):
            start = perf_counter()
            moves = list(board.legal_moves)
            seconds += perf_counter() - start
            if not moves:
                board = chess.Board()
                continue
            board.push(draw.choice(moves))
    return seconds


def time_condition(loops: int, text: str, *, by_hand: bool) -> float:
    """Time a condition of the rule `in-hand`, or its equivalent in Python.

    It is: a played card is in the hand or in the archive.
    """
    from altay_cli.checking.opening import open_game

    game = open_game(text)
    state, pack = game.state, game.pack
    move = next(m for m in pack.moves if any(r.text.rule == "in-hand" for r in m.requires))
    asked = next(r.that for r in move.requires if r.text.rule == "in-hand")
    hand, archive = (
        next(z.index for z in pack.zones if z.name == name) for name in ("hand", "archive")
    )
    me = state.players[0]
    values: dict[str, Any] = {"me": me, "cards": state.zones.held(hand, me)}

    def plainly(values: dict[str, Any]) -> bool:
        mine, kept = state.zones.held(hand, values["me"]), state.zones.held(archive, values["me"])
        return all(
            mine.get(card, 0) + kept.get(card, 0) >= count
            for card, count in values["cards"].items()
        )

    assert plainly(values) is asked.fn(state, values) is True
    seconds = 0.0
    for _ in range(loops):
        state.grant()
        start = perf_counter()
        if by_hand:
            for _ in range(CONDITIONS):
                plainly(values)
        else:
            for _ in range(CONDITIONS):
                asked.fn(state, values)
        seconds += perf_counter() - start
    return seconds


def time_playouts(loops: int, folder: str) -> float:
    """Play games of three players, by the program in a folder."""
    if folder:
        sys.path.insert(0, folder)
    # The first edition has another module.
    module = import_module(f"altay_cli.simulation.{'playout' if folder else 'simulated'}")
    Plan = getattr(module, "PlayPlan", None) or module.Plan  # noqa: N806 - a class
    playout = module.playout

    playout(Plan("altay", 3, ("balanced",), PGN_SEED), 0)  # the rules are loaded before
    start = perf_counter()
    for number in range(loops):
        playout(Plan("altay", 3, ("balanced",), PGN_SEED), number + 1)
    return perf_counter() - start


def time_loading(loops: int, cache: str) -> float:
    """Load the pack in a process with its imports done."""
    from altay_cli.compile.load import load_pack

    os.environ["ALTAY_CACHE"] = cache
    start = perf_counter()
    for _ in range(loops):
        load_pack("altay")
    return perf_counter() - start


def time_first_run(loops: int, command: list[str], cache: Path) -> float:
    """Run a command with an empty cache."""
    seconds = 0.0
    environ = {**os.environ, "ALTAY_CACHE": str(cache)}
    for _ in range(loops):
        shutil.rmtree(cache, ignore_errors=True)
        start = perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, env=environ, check=True)
        seconds += perf_counter() - start
    return seconds


def time_changed(loops: int, game: str, packs: Path, cache: Path) -> float:
    """Check after one sentence of the rules has changed."""
    seconds = 0.0
    environ = {**os.environ, "ALTAY_CACHE": str(cache)}
    if not packs.is_dir():
        shutil.copytree(ROOT / "rules", packs)
    command = [ALTAY, "--packs", str(packs), "check", game]
    file = packs / "altay" / "moves" / "buy.yaml"
    text = (ROOT / "rules" / "altay" / "moves" / "buy.yaml").read_text(encoding="utf-8")
    for _ in range(loops):
        file.write_text(text.replace('else: "', f'else: "{time_ns()}: ', 1), encoding="utf-8")
        start = perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, env=environ, check=True)
        seconds += perf_counter() - start
    return seconds


def main() -> None:
    runner = pyperf.Runner()
    game = os.environ["ALTAY_BENCH_GAME"]
    cache = os.environ["ALTAY_CACHE"]
    work = Path(os.environ["ALTAY_BENCH_FOLDER"])
    check = [ALTAY, "check", game]

    runner.bench_command("python -c pass", [sys.executable, "-c", "pass"])
    pgn, plies = chess_games(chess_boards())
    pgn_file = work / "game.pgn"
    pgn_file.write_text(chess_games(chess_boards(1, 120, 120))[0], encoding="utf-8")
    runner.bench_command(
        "script with python-chess", [sys.executable, "-c", CHESS_SCRIPT, str(pgn_file)]
    )
    runner.bench_command("altay --help", [ALTAY, "--help"])
    runner.bench_command("altay check GAME", check)
    runner.bench_command("altay score GAME", [ALTAY, "score", game])
    games = sorted((work / "games").rglob("*.agn"))
    text = Path(game).read_text(encoding="utf-8")
    plainly, by_hand = (partial(time_condition, by_hand=is_by_hand) for is_by_hand in (False, True))
    first = os.environ.get("ALTAY_BENCH_FIRST")
    # Compared runs alternate, as a machine may be slow for a while.
    timed: list[tuple[str, Callable[..., float], tuple[object, ...]]] = [
        ("altay check GAME, first run", time_first_run, (check, Path(f"{cache}-first"))),
        (
            "altay check GAME, a rule changed",
            time_changed,
            (game, work / "packs", Path(f"{cache}-changed")),
        ),
        ("pack, compiled anew", time_loading, ("off",)),
        ("pack, from the cache", time_loading, (cache,)),
        ("action read by PokerKit", time_poker, (poker_hands(),)),
        ("statement checked", time_checking, (games, work / "taken")),
        ("ply read by python-chess", time_chess, (pgn, plies)),
        ("chess: ply checked", time_chess_checking, (chess_logs(),)),
        ("legal moves listed", time_listing, (text,)),
        ("legal moves listed by python-chess", time_chess_listing, ()),
        *(
            (f"{pack}: position listed", time_classic_listing, (pack,))
            for pack in ("chess", "othello", "connectfour")
        ),
        ("game simulated", time_playouts, ("",)),
        *([("game simulated, first edition", time_playouts, (first,))] if first else []),
        ("condition of a rule", plainly, (text,)),
        ("the same by hand", by_hand, (text,)),
    ]
    (work / "taken").touch()
    inner = {
        time_checking: TOGETHER, time_poker: TOGETHER, time_chess: plies,
        time_chess_checking: plies, time_listing: POSITIONS, time_classic_listing: POSITIONS,
        time_chess_listing: POSITIONS, plainly: CONDITIONS, by_hand: CONDITIONS,
    }  # fmt: skip
    for name, function, arguments in timed:
        loops = inner.get(function, 1)
        runner.bench_time_func(name, function, *arguments, inner_loops=loops)


if __name__ == "__main__":
    main()
