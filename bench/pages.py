"""Measure what a step through replay pages costs, in turns, in one run of Chromium.

    git worktree add /tmp/before REVISION        # a page of the program as it was
    /tmp/before/.venv/bin/altay replay games/four-players.agn -o before.html
    altay replay games/four-players.agn -o after.html
    python bench/pages.py before.html after.html

A step is a press of the right arrow, without or with the frame that follows. What counts is what
the main thread of the page does: scripts, styles, layout, painting. The first file is the measure
of the others.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

# Presses the right arrow as often as there are moves: all at once, or with a frame for each.
STEPS = """
async (withFrames) => {
  const count = Number(document.getElementById("slider").max);
  for (let number = 0; number < count; number += 1) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    if (withFrames) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  }
  return count;
}
"""
WAYS = {"in one run": False, "with a frame for each": True}


def measured(browser: Any, page: Path, with_frames: bool) -> float:
    """Return the milliseconds of the main thread that a step through a page takes."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    shown = context.new_page()
    shown.goto(page.resolve().as_uri())
    shown.wait_for_selector("body[data-ready]")
    tools = context.new_cdp_session(shown)
    # The time of the thread, not that of the clock: other programs take none of it.
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = tools.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    before = spent()
    count = shown.evaluate(STEPS, with_frames)
    after = spent()
    context.close()
    return (after - before) * 1000 / float(count)


def main() -> None:
    """Print a table of the pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE.html")
    parser.add_argument("--turns", type=int, default=5, help="how often each page is measured")
    options = parser.parse_args()
    with sync_playwright() as driver:
        path = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for way, with_frames in WAYS.items():
            runs: dict[Path, list[float]] = {page: [] for page in options.pages}
            for _ in range(options.turns):
                for page in options.pages:
                    runs[page].append(measured(browser, page, with_frames))
            first = statistics.median(runs[options.pages[0]])
            for page, values in runs.items():
                value = statistics.median(values)
                print(
                    f"{page.name}, {way}: {value:.2f} ms a step, {value / first:.2f} of the first"
                )
        browser.close()


if __name__ == "__main__":
    main()
