"""`altay rules report` writes a verdict on a variant for the table that wants to play by it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

from altay_cli.base.findings import Severity
from altay_cli.base.text import Text
from altay_cli.cli.options import language_option
from altay_cli.cli.output import Refused, say
from altay_cli.cli.rulesets import find_rules, in_language


@click.command("report")
@click.argument("name", metavar="VARIANT")
@click.option(
    "-o", "out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="The page (.html) or text (.txt) to write; without it, the text is printed.",
)  # fmt: skip
@click.option(
    "--play",
    type=click.IntRange(0, 100_000),
    envvar="ALTAY_PLAY",
    metavar="N",
    help="Play N games; 0 for none. [default: up to 20, for a few seconds]",
)
@language_option
def command(name: str, out: Path | None, play: int | None, language: str) -> None:
    """Tell of VARIANT what it changes, whether it makes sense, and what playing says."""
    from altay_cli.base.atomic import write_new
    from altay_cli.base.translations import phrase
    from altay_cli.cli.rules_check import played, shown_by_games
    from altay_cli.cli.rules_diff import difference_lines
    from altay_cli.lint.examine import Examiner
    from altay_cli.report.verdict import page, plain
    from altay_cli.source.inspect import differences

    form = ".txt" if out is None else out.suffix.lower()
    if form not in {".html", ".txt"}:
        raise Refused(Text("{file}: a page is written as .html, a text as .txt", file=out))
    if out is not None and out.exists():
        raise Refused(Text("{path} exists already", path=out))
    if out is not None and not out.parent.is_dir():
        raise Refused(Text("{name}: {reason}", name=out, reason=os.strerror(errno.ENOENT)))
    rules = find_rules(name)
    if rules is None:
        raise Refused(Text("{name}: there are no such rules, and no such file", name=name))
    examiner = Examiner(rules.folder)
    problems = examiner.examine(rules.variants)
    sound = all(problem.severity is not Severity.ERROR for problem in problems)
    report = played(rules, play, language) if sound and play != 0 else None
    if report is not None:
        problems += shown_by_games(rules, report, None, problems)
    report = report if rules.variants else None  # what is told of a game itself are its problems
    problems = in_language(rules, problems, language)
    changed = []
    if not examiner.tree.problems:
        changed = differences(examiner.base, examiner.tree, language)
    title = str(examiner.tree.data.get("title", name))
    title = examiner.tree.data.get("texts", {}).get(language, {}).get(title, title)
    about = ", ".join(ident for ident, _ in examiner.tree.variants)
    heading = f"{title}: {about}" if about else title
    if form == ".html":
        text = page(heading, changed, problems, report, language)
    else:
        lines = difference_lines(changed, language)
        text = "\n".join([*plain(heading, lines, problems, report, language), ""])
    if out is None:
        for line in text.splitlines():
            say(line)
        return
    try:
        write_new(out, text.encode("utf-8"))
    except FileExistsError as error:
        raise Refused(Text("{path} exists already", path=out)) from error
    except OSError as error:
        raise Refused(Text("{name}: {reason}", name=out, reason=error.strerror)) from error
    say(phrase(language, "wrote {file}", file=out))
