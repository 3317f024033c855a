"""What a person sees while work goes on, and how they stop it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from unswayed.models.run import Progress
    from unswayed.plans.budget import Budget

QUIET_SECONDS = 10.0
"""Seconds between two lines where the output is no terminal."""


def say(text: str) -> None:
    """Tell a person something; programs read standard output alone."""
    typer.echo(text, err=True)


def show_budget(budget: Budget, price_text: str) -> None:
    """Print what a run will ask and what it can show."""
    arms = ", ".join(f"{count:,} {name}" for name, count in sorted(budget.by_arm.items()))
    twice = ""
    if budget.n_requests < budget.n_replays:
        twice = f"; {budget.n_replays - budget.n_requests:,} of them repeat another item's"
    low, usual, high = budget.prompt_tokens
    say(f"{budget.n_items:,} items, {budget.n_replays:,} requests ({arms}){twice}")
    say(f"sharing controls and first answers saves {budget.n_shared:,} requests")
    say(
        f"about {usual:,} tokens sent ({low:,} to {high:,}; {budget.distinct_tokens[1]:,} when"
        f" shared prefixes are cached), {budget.reply_tokens[1]:,} written"
        f" ({budget.reply_tokens[0]:,} to {budget.reply_tokens[2]:,})"
    )
    say(f"cost: {price_text}")
    for accuracy, strata in budget.detectable.items():
        parts = [
            f"{name} starts {f'{100 * value:.0f} points' if value is not None else 'counts only'}"
            for name, value in strata.items()
        ]
        say(f"smallest effect shown (power .8) if {accuracy} start right: {', '.join(parts)}")


@contextmanager
def watching(progress: Progress, total: int, *, quiet: bool = False) -> Iterator[None]:
    """Show the progress of a run until the block ends; Ctrl-C stops it after what is in flight."""
    stop = threading.Event()
    target = _follow_quietly if quiet or not sys.stderr.isatty() else _follow
    thread = threading.Thread(target=target, args=(progress, total, stop), daemon=True)
    thread.start()
    try:
        with _stopped_by_ctrl_c(progress):
            yield
    finally:
        stop.set()
        thread.join(timeout=2)


@contextmanager
def _stopped_by_ctrl_c(progress: Progress) -> Iterator[None]:
    """Let Ctrl-C stop a run; it reaches the main thread alone, so that others have it as it is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: _interrupt(progress, number, frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(progress: Progress, number: int, frame: FrameType | None) -> None:
    if progress.stopped:
        cancel, progress.cancel = progress.cancel, None
        if cancel is None:
            raise KeyboardInterrupt
        cancel()
        return
    progress.stopped = "interrupted"
    say(
        "stopping after the requests in flight, in 10 s at most; press Ctrl-C again to stop at once"
    )


def _follow(progress: Progress, total: int, stop: threading.Event) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("asking"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[facts]}"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("asking", total=total, facts="")
        while True:
            ended = stop.wait(0.2)
            facts = _facts(progress) + _left(progress, total)
            bar.update(task, completed=progress.n_so_far, facts=facts)
            if ended:
                return


def _follow_quietly(progress: Progress, total: int, stop: threading.Event) -> None:
    last = 0.0
    while not stop.wait(0.5):
        now = time.monotonic()
        if now - max(last, progress.started) >= QUIET_SECONDS:
            last = now
            say(f"  {line_of(progress, total)}")


def line_of(progress: Progress, total: int) -> str:
    """Return the progress of a run as one line: done, rate, cost, cached, unread, time left."""
    left = _left(progress, total)
    return f"{progress.n_so_far:,} of {total:,} done, {_facts(progress)}{left}"


def _left(progress: Progress, total: int) -> str:
    """Say how long the rest takes at the rate of this session, or that a limit comes before."""
    from unswayed.commands.status import time_left

    seconds = time.monotonic() - progress.started
    rest = None
    if progress.n_asked and seconds > 0:
        rest = (total - progress.n_so_far) * seconds / progress.n_asked
    return time_left(rest, progress.seconds_to_limit)


def _facts(progress: Progress) -> str:
    from unswayed.commands.status import known_cost

    seconds = max(time.monotonic() - progress.started, 1e-9)
    parts = [f"{progress.n_asked / seconds:.0f}/s"]
    if progress.cost is not None or progress.n_unpriced:
        parts.append(known_cost(progress.cost, progress.n_unpriced))
    if progress.cached_share is not None:
        parts.append(f"{progress.cached_share:.0%} cached")
    if progress.unread_share is not None:
        parts.append(f"{progress.unread_share:.0%} unread")
    if progress.n_failed:
        parts.append(f"{progress.n_failed} failed")
    return ", ".join(parts)


def cost_words(budget: Budget, price: object) -> str:
    """Say what a plan costs at a price, or why that is not known."""
    from unswayed.models.protocol import Price

    if not isinstance(price, Price):
        return "unknown without --price; none for models that run in this process"
    amounts = [
        (prompt * price.prompt_per_million + written * price.completion_per_million) / 1e6
        for prompt, written in zip(budget.prompt_tokens, budget.reply_tokens, strict=True)
    ]
    low, usual, high = (f"{amount:.2f}" for amount in amounts)
    return f"about {usual} {price.currency} ({low} to {high})"
