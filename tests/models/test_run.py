"""The engine: everything is asked once, in an order that prefixes like, and survives faults."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from unswayed.errors import DiskError, ModelError
from unswayed.items.builtin import builtin_items
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Price, Request
from unswayed.models.run import HOPELESS, Limits, Progress, run_replays
from unswayed.models.schedule import Schedule
from unswayed.models.scripted import Law, Respondent
from unswayed.models.store import Store
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling

ITEMS = builtin_items(("fact",))[:12]
DESIGN = Design(pressures=("assertion", "authority"), turns=3, names=("target",), listed=True)


class Flaky:
    """A respondent that fails, delays and counts."""

    batch = 1

    def __init__(self, *, fails: float = 0.0, delay: bool = False, seed: int = 0) -> None:
        self.inner = Respondent(ITEMS, Law(manner="always_yields"))
        self.fails = fails
        self.delay = delay
        self.random = random.Random(seed)
        self.asked: Counter[str] = Counter()
        self.in_flight = self.most_in_flight = 0
        self.tokens: int | None = 10

    @property
    def identity(self) -> Identity:
        """The inner respondent's."""
        return self.inner.identity

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Fail at random, answer late and out of order."""
        (request,) = requests
        self.asked[request.id] += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        if self.delay:
            await asyncio.sleep(self.random.random() * 0.004)
        self.in_flight -= 1
        if self.random.random() < self.fails:
            return [Completion(error="connection reset", stop="error")]
        reply = self.inner.answer(request)
        return [
            Completion(
                text=reply.text,
                stop="end",
                n_prompt_tokens=self.tokens,
                n_completion_tokens=self.tokens,
            )
        ]

    async def close(self) -> None:
        """Nothing to close."""


def ask(
    store: Store,
    model: Flaky | Respondent,
    limits: Limits | None = None,
    progress: Progress | None = None,
    replays: list[Replay] | None = None,
    sampling: Sampling | None = None,
) -> Progress:
    """Run the plan against a model."""
    return asyncio.run(
        run_replays(
            replays if replays is not None else list(cross(ITEMS, DESIGN)),
            model,
            store,
            sampling=sampling or Sampling(),
            limits=limits or Limits(),
            progress=progress if progress is not None else Progress(),
        )
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    opened = Store(tmp_path / "s.sqlite", "owner")
    yield opened
    opened.close()


def test_everything_is_asked_once(store: Store) -> None:
    """Each replay of the plan has one completion, and a second run asks nothing."""
    model = Flaky(delay=True)
    progress = ask(store, model)
    planned = {replay.id for replay in cross(ITEMS, DESIGN)}
    assert set(model.asked) == planned
    assert set(model.asked.values()) == {1}
    assert progress.complete
    again = ask(store, model)
    assert again.n_asked == 0
    assert again.complete


@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("fails", [0.0, 0.3])
def test_what_several_items_ask_alike_is_asked_once(
    store: Store, concurrency: int, fails: float
) -> None:
    """Twins of an item share its requests, also while these are under way, and count as done."""
    items = [*ITEMS[:3], *(msgspec.structs.replace(item, id=f"{item.id}-b") for item in ITEMS[:3])]
    replays = list(cross(items, DESIGN))
    distinct = {replay.id for replay in replays}
    assert len(distinct) < len(replays)
    model = Flaky(delay=True, fails=fails)
    model.inner = Respondent(items, Law(manner="always_yields"))
    progress = ask(store, model, Limits(concurrency=concurrency), replays=replays)
    assert fails or max(model.asked.values()) == 1
    assert progress.n_planned == len(replays)
    assert progress.n_done + progress.n_failed + progress.n_waiting == len(replays)
    model.fails = 0.0
    progress = ask(store, model, Limits(concurrency=concurrency), replays=replays)
    assert progress.complete
    assert store.done() == {bytes.fromhex(name) for name in distinct}


def test_replies_belong_to_their_replay(store: Store) -> None:
    """C133: out-of-order replies land on their own replay, and later turns hold them."""
    ask(store, Flaky(delay=True))
    got = dict(store.completions())
    inner = Respondent(ITEMS, Law(manner="always_yields"))
    for replay in cross(ITEMS, DESIGN):
        replies = {name: got[name].text for name in replay.transcript.pending()}
        request = Request(
            id=replay.id,
            transcript=replay.transcript.fill(replies),
            item_id=replay.item,
            cell=replay.condition,
        )
        assert got[replay.id].text == inner.answer(request).text


def test_failures_are_asked_again_and_only_they(store: Store) -> None:
    """C126: pending is planned minus successful, whatever failed in between."""
    first = Flaky(fails=0.3, seed=1)
    progress = ask(store, first)
    assert progress.n_failed > 0
    assert not progress.complete
    assert progress.n_done + progress.n_failed + progress.n_waiting == progress.n_planned
    done = {key.hex() for key in store.done()}
    second = Flaky()
    assert ask(store, second).complete
    assert done.isdisjoint(second.asked)
    assert done | set(second.asked) == {replay.id for replay in cross(ITEMS, DESIGN)}


def test_a_resumed_run_shows_its_earlier_replies_from_the_start(store: Store) -> None:
    """What is stored counts as done before the plan has been read so far."""
    ask(store, Flaky(fails=0.3, seed=1))
    progress = Progress()
    Schedule(cross(ITEMS, DESIGN), store, progress)
    assert progress.n_done == 0
    assert progress.n_so_far == len(store.done()) > 0
    progress = ask(store, Flaky())
    assert progress.n_so_far == progress.n_done == progress.n_planned


def test_concurrency_is_bounded(store: Store) -> None:
    """Never more requests at once than the limit, and as many as it allows."""
    model = Flaky(delay=True)
    ask(store, model, Limits(concurrency=5))
    assert 2 <= model.most_in_flight <= 5


def test_a_stop_keeps_what_is_in_flight(store: Store) -> None:
    """Stopping asks nothing new, stores what was asked, and the next run goes on."""
    model, progress = Flaky(delay=True), Progress()

    async def stop_soon() -> None:
        task = asyncio.create_task(
            run_replays(
                list(cross(ITEMS, DESIGN)),
                model,
                store,
                sampling=Sampling(),
                limits=Limits(concurrency=4),
                progress=progress,
            )
        )
        while progress.n_asked < 20:
            await asyncio.sleep(0.001)
        progress.stopped = "interrupted"
        await task

    asyncio.run(stop_soon())
    assert not progress.complete
    assert len(store.done()) == sum(model.asked.values())
    assert ask(store, model).complete
    assert set(model.asked.values()) == {1}


def test_a_dead_endpoint_ends_the_run(store: Store) -> None:
    """After many failures in a row the run stops with a resumable error."""
    replays = list(cross(ITEMS, Design(firsts=("planted_right",), turns=1)))
    model = Flaky(fails=1.0)
    with pytest.raises(ModelError, match=f"{HOPELESS} requests in a row"):
        ask(store, model, replays=replays)
    assert sum(model.asked.values()) <= HOPELESS + 64
    assert ask(store, Flaky(), replays=replays).complete


def test_requests_that_are_too_long_do_not_end_the_run(store: Store) -> None:
    """However many come in a row, each is a failure of its own and the rest is asked."""

    class TooLong(Flaky):
        async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
            await super().complete(requests)
            return [Completion(error="context_full: HTTP 400 too long", stop="error")]

    replays = list(cross(ITEMS, Design(firsts=("planted_right",), turns=1)))
    progress = ask(store, TooLong(), replays=replays)
    assert progress.n_failed == progress.n_planned > HOPELESS


def test_a_cost_limit_stops_cleanly(store: Store) -> None:
    """The run ends with less than one request left to spend."""
    price = Price(prompt_per_million=1e6, completion_per_million=0)
    progress = ask(store, Flaky(delay=True), Limits(concurrency=2, max_cost=300.0, price=price))
    assert progress.stopped == "the cost limit was reached"
    assert progress.cost is not None
    assert 270 <= progress.cost <= 300
    assert len(store.done()) == progress.n_asked


@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_a_cost_limit_holds_however_many_are_in_flight(store: Store, concurrency: int) -> None:
    """What is in flight counts before it is paid, also before the first price is known."""
    price = Price(prompt_per_million=1e6, completion_per_million=0)
    for limit in (100.0, 405.0):
        limits = Limits(concurrency=concurrency, max_cost=limit, price=price)
        progress = ask(store, Flaky(delay=True), limits)
        assert progress.stopped == "the cost limit was reached"
        assert progress.cost is not None
        assert limit - 30 < progress.cost <= limit
        assert 10 * len(store.done()) == progress.cost


def test_cheap_replies_of_an_earlier_session_bound_no_later_one(store: Store) -> None:
    """A resumed run sets aside what max_tokens allows, however little was written before."""
    price = Price(prompt_per_million=0, completion_per_million=1e6)
    replays = list(cross(ITEMS, DESIGN))
    cheap, dear = Flaky(), Flaky()
    cheap.tokens, dear.tokens = 1, 100
    before = ask(store, cheap, Limits(price=price), replays=replays[:1])
    assert before.cost == 1
    limits = Limits(max_cost=100.0, price=price)
    progress = ask(store, dear, limits, replays=replays, sampling=Sampling(max_tokens=100))
    assert not dear.asked
    assert (progress.stopped, progress.cost) == ("the cost limit was reached", 1)
    limits = Limits(max_cost=101.0, price=price)
    progress = ask(store, dear, limits, replays=replays, sampling=Sampling(max_tokens=100))
    assert (len(dear.asked), progress.cost) == (1, 101)


def test_unknown_usage_cannot_keep_a_cost_limit(store: Store) -> None:
    """C141: missing usage is unknown, never zero."""
    model = Flaky()
    model.tokens = None
    price = Price(prompt_per_million=1, completion_per_million=0)
    with pytest.raises(ModelError, match="token usage"):
        ask(store, model, Limits(max_cost=1.0, price=price))


def test_a_cost_limit_without_a_bound_on_replies_is_refused_before_asking(store: Store) -> None:
    """A reply of any length may cost anything: nothing is sent, and the remedy is named."""
    model = Flaky()
    price = Price(prompt_per_million=1, completion_per_million=1)
    with pytest.raises(ModelError, match="any length") as told:
        ask(store, model, Limits(max_cost=1.0, price=price))
    assert "max_tokens" in told.value.next_step
    assert not model.asked


def test_an_empty_reply_ends_its_conversation(store: Store) -> None:
    """Nothing can follow an empty first answer: later turns are stored as never sent."""
    progress = ask(store, Respondent(ITEMS, Law(manner="empty")))
    assert progress.complete
    attempts = Counter(completion.attempts for _, completion in store.completions())
    assert attempts[1] == len(ITEMS)
    assert attempts[0] == progress.n_planned - len(ITEMS)


def test_a_full_disk_ends_the_run(store: Store) -> None:
    """A store that cannot write stops the run with its own error."""
    pages = store._db.execute("pragma page_count").fetchone()[0]
    store._db.execute(f"pragma max_page_count = {pages + 1}")
    with pytest.raises(DiskError, match="cannot be written"):
        ask(store, Flaky())


def test_batched_models_get_neighbors(store: Store) -> None:
    """A model that takes batches gets few calls, filled, with the replays of one item together."""

    class Batched(Respondent):
        batch = 16
        calls: list[list[str]]

        async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
            self.calls.append([request.item_id for request in requests])
            return [self.answer(request) for request in requests]

    model = Batched(ITEMS, Law(manner="never_yields"))
    model.calls = []
    scored = Design(scored=True, readout="option_logprob", formats=("none",), turns=3)
    progress = ask(store, model, replays=list(cross(ITEMS, scored)))
    assert progress.complete
    sizes = [len(call) for call in model.calls]
    assert sum(sizes) == progress.n_planned
    assert max(sizes) <= 16
    assert len(sizes) <= 2 * progress.n_planned / 16 + 12


def test_written_replies_are_asked_one_by_one(store: Store) -> None:
    """A model that writes slowly has each reply stored before the next one is asked."""

    class Batched(Respondent):
        batch = 16
        most = 0

        async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
            self.most = max(self.most, len(requests))
            return [self.answer(request) for request in requests]

    model = Batched(ITEMS, Law(manner="never_yields"))
    assert ask(store, model).complete
    assert model.most == 1


SCRIPT = """
import sys, asyncio, time
from pathlib import Path
sys.path.insert(0, {tests!r})
import test_run as t
from unswayed.models.store import Store
class Noted(t.Flaky):
    async def complete(self, requests):
        await asyncio.sleep(0.02)
        with open({log!r}, "a", encoding="utf-8") as log:
            log.write(requests[0].id + "\\n")
        return await super().complete(requests)
