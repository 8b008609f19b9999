"""The first code that Pyodide runs: import `archive` and `boot` from their sources, and start.

The host sets `archive_source`, `boot_source` and `core`, and has a function `altayPart`, which
returns a packed file of the build by its name, or null.
"""

import sys
import types
import zlib


def _import(name, source):
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, name + ".py", "exec"), vars(module))  # noqa: S102 - of the build
    return module


def _fetched(name):
    from js import altayPart  # not kept: a snapshot of memory must hold nothing of JavaScript

    part = altayPart(name)
    data = part.to_bytes() if part else None
    # Some servers let the browser unpack it.
    return zlib.decompress(data, 31) if data and data[:2] == b"\x1f\x8b" else data


_import("archive", archive_source)  # noqa: F821
_import("boot", boot_source).start(core.to_bytes(), _fetched)  # noqa: F821
