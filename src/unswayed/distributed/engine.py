"""Daft around the engine: it hands chunks to workers here or on a Ray cluster.

Daft decides where a chunk runs, and Ray starts a lost worker again; both only move the names of
chunks and what they hold. Replies reach the store of the run through shards, so a chunk that is
asked anew goes on where its shard ends.
"""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from importlib.util import find_spec
from typing import Any

import msgspec

from unswayed.distributed.chunks import cut, size_of, write_chunks
from unswayed.distributed.worker import Job, Tally, add_up
from unswayed.errors import (
    IncompleteRunError,
    MissingModelError,
    UnswayedError,
    UsageError,
)
from unswayed.folder import RunFolder, session
from unswayed.models.progress import Limits, Progress
from unswayed.models.protocol import Price, cost_of
from unswayed.models.shards import Shards
from unswayed.models.store import Store

Daft = Any
"""The package, which is not imported before it is needed."""

Frame = Any
"""One of its data frames."""

REACH_S = 10.0
"""Seconds in which a connection to the address of a Ray cluster must be made."""

LOOK_S = 0.2
"""Seconds between two looks whether the run is to end."""

QUIET = {"DAFT_ANALYTICS_ENABLED": "0", "DAFT_PROGRESS_BAR": "0", "RAY_USAGE_STATS_ENABLED": "0"}
"""Environment of Daft and Ray: nothing is reported to anybody, and there is one progress view."""


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Where workers run, and how many."""

    workers: int = 2
    """Processes that ask at once; the concurrency of the run is divided among them."""
    ray: str | None = None
    """Address of a Ray cluster, or `local` for one on this machine; None for Daft's own runner."""
    gpus: float = 0
    """Graphics processors that each worker needs, for models inside the worker."""


def run_on_daft(
    folder: RunFolder, job: Job, cluster: Cluster, limits: Limits, progress: Progress
) -> Progress:
    """Ask every replay of the plan that has no completion yet, on many workers.

    Args:
        folder: The run, under a contract; every worker must see it under the same path.
        job: What workers have to know; concurrency and cost are divided among them here.
        cluster: Where workers run.
        limits: Bounds of the whole run.
        progress: Changed in place; set `stopped` to end the run after what is in flight.

    Raises:
        MissingModelError: When the extra `daft` is not installed.
        IncompleteRunError: When workers were lost; what they were answered is stored.
        UnswayedError: What ended a worker.
    """
    daft = _prepare(cluster)
    workers = min(cluster.workers, limits.concurrency)
    each = limits.concurrency // workers
    progress.max_seconds = limits.max_seconds
    with session(
        folder, batch=1, concurrency=each * workers, seconds=progress.seconds_to_limit
    ) as (store, number):
        shards = Shards(folder.store, store.owner)
        progress.n_planned, progress.n_done = folder.n_requests(), store.n_done()
        share = _share(store, limits, progress)
        job = _settle(job, folder, each, share)
        size = size_of(progress.n_planned - progress.n_done, workers)
        given: set[bytes] = set()
        try:
            for round_ in itertools.count():
                prefix = f"{number:04}-{round_:02}-"
                chunks = cut(folder.replays(), store, size=size, prefix=prefix, given=given)
                n_chunks = 0 if progress.stopped else write_chunks(shards.plan, chunks)
                if not n_chunks:
                    break
                frame = daft.read_parquet(str(shards.plan))
                if _on_ray(cluster.ray):
                    frame = frame.into_partitions(n_chunks)
                tallies = _tallies(frame, job, workers, cluster.gpus)
                _follow(tallies, shards, store, progress)
        finally:
            shards.take_in_all(store)
            progress.n_done = store.n_done()
    return progress


def check_installed(ray: str | None) -> None:
    """Refuse to begin without the packages.

    Args:
        ray: Address of a Ray cluster; None for Daft's own runner.

    Raises:
        MissingModelError: Naming the absent one.
    """
    wanted = ("daft", "ray") if _on_ray(ray) else ("daft",)
    for package in wanted:
        if find_spec(package) is None:
            raise MissingModelError(
                f"the engine `daft` needs the package {package!r}",
                allowed="an environment with the extra 'daft'",
                given="an environment without it",
                next_step="pip install 'unswayed[daft]', or run without --engine daft",
            )


def waiting_words(cluster: Cluster) -> str:
    """Say what is waited for before anything is asked, and how long; empty without Ray."""
    if not _on_ray(cluster.ray):
        return ""
    if _place_of(cluster.ray) is None:
        return "starting Ray on this machine: a quarter of a minute, a minute before Ray gives up"
    return (
        f"connecting to the Ray cluster at {_address(cluster.ray)}: {REACH_S:g} s at most, then Ray"
        " joins it"
    )


