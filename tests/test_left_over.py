"""What a process that was killed left beside a file is cleared up by the next one that writes there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from altay_cli.base.files import write_atomically
from tests.cli.sample import LEGAL, run

KILLED = """\
import os, signal, sys
from altay_cli.cli.main import main
os.{call} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
main(["fmt", sys.argv[1]])
"""


def kill_fmt(path: Path, call: str = "fsync") -> list[str]:
    """Kill a process that formats a log when it calls something; return what it leaves behind."""
    before = set(path.parent.iterdir())
    program = KILLED.format(call=call)
    done = subprocess.run([sys.executable, "-c", program, path], check=False, capture_output=True)
    assert done.returncode == -9
    return [left.name for left in set(path.parent.iterdir()) - before]


def badly_set(path: Path) -> Path:
    path.write_text(LEGAL.replace("  Ann: f", "Ann:  f"))
    return path


def test_a_killed_fmt_leaves_nothing_for_good(tmp_path: Path) -> None:
    first, second = badly_set(tmp_path / "first.agn"), badly_set(tmp_path / "second.agn")
    (left,) = kill_fmt(first)
    assert left.startswith(".altay-")
    assert run("fmt", second).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.agn", "second.agn"]


def test_the_whole_text_is_kept_where_half_of_it_may_be_in_the_file(tmp_path: Path) -> None:
    # A file with another name is overwritten: a new one in its place would part the two.
    log = badly_set(tmp_path / "log.agn")
    (tmp_path / "other.agn").hardlink_to(log)
    (left,) = kill_fmt(log, "ftruncate")
    write_atomically(tmp_path / "new", b"")
    assert (tmp_path / left).read_text() == LEGAL


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_others_left_is_theirs(tmp_path: Path) -> None:
    theirs = tmp_path / ".altay-99999999-0123abcd.tmp"
    theirs.touch()
    os.chown(theirs, 12345, 54321)
    os.utime(theirs, (1, 1))
    write_atomically(tmp_path / "new", b"")
    assert theirs.exists()
