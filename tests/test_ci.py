"""The checks in `.ci` that need no environment, and the form of the changelog."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tests.test_docs import ROOT


def subjects(folder: Path) -> int:
    """Run the check of commit subjects in a folder."""
    return subprocess.run([folder / ".ci" / "subjects"], check=False).returncode


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=x")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True)


def test_long_subjects_of_commits_are_found(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "subjects", tmp_path / ".ci")
    assert subjects(tmp_path) == 0  # no history
    git(tmp_path, "init", "-q")
    assert subjects(tmp_path) == 0  # no commits
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "é" * 72)
    assert subjects(tmp_path) == 0
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "e" * 73)
    assert subjects(tmp_path) == 1
    git(tmp_path, "tag", "v1")
    assert subjects(tmp_path) == 0  # before the tag


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert releases[0].startswith("[Unreleased]\n")
    assert releases[-1].startswith("[0.1.0]")
    for release in releases:
        headings = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert set(headings) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
        assert len(headings) == len(set(headings)), release.splitlines()[0]
        assert len(release.splitlines()) <= 150
