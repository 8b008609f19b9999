"""`altay fmt`: one way to write a log down, and nothing of it lost."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from altay_cli.checking.check import check_text
from altay_cli.notation import writing
from altay_cli.notation.reading import read_log
from tests.cli.sample import ILLEGAL, LEGAL, OVER, put, run

UNTIDY = """\
\ufeff[Game   "altay"]
# the second Tuesday
[Event "Tuesday; table"]\r
POSITION
Ann  :faction   firefolk;Bob: faction Elvenfolk # both new
      Ann:hand 2   Hunter ,
   # from memory
   Village
  Turn 3 Ann
play 2 HUNTER;; play   Village
   # the end
"""
TIDY = """\
[Game "altay"]
# the second Tuesday
[Event "Tuesday; table"]

position
  Ann: faction firefolk
  Bob: faction Elvenfolk  # both new
  Ann: hand 2 Hunter,
      # from memory
      Village

turn 3 Ann
  play 2 HUNTER
  play Village

# the end
"""
LOGS = {
    "tidy": TIDY,
    "untidy": UNTIDY,
    "legal": LEGAL,
    "illegal": ILLEGAL,
    "several": OVER + UNTIDY + ILLEGAL,
}


INDENTED = """\
[Game "altay"]

setup
  # Take a seat and choose a faction:
  # seat Ann as <faction>

turn 1 Ann
  end
  # she had to go

# Much later:
turn 1 Bob
  end
  # so had he

# the end
"""


def test_comments_at_the_end_of_a_section_keep_their_indentation() -> None:
    assert writing.format_log(INDENTED) == INDENTED
    deeper = INDENTED.replace("\n  ", "\n    ").replace("\nturn", "\n  turn")
    assert writing.format_log(deeper) == INDENTED


def test_a_blank_setup_stays_as_it_is(tmp_path: Path) -> None:
    blank = run("new", "--players", "Ann,Bob", "--blank").stdout
    (path,) = put(tmp_path, blank=blank)
    assert run("fmt", path).exit_code == 0
    assert path.read_text(encoding="utf-8") == blank


def test_an_untidy_log() -> None:
    result = run("fmt", "-", text=UNTIDY)
    assert result.exit_code == 0
    assert result.stdout == TIDY


@pytest.mark.parametrize("name", LOGS)
def test_formatting_twice_changes_nothing_more(name: str) -> None:
    once = run("fmt", "-", text=LOGS[name]).stdout
    assert run("fmt", "-", text=once).stdout == once
    assert run("fmt", "--check", "-", text=once).exit_code == 0


@pytest.mark.parametrize("name", LOGS)
def test_comments_and_findings_stay(name: str) -> None:
    def told(text: str) -> list[list[tuple[str, str, str]]]:
        return [
            [(f.rule, f.severity, f.message) for f in game.findings]
            for game in check_text(text).games
        ]

    before, after = LOGS[name], run("fmt", "-", text=LOGS[name]).stdout
    assert [c.text for c in read_log(after).comments] == [c.text for c in read_log(before).comments]
    assert told(after) == told(before)


def test_files_are_replaced(tmp_path: Path) -> None:
    untidy, tidy = put(tmp_path, untidy=UNTIDY, tidy=TIDY)
    untouched = tidy.stat()
    result = run("fmt", tmp_path)
    assert (result.exit_code, result.stdout) == (0, f"changed: {untidy}\n")
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert tidy.stat().st_mtime_ns == untouched.st_mtime_ns
    assert tidy.stat().st_ino == untouched.st_ino, "a file that is tidy is left alone"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tidy.agn", "untidy.agn"]


def test_check_writes_nothing(tmp_path: Path) -> None:
    untidy, tidy = put(tmp_path, untidy=UNTIDY, tidy=TIDY)
    before = untidy.read_bytes()
    result = run("fmt", "--check", untidy, tidy)
    assert result.exit_code == 1
    assert result.stdout == f"would change: {untidy}\n"
    assert untidy.read_bytes() == before


def test_a_file_that_cannot_be_written_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    before = untidy.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = run("fmt", untidy)
    assert result.exit_code == 2
    assert "o space left on device" in result.stderr
    assert untidy.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["untidy.agn"], "nothing is left behind"


NO_LOGS = {
    "diary.txt": 'Dear diary,\n    today we played; "Ann" won.\n\n  Then: tea\n',
    "README.md": '# A log\n\nbegins like this:\n\n    [Game "altay"]\n\n    turn 1 Ann\n      play 2 Hunter\n',
    "badge.md": '[![badge](x.svg)](y)\n\nA text.\n\n    [Game "altay"]\n    setup\n',
    "checking.py": "def check(text):\n    if text:\n        return 'it''s'; x = 1\n",
    "rules.yaml": 'variant: x\nchange:\n  - {set: a, to: "b"}\n',
    "settings.toml": "[Games]\nname = 'x'\n  [Games.altay]\n  setup = 1\n",
    "position.txt": "position\n   Ann:   hand  Hunter\n",
    "other.agn": '[Event   "x"]\nposition\n Ann: hand Hunter\n',
    "half.agn": TIDY.replace("  Ann", " Ann") + '[Event "x"]\nposition\n Ann: hand Hunter\n',
    "stray.agn": '[Game "altay"]\n\nthe   diary of a  game\n  that is none\n',
    "empty.agn": "",
}


def untouched(path: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is written, and not when it is read."""
    status = path.stat()
    return (status.st_ino, status.st_mode, status.st_nlink, status.st_mtime_ns, status.st_ctime_ns)


