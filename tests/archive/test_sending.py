"""Work that is sent to other machines: its results are those of this one, without any file."""

from __future__ import annotations

import os
import pickle
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from altay_cli.archive import cluster, sending
from altay_cli.archive.cluster import ClusterError, DaskWorkers
from altay_cli.archive.judging import Judgement, judge, variant_names
from altay_cli.archive.sending import Missing, OtherProgram, Parcel, Program, Sender, work_on
from altay_cli.archive.sources import SourceGame
from altay_cli.archive.work import Work
from altay_cli.archive.workers import results_in_order
from altay_cli.base.findings import ImpossibleError
from altay_cli.checking import tags
from altay_cli.report.results import Wanted
from tests.cli.sample import run
from tests.small import FILES

HOW = Judgement(Wanted(details=True))

VARIANT = """\
variant: gentle
extends: {extends}
title: Gentle
change:
  - extend: moves.take.requires
    with: [{{rule: few, that: number < 4, else: "{message}"}}]
    before: not-there
"""

LOG = """\
[Game "nim"]
{tag}setup
  seat Ann
  seat Bob
  heap A of 3
turn 1 Ann
  take 5 from A
"""


def log(folder: Path, name: str = "gentle.yaml") -> list[SourceGame]:
    """Return a game of three things, of which five are taken, by a variant."""
    text = LOG.format(tag=f'[Variant "{name}"]\n' if name else "")
    return [SourceGame("a.agn", folder, text, 0, 1)]


def variant(path: Path, message: str = "so many are not there", extends: str = "nim") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(VARIANT.format(message=message, extends=extends))


def parcel(games: list[SourceGame]) -> tuple[Parcel, dict[str, bytes]] | None:
    names = [name for game in games for name in variant_names(game)]
    sender = Sender()
    packed = sender.parcel(partial(judge, HOW), [games], names)
    return packed and (packed[0], {**packed[1], **sender.contents})


def messages(results: list[Any]) -> list[str]:
    return [str(finding.message) for unit in results for finding in unit.games[0].findings]


def sent(games: list[SourceGame]) -> list[str]:
    """Return the messages for games that were sent."""
    packed = parcel(games)
    assert packed is not None
    answer = work_on(*packed)
    assert isinstance(answer, bytes)
    return messages(sending.unpacked(answer))


@pytest.fixture(autouse=True)
def no_places() -> Iterator[None]:
    """Begin as a worker that has no files yet."""
    yield
    for place in sending._places.values():
        place.remove()
    sending._places.clear()


# ------------------------------------------------------------------ files


def test_a_variant_file_travels_with_the_game_that_names_it(tmp_path: Path) -> None:
    variant(tmp_path / "gentle.yaml")
    packed = parcel(log(tmp_path))
    assert packed is not None
    (tmp_path / "gentle.yaml").unlink()
    assert isinstance(missing := work_on(packed[0], {}), Missing)
    assert [*missing.digests] == [*packed[1]]
    answer = work_on(*packed)
    assert isinstance(answer, bytes)
    assert messages(sending.unpacked(answer)) == ["so many are not there"]
    assert isinstance(work_on(packed[0], {}), bytes)  # the file is there now


def test_what_a_variant_file_extends_travels_too(tmp_path: Path) -> None:
    variant(tmp_path / "more" / "gentle.yaml", extends="base.yaml")
    variant(tmp_path / "more" / "base.yaml", "base")
    text = (tmp_path / "more" / "gentle.yaml").read_text()
    (tmp_path / "more" / "gentle.yaml").write_text(text.replace("gentle", "second"))
    assert sent(log(tmp_path, "more/gentle.yaml")) == ["base"]  # what is extended comes first


def test_a_file_that_has_changed_is_sent_again(tmp_path: Path) -> None:
    for message in ("one", "two"):
        variant(tmp_path / "gentle.yaml", message)
        assert sent(log(tmp_path)) == [message]
    (tmp_path / "gentle.yaml").unlink()
    assert sent(log(tmp_path)) == ["there is no variant file `gentle.yaml` beside the log"]


