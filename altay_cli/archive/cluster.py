"""Hand work to the workers of a Dask scheduler, which must run the same program."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from altay_cli.archive.sending import (
    Missing,
    OtherProgram,
    Parcel,
    Sender,
    program,
    unpacked,
    work_on,
)
from altay_cli.archive.work import Work
from altay_cli.base.findings import ImpossibleError

try:
    import dask
    import distributed
except ImportError:  # an extra
    dask = distributed = None

REMOTE_BATCH = 0.5
"""Seconds of work per task; Dask needs a millisecond for each."""

CONNECT_SECONDS = 10
"""To wait for the scheduler's first answer."""

WAIT_SECONDS = 60
"""To wait for a first worker, or a new one after the last is lost."""

LOOK_SECONDS = 2
"""Between two checks of the workers."""

FEWEST = 4
"""Workers assumed at least, as some clusters start them only when work arrives."""

_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")


class ClusterError(ImpossibleError):
    """A cluster cannot be used."""


class DaskWorkers:
    """Workers of a Dask scheduler at an address such as ``tcp://host:8786``."""

    batch = REMOTE_BATCH
    starts_slowly = False

    def __init__(self, address: str) -> None:
        self.address = address
        self._cluster: _Cluster | None = None

    @property
    def count(self) -> int:
        """Count the batches that run at once."""
        if self._cluster is None:
            return FEWEST
        self._cluster.look()
        return max(FEWEST, self._cluster.count)

    def losses(self) -> tuple[type[BaseException], ...]:
        """Return the errors of a future whose task killed several workers."""
        return (distributed.KilledWorker,)

    def start(self, work: Work[Any, Any]) -> Executor:
        """Connect to the scheduler, or raise a ClusterError."""
        sender = Sender()
        client = connect(self.address)
        self._cluster = _Cluster(self.address, client, work, sender)
        try:
            self._cluster.check_programs()
        except BaseException:
            self._cluster.shutdown()
            raise
        return self._cluster

    def stop(self, executor: Executor, *, now: bool) -> None:  # noqa: ARG002 - either way
        """Disconnect; the scheduler drops unfinished tasks."""
        executor.shutdown()


def connect(address: str) -> distributed.Client:
    """Connect, or raise a ClusterError if no scheduler answers."""
    if distributed is None:
        message = "--scheduler needs Dask: {command}"
        raise ClusterError(message, command="pip install 'altay[dask]'")
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    dask.config.set({"distributed.comm.timeouts.connect": CONNECT_SECONDS})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions of unused libraries
            return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise ClusterError("{address}: no Dask scheduler answers", address=address) from error


class _Cluster(Executor):
    def __init__(self, address: str, client: Any, work: Work[Any, Any], sender: Sender) -> None:
        self.address = address
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._work = work
        self._sender = sender
        self._seen = self._looked = monotonic()
        self.count = 0

    def check_programs(self) -> None:
        found: Mapping[str, object] = self._ask(self._client.run, program, on_error="return")
        for address, theirs in found.items():
            if theirs != program():
                raise self._other_program(theirs, address)
        self.count = len(found)

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        items = arguments[0] if arguments else ()
        variants = [name for item in items for name in self._work.variants(item)]
        packed = self._sender.parcel(call, arguments, dict.fromkeys(variants))
        answer = _Answer(self)
        if packed is None:
            answer.set_result(call(*arguments))
        else:
            self.send(answer, packed[0], {}, {**packed[1], **self._sender.contents})
        return answer

    def send(
        self,
        answer: _Answer,
        parcel: Parcel,
        contents: Mapping[str, bytes],
        known: Mapping[str, bytes],
    ) -> None:
        try:
            sent = self._executor.submit(_work_on, parcel, contents)
        except Exception:
            if self._client.status == "running":
                raise
            answer.set_exception(self.gone())
        else:
            sent.add_done_callback(partial(self._receive, answer, parcel, known))

    def _receive(
        self, answer: _Answer, parcel: Parcel, known: Mapping[str, bytes], sent: Future[Any]
    ) -> None:
        """Pass on a worker's answer, or send the files it lacks; runs in Dask's thread."""
        with suppress(InvalidStateError):  # the caller has given up waiting
            try:
                found = sent.result()
            except CancelledError:
                answer.set_exception(self.gone())
            except BaseException as error:
                answer.set_exception(error)
            else:
                if isinstance(found, Missing):
                    self.send(answer, parcel, {name: known[name] for name in found.digests}, known)
                elif isinstance(found, OtherProgram):
                    answer.set_exception(self._other_program(found.program))
                else:
                    answer.set_result(found)

    def look(self) -> None:
        """Raise a ClusterError without a scheduler, or without workers for too long."""
        now = monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self.count = len(self._ask(self._client.nthreads))
        self._looked = now = monotonic()
        if self.count:
            self._seen = now
        elif now - self._seen > WAIT_SECONDS:
            message = "{address}: the scheduler has no workers"
            raise ClusterError(message, address=self.address)

    def gone(self) -> ClusterError:
        return ClusterError("{address}: the scheduler no longer answers", address=self.address)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        self._client.close(timeout=CONNECT_SECONDS)

    def _ask(self, question: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return question(*arguments, **options)
        except Exception as error:
            raise self.gone() from error

    def _other_program(self, theirs: object, address: str = "") -> ClusterError:
        version = program().version
        if not isinstance(theirs, tuple):
            message = "{address} cannot import altay {version}"
        elif theirs[0] != version:
            message = "{address} has altay {other}; this is altay {version}"
        else:
            message = "{address} has altay {version} too, but its files differ"
        other = theirs[0] if isinstance(theirs, tuple) else ""
        return ClusterError(message, address=address or self.address, version=version, other=other)


class _Answer(Future[Any]):
    """Waiting for this future also checks the cluster."""

    def __init__(self, cluster: _Cluster) -> None:
        super().__init__()
        self._cluster = cluster

    def result(self, timeout: float | None = None) -> Any:
        while not self.done() and timeout is None:
            try:
                super().exception(LOOK_SECONDS)
            except TimeoutError:
                self._cluster.look()
        found = super().result(timeout)
        return unpacked(found) if isinstance(found, bytes) else found


def _work_on(parcel: Parcel, contents: Mapping[str, bytes]) -> object:
    return work_on(parcel, contents, distributed.get_worker().local_directory)
