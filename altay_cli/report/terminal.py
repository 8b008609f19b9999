"""Findings in the style of a good compiler, and scores as tables, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from altay_cli.base.findings import Citation, Finding, Severity, Verdict, errors_of
from altay_cli.base.internal import build_safely
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import GameReport
from altay_cli.checking.tags import UNUSABLE
from altay_cli.notation.tree import SectionKind
from altay_cli.report import limits
from altay_cli.report.choosing import Selection, Total
from altay_cli.report.results import FileResults, GameResult
from altay_cli.report.text import (
    BOLD,
    MAX_WIDTH,
    Line,
    Style,
    counted,
    excerpt,
    language,
    listed,
    phrase,
    room_of,
    table,
)
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.scoring.score import PlayerScore, ScoreLine, Standing, points_of

STYLES = {
    Severity.ERROR: Style("red"),
    Severity.WARNING: Style("yellow"),
    Severity.NOTE: Style("cyan"),
}


def finding_lines(finding: Finding, path: str, lines: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines that report one finding: place, message, the line itself, the rulebook.

    ``lines`` are those of its file, by number; at least the lines that the finding points at.
    """
    span = finding.span
    yield headline(finding, path)
    longest = max(len(str(place.line)) for place in (span, *(one.span for one in finding.related)))
    margin = " " * longest
    room = room_of(MAX_WIDTH + longest + 5) - longest - 5
    for number, (place, message) in enumerate(((span, ""), *finding.related)):
        if place.line not in lines:
            continue
        line = lines[place.line].replace("\t", " ")
        last = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
        shown, mark = excerpt(line, place.column - 1, last, room)
        told = f"{place.line:>{longest}} | {shown}"
        if number:
            yield from (told, f"{margin} | {mark.replace('^', '-')} {message}")
        else:
            yield from (f"{margin} |", told)
            yield Line(f"{margin} | ", (mark, STYLES[finding.severity]))
    when = "" if finding.round is None else phrase("round {round}", round=finding.round)
    notes = [
        (phrase("at"), listed(filter(None, (when, finding.player)))),
        (phrase("see"), citation(finding.cite)),
        (phrase("ruling"), finding.ruling),
        *((phrase("help"), line) for line in finding.help),
    ]
    yield from (f"{margin} = {about}: {text}" for about, text in notes if text)


def headline(finding: Finding, path: str) -> Line:
    """Return a finding as one line: place, severity, message, rule.

    ``path`` is the log, for a finding that names no file of its own.
    """
    place = f"{finding.file or path}:{finding.span.line}:{finding.span.column}"
    severity = (phrase(finding.severity.value), STYLES[finding.severity])
    return Line((place, BOLD), ": ", severity, f": {finding.message} [{finding.rule}]")


def brief_lines(checks: Iterable[FileResults]) -> Iterator[str]:
    """Yield the findings of files in a line each, for editors and for who knows the rules."""
    for check in checks:
        for game in check.games:
            yield from build_safely(game, partial(_headlines, check.path))


def _headlines(path: str, game: GameResult) -> list[Line]:
    return [headline(finding, path) for finding in game.findings]


def citation(cite: Mapping[str, int | str]) -> str:
    """Return a citation in words."""
    parts = []
    titles = cite.titles if isinstance(cite, Citation) else {}
    for book, page in cite.items():
        where = phrase("page {page}", page=page) if isinstance(page, int) else str(page)
        by_language = titles.get(book, {})
        title = by_language.get(language()) or by_language.get(ENGLISH, book)
        parts.append(phrase("{book}, {page}", book=title, page=where))
    return phrase("; ").join(parts)


def check_lines(checks: Iterable[FileResults]) -> Iterator[str]:
    """Yield the findings of files, in the order of the files; the notes of a game come last.

    A note on a legal game takes one line: there is nothing to fix. Of each kind of notes the first
    few are shown. A message that repeats many times in a game is given once, with the numbers of
    the other lines. Why rules cannot be used is given with the first game that names them.
    """
    shown = _Findings()
    for check in checks:
        for game in check.games:
            yield from build_safely(game, partial(shown.of, check.path))
    yield from shown.further_notes()


