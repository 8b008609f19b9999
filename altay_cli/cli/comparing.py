"""`altay check --under`: judge games under other rules too, and show what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain

from altay_cli.archive.comparing import Comparison, OtherRules, compared_games
from altay_cli.archive.work import Workers
from altay_cli.cli import output
from altay_cli.cli.files import Logs, warn_left_out
from altay_cli.cli.judging import Reader, exit_code, games_of_logs
from altay_cli.cli.rulesets import variant_named
from altay_cli.report.choosing import Total
from altay_cli.report.compare import ComparedGame, Shifts
from altay_cli.report.json import document_parts, unread_documents
from altay_cli.report.text import language, page_columns


def compare(
    logs: Logs,
    form: str,
    read: Reader,
    under: tuple[str, ...],
    workers: Workers,
    *,
    complete: bool,
) -> int:
    """Check every game under each variant too; return 2 if some could not be used.

    Of several logs, only games that differ are printed, a line each.
    """
    total, shifts, usable = Total(), Shifts(under), True
    variants = {name: variant_named(name) for name in under}
    others = {name: OtherRules(path, frozenset(of)) for name, (path, of) in variants.items()}
    how = Comparison(
        others, logs.several, form == "json", language(), page_columns(), complete=complete
    )
    games = logs.games() if read is iter else games_of_logs(read(logs))

    def counted() -> Iterator[tuple[ComparedGame, list[str], bool]]:
        """Yield True with the last game of a file."""
        nonlocal usable
        with closing(compared_games(games, how, workers)) as compared:
            for game, alone, last in _placed(_followed_games(compared, logs)):
                usable = usable and game.usable
                lines = [] if game.error else shifts.count(game, alone=alone)
                if game.error:
                    logs.unreadable += {(game.path, game.error)} - {*logs.unreadable}
                else:
                    for _ in total.count([game.played]):
                        pass
                yield game, lines if how.several else [*game.lines], last

    def documents() -> Iterator[dict[str, object]]:
        found: list[object] = []
        for game, _, last in counted():
            found += [game.document] * bool(game.document)
            if last and found:
                yield {"path": game.path, "games": found}
                found = []

    if form == "json":
        unread = unread_documents((), logs.unreadable)
        output.document_all(document_parts(chain(documents(), unread), shifts.document))
    else:
        for _, lines, _ in counted():
            output.print_lines(lines)
        output.print_lines(shifts.lines())
    for name in variants:
        if how.several and shifts.of[name].left_out and not shifts.of[name].games:
            message = "{file}: this variant applies to none of these games"
            output.Refused(message, file=name).show()
            usable = False
    warn_left_out(logs)
    return exit_code(logs, total) if usable else 2


def _followed_games(games: Iterable[ComparedGame], logs: Logs) -> Iterator[ComparedGame]:
    if not output.on_terminal(err=True):
        yield from games
        return
    progress = output.Progress("checking", logs.size())
    for game in games:
        progress.add(game.played.size, game.path)
        yield game
    progress.end()


def _placed(games: Iterable[ComparedGame]) -> Iterator[tuple[ComparedGame, bool, bool]]:
    """Mark the only game of a file, and the last."""
    before: ComparedGame | None = None
    rest = iter(games)
    game = next(rest, None)
    while game is not None:
        after = next(rest, None)
        first, last = _begins_file(before, game), after is None or _begins_file(game, after)
        yield game, first and last, last
        before, game = game, after


def _begins_file(before: ComparedGame | None, game: ComparedGame) -> bool:
    return before is None or before.path != game.path or game.number <= before.number
