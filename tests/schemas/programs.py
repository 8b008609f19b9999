"""Programs of others that read schemas: check-jsonschema, ajv, and the language server of editors.

`.ci/run` installs them and sets ALTAY_EDITORS=demand. Elsewhere they are used where they are there:
check-jsonschema on the path, and those of npm where ALTAY_NODE names `node_modules`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

OFFLINE = dict.fromkeys(
    ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"
)
"""Whoever asks the network is refused."""


def missing(what: str) -> None:
    if os.environ.get("ALTAY_EDITORS") == "demand":
        pytest.fail(f"{what}; ALTAY_EDITORS=demand asks for it")
    pytest.skip(what)


def program(name: str) -> str:
    beside = shutil.which(name, path=str(Path(sys.executable).parent))
    found = beside or shutil.which(name)
    if found is None:
        missing(f"{name} is not installed")
    return str(found)


def node_modules(package: str) -> Path:
    folder = Path(os.environ.get("ALTAY_NODE", "node_modules"))
    if not (folder / package).is_dir():
        missing(
            f"{package} is not installed: `npm install {package}`, or ALTAY_NODE names node_modules"
        )
    return folder.resolve()


def offline(*command: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: PLW1510 - what it returns is looked at
        list(map(str, command)),
        input=text,
        env=os.environ | OFFLINE,
        capture_output=True,
        text=True,
        timeout=120,
    )


class LanguageServer:
    """yaml-language-server, which tells what is wrong with a file that is opened."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.input: IO[bytes] = process.stdin
        self.output: IO[bytes] = process.stdout

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        data = json.dumps(message if number is None else {**message, "id": number}).encode()
        self.input.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        self.input.flush()

    def read(self) -> dict[str, Any]:
        size = 0
        while line := self.output.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        found: dict[str, Any] = json.loads(self.output.read(size))
        return found

    def until(self, method: str, uri: str) -> list[dict[str, Any]]:
        while True:
            message = self.read()
            if message.get("method") == method and message["params"]["uri"] == uri:
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found
            if "method" in message and "id" in message:  # it asks for settings, or to register
                data = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode()
                self.input.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
                self.input.flush()

    def problems(self, path: Path) -> list[tuple[int, str]]:
        """Return what is wrong with a file: the lines, from 1, and what is said."""
        document = {
            "uri": path.as_uri(),
            "languageId": "yaml",
            "version": 1,
            "text": path.read_text("utf-8"),
        }
        self.send("textDocument/didOpen", {"textDocument": document})
        found = self.until("textDocument/publishDiagnostics", path.as_uri())
        return [(one["range"]["start"]["line"] + 1, one["message"]) for one in found]


@contextmanager
def language_server() -> Iterator[LanguageServer]:
    start = node_modules("yaml-language-server") / "yaml-language-server/bin/yaml-language-server"
    command = [program("node"), str(start), "--stdio"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | OFFLINE
    )
    try:
        server = LanguageServer(process)
        server.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
        server.send("initialized", {})
        settings = {"yaml": {"validate": True, "schemaStore": {"enable": False}}}
        server.send("workspace/didChangeConfiguration", {"settings": settings})
        yield server
    finally:
        process.kill()
        process.communicate()