class _Findings:
    """Lines for the findings of one game after the other."""

    def __init__(self) -> None:
        self.notes: Counter[str] = Counter()
        # Why rules cannot be used, and how many games are not shown because of that.
        self.unusable: set[str] = set()
        self.unshown = 0
        # Whether what was shown last is a line that a blank line must set apart from others.
        self.brief = False

    def of(self, path: str, game: GameResult) -> list[str]:
        """Return the lines for the findings of a game."""
        shown: list[str] = []
        reasons = {one.message for one in game.findings if one.rule == UNUSABLE}
        self.unshown += not reasons.isdisjoint(self.unusable)
        findings = [one for one in game.findings if one.message not in reasons & self.unusable]
        findings.sort(key=lambda one: one.severity is Severity.NOTE)
        self.unusable |= reasons
        for finding, *others in _alike(findings):
            is_note = finding.severity is Severity.NOTE
            self.notes[finding.rule] += is_note
            if is_note and self.notes[finding.rule] > limits.MAX_ALIKE:
                continue
            was_brief, self.brief = self.brief, is_note and game.legal
            if self.brief:
                shown.append(headline(finding, path))
            else:
                if was_brief:
                    shown.append("")
                shown += finding_lines(finding, path, game.lines_of(finding))
            if others:
                lines = dict.fromkeys(str(one.span.line) for one in others[: limits.MAX_LINES])
                again = phrase(
                    "the same {count} more times, in lines {lines}",
                    count=f"{len(others):,}",
                    lines=listed([*lines, *["…"] * (len(others) > limits.MAX_LINES)]),
                )
                shown.append(f"{' ' * len(str(finding.span.line))} = {again}")
            if not self.brief:
                shown.append("")
        return shown

    def further_notes(self) -> Iterator[str]:
        """Yield how many games, and notes of each kind, were not shown."""
        if self.unshown:
            games = counted("{count} game", "{count} games", self.unshown)
            template = "{games} more cannot be judged for the same reason [{rule}]"
            yield phrase(template, games=games, rule=UNUSABLE)
            self.brief = True
        for rule, count in self.notes.items():
            if count > limits.MAX_ALIKE:
                more = counted("{count} note", "{count} notes", count - limits.MAX_ALIKE)
                template = "{notes} more [{rule}]; `--format concise` lists all"
                yield phrase(template, notes=more, rule=rule)
                self.brief = True
        if self.brief:
            yield ""


