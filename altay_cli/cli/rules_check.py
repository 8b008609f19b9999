"""`altay rules check` tells whether rule files are well formed and make sense."""

from __future__ import annotations

from pathlib import Path

import click

from altay_cli.cli.options import format_option
from altay_cli.cli.output import document, say
from altay_cli.cli.rulesets import RuleSet, find_rules
from altay_cli.pack.problems import Problem


@click.command("check")
@click.argument("names", nargs=-1, required=True, metavar="FILE...")
@format_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], form: str) -> None:
    """Check variant files and rules folders.

    FILE is a variant file, a folder with a game's rules, or the id of shipped rules. Every
    problem is reported with its place; of a good variant, what it changes.
    """
    from altay_cli.rulecheck.examine import Examiner

    found: dict[str, list[Problem]] = {}
    missing = []
    examiners: dict[Path, Examiner] = {}
    for name in names:
        rules = find_rules(name)
        if rules is None:
            missing.append(name)
            continue
        if rules.folder not in examiners:
            examiners[rules.folder] = Examiner(rules.folder)
        problems = examiners[rules.folder].examine(rules.variants)
        found[name] = problems
        if form == "text":
            _tell(name, rules, problems)
    if form == "json":
        from altay_cli.report.json import dump

        document(dump(_document(found, missing)))
    for name in missing:
        say(f"altay: {name}: there are no such rules, and no such file", err=True)
    if missing:
        ctx.exit(2)
    errors = any(p.severity == "error" for problems in found.values() for p in problems)
    ctx.exit(1 if errors else 0)


def _tell(name: str, rules: RuleSet, problems: list[Problem]) -> None:
    from altay_cli.report.text import plural

    tell_problems(rules, problems)
    errors = sum(problem.severity == "error" for problem in problems)
    if errors:
        say(f"{name}: {plural(errors, 'error')}")
        return
    warned = f" ({plural(len(problems), 'warning')})" if problems else ""
    say(f"{name}: well formed and usable{warned}")
    if rules.variants:
        from altay_cli.cli.rules_diff import difference_lines

        lines = list(difference_lines(RuleSet("", rules.folder, ()), rules))
        say("It changes:" if lines else "It changes nothing.")
        for line in lines:
            say(f"  {line}")


def tell_problems(rules: RuleSet, problems: list[Problem], *, err: bool = False) -> None:
    """Print problems of rules, each with its place; with ``err``, on standard error."""
    from altay_cli.report.people import problem_lines

    for problem in problems:
        for line in problem_lines(problem, _source_lines(problem.file, rules)):
            say(line, err=err)
        say(err=err)


def _source_lines(file: str, rules: RuleSet) -> list[str]:
    """Return the lines of the file that a problem names; none of one that is no rule file."""
    from altay_cli.pack.folder import begins_as_variant

    places = [path for path in rules.variants if path.name == file]
    places += [path.parent / file for path in rules.variants]
    places += [rules.folder.parent / file, rules.folder / "variants" / file]
    for path in places:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if path.is_relative_to(rules.folder) or begins_as_variant(text):
            return text.splitlines()
    return []


def _document(found: dict[str, list[Problem]], missing: list[str]) -> dict[str, object]:
    files: list[dict[str, object]] = [
        {
            "path": name,
            "problems": [
                {
                    "rule": problem.rule,
                    "severity": problem.severity,
                    "message": problem.message,
                    "file": problem.file,
                    "line": problem.span.line,
                    "column": problem.span.column,
                    "end_line": problem.span.end_line,
                    "end_column": problem.span.end_column,
                    "help": list(problem.help),
                }
                for problem in problems
            ],
        }
        for name, problems in found.items()
    ]
    files += [{"path": name, "problems": [], "error": "not found"} for name in missing]
    return {"files": files}
