"""`altay page FOLDER` serves the files of a built page, and nothing else."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from altay_cli.replay.serving import Folder, Server
from tests.cli.sample import run

FILES = {
    "index.html": b"<!doctype html>",
    "assets/index-BID-szyl.js": b"1",
    "python/core-0123456789ab.gz": b"\x1f\x8b",
    "python/manifest.json": b"{}",
    "a b.svg": b"<svg/>",
    ".hidden": b"no",
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def server(built: Path) -> Iterator[Server]:
    with Server(Folder(built)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def get(server: Server, path: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("GET", path)
    found = connection.getresponse()
    body = found.read()
    connection.close()
    return found.status, dict(found.getheaders()), body


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("/", "index.html", "text/html; charset=utf-8"),
        ("/index.html?x=1", "index.html", "text/html; charset=utf-8"),
        ("/assets/index-BID-szyl.js", "assets/index-BID-szyl.js", "text/javascript; charset=utf-8"),
        ("/python/core-0123456789ab.gz", "python/core-0123456789ab.gz", "application/gzip"),
        ("/a%20b.svg", "a b.svg", "image/svg+xml"),
    ],
)
def test_a_file_comes_with_its_type_and_as_it_is(
    server: Server, path: str, name: str, kind: str
) -> None:
    status, headers, body = get(server, path)
    assert (status, headers["Content-Type"], body) == (200, kind, FILES[name])
    assert "Content-Encoding" not in headers


def test_only_files_whose_name_tells_their_contents_are_kept(server: Server) -> None:
    keeps = {
        path: get(server, path)[1]["Cache-Control"] for path in ("/", "/assets/index-BID-szyl.js")
    }
    assert keeps["/"] == "no-cache"
    assert "immutable" in keeps["/assets/index-BID-szyl.js"]


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/.hidden", "/../secret.txt", "/%2e%2e/secret.txt", "/link.txt", "/assets", "//etc/passwd", "/%00"],
)  # fmt: skip
def test_nothing_else_is_served(server: Server, path: str) -> None:
    status, _, body = get(server, path)
    assert status == 404
    assert b"secret" not in body


def test_a_folder_that_is_no_built_page_is_refused(tmp_path: Path) -> None:
    refused = run("page", str(tmp_path))
    assert refused.exit_code == 2
    assert "is not a built page" in refused.output
    assert "npm run build" in refused.output


def test_without_a_folder_the_message_says_where_one_comes_from() -> None:
    refused = run("page")
    assert refused.exit_code == 2
    assert "name the folder of a built page" in refused.output
