"""`altay replay --serve`: whatever clients do, the table goes on, and the terminal stays its own."""

from __future__ import annotations

import http.client
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from altay_cli.replay import serving
from altay_cli.replay.serving import MAX_CONNECTIONS, Server, Source
from tests.cli.sample import LEGAL, run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.agn"
    path.write_text(LEGAL, encoding="utf-8")
    return path


@contextmanager
def served(path: Path, host: str = "127.0.0.1") -> Iterator[Server]:
    """Serve a log as a page that says how long it is."""
    source = Source(path, lambda text, _: f"{len(text)} letters")
    with Server(source, host) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.server_port), timeout=20)


def answer(server: Server, request: str) -> str:
    """Send a request as it stands; return all that comes back."""
    with connected(server) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode())
        return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()


def status(server: Server, path: str, host: str | None = None) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("GET", path, headers={} if host is None else {"Host": host})
    found = connection.getresponse()
    found.read()
    connection.close()
    return found.status


# ---------------------------------------------------------------- requests


@pytest.mark.parametrize("path", ["http://[::1", "//[", "/?since=%ff", "/version/..", "*", "/\x00"])
def test_requests_that_make_no_sense(
    log: Path, path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with served(log) as server:
        host = f"127.0.0.1:{server.server_port}"
        told = answer(server, f"GET {path} HTTP/1.0\nHost: {host}\n\n")
        assert told.startswith("HTTP/1.0 ")
        assert status(server, "/") == 200
    assert capfd.readouterr() == ("", "")


def test_head_is_the_head_of_the_answer(log: Path) -> None:
    with served(log) as server:
        host = f"127.0.0.1:{server.server_port}"
        whole = answer(server, f"GET / HTTP/1.0\nHost: {host}\n\n")
        head = answer(server, f"HEAD / HTTP/1.0\nHost: {host}\n\n")
    body = f"{len(LEGAL)} letters"
    assert whole.endswith(f"\r\n\r\n{body}")
    assert head.endswith("\r\n\r\n")
    assert f"Content-Length: {len(body)}" in head


# ---------------------------------------------------------------- slow clients, and many


def test_half_a_request_is_cut_off(
    log: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.1)
    with served(log) as server, connected(server) as slow:
        slow.sendall(b"GET / HT")
        assert slow.recv(100) == b""
        assert not server.waiting
    assert capfd.readouterr() == ("", "")


def test_a_request_letter_by_letter_is_cut_off(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each letter comes in time, so no timeout of the socket notices it.
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.3)
    with served(log) as server, connected(server) as slow:
        slow.settimeout(0.05)
        for _ in range(400):
            try:
                slow.sendall(b"x")
                if slow.recv(100) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            raise AssertionError("it is never cut off")


def test_only_so_many_connections_are_answered_at_a_time(log: Path) -> None:
    before = threading.active_count()
    with served(log) as server:
        clients = [connected(server) for _ in range(MAX_CONNECTIONS + 20)]
        # Those that are too many are closed without a word.
        assert [client.recv(1) for client in clients[MAX_CONNECTIONS:]] == [b""] * 20
        assert threading.active_count() <= before + 1 + MAX_CONNECTIONS
        for client in clients:
            client.close()


# ---------------------------------------------------------------- the file


def test_the_file_is_read_once_for_all_who_ask(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    read = serving.read_regular

    def counted(path: Path, most: int) -> bytes:
        reads.append(path)
        return read(path, most)

    monkeypatch.setattr(serving, "read_regular", counted)
    monkeypatch.setattr(serving, "PAUSE", 0.01)
    os.utime(log, (1, 1))  # long ago
    with served(log) as server:
        version = server.source.version()
        assert [status(server, path) for path in ("/version", "/", "/version", "/")] == [200] * 4
        assert len(reads) == 1
        log.write_text(LEGAL + "# more\n", encoding="utf-8")
        for _ in range(1000):
            if server.source.version() != version:
                break
            time.sleep(0.01)
        assert len(reads) == 2


def test_a_file_that_becomes_too_large_is_not_read(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source(log, lambda text, _: text)
    source.look()
    version = source.version()
    with log.open("wb") as file:
        file.truncate(5_000_000_000)
    source.look()
    assert (source.version(), source.page()) == ("", LEGAL)
    log.unlink()
    os.mkfifo(log)
    source.look()
    assert (source.version(), source.page()) == ("", LEGAL)
    log.unlink()
    log.write_text(LEGAL, encoding="utf-8")
    source.look()
    assert source.version() == version


# ---------------------------------------------------------------- where it is served


def test_whoever_asks_by_an_address_asks_for_this_server(log: Path) -> None:
    with served(log, "0.0.0.0") as server:  # noqa: S104
        port = server.server_port
        for host in ("192.0.2.7", "[2001:db8::7]", "localhost", socket.gethostname()):
            assert status(server, "/", f"{host}:{port}") == 200
        for host in ("evil.example", "evil.example.", ""):
            assert status(server, "/", f"{host}:{port}") == 403
        assert status(server, "/", f"192.0.2.7:{port + 1}") == 403


def test_port_and_address_can_be_told(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "serve_forever", lambda *_, **__: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.listen()
        refused = run("replay", log, "--serve", "--port", str(port))
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert f"127.0.0.1, port {port}: address already in use" in refused.stderr
    served = run("replay", log, "--serve", "--port", str(port), "--bind", "127.0.0.2")
    assert (served.exit_code, f"http://127.0.0.2:{port}/" in served.stdout) == (0, True)


@pytest.mark.parametrize("option", [["--port", "8000"], ["--bind", "127.0.0.1"]])
def test_where_it_is_served_needs_serving(log: Path, option: list[str]) -> None:
    result = run("replay", log, "-o", "-", *option)
    assert (result.exit_code, "need `--serve`" in result.stderr) == (2, True)


def test_an_address_of_another_machine(log: Path) -> None:
    result = run("replay", log, "--serve", "--bind", "192.0.2.7")
    assert (result.exit_code, "192.0.2.7, port 0: " in result.stderr) == (2, True)
