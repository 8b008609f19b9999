"""A page that follows a log while a table writes it: served to this machine only."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, sleep
from urllib.parse import parse_qs, urlsplit

HOST = "127.0.0.1"
HELD_SECONDS = 20.0
"""How many seconds a browser waits for a change before it asks again."""

PAUSE = 0.25
"""The interval between two looks at the file, in seconds."""

MAX_WAITING = 20
"""How many browsers can wait at a time."""


class Source:
    """What is served: a text, and the page that is made of it once for each version of it.

    ``read`` gives the text, and raises OSError or ValueError where there is none now; ``make``
    makes the page, given the text and the name of its version.
    """

    def __init__(self, read: Callable[[], str], make: Callable[[str, str], str]) -> None:
        self._read = read
        self._make = make
        self._lock = threading.Lock()
        self._made = ("", "")

    def version(self) -> str:
        """Return the name of the version that is there now; of none, an empty one."""
        try:
            return _name(self._read())
        except (OSError, ValueError):
            return ""

    def page(self) -> str:
        """Return the page of the present version, or the last one if there is none now."""
        with self._lock:
            try:
                text = self._read()
            except (OSError, ValueError):
                return self._made[1]
            name = _name(text)
            if self._made[0] != name:
                self._made = (name, self._make(text, name))
            return self._made[1]


def _name(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


class Server(ThreadingHTTPServer):
    """Serves a page on a port that is free, to this machine only."""

    daemon_threads = True

    def __init__(self, source: Source) -> None:
        super().__init__((HOST, 0), _Handler)
        self.source = source
        self.waiting = threading.Semaphore(MAX_WAITING)
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "altay"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer a browser: the page, or whether it has changed."""
        # Any other host name would let a stranger's page read this one (DNS rebinding).
        if self.headers.get("Host", "").casefold() not in self.server.hosts:
            self._send(HTTPStatus.FORBIDDEN, "this page is for this machine only\n")
            return
        url = urlsplit(self.path)
        if url.path == "/":
            self._send(HTTPStatus.OK, self.server.source.page(), "text/html")
        elif url.path == "/changed":
            self._changed(parse_qs(url.query).get("since", [""])[0])
        else:
            self._send(HTTPStatus.NOT_FOUND, "there is nothing here\n")

    def _changed(self, since: str) -> None:
        """Answer as soon as there is another version than ``since``, or after a while."""
        if not self.server.waiting.acquire(blocking=False):
            self._send(HTTPStatus.TOO_MANY_REQUESTS, "too many pages wait\n")
            return
        try:
            end = monotonic() + HELD_SECONDS
            while monotonic() < end:
                if self.server.source.version() not in {"", since}:
                    self._send(HTTPStatus.OK, "changed\n")
                    return
                sleep(PAUSE)
            self.send_response(HTTPStatus.NO_CONTENT)
            self.end_headers()
        finally:
            self.server.waiting.release()

    def _send(self, status: HTTPStatus, text: str, kind: str = "text/plain") -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing: the terminal belongs to the table."""
