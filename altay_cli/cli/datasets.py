"""Writing datasets: the options of the commands that do, and what they say of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from altay_cli.cli.output import Command, Refused, warn

if TYPE_CHECKING:  # few commands write one
    from altay_cli.archive.dataset import Dataset
    from altay_cli.archive.judging import UnitResult
    from altay_cli.archive.sources import SourceGame


def dataset_options(command: Command) -> Command:
    """Give a command the options of datasets."""
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
    """The dataset that a command is asked for, if any; or ``rows``, which are no dataset."""

    folder: Path | None
    changes: bool = False
    resume: bool = False
    rows: bool = False

    def begin(self, language: str, *, complete: bool = False) -> Dataset | None:
        """Make the dataset, or open the one that is resumed; None if none is asked for."""
        if self.folder is None:
            for option in ("changes", "resume"):
                if getattr(self, option) and not (option == "changes" and self.rows):
                    raise Refused("--{option} goes with --dataset", option=option)
            return None
        from altay_cli.archive.dataset import Dataset, Settings

        settings = Settings(language, complete, self.changes)
        return Dataset(self.folder, settings, resume=self.resume)

    def tell(self, dataset: Dataset | None) -> None:
        """Say how many games were not judged again."""
        if dataset is not None and dataset.reused:
            message = "{kept} of {games} games were judged before; their findings are not shown"
            kept, games = f"{dataset.reused:,}", f"{dataset.games:,}"
            warn(message, about=dataset.folder, kept=kept, games=games)


class Logged:
    """Logs that are written by the program, and judged for a dataset as `altay check` does."""

    def __init__(self, dataset: Dataset) -> None:
        from altay_cli.archive.judging import Judgement
        from altay_cli.report.results import Wanted

        settings = dataset.settings
        wanted = Wanted(tables=True, changes=settings.changes)
        self.dataset = dataset
        self._how = Judgement(wanted, settings.language, complete=settings.complete)

    def add(self, path: Path, folder: Path | None, text: str) -> None:
        """Add a log, which variant files in a folder may belong to."""
        from altay_cli.archive.sources import SourceGame

        self.dataset.add(SourceGame(str(path), folder, text, 0, 1), self._judged)

    def _judged(self, game: SourceGame) -> UnitResult:
        from altay_cli.archive.judging import judge

        return judge(self._how, [game])[0]
