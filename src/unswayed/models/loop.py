"""The event loop of a run: uvloop beside the fast client, where both are installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def loop_for(model: object) -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes the event loop in which a model is asked; None for the usual one.

    Args:
        model: The model; one with a true `fast` sends with the fast client, which wakes the loop
            from a thread of its own for every reply. That costs half as much in uvloop.
    """
    if not getattr(model, "fast", False):
        return None
    try:
        import uvloop
    except ImportError:
        return None
    make: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return make
