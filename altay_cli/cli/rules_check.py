"""`altay rules check` and `altay rules report`: find mistakes in rules."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

import click

from altay_cli.archive.work import Work, Workers
from altay_cli.archive.workers import results_in_order
from altay_cli.base.files import MAX_RULES, read_regular, read_regular_text, write_new
from altay_cli.base.findings import Finding, Severity, Text, Verdict, errors_of
from altay_cli.base.garbage import age_objects, postpone_collection
from altay_cli.base.resources import packs_beside
from altay_cli.base.translations import ENGLISH
from altay_cli.cli import output
from altay_cli.cli.files import workers_option
from altay_cli.cli.rulesets import NOT_THERE, RuleSet, find_rules, in_language, rules_named
from altay_cli.lint import limits
from altay_cli.lint.examine import Examiner
from altay_cli.lint.further import further_problems
from altay_cli.lint.tryout import (
    ObservedGame,
    PlannedGame,
    Plans,
    TryOut,
    place,
    plans,
    plans_by_players,
    try_out,
)
from altay_cli.report.json import document_parts, dump
from altay_cli.report.results import FileResults, GameResult, numbered
from altay_cli.report.rulebook import about, difference_lines, sentences, verdict_page
from altay_cli.report.terminal import brief_lines, finding_lines
from altay_cli.report.text import counted, language, listed, phrase, speaking
from altay_cli.report.verdict import PLAYED, verdict, without_notes
from altay_cli.simulation.recording import variant_names
from altay_cli.simulation.simulated import PlayPlan
from altay_cli.source.folder import Variant, begins_as_variant, root_of
from altay_cli.source.inspect import differences

JOINT = " + "
"""Joins the names of variants that are checked together."""

SECONDS_A_GAME = 0.1
"""Estimated, for the size of batches."""

LEAST_SHARED = 30
"""Fewer games than this are played in one process."""

# Files with these problems were not read, so their contents are unknown.
_UNREAD = frozenset({"file-unreadable", "yaml-too-large"})


def _play_option(help_text: str) -> Callable[[output.Command], output.Command]:
    return click.option(
        "--play",
        type=click.IntRange(0, 100_000),
        is_flag=False,
        flag_value=limits.GAMES,
        envvar="ALTAY_PLAY",
        metavar="N",
        help=f"{help_text}; 0 for none. [default: as many as needed, up to 20]",
    )


@click.command("check")
@click.argument("names", nargs=-1, required=True, metavar="FILE...")
@_play_option("Play N games by each of the rules")
@click.option(
    "--together/--apart",
    "together",
    default=None,
    help="Check several variants as one table that plays by all of them, or each alone. "
    "[default: each, then all of a game together]",
)
@click.option(
    "--traces",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the games that show a problem, as logs.",
)
@workers_option()
@output.report_option
def rules_check(
    names: tuple[str, ...],
    play: int | None,
    traces: Path | None,
    workers: Workers,
    form: str,
    *,
    together: bool | None,
) -> int:
    """Check variant files and rules folders.

    FILE is a variant file, a folder with a game's rules, or the id of shipped rules. Every problem
    is reported with its place. Rules without errors are tried in short games. A variant is played
    beside the game it changes, and its changes are listed. Several variants of a game are also
    checked together, in the order in which they are named.
    """
    known: list[Finding] = []
    lost = 0
    files: list[dict[str, object]] = []
    checks: list[FileResults] = []
    examiners: dict[Path, Examiner] = {}
    named = {name: find_rules(name) for name in names}
    asked = {name: rules for name, rules in named.items() if rules is not None}
    missing = [name for name in named if name not in asked]
    if together and not missing:
        asked = _together(asked)
    elif together is None:
        asked |= _combined(asked)
    for name, rules in asked.items():
        if JOINT in name and errors_of(known):
            continue  # each of them must be valid first
        problems, changes = _examined(rules, examiners)
        if JOINT in name:  # a single variant's findings are not repeated
            problems = [problem for problem in problems if problem not in known]
        played = _played(_Play(rules, examiners[rules.folder], play, traces, workers), problems)
        lost += _lost(played)
        known += problems
        problems = in_language(rules, problems)
        if form == "text":
            _print_result(name, rules, problems, played, changes)
        elif form in {"json", "jsonl"}:
            files.append(_document(name, problems, played))
        else:
            checks.append(_check(rules, problems))
    if form in {"json", "jsonl"}:
        files += [{"path": name, "problems": [], "error": "not found"} for name in missing]
        lines = (dump(file, indent=None) for file in files)
        output.document_all(document_parts(files) if form == "json" else lines)
    elif form == "concise":
        output.print_lines(brief_lines(checks))
    elif form != "text":
        unread = [(name, NOT_THERE.removeprefix("{name}: ")) for name in missing]
        output.document_all(output.report_parts(form)(checks, (), unread))
    for name in missing:
        output.Refused(NOT_THERE, name=name).show()
    warn_lost(lost)
    if lost or missing or any(problem.rule in _UNREAD for problem in known):
        return 2
    return 1 if errors_of(known) else 0


@click.command("report")
@click.argument("name", metavar="VARIANT")
@click.option(
    "-o", "out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="The page (.html) or text (.txt) to write; without it, the text is printed.",
)  # fmt: skip
@_play_option("Play N games")
def rules_report(name: str, out: Path | None, play: int | None) -> None:
    """Report what VARIANT changes, whether it is sound, and what games show."""
    form = ".txt" if out is None else out.suffix.lower()
    if form not in {".html", ".txt"}:
        raise output.Refused("{file}: a page is written as .html, a text as .txt", file=out)
    if out is not None and out.exists():
        raise output.Refused("{path} exists already", path=out)
    if out is not None and not out.parent.is_dir():
        raise output.Refused("{name}: {reason}", name=out, reason=os.strerror(errno.ENOENT))
    rules = rules_named(name)
    examiner = Examiner(rules.folder)
    problems = examiner.examine(rules.variants)
    reports = _played_by_all(_Play(rules, examiner, play), problems)
    problems, tree = in_language(rules, problems), examiner.tree
    changed = [] if tree.problems else differences(examiner.base, tree, language())
    title = str(tree.data.get("title", name))
    title = tree.data.get("texts", {}).get(language(), {}).get(title, title)
    about = ", ".join(variant.id for variant in tree.variants)
    title = f"{title}: {about}" if about else title
    text = verdict_page(form, title, changed, problems, reports)
    if out is None:
        output.print_lines(text.splitlines())
    else:
        output.create(out, text)


@postpone_collection()
def _examined(rules: RuleSet, examiners: dict[Path, Examiner]) -> tuple[list[Finding], list[str]]:
    if rules.folder not in examiners:
        examiners[rules.folder] = Examiner(rules.folder)
    examiner = examiners[rules.folder]
    problems = examiner.examine(rules.variants)
    if len(rules.variants) > 1:
        problems += examiner.order(rules.variants)
    changes = []
    if rules.variants and examiner.tree.well_formed:
        changes = [*difference_lines(differences(examiner.base, examiner.tree, language()))]
    age_objects()
    return problems, changes


def _together(asked: dict[str, RuleSet]) -> dict[str, RuleSet]:
    folder, *others = {rules.folder for rules in asked.values()}
    if others:
        raise output.Refused("only variants of one game can be played together")
    variants = tuple(path for rules in asked.values() for path in rules.variants)
    name = JOINT.join(asked)
    return {name: RuleSet(name, folder, variants)}


def _combined(asked: dict[str, RuleSet]) -> dict[str, RuleSet]:
    sets: dict[str, RuleSet] = {}
    for folder in dict.fromkeys(rules.folder for rules in asked.values()):
        of_game = {n: r for n, r in asked.items() if r.folder == folder and r.variants}
        if len(of_game) > 1:
            sets |= _together(of_game)
    return sets


class _Play(NamedTuple):
    """What to play: ``games`` by rules; without a number, as many as needed.

    traces: where to write logs that show a problem.
    """

    rules: RuleSet
    examiner: Examiner
    games: int | None
    traces: Path | None = None
    workers: Workers | None = None


def _played(play: _Play, problems: list[Finding]) -> TryOut | None:
    """Play games by rules without errors, with and without their variants.

    Problems found are added to ``problems``. Return None if the rules cannot be played at random.
    """
    both = _plans(play, problems)
    return None if both is None else _played_by(both, play, problems)


def _played_by_all(play: _Play, problems: list[Finding]) -> list[TryOut]:
    """Play games of a variant like ``_played``, for each number of players if it changes them."""
    both = _plans(play, problems)
    if both is None:
        return []
    variants = play.rules.variants
    reports = [
        _played_by(plans_of_number, play, problems, play_all=True)
        for plans_of_number in (plans_by_players(both) if variants else [both])
    ]
    return reports if variants else []  # a game itself has problems only


def _plans(play: _Play, problems: Sequence[Finding]) -> Plans | None:
    if play.games == 0 or errors_of(problems):
        return None
    rules, examiner = play.rules, play.examiner
    with packs_beside(rules.folder):
        examiner.keep(rules.variants)
        return plans(rules.folder, rules.variants, examiner.tree.variants)


def _played_by(
    both: Plans, play: _Play, problems: list[Finding], *, play_all: bool = False
) -> TryOut:
    rules, examiner, games, workers = play.rules, play.examiner, play.games, play.workers
    variants = examiner.tree.variants
    with packs_beside(rules.folder):
        total = games or limits.GAMES
        progress = output.Progress("playing", total * (1 + (both[1] is not None)))
        try:
            steps = limits.PLAYED_STEPS if games is None else inf
            share = partial(_share, workers, both) if workers and total >= LEAST_SHARED else None
            report = try_out(
                *both, total, steps, lambda: progress.add(1, rules.name), share, variants,
                play_all=play_all, data=examiner.base.data,
            )  # fmt: skip
            plan, base = both
            if base is not None:
                more = further_problems(
                    report, plan, base, total, steps, variants, examiner.base.data
                )
                report = replace(report, found=(*report.found, *more))
        finally:
            progress.end()
    problems += _shown_by_games(rules, report, variants, play.traces, problems)
    return report


def _share(
    workers: Workers,
    both: tuple[PlayPlan, PlayPlan | None],
    call: Callable[[Sequence[PlannedGame]], list[ObservedGame]],
    games: Iterable[PlannedGame],
) -> Generator[ObservedGame, None, None]:
    files = [name for plan in both if plan is not None for name in variant_names(plan)]
    lost = ObservedGame(None, None)
    work = Work(call, lambda _: SECONDS_A_GAME, lambda _: lost, 2, lambda _: files)
    return results_in_order(work, games, workers)


def _lost(played: TryOut | None) -> int:
    tests = () if played is None else (played.before, played.after)
    return sum(test.lost for test in tests if test is not None)


def warn_lost(lost: int) -> None:
    """Warn of games that killed their process."""
    if lost:
        singular = "{count} game was not played: its process was ended, or ran out of memory"
        plural = "{count} games were not played: their processes were ended, or ran out of memory"
        output.warn(Text.plural(lost, singular, plural))


def _shown_by_games(
    rules: RuleSet,
    report: TryOut,
    variants: Sequence[Variant],
    traces: Path | None,
    known: Sequence[Finding],
) -> list[Finding]:
    """Return the problems found by playing, and write logs that show them.

    Where there are ``known`` problems other than notes, they explain what games show.
    """
    findings = []
    known = without_notes(known)
    messages = [problem.message for problem in known if problem.rule == "thing-never-usable"]
    values = [message.values for message in messages if isinstance(message, Text)]
    heads = {variant.source.where(("variant",)) for variant in variants}
    explained = {(problem.file, problem.span.line) for problem in known}
    for number, shown in enumerate(report.found, 1):
        file, span = place(rules.folder, variants, shown)
        if (file, span.line) in explained:
            continue
        if (file, span) not in heads and rules.variants:
            explained.add((file, span.line))
        named = {name for v in values if v.get("move") == shown.about for name in v["names"]}
        if shown.things and named.issuperset(shown.things):
            continue
        help_lines = shown.finding.help
        if shown.log and traces is None:
            help_lines = (*help_lines, "a game shows it; to get its log, use `--traces DIR`")
        elif shown.log and traces is not None:
            path = traces / f"{shown.finding.rule}-{number}.agn"
            with output.written(path):
                traces.mkdir(parents=True, exist_ok=True)
                for variant in rules.variants:
                    copy = traces / variant.name
                    if not variant.is_relative_to(rules.folder) and not copy.exists():
                        write_new(copy, read_regular(variant, MAX_RULES))
                write_new(path, shown.log.encode("utf-8"))
            help_lines = (*help_lines, Text("{path} shows it", path=path))
        findings.append(shown.finding._replace(span=span, help=help_lines, file=file))
    return findings


def _print_result(
    name: str, rules: RuleSet, problems: list[Finding], played: TryOut | None, changes: list[str]
) -> None:
    warnings = without_notes(problems)
    if rules.variants:
        first, *others = verdict(warnings, played)
        output.print_lines((f"{name}: {first}", *(f"  {sentence}" for sentence in others), ""))
    print_problems(rules, problems)
    if shown := sum(problem.rule.startswith(PLAYED) for problem in warnings):
        template = "Found by playing: {played}; by reading the rules: {read}"
        output.print_line(phrase(template, played=shown, read=len(warnings) - shown))
    if errors := len(errors_of(problems)):
        output.print_line(f"{name}: {counted('{count} error', '{count} errors', errors)}")
        return
    warned = f" ({counted('{count} warning', '{count} warnings', len(warnings))})"
    output.print_line(f"{name}: {phrase('no errors')}{warned if warnings else ''}")
    if played is not None:
        output.print_lines(_played_lines(played))
    if rules.variants:
        output.print_line(phrase("It changes:" if changes else "It changes nothing."))
        output.print_lines(f"  {line}" for line in changes)


def _played_lines(report: TryOut) -> Iterator[str]:
    after, before = report.after, report.before
    rounds = after.rounds()
    yield phrase(
        "Played: {games} of {players} players; {over} ended, "
        "after {rounds} rounds on average ({low} to {high})",
        games=counted("{count} game", "{count} games", len(after.outcomes)),
        players=report.players,
        over=counted("{count} game", "{count} games", len(after.ended_games)),
        rounds=f"{rounds.value:.1f}",
        low=f"{rounds.low:.1f}",
        high=f"{rounds.high:.1f}",
    )
    if seats := [f"{number} {seat.value:.0%}" for number, seat in enumerate(after.seats(), 1)]:
        yield "  " + phrase("wins by seat: {seats}", seats=listed(seats))
    if before is not None:
        over = counted("{count} game", "{count} games", len(before.ended_games))
        template = "without the variant: {games}, {rounds} rounds on average"
        yield "  " + phrase(template, games=over, rounds=f"{before.rounds().value:.1f}")
    yield from (f"  {sentence}" for sentence in sentences(report))


def print_problems(rules: RuleSet, problems: list[Finding], *, err: bool = False) -> None:
    """Print the problems of rules."""
    for problem in problems:
        _, lines = _source(problem.file, rules)
        output.print_lines((*finding_lines(problem, problem.file, lines), ""), err=err)


def _check(rules: RuleSet, problems: list[Finding]) -> FileResults:
    sources = {file: _source(file, rules) for file in {problem.file for problem in problems}}
    findings = [problem._replace(file=sources[problem.file][0]) for problem in problems]
    verdict = Verdict.ILLEGAL if errors_of(problems) else Verdict.LEGAL
    others = dict(sources.values())
    game = GameResult({}, findings, verdict, title=rules.name, others=others)
    with speaking(ENGLISH):
        game.rules = {finding.rule: about(None, finding.rule) for finding in findings}
    return FileResults(rules.name, [game])


def _source(file: str, rules: RuleSet) -> tuple[str, Mapping[int, str]]:
    """Return path and lines; no lines if it is no rule file."""
    places = [path for path in rules.variants if path.name == file]
    places += [path.parent / file for path in rules.variants]
    places += [rules.folder.parent / file, rules.folder / "variants" / file]
    for path in places:
        in_folder = path.is_relative_to(rules.folder)
        try:
            text = read_regular_text(
                path, MAX_RULES, within=root_of(rules.folder) if in_folder else None
            )
        except OSError:
            continue
        if in_folder or begins_as_variant(text):
            return str(path), numbered(text)
    return file, {}


def _document(name: str, problems: list[Finding], played: TryOut | None) -> dict[str, object]:
    warnings = without_notes(problems)
    notes = [problem for problem in problems if problem.severity is Severity.NOTE]
    return {
        "path": name,
        "verdict": verdict(warnings, played),
        "problems": [*map(_problem_document, warnings)],
        "notes": [*map(_problem_document, notes)],
        **({} if played is None else {"played": played.document()}),
    }


def _problem_document(problem: Finding) -> dict[str, object]:
    return {
        "rule": problem.rule,
        "severity": problem.severity,
        "by": "playing" if problem.rule.startswith(PLAYED) else "reading",
        "message": problem.message,
        "file": problem.file,
        **problem.span._asdict(),
        "help": list(problem.help),
    }
