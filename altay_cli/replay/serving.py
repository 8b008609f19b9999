"""Serve a page that follows a log while it is written, or the files of a built page."""

from __future__ import annotations

import contextlib
import hashlib
import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

from altay_cli.base.files import MAX_LOG, Access, named_file, read_regular
from altay_cli.notation.lexis import NotationError, decode
from altay_cli.report.html import rendered

ASSETS = Path(__file__).parent / "assets"

PAUSE = 0.25
"""Seconds between two checks of the file."""

SETTLED_SECONDS = 2.0
"""Within so many seconds of a write, an unchanged timestamp proves nothing."""

MAX_CONNECTIONS = 50
"""Connections open at once."""

REQUEST_SECONDS = 10.0
"""Seconds for a client to send its request, and to receive the answer."""


def waiting_page(message: str) -> str:
    """Return a page with a message, until there is a page of the log."""
    return rendered(ASSETS / "waiting.html", message=message)


class Response(NamedTuple):
    """The data of an answer, its type, how long browsers keep it, and who may frame it."""

    data: bytes
    kind: str = "text/plain; charset=utf-8"
    keep: str = "no-store"
    frames: str = "DENY"


class Site(Protocol):
    """What a server answers with."""

    def look(self) -> None:
        """Notice changes; called between requests."""

    def answer(self, path: str) -> Response | None:
        """Return the response for a path; None if there is nothing."""


class Source:
    """The log that is served, and its page, made once for each version.

    Only ``look`` reads the file. ``make`` returns the page, given the text and the name of its
    version.
    """

    def __init__(self, path: Path, make: Callable[[str, str], str]) -> None:
        self._path = path
        self._make = lru_cache(maxsize=1)(make)
        self._making = threading.Lock()
        self._seen: tuple[int, ...] | None = None
        # Name and text of the present version, and of the last that existed.
        self._current = self._last = ("", "")

    def look(self) -> None:
        """Read the log if it may have changed."""
        try:
            status = self._path.stat()
            seen = status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev
            if seen == self._seen and time.time() - status.st_mtime > SETTLED_SECONDS:
                return
            self._seen = seen
            text = decode(read_regular(self._path, MAX_LOG))
            current = (hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16], text)
        except (OSError, NotationError):
            self._seen, current = None, ("", "")
        self._current, self._last = current, current if current[0] else self._last

    def version(self) -> str:
        """Return the name of the present version, empty if there is no file."""
        return self._current[0]

    def page(self) -> str:
        """Return the page of the present version, or of the last that existed."""
        with self._making:
            name, text = self._last
            return self._make(text, name) if name else ""

    def answer(self, path: str) -> Response | None:
        """Return the page, or the name of its version."""
        if path == "/":
            data = self.page().encode("utf-8", "replace")
            return Response(data, "text/html; charset=utf-8")
        return Response(self.version().encode()) if path == "/version" else None


MIME_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",  # files that scripts unpack, so without Content-Encoding
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}

_MAX_FILE = 100_000_000
# Names of built files contain a digest of their contents.
_BUILT = re.compile(r".*-[\w-]{8,}\.(css|gz|js|woff2)")


class Folder:
    """The files of a built page."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def look(self) -> None:
        """Do nothing: files are read when they are asked for."""

    def answer(self, path: str) -> Response | None:
        """Return a file of the folder, links that lead out of it excluded."""
        name = unquote(path).removeprefix("/") or "index.html"
        file, access = named_file(name, self.path, self.path)
        if access is not Access.THERE:
            return None
        try:
            data = read_regular(file, _MAX_FILE, within=self.path)
        except OSError:
            return None
        keep = "max-age=31536000, immutable" if _BUILT.fullmatch(file.name) else "no-cache"
        kind = MIME_TYPES.get(file.suffix, "application/octet-stream")
        return Response(data, kind, keep, "SAMEORIGIN")


class Server(ThreadingHTTPServer):
    """Serves a page, by default to this machine only; port 0 picks a free port.

    Raises OSError if the address cannot be used.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, source: Site, host: str = "127.0.0.1", port: int = 0) -> None:
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), _Handler)
        self.source = source
        self.names = {"localhost", host.casefold(), socket.gethostname().casefold()}
        self.waiting: dict[socket.socket, float] = {}
        """Connections whose request is incomplete, with their deadlines."""
        self._free = threading.Semaphore(MAX_CONNECTIONS)
        self._next_look = 0.0
        source.look()

    @property
    def address(self) -> str:
        """The address of the page."""
        host = str(self.server_address[0])
        host = socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}/"

    def is_this_server(self, host: str) -> bool:
        """Return True if ``host`` names this server.

        Any other name would let a foreign page read this one (DNS rebinding).
        """
        name, _, port = host.casefold().rpartition(":")
        try:
            known = name in self.names or ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return bool(known) and port == str(self.server_port)

    def service_actions(self) -> None:
        """Check the log and disconnect slow clients, between two requests."""
        now = time.monotonic()
        for connection, end in list(self.waiting.items()):
            if now > end:
                self.waiting.pop(connection, None)
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)  # its thread closes it
        if now >= self._next_look:
            self.source.look()
            self._next_look = time.monotonic() + PAUSE

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a client in a separate thread, unless too many are connected."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self.waiting[request] = time.monotonic() + REQUEST_SECONDS
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a client."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.waiting.pop(request, None)
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore lost connections: the terminal belongs to the players."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "altay"
    sys_version = ""
    timeout = REQUEST_SECONDS  # for each read, and for the answer

    def do_GET(self) -> None:
        self.server.waiting.pop(self.connection, None)
        # urlsplit raises for text that is no address.
        path = self.path.partition("?")[0]
        if not self.server.is_this_server(self.headers.get("Host", "")):
            self._send(HTTPStatus.FORBIDDEN, Response(b"this page is not for strangers\n"))
        elif (found := self.server.source.answer(path)) is not None:
            self._send(HTTPStatus.OK, found)
        else:
            self._send(HTTPStatus.NOT_FOUND, Response(b"there is nothing here\n"))

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send(self, status: HTTPStatus, found: Response) -> None:
        headers = {
            "Content-Type": found.kind,
            "Content-Length": str(len(found.data)),
            "Cache-Control": found.keep,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": found.frames,
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(found.data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Log nothing: the terminal belongs to the players."""