@pytest.mark.parametrize("name", NO_LOGS)
def test_what_is_no_log_stays_as_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(NO_LOGS[name])
    before = untouched(path)
    for arguments in (["fmt"], ["fmt", "--check"]):
        result = run(*arguments, path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"altay: {path}: this is not a log")
        assert name != "empty.agn" or "which begins with the tag `Game`" in result.stderr
    result = run("fmt", "-", text=NO_LOGS[name])
    assert (result.exit_code, result.stdout) == (2, "")
    assert path.read_text() == NO_LOGS[name]
    assert untouched(path) == before


def test_the_rest_of_a_folder_is_formatted(tmp_path: Path) -> None:
    untidy, other = put(tmp_path, untidy=UNTIDY, other=NO_LOGS["other.agn"])
    result = run("fmt", tmp_path)
    assert (result.exit_code, result.stdout) == (2, f"changed: {untidy}\n")
    assert other.read_text() == NO_LOGS["other.agn"]


def test_a_slip_in_a_log_stays_and_the_rest_is_formatted() -> None:
    text = UNTIDY.replace("play   Village", "play   Village )  x")
    result = run("fmt", "-", text=text)
    assert result.exit_code == 0
    assert result.stdout == TIDY.replace("play Village", "play   Village )  x")


def test_what_would_not_read_as_the_same_log_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    for old, new in (
        ("2 HUNTER", "3 HUNTER"),
        ("both new", "new"),
        ("faction Elv", "Elv"),
        ("day;", "day"),
    ):
        wrong = TIDY.replace(old, new)
        assert wrong != TIDY
        monkeypatch.setattr(writing, "format_log", lambda *_, wrong=wrong: wrong)
        result = run("fmt", untidy)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "would not read as the same log" in result.stderr
        assert untidy.read_bytes() == UNTIDY.encode()


def test_links_that_lead_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    home, games = tmp_path / "home", tmp_path / "home" / "games"
    games.mkdir(parents=True)
    (home / "more").mkdir()
    files = put(home, mine=UNTIDY) + put(home / "more", mine=UNTIDY)
    before = [untouched(path) for path in files]
    (games / "link.agn").symlink_to("../mine.agn")
    (games / "more").symlink_to("../more")
    (untidy,) = put(games, untidy=UNTIDY)
    result = run("fmt", games)
    assert (result.exit_code, result.stdout) == (0, f"changed: {untidy}\n")
    assert result.stderr == "".join(
        f"altay: {games / name}: a link that leads out of the folder; it is left out\n"
        for name in ("link.agn", "more")
    )
    assert [untouched(path) for path in files] == before


