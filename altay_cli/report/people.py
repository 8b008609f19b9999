"""What a check found, as a good compiler would say it, and scores as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from altay_cli.checking import FileReport, GameReport
from altay_cli.findings import Finding, Severity
from altay_cli.pack.problems import Problem
from altay_cli.report.text import excerpt, plural, safe, table
from altay_cli.scoring.score import PlayerScore, Standing

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_BOOKS = {"en": "English rulebook", "de": "German rulebook", "ja": "Japanese guide"}


def finding_lines(finding: Finding, path: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that tell one finding: where, what, the line itself, the rulebook."""
    span = finding.span
    severity = click.style(finding.severity.value, fg=_COLOURS[finding.severity], bold=True)
    place = click.style(f"{safe(path)}:{span.line}:{span.column}", bold=True)
    yield f"{place}: {severity}: {safe(finding.message)} [{finding.rule}]"
    number = str(span.line)
    margin = " " * len(number)
    if 0 < span.line <= len(lines):
        line = lines[span.line - 1]
        last = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
        shown, mark = excerpt(line.replace("\t", " "), span.column - 1, last)
        mark = click.style(mark, fg=_COLOURS[finding.severity], bold=True)
        yield f"{margin} |"
        yield f"{number} | {shown}"
        yield f"{margin} | {mark}"
    about = []
    if finding.round is not None:
        about.append(f"round {finding.round}")
    if finding.player is not None:
        about.append(safe(finding.player))
    if about:
        yield f"{margin} = at: {', '.join(about)}"
    if finding.cite:
        yield f"{margin} = see: {citation(finding.cite)}"
    for line in finding.help:
        yield f"{margin} = help: {safe(line)}"


def problem_lines(problem: Problem, lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that tell one problem of a rule file."""
    finding = Finding(
        problem.rule, Severity(problem.severity), problem.message, problem.span, {}, problem.help
    )
    yield from finding_lines(finding, problem.file, lines)


def citation(cite: Mapping[str, int | str]) -> str:
    """Return a citation in words."""
    parts = []
    for book, page in cite.items():
        where = f"page {page}" if isinstance(page, int) else str(page)
        parts.append(f"{_BOOKS.get(book, book)}, {where}")
    return "; ".join(parts)


def check_lines(report: FileReport) -> Iterator[str]:
    """Yield what was found in a file, in the order of the file."""
    for game in report.games:
        for finding in game.findings:
            yield from finding_lines(finding, report.path, report.lines)
            yield ""


def summary(reports: Sequence[FileReport], unreadable: int) -> str:
    """Return one line that sums up a run."""
    games = [game for report in reports for game in report.games]
    legal = sum(game.legal for game in games)
    counts = {
        severity: sum(f.severity is severity for game in games for f in game.findings)
        for severity in Severity
    }
    found = [plural(n, severity.value) for severity, n in counts.items() if n]
    text = f"{plural(len(games), 'game')} in {plural(len(reports), 'file')}: "
    text += f"{legal:,} legal, {len(games) - legal:,} illegal"
    text += f" ({', '.join(found)})" if found else ""
    if unreadable:
        text += f"; {plural(unreadable, 'file')} could not be read"
    return text


# ---------------------------------------------------------------- scores


def game_title(game: GameReport, number: int, path: str) -> str:
    """Return a heading for a game: its event and date, else its number in the file."""
    parts = [game.tags[key] for key in ("Event", "Date") if game.tags.get(key)]
    return safe(f"{path}, game {number}" + (f": {', '.join(parts)}" if parts else ""))


def score_lines(game: GameReport, *, explain: bool) -> Iterator[str]:
    """Yield the score sheet of a game: ranks, categories, what decided."""
    standing = game.standing
    if standing is None:
        yield "no scores: nobody has a seat"
        return
    yield from _state_of_play(game)
    yield from _score_table(standing)
    yield ""
    yield from _special(standing)
    yield _verdict(game, standing)
    if explain:
        for player in _by_rank(standing):
            yield ""
            yield from _derivation(player)


def _state_of_play(game: GameReport) -> Iterator[str]:
    played = game.played
    assert played is not None
    errors = sum(f.severity is Severity.ERROR for f in game.findings)
    if errors:
        yield (
            f"This log has {plural(errors, 'error')} (`altay check` shows them); "
            "the scores go by what it says."
        )
    if game.only_position:
        yield "Scores of the position."
    elif played.ended:
        yield f"Final scores after {plural(played.rounds, 'round')}."
    else:
        yield f"The log ends in round {played.rounds}, before the game does: standings so far."


def _by_rank(standing: Standing) -> list[PlayerScore]:
    return [standing.of(name) for group in standing.ranking for name in group]


def _score_table(standing: Standing) -> Iterator[str]:
    first = standing.players[0]
    titles = [score.category.title for score in first.categories]
    rows = [["Rank", "Player", standing.plays.capitalize(), *titles, "Total"]]
    rank = 1
    for group in standing.ranking:
        for name in group:
            player = standing.of(name)
            points = [str(score.points) for score in player.categories]
            rows.append([str(rank), safe(name), safe(player.plays), *points, str(player.total)])
        rank += len(group)
    numbers = frozenset({0, *range(3, len(rows[0]))})
    yield from table(rows, numbers)


def _special(standing: Standing) -> Iterator[str]:
    """Yield the points of each thing that a category scores by a rule of its own."""
    for player in _by_rank(standing):
        parts = []
        for score in player.categories:
            if not any(line.key for line in score.lines):
                continue
            for line in (line for line in score.lines if line.key):
                capped = f" (capped; {line.lost} lost)" if line.lost else ""
                parts.append(f"{line.text} {line.points}{capped}")
            parts.extend(f"{line.text} {line.points}" for line in score.lines if not line.key)
        if parts:
            yield f"{safe(player.player)}: {safe('; '.join(parts))}"


def _verdict(game: GameReport, standing: Standing) -> str:
    names = " and ".join(safe(name) for name in standing.winners)
    over = game.only_position or (game.played is not None and game.played.ended)
    word = "Winner" if over else "Leading"
    decided = standing.decided_by
    if decided == "shared":
        what = "share the victory" if over else "share the lead"
        return f"{names} {what}: tied in every category."
    if decided == "total":
        return f"{word}: {names}"
    title = next(
        score.category.title
        for score in standing.players[0].categories
        if score.category.id == decided
    )
    return f"{word}: {names}; the tie is decided by {title.lower()}."


def _derivation(player: PlayerScore) -> Iterator[str]:
    """Yield how every number of a player comes about."""
    yield click.style(f"{safe(player.player)}: {player.total}", bold=True)
    for score in player.categories:
        cite = f" ({citation(score.category.cite)})" if score.category.cite else ""
        yield f"  {score.category.title}: {score.points}{cite}"
        for line in score.lines:
            if not line.points and not line.lost and not line.counted:
                continue
            text = f"    {line.points:>3}  {safe(line.text)}"
            if line.counted:
                text += f": {safe(_grouped(line.counted))}"
            if line.lost:
                text += f"; the cap took {line.lost} away"
            yield text


def _grouped(names: Sequence[str]) -> str:
    """Return names with their counts: `3 Hunter, Village`."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in counts.items())
