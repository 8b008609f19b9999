"""Write findings and verdicts for CI systems: GitHub, SARIF, JUnit."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath
from urllib.parse import quote

from altay_cli.base.findings import Finding, Fix, Severity, Span, Verdict, errors_of, filled
from altay_cli.base.internal import build_safely
from altay_cli.base.translations import ENGLISH
from altay_cli.base.version import __version__
from altay_cli.checking.check import LeftOut
from altay_cli.report import limits
from altay_cli.report.html import XML, rendered
from altay_cli.report.json import dump
from altay_cli.report.results import FileResults, GameResult
from altay_cli.report.terminal import citation, finding_lines, game_title, headline
from altay_cli.report.text import inert, plural, speaking, visible

# Values may come from strangers, so any character that could end a value or begin a command is
# encoded. GitHub shows ten lines per level and step: the rest are plain lines, and all are in the
# job's summary.

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_MARKUP = re.compile(r"[^\w\s,;()'-]|_")


def github_parts(
    checks: Iterable[FileResults], skipped: LeftOut, unreadable: LeftOut
) -> Iterator[str]:
    """Yield a command for each finding, then one for each file without a report."""
    levels, verdicts = Counter[str](), Counter[str]()
    lines: list[str] = []
    left = limits.MAX_SUMMARY
    for level, command, line in _commands(checks, skipped, unreadable, verdicts):
        levels[level] += 1
        shown = f"- {_MARKUP.sub(lambda sign: f'&#{ord(sign[0])};', visible(line))}\n"
        left -= len(shown)
        if left >= 0:
            lines.append(shown)
        yield command if levels[level] <= limits.MOST_ANNOTATIONS else f" {inert(line)}\n"
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        counts = [f"{count} {verdict}" for verdict, count in verdicts.items()]
        counts += [plural(count, level) for level, count in levels.items()]
        missing = levels.total() - len(lines)
        more = f"- and {missing} more\n" if missing else ""
        with suppress(OSError), Path(path).open("a", encoding="utf-8") as file:
            file.write(f"### altay: {', '.join(counts)}\n\n{''.join(lines)}{more}\n")


def _commands(
    checks: Iterable[FileResults], skipped: LeftOut, unreadable: LeftOut, verdicts: Counter[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield level, command, and the same as a plain line."""
    for check in checks:
        for game in check.games:
            yield from build_safely(game, partial(_commands_of, check.path))
            verdicts[game.verdict.value] += 1
    for level, files in (("notice", skipped), ("error", unreadable)):
        for path, reason in files:
            yield level, f"::{level} file={_value(path)}::{_text(reason)}\n", f"{path}: {reason}"


def _commands_of(path: str, game: GameResult) -> list[tuple[str, str, str]]:
    commands: list[tuple[str, str, str]] = []
    for finding in game.findings:
        with speaking(ENGLISH):
            line = headline(finding, path)
        commands.append((_COMMANDS[finding.severity], _command(finding, path), line))
    return commands


def _command(finding: Finding, path: str) -> str:
    span = finding.span
    marks = span.end_line == span.line and span.end_column > span.column
    values = {
        "file": finding.file or path,
        "line": span.line,
        "endLine": span.end_line,
        "col": span.column,
        "endColumn": span.end_column - 1 if marks else None,  # the last marked column
        "title": finding.rule,
    }
    properties = ",".join(f"{name}={_value(str(of))}" for name, of in filled(values).items())
    text = "%0A".join(map(_text, (finding.message, *finding.help)))
    return f"::{_COMMANDS[finding.severity]} {properties}::{text}\n"


def _text(text: str) -> str:
    return inert(text).replace("%", "%25")


