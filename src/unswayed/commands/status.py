"""`unswayed status`: how far a run is, from another terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from unswayed.commands import choices as c
from unswayed.counting import are, several, verb

if TYPE_CHECKING:
    from unswayed.status import Status


def status(folder: c.Folder, as_json: c.AsJson = False) -> None:
    """Say how far a run is: done, failed and why, rate, time left, tokens, cost. Nothing is sent.

    Example: unswayed status runs/first
    """
    from unswayed.line import RunFolder
    from unswayed.rows import encode
    from unswayed.status import read_status

    found = read_status(RunFolder(folder))
    typer.echo(encode(found).decode() if as_json else "\n".join(lines(found)))


def lines(found: Status) -> list[str]:
    """Return a status as lines of text."""
    told = [f"{found.model}: {'running' if found.running else 'not running'}, {_done(found)}"]
    told += _left(found)
    if found.rate is not None:
        left = time_left(found.seconds_left, found.seconds_to_limit)
        told.append(f"{found.rate:,.1f} a second in session {found.n_sessions}{left}")
    elif found.seconds_to_limit is not None:
        told.append(
            f"the time limit ends session {found.n_sessions} in {clock(found.seconds_to_limit)}"
        )
    told.append(f"{found.prompt_tokens:,} tokens sent, {found.completion_tokens:,} written")
    if found.n_unstated:
        told.append(f"{found.n_unstated:,} replies do not state their tokens")
    if found.cached_share is not None:
        told.append(
            f"{found.cached_share:.0%} of prompt tokens came from the server's cache"
            f" ({found.n_cached_stated:,} replies say so)"
        )
    if found.currency:
        told.append(known_cost(found.cost, found.n_unstated, found.currency))
    if found.unread_so_far is not None and found.n_done < (found.n_planned or 0):
        told.append(f"{found.unread_so_far:.1%} of {found.n_looked:,} replies unread so far")
    if found.unread_share is not None:
        told.append(f"{found.unread_share:.1%} of {found.n_read:,} replays unread, at last reading")
    return told + _next(found)


def _left(found: Status) -> list[str]:
    """Return what failed, is out or was never asked, and who answered instead."""
    told = []
    n_failed = sum(found.failed.values())
    if n_failed:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in found.failed.items())
        told.append(f"{n_failed:,} failed so far: {reasons}")
    if found.n_unchecked:
        told.append(
            f"{several(found.n_unchecked, 'reply', 'replies')}"
            f" {verb(found.n_unchecked, 'was', 'were')} written before digests: not checked"
        )
    n_open = (found.n_planned or 0) - found.n_done - n_failed - found.n_out
    if n_open > 0 and not found.running:
        told.append(f"{n_open:,} not asked yet, or waiting for a reply that failed")
    for name, count in found.other_models.items():
        told.append(f"{count:,} replies say that the model {name!r} answered")
    if found.n_out:
        told.append(
            f"{several(found.n_out, 'request')} {are(found.n_out)} out in batch files,"
            " without a result yet"
        )
    return told


def _next(found: Status) -> list[str]:
    if found.n_planned is None:
        return [
            "these are draws that `unswayed train-data` keeps beside its set: no run, nothing to"
            " profile; the same command takes them up again"
        ]
    if found.running or found.n_done >= found.n_planned:
        return []
    return ["next: the command that started the run goes on where it was"]


def _done(found: Status) -> str:
    """Return how much is done, in words."""
    if found.n_planned is None:
        return f"{found.n_done:,} draws stored"
    share = f" ({found.n_done / found.n_planned:.0%})" if found.n_planned else ""
    return f"{found.n_done:,} of {found.n_planned:,} replays done{share}"


def known_cost(cost: float | None, n_unstated: int, currency: str = "") -> str:
    """Return what replies cost, in words; those that state no tokens make it a part or unknown.

    Args:
        cost: Cost of the replies that state their tokens; None where none does.
        n_unstated: Replies that state no tokens.
        currency: Name of the currency, where it is told.
    """
    without = f"{several(n_unstated, 'reply', 'replies')} without token usage"
    if cost is None:
        return f"cost unknown ({without})"
    amount = f"{cost:.2f} {currency}".rstrip()
    return f"cost at least {amount} ({without})" if n_unstated else f"cost {amount}"


def time_left(seconds: float | None, to_limit: float | None) -> str:
    """Return how long a run still goes on, as the end of a line; empty where that is not known.

    Args:
        seconds: Seconds until all is done at this rate; None where that is not known.
        to_limit: Seconds until the time limit; None without one.
    """
    if to_limit is not None and (seconds is None or to_limit < seconds):
        rest = "" if seconds is None else f", all would take {clock(seconds)}"
        return f", about {clock(to_limit)} left to the time limit{rest}"
    return "" if seconds is None else f", about {clock(seconds)} left"


def clock(seconds: float) -> str:
    """Return a duration in words that a person reads at a glance."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
