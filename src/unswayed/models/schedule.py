"""Which replay is asked next: item by item, and what needs a reply as soon as it is there.

The plan is read as a stream and only the items in work are held, however long it is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from itertools import groupby

from unswayed.models.completion import Completion
from unswayed.models.progress import Progress
from unswayed.models.store import Store
from unswayed.plans.plan import Replay


class Block:
    """The open replays of one item: replies that are there, and replays that wait for one."""

    __slots__ = ("n_active", "parked", "replies")

    def __init__(self, replies: dict[str, str]) -> None:
        self.replies = replies
        self.parked: dict[str, list[Replay]] = {}
        self.n_active = 0

    def place(self, replay: Replay) -> bool:
        """Whether a replay can be asked; one that cannot is parked at a reply that it lacks."""
        for name in replay.transcript.pending():
            if name not in self.replies:
                self.parked.setdefault(name, []).append(replay)
                return False
        self.n_active += 1
        return True

    def answer(self, replay_id: str, text: str) -> list[Replay]:
        """Take a reply, and return the replays that can be asked now."""
        parked = self.parked.pop(replay_id, None)
        self.replies[replay_id] = text
        return [replay for replay in parked if self.place(replay)] if parked else []


class Schedule:
    """Hands out the replays of a plan that have no stored completion.

    Args:
        replays: The plan, item by item.
        store: Where earlier completions are.
        progress: Where planned, done and waiting replays are counted.
    """

    def __init__(self, replays: Iterable[Replay], store: Store, progress: Progress) -> None:
        self._blocks = groupby(replays, key=lambda replay: replay.item)
        self._store = store
        self._done = store.done()
        self._progress = progress
        progress.n_stored = len(self._done)
        self._ready: deque[tuple[Block, Replay]] = deque()
        self._same: dict[str, list[tuple[Block, Replay]]] = {}
        self._idle: deque[asyncio.Future[None]] = deque()
        self._n_out = 0
        self._closed = False

    async def take(self) -> tuple[Block, Replay] | None:
        """Return the next replay, waiting for one if need be; None when there are no more."""
        while not self._closed:
            if self._ready or self._read_on():
                block, replay = self._ready.popleft()
                self._n_out += 1
                if self._is_new(block, replay):
                    return block, replay
                continue
            if not self._n_out:
                self.close()
                break
            wake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._idle.append(wake)
            await wake
        return None

    def _is_new(self, block: Block, replay: Replay) -> bool:
        """Whether no other item asks the same; else its completion is taken, now or once stored."""
        if (same := self._same.get(replay.id)) is not None:
            same.append((block, replay))
            return False
        if bytes.fromhex(replay.id) in self._done:
            self._progress.n_done += 1
            self.give_back(block, replay, self._store.get([replay.id])[replay.id])
            return False
        self._same[replay.id] = []
        return True

    def give_back(self, block: Block, replay: Replay, completion: Completion) -> None:
        """Take the completion of a replay that was handed out."""
        self._n_out -= 1
        if completion.error is None and (fresh := block.answer(replay.id, completion.text)):
            self._ready.extendleft([(block, each) for each in reversed(fresh)])
            self._wake(len(fresh))
        block.n_active -= 1
        if not block.n_active:
            self._finish(block)
        if not self._n_out:
            self._wake(len(self._idle))

    def stored(self, rows: list[tuple[str, Completion]]) -> None:
        """Take completions that are on disk: whatever asks the same has them too."""
        progress = self._progress
        for replay_id, completion in rows:
            same = self._same.pop(replay_id, [])
            for block, replay in same:
                self.give_back(block, replay, completion)
            if completion.error is None:
                self._done.add(bytes.fromhex(replay_id))
                progress.n_stored = len(self._done)
                progress.n_done += 1 + len(same)
            else:
                progress.n_failed += len(same)

    def close(self) -> None:
        """Hand out nothing more."""
        self._closed = True
        self._wake(len(self._idle))

    def count_rest(self) -> None:
        """Count what was never read, so that a stopped run says how much is left."""
        for _, group in self._blocks:
            self._open_of(list(group))

    def _read_on(self) -> bool:
        """Read items until one can be asked; whether there was one."""
        for _, group in self._blocks:
            open_ = self._open_of(list(group))
            if not open_:
                continue
            block = Block(self._earlier_replies(open_))
            self._ready.extend((block, replay) for replay in open_ if block.place(replay))
            if block.n_active:
                self._wake(block.n_active - 1)
                return True
            self._finish(block)
        return False

    def _open_of(self, replays: list[Replay]) -> list[Replay]:
        done = self._done
        open_ = [replay for replay in replays if bytes.fromhex(replay.id) not in done]
        self._progress.n_planned += len(replays)
        self._progress.n_done += len(replays) - len(open_)
        return open_

    def _earlier_replies(self, open_: list[Replay]) -> dict[str, str]:
        needed = {name for replay in open_ for name in replay.transcript.pending()}
        earlier = needed - {replay.id for replay in open_}
        if not earlier:
            return {}
        stored = self._store.get(sorted(earlier))
        return {name: reply.text for name, reply in stored.items()}

    def _finish(self, block: Block) -> None:
        self._progress.n_waiting += sum(len(parked) for parked in block.parked.values())

    def _wake(self, count: int) -> None:
        for _ in range(min(count, len(self._idle))):
            wake = self._idle.popleft()
            if not wake.done():
                wake.set_result(None)
