"""The pictures of the replay page in `docs/pictures`: eight moments of recorded games.

`python -m tests.view.pictures` takes all of them again, after a change of the page.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.view.browsing import ROOT, Browser, url_of
from tests.view.test_page import made

FOLDER = ROOT / "docs" / "pictures"
WIDE, TABLET, PHONE = (1440, 900), (1024, 768), (390, 844)


class Picture(NamedTuple):
    """A moment of a game, and how it is shown."""

    name: str
    game: str
    moment: str
    size: tuple[int, int] = WIDE
    colours: str = "light"
    viewer: str = ""

    @property
    def path(self) -> Path:
        """The file of the picture."""
        return FOLDER / f"{self.name}.jpg"


PICTURES = (
    Picture("attack", "four-players.agn", "turn-12-Emil-2"),
    Picture("dark", "four-players.agn", "turn-15-Vera-3", colours="dark"),
    Picture("tablet", "three-players.agn", "turn-9-Lena-2", TABLET),
    Picture("phone", "four-players.agn", "turn-12-Emil-2", PHONE),
    Picture("end", "tie.agn", "end"),
    Picture("chess", "classics/chess.agn", "turn-14-Brunswick"),
    Picture("cards", "innovation/players-2-0001.agn", "turn-30-Ann-1"),
    Picture("hidden", "classics/gofish.agn", "turn-4-Bob", TABLET, viewer="Ann"),
)


def take(browser: Browser, picture: Picture) -> bytes:
    """Return a picture, as JPEG."""
    viewer = ("--as", picture.viewer) if picture.viewer else ()
    with tempfile.TemporaryDirectory() as folder:
        out = made(Path(folder), ROOT / "games" / picture.game, *viewer)
        options = {
            "reduced_motion": "reduce",
            "device_scale_factor": 2 if picture.size == PHONE else 1,
        }
        with browser.open(
            url_of(out, picture.moment), size=picture.size, colours=picture.colours, **options
        ) as seen:
            found = seen.page.evaluate("() => location.hash")
            assert picture.moment == "end" or found == f"#{picture.moment}", found
            seen.page.wait_for_timeout(500)
            shot: bytes = seen.page.screenshot(type="jpeg", quality=80)
            return shot


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    browser = Browser()
    for picture in PICTURES:
        picture.path.write_bytes(take(browser, picture))
    browser.close()


if __name__ == "__main__":
    main()