def test_hard_links_stay(tmp_path: Path) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    other = tmp_path / "other.txt"
    other.hardlink_to(untidy)
    assert run("fmt", untidy).exit_code == 0
    assert other.samefile(untidy)
    assert other.read_text(encoding="utf-8") == TIDY


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    os.chown(untidy, 12345, 54321)
    assert run("fmt", untidy).exit_code == 0
    assert (untidy.stat().st_uid, untidy.stat().st_gid) == (12345, 54321)


def test_rights_and_links_stay(tmp_path: Path) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    untidy.chmod(0o640)
    link = tmp_path / "link.agn"
    link.symlink_to(untidy.name)
    assert run("fmt", link).exit_code == 0
    assert link.is_symlink()
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert stat.S_IMODE(untidy.stat().st_mode) == 0o640


def test_unreadable_files_and_tidy_ones(tmp_path: Path) -> None:
    (untidy,) = put(tmp_path, untidy=UNTIDY)
    binary = tmp_path / "binary.agn"
    binary.write_bytes(b"a\x00b")
    result = run("fmt", tmp_path)
    assert result.exit_code == 2
    assert "binary.agn: not a text" in result.stderr
    assert untidy.read_text(encoding="utf-8") == TIDY
    assert binary.read_bytes() == b"a\x00b"


COLUMNS = """\
[Game "altay"]
position
    Ann: faction Firefolk    # the first
    Bob: faction Elvenfolk # too near
    Ann: hand 2 Hunters,     # from the deck
        Village              # and this
turn 3 Ann
  play 2 Hunters             # both
  play Village; play Hunter  # two in a line
"""


def test_comments_keep_their_columns() -> None:
    formatted = run("fmt", "-", text=COLUMNS).stdout
    lines = [line for line in formatted.splitlines() if "#" in line]
    assert lines == [
        "  Ann: faction Firefolk      # the first",
        "  Bob: faction Elvenfolk   # too near",
        "  Ann: hand 2 Hunter,        # from the deck",
        "      Village                # and this",
        "  play 2 Hunter              # both",
        "  play Hunter  # two in a line",
    ]
    assert run("fmt", "-", text=formatted).stdout == formatted


def test_what_would_change_is_shown(tmp_path: Path) -> None:
    _, untidy = put(tmp_path, tidy=TIDY, untidy=TIDY.replace("  play 2", "     play  2"))
    told = run("fmt", "--diff", tmp_path)
    assert told.exit_code == 1
    assert told.stdout.splitlines()[:2] == [f"--- {untidy}", f"+++ {untidy}"]
    assert [line for line in told.stdout.splitlines()[2:] if line[0] in "+-"] == [
        "-     play  2 HUNTER",
        "+  play 2 HUNTER",
    ]
    assert "     play  2" in untidy.read_text()
    assert run("fmt", tmp_path).stdout == f"changed: {untidy}\n"
    assert run("fmt", "--diff", tmp_path).stdout == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("  take 2 from A\n", "  take (2) from A\n"),  # the count is meant, which `take(2)` is not
        ("  take 2 from A\n", "  take  2   frm A ,B\n"),
        ("  heap A of 3\n", "  heap ( A )  of 3\n"),
        ("  heap A of 3\n", "  heap  A,  3\n"),
    ],
)
def test_what_cannot_be_read_stays_to_the_byte(right: str, wrong: str, tmp_path: Path) -> None:
    log = (
        '[Game "nim"]\n\nsetup\n  seat Ann\n  seat Bob\n  heap A of 3\n  heap B of 4\n\n'
        "turn 1 Ann\n  take 2 from A\n  take 4 from B\n  take 1 from A\n\nresult\n  winner Ann\n"
    )
    text = log.replace(right, wrong)
    (path,) = put(tmp_path, log=text.replace("  seat Bob", "seat   Bob"))
    before = [found.rule for found in check_text(text).games[0].findings]
    assert run("fmt", path).exit_code == 0
    assert path.read_text(encoding="utf-8") == text
    assert [found.rule for found in check_text(text).games[0].findings] == before
    assert log.replace("  take 2 from A", "  take  2 from   A") != log
    (path,) = put(tmp_path, log=log.replace("  take 2 from A", "  take  2 from   A"))
    run("fmt", path)
    assert path.read_text(encoding="utf-8") == log
