"""Print findings in the style of a good compiler, and scores as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from altay_cli.base.findings import Finding, Severity, Verdict, errors_of
from altay_cli.base.internal import build_safely
from altay_cli.base.translations import cited
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
    translated,
)
from altay_cli.scoring.claims import tie_text
from altay_cli.scoring.outcomes import Outcomes
from altay_cli.scoring.score import PlayerScore, ScoreLine, Standing, points_of

STYLES = {
    Severity.ERROR: Style("red"),
    Severity.WARNING: Style("yellow"),
    Severity.NOTE: Style("cyan"),
}


def finding_lines(finding: Finding, path: str, lines: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines for one finding: place, message, source line, rulebook."""
    span = finding.span
    yield headline(finding, path)
    longest = max(
        len(str(place.line)) for place in (span, *(related.span for related in finding.related))
    )
    margin = " " * longest
    room = room_of(MAX_WIDTH + longest + 5) - longest - 5
    for number, (place, message) in enumerate(((span, ""), *finding.related)):
        if place.line not in lines:
            continue
        line = lines[place.line].replace("\t", " ")
        last = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
        shown, mark = excerpt(line, place.column - 1, last, room)
        numbered_line = f"{place.line:>{longest}} | {shown}"
        if number:
            yield from (numbered_line, f"{margin} | {mark.replace('^', '-')} {message}")
        else:
            yield from (f"{margin} |", numbered_line)
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
    """Return a finding as one line.

    ``path`` is the log, for a finding that names no file of its own.
    """
    place = f"{finding.file or path}:{finding.span.line}:{finding.span.column}"
    severity = (phrase(finding.severity.value), STYLES[finding.severity])
    return Line((place, BOLD), ": ", severity, f": {finding.message} [{finding.rule}]")


def brief_lines(checks: Iterable[FileResults]) -> Iterator[str]:
    """Yield each finding as one line."""
    for check in checks:
        for game in check.games:
            yield from build_safely(game, partial(_headlines, check.path))


def _headlines(path: str, game: GameResult) -> list[Line]:
    return [headline(finding, path) for finding in game.findings]


def citation(cite: Mapping[str, int | str]) -> str:
    """Return a citation in words."""
    return cited(language(), cite)


def check_lines(checks: Iterable[FileResults]) -> Iterator[str]:
    """Yield the findings of files in order; the notes of a game come last.

    Only the first few notes of each kind on legal games are shown. A message that repeats many
    times in a game is printed once with the other lines; an error in rules once.
    """
    shown = _Findings()
    for check in checks:
        for game in check.games:
            yield from build_safely(game, partial(shown.of, check.path))
    yield from shown.further_notes()


class _Findings:
    def __init__(self) -> None:
        self.notes: Counter[str] = Counter()
        # Errors in rules, and the number of games not shown because of them.
        self.unusable: set[str] = set()
        self.unshown = 0
        self.brief = False

    def of(self, path: str, game: GameResult) -> list[str]:
        shown: list[str] = []
        reasons = {finding.message for finding in game.findings if finding.rule == UNUSABLE}
        self.unshown += not reasons.isdisjoint(self.unusable)
        findings = [
            finding for finding in game.findings if finding.message not in reasons & self.unusable
        ]
        findings.sort(key=lambda finding: finding.severity is Severity.NOTE)
        self.unusable |= reasons
        for finding, *others in _merged(findings):
            is_note = finding.severity is Severity.NOTE
            self.notes[finding.rule] += is_note
            if is_note and self.notes[finding.rule] > limits.MAX_REPEATED:
                continue
            was_brief, self.brief = self.brief, is_note and game.legal
            if self.brief:
                shown.append(headline(finding, path))
            else:
                if was_brief:
                    shown.append("")
                shown += finding_lines(finding, path, game.lines_of(finding))
            if others:
                lines = dict.fromkeys(str(other.span.line) for other in others[: limits.MAX_LINES])
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
        if self.unshown:
            games = counted("{count} game", "{count} games", self.unshown)
            template = "{games} more cannot be judged for the same reason [{rule}]"
            yield phrase(template, games=games, rule=UNUSABLE)
            self.brief = True
        for rule, count in self.notes.items():
            if count > limits.MAX_REPEATED:
                more = counted("{count} note", "{count} notes", count - limits.MAX_REPEATED)
                template = "{notes} more [{rule}]; `--format concise` lists all"
                yield phrase(template, notes=more, rule=rule)
                self.brief = True
        if self.brief:
            yield ""


def _merged(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    by_message: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_message.setdefault((finding.rule, finding.message), []).append(finding)
    for finding in findings:
        equal = by_message[finding.rule, finding.message]
        if len(equal) <= limits.MAX_REPEATED:
            yield [finding]
        elif finding is equal[0]:
            yield equal


def summary(total: Total, unreadable: int, choice: Selection) -> str:
    """Return one line about a run."""
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
        (
            total.ignored,
            phrase("{count} ignored by comments in the logs", count=f"{total.ignored:,}"),
        ),
        (choice.unshown, phrase("{count} not shown", count=f"{choice.unshown:,}")),
        (choice.full, phrase("stopped after {errors}, the rest is not checked", errors=errors)),
        (unreadable, phrase("{files} could not be read", files=files)),
    )
    return "; ".join([text, *(part for there_is, part in more if there_is)])