@pytest.mark.parametrize("name", ["../gentle.yaml", ".gentle.yaml", "no.yaml", "/no.yaml", "a.yml"])
def test_a_file_that_is_not_read_here_is_not_read_there(name: str, tmp_path: Path) -> None:
    variant(tmp_path / "gentle.yaml")
    variant(tmp_path / "club" / ".gentle.yaml")
    games = log(tmp_path / "club", name)
    found = sent(games)
    tags.forget_rules()
    assert found == messages(judge(HOW, games))
    assert len(found) == 1


def test_a_game_whose_variant_is_a_link_is_judged_here(tmp_path: Path) -> None:
    variant(tmp_path / "club" / "real.yaml")
    (tmp_path / "club" / "gentle.yaml").symlink_to("real.yaml")
    assert parcel(log(tmp_path / "club")) is None


def test_a_log_without_a_folder_stays_without(tmp_path: Path) -> None:
    [game] = log(tmp_path)
    found = sent([game._replace(folder=None)])
    assert found == [
        "the variant file `gentle.yaml` cannot be found: a log without a file has no folder to look in"
    ]


PEBBLES = '[Game "pebbles"]\nsetup\n  seat Ann; seat Bob\nturn 1 Bob\n  take gold\n'


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "mine" / "pebbles" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("ALTAY_PACKS", str(tmp_path / "mine"))
    return tmp_path / "mine" / "pebbles"


def test_a_pack_travels_and_is_found_by_its_games_only(pack: Path, tmp_path: Path) -> None:
    games = [SourceGame("a.agn", None, PEBBLES, 0, 1)]
    here = messages(judge(HOW, games))
    assert "pebbles" not in str(here)
    packed = parcel(games)
    assert packed is not None
    shutil.rmtree(tmp_path / "mine")
    assert isinstance(work_on(packed[0], {}), Missing)
    answer = work_on(*packed)
    assert isinstance(answer, bytes)
    assert messages(sending.unpacked(answer)) == here
    assert os.environ["ALTAY_PACKS"] == str(tmp_path / "mine")
    [unknown] = sent(games)
    assert unknown == "there is no rules pack `pebbles`"


def test_a_pack_that_links_to_other_files_is_not_sent(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("{}")
    (pack / "moves" / "more.yaml").symlink_to(tmp_path / "other.yaml")
    with pytest.raises(ImpossibleError, match=r"`pebbles` cannot be sent .* moves/more.yaml"):
        Sender()


def test_what_is_sent_names_no_function_of_others() -> None:
    stolen = Parcel(sending.program(), "", (), pickle.dumps((os.system, ["true"])))
    with pytest.raises(pickle.UnpicklingError, match="system"):
        work_on(stolen, {})
    with pytest.raises(pickle.UnpicklingError, match="system"):
        sending.unpacked(pickle.dumps(os.system))


def test_another_program_does_nothing() -> None:
    other = Parcel(Program("0.0.9", "00"), "", (), b"not looked at")
    assert work_on(other, {}) == OtherProgram(sending.program())


# ------------------------------------------------------------------ a scheduler


class FakeClient:
    """A client whose scheduler has one thread to work in."""

    def __init__(self, programs: dict[str, object], answers: Callable[..., object] | None) -> None:
        self.status = "running"
        self.programs = programs
        self.answers = answers
        self.closed = False

    def run(self, _function: object, on_error: str) -> dict[str, object]:
        assert on_error == "return"
        return self.programs

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.programs, 1)

    def get_executor(self, pure: bool) -> Executor:
        return FakeExecutor(self)

    def close(self, timeout: float) -> None:
        self.closed = True


