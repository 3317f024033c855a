"""The worker as a class that Daft places on processes; imported only where Daft is."""

from __future__ import annotations

import signal
from typing import Any

import daft

from unswayed.distributed.worker import Job, Worker


class Placed(Worker):
    """A worker in a process of its own; Ctrl-C there is left to who started it."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    ask = daft.method.batch(return_dtype=daft.DataType.binary(), batch_size=1)(Worker.ask)


def place(job: Job, workers: int, gpus: float) -> Any:  # noqa: ANN401
    """Return what Daft calls with a column: so many workers at most, one chunk a call."""
    declared = daft.cls(Placed, max_concurrency=workers, use_process=True, gpus=gpus)
    return declared(job)
