"""Findings as SARIF 2.1.0, which code hosts and editors read.

A log file is an artifact, a rule of the game (or of the program) is a rule, a finding a result
with its place, the other places that it tells of and the edits that would mend it. Columns count
code points. Results are given as they are found; what was learnt of the rules on the way follows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from urllib.parse import quote

from altay_cli import __version__
from altay_cli.base.findings import Finding, Fix, Span
from altay_cli.base.translations import ENGLISH
from altay_cli.checking.check import FileCheck, GameReport, LeftOut
from altay_cli.report.json import dump
from altay_cli.report.rulebook import about
from altay_cli.report.terminal import citation
from altay_cli.report.text import speaking

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LINK = re.compile(r"[\[\]](?=.*\()")
_INDENT = "        "


def parts(checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut) -> Iterator[str]:
    """Give one document with one run, in parts: no more than one result is kept."""
    rules: dict[str, dict[str, object]] = {}
    yield f'{{\n  "$schema": "{SCHEMA}",\n  "version": "2.1.0",\n  "runs": [\n    {{\n'
    yield '      "columnKind": "unicodeCodePoints",\n      "results": [\n'
    last = None
    for check in checks:
        for game in check.games:
            for finding in game.findings:
                if last is not None:
                    yield f"{last},\n"
                number = _number(rules, finding, game)
                result = dump(_result(finding, check.path, number))
                last = _INDENT + result.replace("\n", "\n" + _INDENT)
    notes = [_notification(path, reason, "error") for path, reason in unreadable]
    done = not notes
    notes += [_notification(path, reason, "note") for path, reason in skipped]
    invocation = {"executionSuccessful": done, "toolExecutionNotifications": notes}
    driver: dict[str, object] = {"name": "altay", "version": __version__}
    home = _home()
    if home is not None:
        driver["informationUri"] = home
    driver["rules"] = list(rules.values())
    rest = dump({"tool": {"driver": driver}, "invocations": [invocation]})
    rest = rest[1:-1].strip("\n").replace("\n", "\n    ")
    yield "" if last is None else f"{last}\n"
    yield f"      ],\n    {rest}\n    }}\n  ]\n}}\n"


def _home() -> str | None:
    """Return the address of the program, if its distribution names one."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        named = metadata("altay").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return None
    return next((address.partition(", ")[2] for address in named), None)


@speaking(ENGLISH)
def _number(rules: dict[str, dict[str, object]], finding: Finding, game: GameReport) -> int:
    """Return the number of the rule of a finding among the rules, where it is entered."""
    if finding.rule not in rules:
        pack = game.played.state.pack if game.played is not None else None
        rule: dict[str, object] = {"id": finding.rule}
        sentence = about(pack, finding.rule)
        if sentence:
            rule["shortDescription"] = {"text": _escaped(sentence)}
        help_text = f"altay explain {finding.rule}"
        if finding.cite:
            help_text = f"{citation(finding.cite)}; {help_text}"
        rule["help"] = {"text": _escaped(help_text)}
        rule["defaultConfiguration"] = {"level": finding.severity.value}
        rules[finding.rule] = rule
    return list(rules).index(finding.rule)


def _result(finding: Finding, path: str, number: int) -> dict[str, object]:
    path = finding.file or path
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": finding.severity.value,
        "message": {"text": _escaped("\n".join((finding.message, *finding.help)))},
        "locations": [{"physicalLocation": _place(path, finding.span)}],
    }
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": count,
                "message": {"text": _escaped(related.message)},
                "physicalLocation": _place(path, related.span),
            }
            for count, related in enumerate(finding.related, 1)
        ]
    if finding.fixes:
        result["fixes"] = [_fix(path, fix) for fix in finding.fixes]
    known = {
        "round": finding.round,
        "player": finding.player,
        "cite": dict(finding.cite) or None,
        "ruling": finding.ruling,
    }
    properties = {name: value for name, value in known.items() if value is not None}
    if properties:
        result["properties"] = properties
    return result


def _fix(path: str, fix: Fix) -> dict[str, object]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": {"uri": _uri(path)}, "replacements": [replacement]}
    what = f"write `{fix.text}`" if fix.text.strip() else "leave this out"
    text = what if fix.certain else f"{what}, if that is meant"
    return {"description": {"text": _escaped(text)}, "artifactChanges": [change]}


def _place(path: str, span: Span) -> dict[str, object]:
    return {"artifactLocation": {"uri": _uri(path)}, "region": _region(span)}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": max(span.line, 1),
        "startColumn": max(span.column, 1),
        "endLine": max(span.end_line, 1),
        "endColumn": max(span.end_column, 1),
    }


def _uri(path: str) -> str:
    """Return the address of a file: relative for a relative name."""
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    return quote(os.fsencode(pure.as_posix()))


def _notification(path: str, reason: str, level: str) -> dict[str, object]:
    location = {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}}}
    return {"level": level, "message": {"text": _escaped(reason)}, "locations": [location]}


def _escaped(text: str) -> str:
    """Return a text in which nothing is a placeholder or a link to those who show it."""
    text = text.replace("{", "{{").replace("}", "}}")
    return _LINK.sub(lambda link: f"\\{link[0]}", text)
