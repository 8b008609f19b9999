"""A preload of Dask workers: a game that has `deadly` in its text kills the process that judges it."""

from __future__ import annotations

import os
import signal
from typing import Any

from altay_cli.archive import judging

check_games = judging.check_games


def check_or_die(text: str, *arguments: Any) -> Any:
    if "deadly" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    return check_games(text, *arguments)


def dask_setup(_worker: object) -> None:
    judging.check_games = check_or_die
