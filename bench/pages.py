"""Measure what a step through replay pages costs, in turns, in one run of Chromium.

    git worktree add /tmp/before REVISION        # a page of the program as it was
    /tmp/before/.venv/bin/altay replay games/four-players.agn -o before.html
    altay replay games/four-players.agn -o after.html
    python bench/pages.py before.html after.html

A step is a press of the right arrow and the frame that follows. What counts is the time of the
page's main thread: scripts, styles and layout. The first file is the measure of the others.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
from pathlib import Path
from typing import Any

PARTS = {"ScriptDuration": "scripts", "RecalcStyleDuration": "styles", "LayoutDuration": "layout"}

# Presses the right arrow for each move, and lets the page draw a frame.
STEPS = """
async () => {
  const count = Number(document.getElementById("slider").max);
  for (let number = 0; number < count; number += 1) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  return count;
}
"""


def measured(browser: Any, page: Path) -> dict[str, float]:
    """Return the milliseconds of a step through a page, by part."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    shown = context.new_page()
    shown.goto(page.resolve().as_uri())
    shown.wait_for_selector("body[data-ready]")
    tools = context.new_cdp_session(shown)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})  # not what other programs take

    def spent() -> dict[str, float]:
        metrics = tools.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in metrics}

    before = spent()
    count = shown.evaluate(STEPS)
    after = spent()
    context.close()
    return {title: (after[name] - before[name]) * 1000 / count for name, title in PARTS.items()}


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE.html")
    parser.add_argument("--turns", type=int, default=5, help="how often each page is measured")
    options = parser.parse_args()
    values: dict[Path, list[dict[str, float]]] = {page: [] for page in options.pages}
    with sync_playwright() as driver:
        path = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for _ in range(options.turns):
            for page in options.pages:
                values[page].append(measured(browser, page))
        browser.close()
    first = 0.0
    for page, runs in values.items():
        parts = {part: statistics.median(run[part] for run in runs) for part in PARTS.values()}
        total = sum(parts.values())
        first = first or total
        told = ", ".join(f"{part} {value:.2f}" for part, value in parts.items())
        print(f"{page}: {total:.2f} ms a step ({told}); {total / first:.2f} of the first")


if __name__ == "__main__":
    main()
