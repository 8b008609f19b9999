"""What is told of every finding, as a player reads it: ``said.txt`` holds the text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from altay_cli.base.catalogue import PROGRAM_RULES
from altay_cli.checking.check import check_text
from altay_cli.compile.load import load_pack
from altay_cli.report.terminal import finding_lines

HERE = Path(__file__).parent
RULES = HERE.parent / "rules"
SAID = HERE / "said.txt"
CHOSEN = HERE / "chosen.txt"
"""The log of each rule, so that another log in its folder changes nothing here."""

# Limits take large logs to reach, and mistakes of the rules take rules that are wrong: other tests
# have these.
ELSEWHERE = {
    "ambiguous-name", "internal-error", "name-missing", "no-such-move", "not-judged", "rule-budget", "rule-failure", "score-failure",
    "statement-too-long", "too-many-findings", "too-many-moves", "too-many-statements", "undecided",
}  # fmt: skip


def logs() -> Iterator[tuple[str, Path]]:
    """Give each finding with a log that has it."""
    for path in sorted(HERE.glob("*.agn")):
        yield path.stem, path
    chosen = {name.partition("/")[0]: RULES / name for name in CHOSEN.read_text().split()}
    for folder in sorted(RULES.iterdir()):
        kept = chosen.get(folder.name)
        if kept is not None and kept.is_file():
            yield folder.name, kept
        else:
            for path in sorted(folder.glob("illegal*.agn"))[:1]:
                yield folder.name, path


def said() -> str:
    """Return what is told of each of them."""
    told = []
    for rule, path in logs():
        report = check_text(path.read_text(encoding="utf-8"), str(path), path.parent)
        found = [one for game in report.games for one in game.findings if one.rule == rule]
        assert found, f"{path} has no finding {rule}"
        told += [*finding_lines(found[0], f"{rule}.agn", dict(enumerate(report.lines, 1))), ""]
    return "\n".join(told)


def test_what_is_told_of_each_finding() -> None:
    assert said() == SAID.read_text(encoding="utf-8")


def test_each_finding_is_among_them() -> None:
    there = {rule for rule, _ in logs()}
    assert PROGRAM_RULES.keys() - there == ELSEWHERE
    assert load_pack("altay").rules.keys() - there == set()


if __name__ == "__main__":
    used = [path.relative_to(RULES).as_posix() for _, path in logs() if path.is_relative_to(RULES)]
    CHOSEN.write_text("\n".join([*used, ""]))
    SAID.write_text(said(), encoding="utf-8")
