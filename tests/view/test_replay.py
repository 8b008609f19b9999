"""`altay replay`: what it makes, what it serves, what it says of misuse."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from altay_cli.cli.viewing import _page
from altay_cli.replay.page import ASSETS, MODULES, GameData, _json
from altay_cli.replay.serving import Server, Source
from altay_cli.view.watching import watch_text
from tests.cli.sample import run
from tests.view.browsing import Browser
from tests.view.sample import GAMES, LOG

TWO = GAMES[0].parent / "two-players.agn"


# ---------------------------------------------------------------- the page


def script(page: str) -> str:
    """Return the only script of a page."""
    (found,) = re.findall(r'<script type="module">(.*?)</script', page, re.DOTALL)
    return str(found)


def test_the_page_is_one_file_that_names_no_other() -> None:
    page = run("replay", TWO, "-o", "-").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page
    assert not re.search(r"<(link|script|img|iframe)[^>]* src=", page)
    assert re.findall(r"<link [^>]*>", page) == ['<link rel="icon" href="data:,">']
    assert not re.search(r"\son\w+=", page.replace(script(page), ""))
    assert '<h2 id="keys-title">Keys</h2>' in page  # `keys` of the words, not of a dictionary


def test_the_same_log_makes_the_same_page() -> None:
    assert run("replay", TWO, "-o", "-").stdout == run("replay", TWO, "-o", "-").stdout


def test_the_policy_names_what_stands_in_the_page() -> None:
    page = run("replay", TWO, "-o", "-").stdout
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert "unsafe" not in policy
    assert policy.startswith("default-src &#39;none&#39;")
    assert "connect-src" not in policy
    names = ("style.css", "board.css")
    style = "".join((ASSETS / name).read_text(encoding="utf-8") for name in names)
    assert f"<style>{style}</style>" in page
    for name in MODULES:
        source = (ASSETS / f"{name}.js").read_text(encoding="utf-8")
        last = [line for line in source.splitlines() if line.startswith("  ")][-1]
        assert last in script(page)
    assert "</style" not in style


def test_data_in_the_page_ends_no_element() -> None:
    text = _json({"a": "</script><!-- & \u2028"})
    assert "<" not in text
    assert "&" not in text
    assert json.loads(text) == {"a": "</script><!-- & \u2028"}


def test_a_long_game_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import altay_cli.view.limits

    monkeypatch.setattr(altay_cli.view.limits, "MAX_MOMENTS", 3)
    document = json.loads(run("log", "-", "--format", "json", text=LOG).stdout)
    assert (len(document["moves"]), document["complete"]) == (3, False)
    assert run("replay", "-", "-o", "-", text=LOG).exit_code == 0


def test_check_imports_nothing_of_the_page() -> None:
    import subprocess
    import sys

    program = (
        "import sys; from altay_cli.cli.main import main\n"
        f"try: main(['check', {str(TWO)!r}])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if 'jinja' in name or 'altay_cli.view' in name"
        " or 'altay_cli.replay' in name or name == 'http.server'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_statements_on_one_line_are_divided() -> None:
    report, (watched,) = watch_text(LOG)
    assert watched is not None
    log = GameData(report.games[0], watched, [], "Bob").document()["log"]
    assert isinstance(log, list)
    lines = ["".join(piece for _, _, _, *some in row[1:] for piece in some) for row in log]
    assert "play Hunter; buy Farmer" in lines


# ---------------------------------------------------------------- misuse


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-"], "write the page to a file with"),
        (["-", "-o", "x.html", "--serve"], "write the page to a file with"),
        (["-", "--serve"], "standard input cannot be watched"),
        (["-", "-o", "-", "--as", "Cleo"], "there is no player `Cleo`; at the table: Ann, Bob"),
        (["nothing.agn", "-o", "-"], "there is no such file"),
        (["-", "-o", "/no/such/folder/x.html"], "no such file or directory"),
    ],
)
def test_misuse_is_told(arguments: list[str], told: str) -> None:
    result = run("replay", *arguments, text=LOG)
    assert result.exit_code == 2
    assert told in result.stderr


def test_what_cannot_be_shown() -> None:
    result = run("replay", "-", "-o", "-", text='[Game "ludo"]\nsetup\n  seat Ann\n')
    assert result.exit_code == 2
    assert "no game of the file can be shown" in result.stderr


# ---------------------------------------------------------------- --serve


@contextmanager
def served(path: Path) -> Iterator[Server]:
    def make(text: str, version: str) -> str:
        return _page(text, version, name=path.name, folder=path.parent, viewer=None, failures=[])

    with Server(Source(path, make)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def asked(server: Server, path: str, host: str | None = None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=300)
    headers = {} if host is None else {"Host": host}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_what_is_served(tmp_path: Path) -> None:
    log = tmp_path / "game.agn"
    log.write_text(LOG, encoding="utf-8")
    with served(log) as server:
        assert server.server_address[0] == "127.0.0.1"
        assert server.server_port > 1023
        status, page = asked(server, "/")
        assert (status, page.startswith("<!DOCTYPE html>")) == (200, True)
        assert "connect-src &#39;self&#39;" in page
        assert asked(server, "/other")[0] == 404
        assert asked(server, "/../../etc/passwd")[0] == 404
        version = server.source.version()
        assert asked(server, "/version") == (200, version)
        # A page of a stranger, under another name for this machine, gets nothing.
        assert asked(server, "/", "evil.example")[0] == 403
        assert asked(server, "/", f"evil.example:{server.server_port}")[0] == 403
        assert asked(server, "/", f"localhost:{server.server_port}")[0] == 200
        # While an editor writes, the last page stays.
        log.unlink()
        assert asked(server, "/") == (200, page)
        assert asked(server, "/version")[0] == 200


def test_the_page_follows_the_log(browser: Browser, tmp_path: Path) -> None:
    log = tmp_path / "game.agn"
    whole = LOG.splitlines(keepends=True)
    log.write_text("".join(whole[:-2]), encoding="utf-8")
    with served(log) as server, browser.open(server.address, clean=False) as seen:
        page = seen.page
        page.keyboard.press("End")
        assert "fight with Warrior" in page.inner_text("#status")
        log.write_text("".join(whole[:-1]), encoding="utf-8")
        page.wait_for_selector("#log a.line:has-text('attack H2')")
        page.wait_for_selector("body[data-ready]")
        # Who was at the end is at the new end.
        assert "attack H2 from F2" in page.inner_text("#status")
        page.keyboard.press("Home")
        page.wait_for_timeout(300)
        log.write_text(LOG, encoding="utf-8")
        page.wait_for_selector("#log a.line:has-text('end =>')")
        page.wait_for_selector("body[data-ready]")
        assert page.inner_text("#status") == "The setup"
        assert [error for error in seen.errors if "ERR_" not in error] == []
        assert all(one.startswith(server.address) for one in seen.requests)
