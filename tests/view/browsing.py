"""Pages in a real browser: Chromium as Debian ships it, driven by Playwright.

Without it these tests are skipped; where ALTAY_BROWSER=demand is set, as in `.ci/run`, they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DEMANDED = os.environ.get("ALTAY_BROWSER") == "demand"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def missing(what: str) -> None:
    """Skip a test for which something is missing, unless it is demanded."""
    if DEMANDED:
        pytest.fail(f"{what}; ALTAY_BROWSER=demand asks for it")
    pytest.skip(what)


def axe() -> str:
    """Return the source of axe-core, as npm installs it; ALTAY_AXE says where."""
    places = [os.environ.get("ALTAY_AXE", ""), str(ROOT / "node_modules")]
    for place in filter(None, places):
        path = Path(place) / "axe-core" / "axe.min.js"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    missing("axe-core is not installed: `npm install axe-core`, or ALTAY_AXE names node_modules")
    raise AssertionError


@cache
def chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Seen:
    """A page under test, and what went on in it."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


class Browser:
    """One browser for all tests of a process."""

    def __init__(self) -> None:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            missing("playwright is not installed: `pip install 'altay[browser]'`")
        path = chromium()
        if path is None:
            missing("there is no Chromium: `apt-get install chromium`")
        self.driver = sync_playwright().start()
        self.browser = self.driver.chromium.launch(executable_path=path, args=["--no-sandbox"])

    def close(self) -> None:
        self.browser.close()
        self.driver.stop()

    @contextmanager
    def open(
        self,
        url: str,
        *,
        size: tuple[int, int] = (1280, 900),
        colours: str = "light",
        clean: bool = True,
        **options: Any,
    ) -> Iterator[Seen]:
        """Open a page; in the end nothing must have gone wrong, and nothing been asked for."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=colours, **options
        )
        context.set_default_timeout(30_000)  # the machine may be busy
        seen = Seen(context.new_page())
        seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))
        seen.page.on("dialog", lambda dialog: seen.errors.append(f"dialog {dialog.message}"))
        seen.page.on(
            "console",
            lambda line: seen.errors.append(line.text) if line.type in {"error", "warning"} else 0,
        )
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        try:
            seen.page.goto(url)
            seen.page.wait_for_selector("body[data-ready]")
            yield seen
            if clean:
                assert seen.errors == []
                assert {one.partition("#")[0] for one in seen.requests} == {url.partition("#")[0]}
        finally:
            context.close()


def url_of(path: Path, moment: str = "") -> str:
    return path.as_uri() + (f"#{moment}" if moment else "")
