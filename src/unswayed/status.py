"""How far a run is, read from its folder while it may be going on in another process."""

from __future__ import annotations

import shlex
from collections import Counter
from datetime import UTC, datetime

import msgspec

from unswayed.batchfiles import count_out
from unswayed.folder import BEFORE, TIME_LIMIT, Named, RecordsAbout, RunFolder
from unswayed.looking import looked
from unswayed.models.locks import in_use
from unswayed.models.protocol import Price
from unswayed.models.store import Store
from unswayed.models.usage import MOST_NAMES
from unswayed.rows import read_header, read_rows


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """What a run has done so far, over all its sessions."""

    model: str
    """Name of the model."""
    running: bool
    """Whether a process is asking now."""
    n_planned: int | None
    """Distinct requests of the plan; None for draws of `train-data`, which plan none in advance."""
    n_done: int
    """Replays of the plan with a stored completion."""
    n_unchecked: int
    """Stored completions that were written before digests, and cannot be checked."""
    other_models: dict[str, int]
    """Stored replies that name another model than was asked, by that name."""
    failed: dict[str, int]
    """Replays without a completion whose last attempt failed, by reason."""
    n_out: int
    """Requests in batch files that have no result yet; nothing asks them meanwhile."""
    n_sessions: int
    """Sessions begun."""
    started: str
    """Start of the last session; empty before the first."""
    rate: float | None
    """Completions a second, over the last session; None before the first one is stored, and where
    the session was killed."""
    seconds_left: float | None
    """Seconds until the plan is done at this rate; None where nothing is running."""
    seconds_to_limit: float | None
    """Seconds until the time limit ends the session, 0 at least; None where nothing is running or
    no time is limited."""
    prompt_tokens: int
    """Prompt tokens of the stored completions that state them."""
    completion_tokens: int
    """Written tokens of the stored completions that state them."""
    n_unstated: int
    """Stored completions that were sent for and state no prompt or no written tokens."""
    cached_share: float | None
    """Share of prompt tokens read from the endpoint's cache; None where no reply says so."""
    n_cached_stated: int
    """Stored completions that say how many of their prompt tokens came from the cache."""
    cost: float | None
    """Cost of the completions that state their tokens, a lower bound where `n_unstated` is above
    0; None without a price, and where no completion that was sent for states its tokens."""
    currency: str
    """Currency of the cost; empty without a price."""
    n_looked: int
    """Replies of the last session that were read while it went on."""
    unread_so_far: float | None
    """Share of them that have no value; None where none was looked at."""
    n_read: int
    """Replays that the last reading was about; 0 where nothing was read."""
    unread_share: float | None
    """Share of them that have no value; None where nothing was read."""


class _Tokens(msgspec.Struct, frozen=True, gc=False):
    """The counts of a stored completion."""

    n_prompt_tokens: int | None = None
    n_cached_tokens: int | None = None
    n_completion_tokens: int | None = None
    attempts: int = 1
    served_by: str = ""


class _Sums:
    """Tokens over the stored completions."""

    def __init__(self) -> None:
        self.n = self.prompt = self.written = self.n_unstated = self.n_priced = 0
        self.prompt_priced = self.written_priced = 0
        self.cached = self.cached_of = self.n_cached = 0
        self.served_by: Counter[str] = Counter()

    def add(self, tokens: _Tokens) -> None:
        """Add one completion."""
        prompt, cached, written = (
            tokens.n_prompt_tokens,
            tokens.n_cached_tokens,
            tokens.n_completion_tokens,
        )
        self.n += 1
        self.served_by[tokens.served_by] += 1
        self.prompt += prompt or 0
        self.written += written or 0
        if prompt is None or written is None:
            self.n_unstated += tokens.attempts > 0
        else:
            self.n_priced += tokens.attempts > 0
            self.prompt_priced += prompt
            self.written_priced += written
        if prompt is not None and cached is not None:
            self.cached += cached
            self.cached_of += prompt
            self.n_cached += 1

    def cost(self, price: Price | None) -> float | None:
        """Return what the completions that state their tokens cost; None where none does."""
        if price is None or (self.n_unstated and not self.n_priced):
            return None
        return (
            self.prompt_priced * price.prompt_per_million
            + self.written_priced * price.completion_per_million
        ) / 1e6