def _address(ray: str | None) -> str:
    """Return the address that is used: the one that was given, else that of Ray's environment."""
    return ray or os.environ.get("RAY_ADDRESS", "")


def _place_of(ray: str | None) -> tuple[str, int] | None:
    """Return host and port of a cluster's address; None where Ray finds the place itself."""
    host, colon, port = _address(ray).removeprefix("ray://").rpartition(":")
    return (host.strip("[]"), int(port)) if colon and port.isdecimal() else None


def _reach(ray: str | None) -> None:
    """Refuse an address where nothing listens; Ray itself tries for minutes.

    Raises:
        UsageError: When no connection is made in time.
    """
    place = _place_of(ray)
    if place is None:
        return
    try:
        socket.create_connection(place, timeout=REACH_S).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(ray, error) from error


def _unreachable(ray: str | None, error: Exception) -> UsageError:
    return UsageError(
        "The Ray cluster cannot be reached",
        allowed="an address such as HOST:6379, or local",
        given=f"{_address(ray) or 'DAFT_RUNNER=ray'}: {error}",
        next_step="start the cluster with `ray start --head`, correct the address, or set"
        " RAY_AUTH_MODE as the cluster has it",
    )


def _on_ray(ray: str | None) -> bool:
    return ray is not None or os.environ.get("DAFT_RUNNER", "").lower() == "ray"


def _prepare(cluster: Cluster) -> Daft:
    check_installed(cluster.ray)
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import daft

    if not _on_ray(cluster.ray):
        daft.set_runner_native()
        return daft
    _reach(cluster.ray)
    try:
        daft.set_runner_ray(address=cluster.ray, noop_if_initialized=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _unreachable(cluster.ray, error) from error
    return daft


def _settle(job: Job, folder: RunFolder, concurrency: int, share: float | None) -> Job:
    """Return the job of one worker: absolute paths, its part of concurrency and budget."""
    endpoint = job.reach.endpoint
    reach = msgspec.structs.replace(
        job.reach,
        concurrency=concurrency,
        endpoint=None if endpoint is None else endpoint.resolve(),
    )
    return msgspec.structs.replace(
        job, folder=str(folder.path.resolve()), reach=reach, cost_per_replay=share
    )


def _share(store: Store, limits: Limits, progress: Progress) -> float | None:
    """Divide what is left of the budget among the open replays."""
    if limits.max_cost is None or limits.price is None:
        return None
    progress.cost = _spent(store, limits.price)
    left = limits.max_cost - progress.cost
    if left <= 0:
        progress.stopped = "the cost limit was reached"
    return left / max(progress.n_planned - progress.n_done, 1)


def _spent(store: Store, price: Price) -> float:
    return sum(cost_of(completion, price) or 0.0 for _, completion in store.completions())


def _tallies(frame: Frame, job: Job, workers: int, gpus: float) -> Iterator[Tally]:
    """Yield what became of each chunk, as it ends."""
    from unswayed.distributed.placed import place

    asked = frame.select(place(job, workers, gpus).ask(frame["body"]).alias("tally"))
    for row in asked.iter_rows(results_buffer_size=None):
        yield pickle.loads(row["tally"])


def _follow(tallies: Iterator[Tally], shards: Shards, store: Store, progress: Progress) -> None:
    """Take in each chunk that ends; tell workers to end when the run is to."""
    faults: list[UnswayedError] = []
    reasons: list[str] = []

    def consume() -> None:
        for tally in tallies:
            shards.take_in(store, tally.chunk)
            add_up(progress, [tally])
            progress.n_done = store.n_done()
            reasons.append(tally.stopped)
            if tally.fault is not None:
                faults.append(tally.fault)
                shards.stop()

    with ThreadPoolExecutor(1) as pool:
        consuming = pool.submit(consume)
        _wait(consuming, shards, progress)
    if faults:
        raise faults[0]
    lost = consuming.exception()
    if isinstance(lost, UnswayedError):
        raise lost
    if lost is not None:
        raise IncompleteRunError(
            "Workers were lost",
            allowed="workers that live until their chunks are done",
            given=f"{type(lost).__name__}: {lost}",
            next_step="what they were answered is stored; the same command goes on where it was",
        ) from lost
    if not progress.stopped:
        progress.stopped = next((reason for reason in reasons if reason), "")


def _wait(consuming: Future[None], shards: Shards, progress: Progress) -> None:
    while not wait([consuming], timeout=LOOK_S).done:
        _keep_interrupt()
        if progress.seconds_to_limit == 0.0 and not progress.stopped:
            progress.stopped = "the time limit was reached"
        if progress.stopped:
            shards.stop()


def _keep_interrupt() -> None:
    """Keep Ctrl-C with who runs this: Daft would drop its pipeline and what workers report."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