class FakeExecutor(Executor):
    def __init__(self, client: FakeClient) -> None:
        self.client = client

    def submit(self, call: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.client.answers is None:
            return future

        def work() -> None:
            try:
                future.set_result(self.client.answers(*arguments))  # type: ignore[misc]
            except Exception as error:
                future.set_exception(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return future


class KilledWorkerError(Exception):
    """What Dask raises for a task that has ended several workers."""


Connect = Callable[..., DaskWorkers]


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> Connect:
    """Return workers of a client that is none."""

    def connect(
        programs: dict[str, object], answers: Callable[..., object] | None = work_on
    ) -> DaskWorkers:
        client = FakeClient(programs, answers)
        monkeypatch.setattr(cluster, "connect", lambda _: client)
        monkeypatch.setattr(DaskWorkers, "losses", lambda _: (KilledWorkerError,))
        return DaskWorkers("tcp://host:8786")

    return connect


def judged(games: list[SourceGame], workers: DaskWorkers) -> list[str]:
    work = Work(partial(judge, HOW), lambda _: 0.2, lambda _: None, variants=variant_names)  # type: ignore[arg-type, return-value]
    return messages(list(results_in_order(work, games, workers)))  # type: ignore[misc]


def test_games_are_judged_by_a_scheduler(connected: Connect, tmp_path: Path) -> None:
    variant(tmp_path / "gentle.yaml")
    games = [*log(tmp_path), *log(tmp_path, "")] * 3
    found = judged(games, connected({"tcp://w": sending.program()}))
    assert found == ["so many are not there", "3 are on heap A, not 5"] * 3


def test_a_game_that_cannot_be_sent_is_judged_here(connected: Connect, tmp_path: Path) -> None:
    variant(tmp_path / "real.yaml")
    (tmp_path / "gentle.yaml").symlink_to("real.yaml")
    workers = connected({"tcp://w": sending.program()}, lambda *_: 1 / 0)
    assert judged(log(tmp_path), workers) == ["so many are not there"]


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        (Program("0.0.9", "00"), "tcp://w has altay 0.0.9; this is altay "),
        (
            Program(sending.program().version, "00"),
            "tcp://w has altay .* too, but its files differ",
        ),
        (ModuleNotFoundError("altay_cli"), "tcp://w cannot import altay "),
    ],
)
def test_all_workers_have_the_same_program(
    theirs: object, message: str, connected: Connect, tmp_path: Path
) -> None:
    workers = connected({"tcp://v": sending.program(), "tcp://w": theirs})
    with pytest.raises(ClusterError, match=message):
        judged(log(tmp_path, ""), workers)


def test_a_worker_that_comes_later_has_the_same_program(connected: Connect, tmp_path: Path) -> None:
    workers = connected({}, lambda *_: OtherProgram(Program("0.0.9", "00")))
    with pytest.raises(ClusterError, match=r"tcp://host:8786 has altay 0\.0\.9; this is altay "):
        judged(log(tmp_path, ""), workers)


def test_nothing_waits_for_workers_that_never_come(
    connected: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 0.05)
    with pytest.raises(ClusterError, match="tcp://host:8786: the scheduler has no workers"):
        judged(log(tmp_path, ""), connected({}, None))


def test_a_game_that_ends_its_workers_is_left_out(connected: Connect, tmp_path: Path) -> None:
    def die(parcel: Parcel, contents: dict[str, bytes]) -> object:
        if b"deadly" in parcel.work:
            raise KilledWorkerError
        return work_on(parcel, contents)

    [game] = log(tmp_path, "")
    games = [game] * 5 + [game._replace(text="# deadly\n" + game.text)] + [game] * 5
    work = Work(partial(judge, HOW), lambda _: 0.1, lambda _: "lost", variants=variant_names)
    workers = connected({"tcp://w": sending.program()}, die)
    found = list(results_in_order(work, games, workers))
    assert [number for number, one in enumerate(found) if one == "lost"] == [5]
    assert len(found) == 11


def test_without_the_library_the_command_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "distributed", None)
    (tmp_path / "a.agn").write_text(LOG.format(tag=""))
    result = run("check", tmp_path, "--scheduler", "tcp://host:8786")
    assert result.stderr == "altay: --scheduler needs Dask: pip install 'altay[dask]'\n"
    assert result.exit_code == 2


def test_jobs_and_a_scheduler_exclude_each_other(tmp_path: Path) -> None:
    result = run("check", tmp_path, "--scheduler", "tcp://host:8786", "--jobs", "2")
    assert result.stderr.startswith("altay: --jobs counts processes on this machine")
    assert result.exit_code == 2
