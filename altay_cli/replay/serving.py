"""A page that follows a log while a table writes it."""

from __future__ import annotations

import contextlib
import hashlib
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
from typing import Any

from altay_cli.base.files import MAX_LOG, read_regular
from altay_cli.notation.lexis import NotationError, decode

PAUSE = 0.25
"""The interval between two looks at the file, in seconds."""

SETTLED_SECONDS = 2.0
"""A file that was written less long ago may have changed again although it looks the same."""

MAX_CONNECTIONS = 50
"""How many connections can be open at a time."""

REQUEST_SECONDS = 10.0
"""How long a client may take to say what it wants, and to take the answer."""


class Source:
    """A log that is served: its text, and the page that is made of it once for each version.

    ``make`` makes the page, given the text and the name of its version. The file is read by
    whoever calls ``look``, for all who ask.
    """

    def __init__(self, path: Path, make: Callable[[str, str], str]) -> None:
        self._path = path
        self._make = lru_cache(maxsize=1)(make)
        self._making = threading.Lock()
        self._seen: tuple[int, ...] | None = None
        # Name and text of the version that is there now, and of the last one that was.
        self._there = self._last = ("", "")

    def look(self) -> None:
        """Read the log if it may have changed."""
        try:
            status = self._path.stat()
            seen = status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev
            if seen == self._seen and time.time() - status.st_mtime > SETTLED_SECONDS:
                return
            self._seen = seen
            text = decode(read_regular(self._path, MAX_LOG))
            there = (hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16], text)
        except (OSError, NotationError):
            self._seen, there = None, ("", "")
        self._there, self._last = there, there if there[0] else self._last

    def version(self) -> str:
        """Return the name of the version that is there now; of none, an empty one."""
        return self._there[0]

    def page(self) -> str:
        """Return the page of the present version, or the last one if there is none now."""
        with self._making:
            name, text = self._last
            return self._make(text, name) if name else ""


class Server(ThreadingHTTPServer):
    """Serves a page at an address, by default to this machine only; port 0 is one that is free.

    Raises OSError if nothing can be served there.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, source: Source, host: str = "127.0.0.1", port: int = 0) -> None:
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), _Handler)
        self.source = source
        self.names = {"localhost", host.casefold(), socket.gethostname().casefold()}
        self.asking: dict[socket.socket, float] = {}
        """Connections that have not said yet what they want, and when they are cut off."""
        self._free = threading.Semaphore(MAX_CONNECTIONS)
        self._next_look = 0.0
        source.look()

    @property
    def address(self) -> str:
        """Where the page is."""
        host = str(self.server_address[0])
        host = socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}/"

    def is_own(self, host: str) -> bool:
        """Return whether a browser that asks for this host asks for this server.

        Any other name would let a stranger's page read this one (DNS rebinding).
        """
        name, _, port = host.casefold().rpartition(":")
        try:
            known = name in self.names or ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return bool(known) and port == str(self.server_port)

    def service_actions(self) -> None:
        """Look at the log now and then, and cut off who is too slow; between two requests."""
        now = time.monotonic()
        for connection, end in list(self.asking.items()):
            if now > end:
                self.asking.pop(connection, None)
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)  # its thread closes it
        if now >= self._next_look:
            self.source.look()
            self._next_look = time.monotonic() + PAUSE

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a client in a thread of its own, if not too many are being answered."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self.asking[request] = time.monotonic() + REQUEST_SECONDS
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a client."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.asking.pop(request, None)
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that are gone: the terminal belongs to the table."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "altay"
    sys_version = ""
    timeout = REQUEST_SECONDS  # for each look at what comes, and for all of the answer

    def do_GET(self) -> None:
        """Answer a browser: the page, or which version of it is there."""
        self.server.asking.pop(self.connection, None)
        # Not by urlsplit, which raises what is no address.
        path = self.path.partition("?")[0]
        if not self.server.is_own(self.headers.get("Host", "")):
            self._send(HTTPStatus.FORBIDDEN, "this page is not for strangers\n")
        elif path == "/":
            self._send(HTTPStatus.OK, self.server.source.page(), "text/html")
        elif path == "/version":
            self._send(HTTPStatus.OK, self.server.source.version())
        else:
            self._send(HTTPStatus.NOT_FOUND, "there is nothing here\n")

    def do_HEAD(self) -> None:
        """Answer as to GET, without what follows the headers."""
        self.do_GET()

    def _send(self, status: HTTPStatus, text: str, kind: str = "text/plain") -> None:
        data = text.encode("utf-8", "replace")
        headers = {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(data)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing: the terminal belongs to the table."""
