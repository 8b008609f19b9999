"""The build of a compiled wheel: `ALTAY_COMPILE=1 pip install .` (docs/compiled.md).

Without that variable the wheel is pure Python, and needs no compiler.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SETTING = "ALTAY_COMPILE"

COMPILER = ("mypy[mypyc]>=1.18", "setuptools>=77")

MODULES = (
    "base/budget", "base/journal",
    "hidden/beliefs", "hidden/course", "hidden/draws", "hidden/knowledge", "hidden/lots",
    "hidden/placeholders", "hidden/queries", "hidden/table",
    "match/answers", "match/attempts", "match/breaches", "match/claims", "match/decisions",
    "match/drawing", "match/forced", "match/headings", "match/judging", "match/match",
    "match/omitted", "match/readings", "match/referee", "match/reporting", "match/sections",
    "match/setup", "match/state", "match/statements", "match/supposing",
    "match/zones",
    "moves/listing",
    "notation/lexis", "notation/parser", "notation/reading", "notation/writing",
    "pack/binding", "pack/candidates", "pack/layout", "pack/words",
    "scoring/claims", "scoring/outcomes", "scoring/score",
    "simulation/simulated",
)  # fmt: skip
"""What runs while games are judged and played."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Translates MODULES with mypyc if SETTING is 1, and puts the results into the wheel."""

    def dependencies(self) -> list[str]:
        """Return what must be installed for the build."""
        return list(COMPILER) if self._compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules; an editable install stays pure Python."""
        if not self._compiles() or version == "editable":
            return
        self._folder = TemporaryDirectory()
        work = Path(self._folder.name)
        shutil.copytree(Path(self.root, "altay_cli"), work / "altay_cli")
        paths = [f"altay_cli/{module}.py" for module in MODULES]
        subprocess.run(  # noqa: S603 - our own modules
            [sys.executable, "-m", "mypyc", "--ignore-missing-imports", *paths],
            cwd=work,
            env={"MYPYC_OPT_LEVEL": "1", "MYPYC_DEBUG_LEVEL": "0", **os.environ},
            check=True,
        )
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for ending in ("*.so", "*.pyd"):
            for built in work.rglob(ending):
                if "build" not in built.relative_to(work).parts:
                    place = built.relative_to(work).as_posix()
                    build_data["force_include"][str(built)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the folder of the compiler."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()

    @staticmethod
    def _compiles() -> bool:
        return os.environ.get(SETTING) == "1"
