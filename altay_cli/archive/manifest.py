"""The list of the parts of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.files import MAX_LOG, read_regular, why
from altay_cli.base.findings import ImpossibleError
from altay_cli.base.version import __version__
from altay_cli.report.tables import CHANGES, TABLES, VERSION

MANIFEST = "dataset.json"


class Settings(NamedTuple):
    """What findings depend on, and which tables are written."""

    language: str
    complete: bool = False
    changes: bool = False

    @property
    def tables(self) -> list[str]:
        """Return the names of the tables."""
        return [name for name in TABLES if self.changes or name != CHANGES]


class DatasetPart(NamedTuple):
    """``files``: each table's file relative to the folder."""

    games: int
    files: Mapping[str, str]


class Manifest(NamedTuple):
    """The parts of a dataset; a resumed run may reuse those in ``earlier``."""

    settings: Settings
    parts: Sequence[DatasetPart]
    earlier: Sequence[DatasetPart] = ()
    complete: bool = False
    tables: int = VERSION
    program: str = __version__

    def text(self) -> str:
        """Return the manifest as JSON."""
        document = {
            "tables": self.tables,
            "program": self.program,
            "settings": self.settings._asdict(),
            "complete": self.complete,
            "games": sum(part.games for part in self.parts),
            "parts": [part._asdict() for part in self.parts],
            "earlier": [part._asdict() for part in self.earlier],
        }
        if not self.earlier:
            del document["earlier"]
        return json.dumps(document, indent=1) + "\n"


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a dataset, or None without one."""
    try:
        document = json.loads(read_regular(folder / MANIFEST, MAX_LOG))
        parts, earlier = (
            [DatasetPart(int(part["games"]), dict(part["files"])) for part in listed]
            for listed in (document["parts"], document.get("earlier", []))
        )
        about = Settings(**document["settings"])
        complete, tables = bool(document["complete"]), int(document["tables"])
        return Manifest(about, parts, earlier, complete, tables, str(document["program"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ImpossibleError("{name}: {reason}", name=folder, reason=why(error)) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ImpossibleError(
            "{name}: this is not the list of parts that a dataset has", name=folder / MANIFEST
        ) from error


def check_installed(*modules: str) -> None:
    """Raise an ImpossibleError if a library is not installed."""
    for name in modules:
        if find_spec(name) is None:
            template = "datasets need {library}: {command}"
            command = "pip install 'altay[archive]'"
            raise ImpossibleError(template, library=name, command=command)