def read_status(folder: RunFolder, *, wall: float | None = None) -> Status:
    """Read how far a run is; nothing is written and a running run is not held up.

    Args:
        folder: The run.
        wall: Seconds since 1970 now; None for the system's clock.

    Raises:
        StoreError: When no run was started here, or its store is damaged.
    """
    contract = folder.read_contract()
    store = folder.open_store(writable=False)
    try:
        store.check()
        sums = _Sums()
        for tokens in store.stored_as(_Tokens):
            sums.add(tokens)
        n_unchecked = store.n_unchecked()
        of_plan = n_unchecked and not holds_draws(folder)
        n_done = _n_planned_done(folder, store) if of_plan else sums.n
        failed = Counter(slug(failure.error) for failure in store.failures().values())
        sessions, facts, n_out = store.sessions(), store.facts(), count_out(folder, store)
    finally:
        store.close()
    n_planned = None if holds_draws(folder) else folder.n_requests()
    running = in_use(folder.store)
    # When a session was killed is not known, so how fast it was is not either.
    timed = running or (sessions and sessions[-1][1] is not None)
    rate = _rate(n_done, sessions, facts, wall) if timed else None
    n_read, unread_share = (0, None) if n_planned is None else _reading(folder)
    n_unread, n_looked = looked(facts)
    return Status(
        model=contract.model.name,
        running=running,
        n_planned=n_planned,
        n_done=n_done,
        n_unchecked=n_unchecked,
        other_models={
            name: count
            for name, count in sums.served_by.most_common(MOST_NAMES)
            if name not in ("", contract.model.name)
        },
        failed=dict(failed.most_common()),
        n_out=n_out,
        n_sessions=len(sessions),
        started=sessions[-1][0] if sessions else "",
        rate=rate,
        seconds_left=(n_planned - n_done) / rate if running and rate and n_planned else None,
        seconds_to_limit=_to_limit(sessions, facts, wall) if running else None,
        prompt_tokens=sums.prompt,
        completion_tokens=sums.written,
        n_unstated=sums.n_unstated,
        cached_share=sums.cached / sums.cached_of if sums.cached_of else None,
        n_cached_stated=sums.n_cached,
        cost=sums.cost(contract.price),
        currency=contract.price.currency if contract.price else "",
        n_looked=n_looked,
        unread_so_far=n_unread / n_looked if n_looked else None,
        n_read=n_read,
        unread_share=unread_share,
    )


def holds_draws(folder: RunFolder) -> bool:
    """Whether a folder holds the draws that `train-data` keeps beside its set: no run of a plan."""
    if folder.plan.exists() or folder.items.exists() or not folder.contract.exists():
        return False
    return "train-data" in shlex.split(folder.read_contract().command)


def _n_planned_done(folder: RunFolder, store: Store) -> int:
    """Count the stored replays that the plan names; without digests an id may be another's."""
    named = read_rows(folder.plan, "plan", Named)
    return len(store.done() & {bytes.fromhex(each.id) for each in named})


def slug(error: str | None) -> str:
    """Return the name of a failure, such as `timeout`, without what the server said."""
    return (error or "unknown").partition(":")[0]


def _rate(
    n_done: int,
    sessions: list[tuple[str, str | None]],
    facts: dict[str, str],
    wall: float | None,
) -> float | None:
    """Completions a second over the last session; None where it has none or no time passed.

    A clock that was set back gives no rate, never a negative one.
    """
    if not sessions:
        return None
    started, finished = sessions[-1]
    end = datetime.fromisoformat(finished) if finished else _now(wall)
    seconds = (end - datetime.fromisoformat(started)).total_seconds()
    fresh = n_done - int(facts.get(f"{BEFORE}{len(sessions)}", n_done))
    return fresh / seconds if seconds > 0 and fresh > 0 else None


def _to_limit(
    sessions: list[tuple[str, str | None]], facts: dict[str, str], wall: float | None
) -> float | None:
    """Seconds until the time limit of the last session; None where it has none."""
    limit = facts.get(f"{TIME_LIMIT}{len(sessions)}")
    if limit is None:
        return None
    spent = (_now(wall) - datetime.fromisoformat(sessions[-1][0])).total_seconds()
    return max(0.0, float(limit) - max(spent, 0.0))


def _now(wall: float | None) -> datetime:
    return datetime.now(UTC) if wall is None else datetime.fromtimestamp(wall, UTC)


def _reading(folder: RunFolder) -> tuple[int, float | None]:
    """Count what the last reading with the plan's own readout left unread."""
    path = folder.records(folder.about_plan().design.readout)
    if not path.exists():
        return 0, None
    about = msgspec.convert(read_header(path, "records").about, RecordsAbout)
    n = sum(arm.n for arm in about.reading.arms)
    answered = sum(arm.n_answered for arm in about.reading.arms)
    return n, 1 - answered / n if n else None