def _verdicts(total: Total) -> str:
    parts = []
    for verdict in (verdict for verdict in Verdict if total.verdicts[verdict]):
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
    """Return a heading for a game: its file if needed, and its name."""
    return listed((*path, game.title or name_by_tags(game.tags, number)))


def name_by_tags(tags: Mapping[str, object], number: int) -> str:
    """Return the number of a game, with event and date."""
    parts = [str(tags[key]) for key in ("Event", "Date") if tags.get(key)]
    return phrase("game {number}", number=number) + (f": {listed(parts)}" if parts else "")


def score_lines(game: GameReport, *, explain: bool) -> Iterator[str]:
    """Yield the score sheet of a game."""
    outcomes = game.outcomes
    if game.failed:
        (failure,) = game.findings
        yield phrase("no scores: {reason}", reason=failure.message)
        yield from (f"  {line}" for line in failure.help)
    elif outcomes is None:
        yield phrase(
            "no scores: no players are seated"
            if game.played is not None
            else "no scores: the rules are missing or unusable (`altay check` says why)"
        )
    if game.failed or outcomes is None:
        return
    standing, assumed = outcomes.first, outcomes.all[0].assumed
    yield from _state_of_play(game)
    if assumed:
        yield assumption(outcomes)
    yield from (*_score_table(standing), "", *_points_by_entity(standing))
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
    for tie in outcomes.open_ties:
        yield phrase("{text}.", text=translated(tie_text(tie, standing.titles)))
    if explain:
        for player in _by_rank(standing):
            yield from ("", *derivation(standing, player))


def assumption(outcomes: Outcomes) -> str:
    """Return the assumption of the first of several possible scores."""
    template = "The scores depend on unrecorded facts. This table assumes: {assumed}"
    return phrase(template, assumed="; ".join(outcomes.all[0].assumed))


def _state_of_play(game: GameReport) -> Iterator[str]:
    played = game.played
    assert played is not None
    if errors := len(errors_of(game.findings)):
        yield phrase(
            "This log has errors: {count} (`altay check` shows them). "
            "The scores follow the log as written.",
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
        yield phrase("Scores as the log records them.")
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


def _points_by_entity(standing: Standing) -> Iterator[str]:
    """Yield only entities with a scoring rule of their own."""
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
    rows = [[phrase("If"), *(player.player for player in outcomes.first.players), phrase("Winner")]]
    for outcome in outcomes.all[: limits.MAX_OUTCOMES]:
        totals = [or_unknown(points["total"]) for points in points_of(outcome.standing).values()]
        rows.append(["; ".join(outcome.assumed), *totals, listed(outcome.standing.winners)])
    yield from ("", *table(rows, range(1, len(rows[0]) - 1)))
    if len(outcomes.all) > limits.MAX_OUTCOMES or not outcomes.complete:
        yield phrase("There are more outcomes than are shown here.")
        if outcomes.totals:
            ranges = [
                f"{name} {least}" if least == most else f"{name} {least} \N{EN DASH} {most}"
                for name, (least, most) in outcomes.totals.items()
            ]
            yield phrase("All possible totals are within: {totals}", totals=listed(ranges))
    yield ""


def or_unknown(points: int | None) -> str:
    """Return points, or a sign for unrecorded ones."""
    return "?" if points is None else str(points)


# The winners, or the leaders while the game lasts.
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
    """Join names: Ann, Bob and Cat."""
    first, last = names[:-1], names[-1:]
    return phrase(" and ").join([listed(first), *last] if first else last)


def verdict(outcomes: Outcomes, *, over: bool) -> str:
    """Return the winners and the deciding score, or the leaders of an unfinished game."""
    standing = outcomes.first
    agreed = outcomes.complete or set(outcomes.winners) == set(standing.winners)
    if not agreed or any(outcome.standing.winners != standing.winners for outcome in outcomes.all):
        return phrase("The winner depends on unrecorded facts.")
    names = together(standing.winners)
    reasons = {outcome.standing.decided_by for outcome in outcomes.all}
    decided = standing.decided_by if len(reasons) == 1 else "total"
    if decided == "open":
        return phrase("No player has won yet.")
    if decided == "outcome":
        lost = "Defeat: {names} ({by})" if standing.losers else "A draw ({by})"
        template = "Winner: {names} ({by})" if names else lost
        template = template if standing.by else template.removesuffix(" ({by})")
        return phrase(template, names=names or together(standing.losers), by=standing.by)
    title = standing.titles.get(decided, decided)
    title = title.lower() if phrase("lower") == "lower" else title
    return phrase(_DECIDED.get(decided, _DECIDED["tied"])[not over], names=names, category=title)


def derivation(standing: Standing, player: PlayerScore) -> Iterator[str]:
    """Yield how points were counted, indented by level."""
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
