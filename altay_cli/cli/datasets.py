"""The options and warnings of commands that write datasets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from altay_cli.archive.manifest import Settings, check_installed
from altay_cli.cli.output import Command, Refused, warn

if TYPE_CHECKING:  # few commands write one
    from altay_cli.archive.dataset import Dataset


def dataset_options(command: Command) -> Command:
    """Add the options of datasets to a command."""
    options: tuple[Callable[[Command], Command], ...] = (
        click.option(
            "--dataset",
            type=click.Path(path_type=Path),
            metavar="FOLDER",
            help="Write tables for `altay query` there (Parquet; docs/archives.md).",
        ),
        click.option(
            "--changes", is_flag=True, help="In the tables: also what each statement changed."
        ),
        click.option(
            "--resume", is_flag=True, help="With --dataset: judge only what is new or changed."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


class Asked(NamedTuple):
    """The dataset that the user asks for, if any; or ``rows`` without a dataset."""

    folder: Path | None
    changes: bool = False
    resume: bool = False
    rows: bool = False

    def begin(self, language: str, *, complete: bool = False) -> Dataset | None:
        """Create or resume the dataset, if any."""
        if self.folder is None:
            for option in ("changes", "resume"):
                if getattr(self, option) and not (option == "changes" and self.rows):
                    raise Refused("--{option} needs --dataset", option=option)
            return None
        check_installed("pyarrow")
        from altay_cli.archive.dataset import Dataset

        settings = Settings(language, complete, self.changes)
        return Dataset(self.folder, settings, resume=self.resume)

    def warn_reused(self, dataset: Dataset | None) -> None:
        """Warn how many games were not judged again."""
        if dataset is not None and dataset.reused:
            message = "{kept} of {games} games were judged before; their findings are not shown"
            reused, games = f"{dataset.reused:,}", f"{dataset.games:,}"
            warn(message, about=dataset.folder, kept=reused, games=games)