def _value(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")


# For code hosts and editors. Columns count code points.

_LINK = re.compile(r"[\[\]](?=.*\()")


def sarif_parts(
    checks: Iterable[FileResults], skipped: LeftOut, unreadable: LeftOut
) -> Iterator[str]:
    """Yield one SARIF document with one run."""
    from importlib.metadata import PackageNotFoundError, metadata  # slow to import

    rules: dict[str, dict[str, object]] = {}
    results = [
        result
        for check in checks
        for game in check.games
        for result in build_safely(game, partial(_results, check.path, rules))
    ]
    notes = [
        {
            "level": level,
            "message": _message(reason),
            "locations": [{"physicalLocation": _location(path)}],
        }
        for level, files in (("error", unreadable), ("note", skipped))
        for path, reason in files
    ]
    home: list[str] = []  # the program's address, if known
    with suppress(PackageNotFoundError):
        home = metadata("altay").get_all("Project-URL") or []
    driver = {
        "name": "altay",
        "version": __version__,
        **filled({"informationUri": "".join(home[:1]).partition(", ")[2] or None}),
        "rules": list(rules.values()),
    }
    ended = {"executionSuccessful": not unreadable, "toolExecutionNotifications": notes}
    run = {
        "columnKind": "unicodeCodePoints",
        "results": results,
        "tool": {"driver": driver},
        "invocations": [ended],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    yield dump({"$schema": schema, "version": "2.1.0", "runs": [run]}) + "\n"


def _results(
    path: str, rules: dict[str, dict[str, object]], game: GameResult
) -> list[dict[str, object]]:
    return [_result(finding, path, _number(rules, finding, game)) for finding in game.findings]


@speaking(ENGLISH)
def _number(rules: dict[str, dict[str, object]], finding: Finding, game: GameResult) -> int:
    if finding.rule not in rules:
        sentence = game.rules.get(finding.rule)
        cited = f"{citation(finding.cite)}; " if finding.cite else ""
        rules[finding.rule] = {
            "id": finding.rule,
            **({"shortDescription": _message(sentence)} if sentence else {}),
            "help": _message(f"{cited}altay explain {finding.rule}"),
            "defaultConfiguration": {"level": finding.severity.value},
        }
    return list(rules).index(finding.rule)


def _result(finding: Finding, path: str, number: int) -> dict[str, object]:
    path = finding.file or path
    related = [
        {"message": _message(text), "physicalLocation": _location(path, span)}
        for span, text in finding.related
    ]
    names = ("round", "player", "cite", "ruling")
    return filled({
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": finding.severity.value,
        "message": _message("\n".join((finding.message, *finding.help))),
        "locations": [{"physicalLocation": _location(path, finding.span)}],
        "relatedLocations": related,
        "fixes": [_fix(path, fix) for fix in finding.fixes],
        "properties": filled({name: getattr(finding, name) for name in names}),
    })  # fmt: skip


def _fix(path: str, fix: Fix) -> dict[str, object]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.text}}
    change = {**_location(path), "replacements": [replacement]}
    what = f"write `{fix.text}`" if fix.text.strip() else "leave this out"
    text = what if fix.certain else f"{what}, if that is meant"
    return {"description": _message(text), "artifactChanges": [change]}


def _location(path: str, span: Span | None = None) -> dict[str, object]:
    pure = PurePath(path)
    uri = pure.as_uri() if pure.is_absolute() else quote(os.fsencode(pure.as_posix()))
    return {"artifactLocation": {"uri": uri}, **({"region": _region(span)} if span else {})}


def _region(span: Span) -> dict[str, int]:
    names = ("startLine", "startColumn", "endLine", "endColumn")
    return {name: max(number, 1) for name, number in zip(names, span, strict=True)}


def _message(text: str) -> dict[str, str]:
    text = text.replace("{", "{{").replace("}", "}}")
    return {"text": _LINK.sub(lambda link: f"\\{link[0]}", text)}


# A file is a suite, a game a test. An illegal game is a failure, an unjudged one an error.

_TAGS = {Verdict.LEGAL: "", Verdict.ILLEGAL: "failure", Verdict.NOT_JUDGED: "error"}


def junit_parts(
    checks: Iterable[FileResults], _skipped: LeftOut, unreadable: LeftOut
) -> Iterator[str]:
    """Yield one JUnit document. Skipped files are not tests."""
    suites: list[tuple[str, list[dict[str, object]]]] = []
    for check in checks:
        cases = [build_safely(game, partial(_case, path=check.path)) for game in check.games]
        suites.append((check.path, cases))
    for path, reason in unreadable:
        case = {"name": path, "seconds": 0.0, "tag": "error", "kind": "unreadable"}
        suites.append((path, [case | {"message": reason, "told": None, "printed": ""}]))
    yield rendered("junit.xml", XML, suites=suites)


@speaking(ENGLISH)
def _case(game: GameResult, path: str) -> dict[str, object]:
    errors = errors_of(game.findings)
    kind = message = game.verdict.value
    if errors:
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        kind, message = first.rule, f"line {first.span.line}: {first.message}{more}"

    def lines(findings: Iterable[Finding]) -> str:
        every = (
            line
            for finding in findings
            for line in (*finding_lines(finding, path, game.lines_of(finding)), "")
        )
        return "\n".join(inert(line) for line in every).rstrip()

    return {
        "name": game_title(game, game.number),
        "seconds": game.seconds,
        "tag": _TAGS[game.verdict],
        "kind": kind,
        "message": message,
        "told": lines(errors),
        "printed": lines(
            finding for finding in game.findings if finding.severity is not Severity.ERROR
        ),
    }
