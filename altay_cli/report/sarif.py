"""Findings as SARIF 2.1.0, which code hosts and editors read.

A log file is an artifact, a rule of the game (or of the program) is a rule, a finding a result
with its place, the other places that it tells of and the edits that would mend it. Columns count
code points.
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
from altay_cli.report.json import dump, filled
from altay_cli.report.rulebook import about
from altay_cli.report.terminal import citation
from altay_cli.report.text import speaking

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LINK = re.compile(r"[\[\]](?=.*\()")


def parts(checks: Iterable[FileCheck], skipped: LeftOut, unreadable: LeftOut) -> Iterator[str]:
    """Give one document with one run; code hosts refuse one that does not fit into memory."""
    rules: dict[str, dict[str, object]] = {}
    results = [
        _result(finding, check.path, _number(rules, finding, game))
        for check in checks
        for game in check.games
        for finding in game.findings
    ]
    notes = [_notification(path, reason, "error") for path, reason in unreadable]
    done = not notes
    notes += [_notification(path, reason, "note") for path, reason in skipped]
    driver = {
        "name": "altay",
        "version": __version__,
        **filled({"informationUri": _home()}),
        "rules": list(rules.values()),
    }
    run = {
        "columnKind": "unicodeCodePoints",
        "results": results,
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": done, "toolExecutionNotifications": notes}],
    }
    yield dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


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
        sentence = about(game.played.state.pack if game.played else None, finding.rule)
        cited = f"{citation(finding.cite)}; " if finding.cite else ""
        rules[finding.rule] = {
            "id": finding.rule,
            **({"shortDescription": {"text": _escaped(sentence)}} if sentence else {}),
            "help": {"text": _escaped(f"{cited}altay explain {finding.rule}")},
            "defaultConfiguration": {"level": finding.severity.value},
        }
    return list(rules).index(finding.rule)


def _result(finding: Finding, path: str, number: int) -> dict[str, object]:
    path = finding.file or path
    related = [
        {
            "id": count,
            "message": {"text": _escaped(related.message)},
            "physicalLocation": _place(path, related.span),
        }
        for count, related in enumerate(finding.related, 1)
    ]
    properties = {
        "round": finding.round,
        "player": finding.player,
        "cite": dict(finding.cite),
        "ruling": finding.ruling,
    }
    told = {
        "relatedLocations": related,
        "fixes": [_fix(path, fix) for fix in finding.fixes],
        "properties": filled(properties),
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": finding.severity.value,
        "message": {"text": _escaped("\n".join((finding.message, *finding.help)))},
        "locations": [{"physicalLocation": _place(path, finding.span)}],
        **filled(told),
    }


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