def _alike(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yield findings in turn; with the first of those that repeat many times, all the others."""
    by_message: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_message.setdefault((finding.rule, finding.message), []).append(finding)
    for finding in findings:
        alike = by_message[finding.rule, finding.message]
        if len(alike) <= limits.MAX_ALIKE:
            yield [finding]
        elif finding is alike[0]:
            yield alike


def summary(total: Total, unreadable: int, choice: Selection) -> str:
    """Return one line that sums up a run; ``choice`` is what was shown of the findings."""
    games = counted("{count} game", "{count} games", total.games)
    if not total.games == total.files == 1:
        files = counted("{count} file", "{count} files", total.files)
        games = phrase("{games} in {files}", games=games, files=files)
    text = phrase("{games}: {verdicts}", games=games, verdicts=_verdicts(total))
    counts = [
        counted(f"{{count}} {kind}", f"{{count}} {kind}s", total.findings[kind])
        for kind in Severity
        if total.findings[kind]
    ]
    text += f" ({listed(counts)})" if counts else ""
    errors = counted("{count} error", "{count} errors", choice.errors)
    files = counted("{count} file", "{count} files", unreadable)
    more = (
        (total.fixes, phrase("{count} can be fixed with `--fix`", count=f"{total.fixes:,}")),
        (total.ignored, phrase("{count} ignored by the logs", count=f"{total.ignored:,}")),
        (choice.unshown, phrase("{count} not shown", count=f"{choice.unshown:,}")),
        (choice.full, phrase("stopped after {errors}, the rest is not checked", errors=errors)),
        (unreadable, phrase("{files} could not be read", files=files)),
    )
    return "; ".join([text, *(told for there_is, told in more if there_is)])


def _verdicts(total: Total) -> str:
    """Return how many games have each verdict, or just the verdict if all have the same."""
    parts = []
    for verdict in (one for one in Verdict if total.verdicts[one]):
        count, text = total.verdicts[verdict], phrase(verdict.value)
        if count == total.games > 1:
            text = phrase("all {verdict}", verdict=text)
        elif count != total.games:
            text = phrase("{count} {verdict}", count=f"{count:,}", verdict=text)
        if verdict is Verdict.LEGAL and total.partly:
            every = " as far as recorded"
            some = " ({count} as far as recorded)"
            text += phrase(every if total.partly == count else some, count=f"{total.partly:,}")
        parts.append(text)
    return phrase(", ").join(parts) or phrase("nothing to judge")


def game_title(game: GameReport | GameResult, number: int, *path: str) -> str:
    """Return a heading for a game: its file, if that is to be told, and its name."""
    return listed((*path, game.title or name_by_tags(game.tags, number)))


def name_by_tags(tags: Mapping[str, object], number: int) -> str:
    """Return the number of a game in its file, with the event and date of its tags."""
    parts = [str(tags[key]) for key in ("Event", "Date") if tags.get(key)]
    return phrase("game {number}", number=number) + (f": {listed(parts)}" if parts else "")


def score_lines(game: GameReport, *, explain: bool) -> Iterator[str]:
    """Yield the score sheet of a game: ranks, categories, what decided."""
    outcomes = game.outcomes
    if game.failed:
        (failure,) = game.findings
        yield phrase("no scores: {reason}", reason=failure.message)
        yield from (f"  {line}" for line in failure.help)
    elif outcomes is None:
        yield phrase(
            "no scores: nobody has a seat"
            if game.played is not None
            else "no scores: there are no rules to count by (`altay check` says why)"
        )
    if game.failed or outcomes is None:
        return
    standing, assumed = outcomes.first, outcomes.all[0].assumed
    yield from _state_of_play(game)
    if assumed:
        yield assumption(outcomes)
    yield from (*_score_table(standing), "", *_special(standing))
    for team in standing.teams:
        members = together(team.players)
        if team.name and standing.players[0].categories:
            yield phrase(
                "Team {team} ({names}): {total}", team=team.name, names=members, total=team.total
            )
        elif team.name:
            yield f"{team.name}: {members}"
    if assumed:
        yield from _possible_outcomes(outcomes)
    yield verdict(outcomes, over=game.only is not None or bool(game.played and game.played.ended))
    if explain:
        for player in _by_rank(standing):
            yield from ("", *_derivation(standing, player))


def assumption(outcomes: Outcomes) -> str:
    """Say what the first of several possible scores rest on."""
    template = "The scores depend on what is not recorded. This table is for: {assumed}"
    return phrase(template, assumed="; ".join(outcomes.all[0].assumed))


def _state_of_play(game: GameReport) -> Iterator[str]:
    played = game.played
    assert played is not None
    if errors := len(errors_of(game.findings)):
        yield phrase(
            "Errors in this log: {count} (`altay check` shows them); "
            "the scores go by what it says.",
            count=errors,
        )
    if game.verdict is Verdict.NOT_JUDGED:
        yield phrase(
            "Not all of this log could be judged (`altay check` says why), "
            "and the scores may change with it."
        )
    if game.only is SectionKind.POSITION:
        yield phrase("Scores of the position.")
    elif game.only is SectionKind.RESULT:
        yield phrase("Scores as the table wrote them down.")
    elif played.ended:
        yield phrase("Final scores after round {rounds}.", rounds=played.state.round)
    else:
        yield phrase(
            "The log ends in round {rounds}, before the game does: standings so far.",
            rounds=played.state.round,
        )


def _by_rank(standing: Standing) -> list[PlayerScore]:
    return [standing.of(name) for name in standing.ranks]


def _score_table(standing: Standing) -> list[str]:
    titles, points = standing.titles.values(), points_of(standing)
    plays = standing.words.word(standing.plays).capitalize()
    heads = [*titles, phrase("Total")] if titles else []
    rows = [[phrase("Rank"), phrase("Player"), plays, *heads]]
    for name, rank in standing.ranks.items():
        player = standing.of(name)
        played = "" if player.plays is None else standing.words.name(player.plays)
        scores = map(or_unknown, points[name].values()) if titles else ()
        rows.append([str(rank), name, played, *scores])
    return table(rows, (0, *range(3, len(rows[0]))))


def _special(standing: Standing) -> Iterator[str]:
    """Yield the points of each thing that has a scoring rule of its own in a category."""
    for player in _by_rank(standing):
        lines = [
            line
            for score in player.categories
            if any(line.key for line in score.lines)
            for line in sorted(score.lines, key=lambda line: not line.key)
        ]
        if lines:
            yield f"{player.player}: {'; '.join(map(_with_cap, lines))}"


def _with_cap(line: ScoreLine) -> str:
    lost = phrase("capped; {lost} lost", lost=line.lost)
    return f"{line.text} {line.points}" + (f" ({lost})" if line.key and line.lost else "")


def _possible_outcomes(outcomes: Outcomes) -> Iterator[str]:
    rows = [[phrase("If"), *(one.player for one in outcomes.first.players), phrase("Winner")]]
    for one in outcomes.all[: limits.MAX_OUTCOMES]:
        totals = [or_unknown(points["total"]) for points in points_of(one.standing).values()]
        rows.append(["; ".join(one.assumed), *totals, listed(one.standing.winners)])
    yield from ("", *table(rows, range(1, len(rows[0]) - 1)))
    if len(outcomes.all) > limits.MAX_OUTCOMES or not outcomes.complete:
        yield phrase("There are more outcomes than are shown here.")
        if outcomes.totals:
            ranges = [
                f"{name} {least}" if least == most else f"{name} {least} \N{EN DASH} {most}"
                for name, (least, most) in outcomes.totals.items()
            ]
            yield phrase("All of them are within: {totals}", totals=listed(ranges))
    yield ""


def or_unknown(points: int | None) -> str:
    """Return points, or what stands for those that depend on what is not recorded."""
    return "?" if points is None else str(points)


# Who has won, and who leads as long as the game is not over.
_DECIDED = {
    "total": ("Winner: {names}", "Leading: {names}"),
    "shared": (
        "{names} share the victory: tied in every category.",
        "{names} share the lead: tied in every category.",
    ),
    "tied": (
        "Winner: {names}; the tie is decided by {category}.",
        "Leading: {names}; the tie is decided by {category}.",
    ),
}


def together(names: Sequence[str]) -> str:
    """Return names as one reads them out: Ann, Bob and Cat."""
    first, last = names[:-1], names[-1:]
    return phrase(" and ").join([listed(first), *last] if first else last)


def verdict(outcomes: Outcomes, *, over: bool) -> str:
    """Return who has won and by what; who leads where the game is not over."""
    standing = outcomes.first
    agreed = outcomes.complete or set(outcomes.winners) == set(standing.winners)
    if not agreed or any(one.standing.winners != standing.winners for one in outcomes.all):
        return phrase("Who wins depends on what is not recorded.")
    names = together(standing.winners)
    reasons = {outcome.standing.decided_by for outcome in outcomes.all}
    decided = standing.decided_by if len(reasons) == 1 else "total"
    if decided == "open":
        return phrase("Nobody has won yet.")
    if decided == "outcome":
        lost = "Defeat: {names} ({by})" if standing.losers else "A draw ({by})"
        template = "Winner: {names} ({by})" if names else lost
        template = template if standing.by else template.removesuffix(" ({by})")
        return phrase(template, names=names or together(standing.losers), by=standing.by)
    title = standing.titles.get(decided, decided)
    title = title.lower() if phrase("lower") == "lower" else title
    return phrase(_DECIDED.get(decided, _DECIDED["tied"])[not over], names=names, category=title)


def _derivation(standing: Standing, player: PlayerScore) -> Iterator[str]:
    titles, points = standing.titles, points_of(standing)[player.player]
    yield Line((f"{player.player}: {or_unknown(points['total'])}", BOLD))
    for score in player.categories:
        ident, cite = score.category.id, score.category.cite
        see = f" ({citation(cite)})" if cite else ""
        yield f"  {titles[ident]}: {or_unknown(points[ident])}{see}"
        for line in score.lines:
            counts = Counter(line.counted).items()
            names = listed(f"{count} × {name}" if count > 1 else name for name, count in counts)
            text = f": {names}" if counts else ""
            text += f"; {phrase('the cap took {lost} away', lost=line.lost)}" if line.lost else ""
            if text or line.points or line.key is not None:
                how = f" ({line.how})" if line.how else ""
                yield f"    {line.points:>3}  {line.text}{how}{text}"