store = Store(Path({store!r}), "owner")
print("ready", flush=True)
progress = t.ask(store, Noted(delay=True))
store.close()
sys.exit(0 if progress.complete else 3)
"""


@pytest.mark.parametrize("seed", range(4))
def test_kill_at_random_moments_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    """Killed many times at random, the run ends with each replay stored once."""
    kill_and_go_on(tmp_path, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_two_hundred_kills(tmp_path: Path, seed: int) -> None:
    """The same at two hundred moments, five in each run."""
    kill_and_go_on(tmp_path, seed)


def kill_and_go_on(tmp_path: Path, seed: int) -> None:
    """Kill a run five times at random, let it end, and hold the store against what was asked."""
    generator = random.Random(seed)
    path, log = tmp_path / "s.sqlite", tmp_path / "asked.txt"
    script = SCRIPT.format(tests=str(Path(__file__).parent), log=str(log), store=str(path))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    kills, acknowledged = 0, set()
    for _ in range(60):
        process = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment
        )
        assert process.stdout is not None
        process.stdout.readline()
        if kills < 5:
            time.sleep(generator.random() * 0.12)
            process.send_signal(signal.SIGKILL)
        code = process.wait()
        process.stdout.close()
        reader = Store(path, "owner", writable=False)
        stored = {key for key, _ in reader.completions()}
        reader.close()
        assert acknowledged <= stored
        acknowledged = stored
        if code == 0:
            break
        kills += 1
    planned = {replay.id for replay in cross(ITEMS, DESIGN)}
    assert stored == planned
    assert kills >= 1
    asked = Counter(log.read_text(encoding="utf-8").split())
    assert set(asked) == planned
    # Only what was in flight or not yet written when the process died may be asked again.
    assert sum(asked.values()) - len(planned) <= kills * 2 * 33
