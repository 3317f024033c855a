"""What a plan will cost, and what it can show, before anything is spent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec

from unswayed.plans.plan import Replay
from unswayed.stats.power import Spread, detectable_effect

CHARACTERS_PER_TOKEN = (3.0, 4.0, 5.5)
"""Characters per token in the dear, usual and cheap case; English prose lies near 4."""

TOKENS_PER_MESSAGE = 4
"""Tokens that a chat format adds to each message."""

TOKENS_PER_REPLY = (8, 60, 400)
"""Written tokens per completion in the cheap, usual and dear case, unless max_tokens is less."""


GUESSED_SPREAD = Spread(between_items=0.04, pressured=0.10, control=0.10)
"""Variances assumed before any data: items differ by .2 (sd) in their effect, and one draw of an
arm varies like a rate near .11 or .89."""


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Counts and costs of a plan."""

    n_items: int
    """Items."""
    n_replays: int
    """Replays."""
    n_requests: int
    """Distinct requests; fewer where several items ask the same."""
    by_arm: dict[str, int]
    """Requests by arm."""
    n_shared: int
    """Requests that sharing controls and first answers saves."""
    prompt_tokens: tuple[int, int, int]
    """Tokens sent: low, expected, high."""
    distinct_tokens: tuple[int, int, int]
    """Tokens after a shared prefix is counted once: low, expected, high."""
    reply_tokens: tuple[int, int, int]
    """Tokens written: low, expected, high; zero where options are scored."""
    detectable: dict[str, dict[str, float | None]]
    """Smallest effect shown with power .8, by guessed accuracy and stratum; empty where no answer
    is right."""


class Counter:
    """Counts a stream of replays as it passes, so that planning reads the plan once.

    Args:
        n_graded: Families of items that have a right answer: the units of inference.
        draws: Draws of each replay.
        max_tokens: Most tokens of a reply; None for no limit.
    """

    def __init__(self, *, n_graded: int, draws: int, max_tokens: int | None) -> None:
        self.n_graded = n_graded
        self.draws = draws
        self.max_tokens = max_tokens
        self.by_arm: dict[str, int] = {}
        self.uses = 0
        self.n_items = 0
        self.characters = 0
        self.distinct = 0
        self.messages = 0
        self.n_scored = 0
        self._ids: set[bytes] = set()
        self._item = ""
        self._prefixes: set[tuple[str, ...]] = set()
        self._firsts: set[str] = set()

    def count(self, replays: Iterable[Replay]) -> Iterator[Replay]:
        """Pass replays on and count them."""
        for replay in replays:
            self._add(replay)
            yield replay

    def _add(self, replay: Replay) -> None:
        if replay.item != self._item:
            self._item, self._prefixes = replay.item, set()
            self.n_items += 1
        self._ids.add(bytes.fromhex(replay.id))
        self.by_arm[replay.arm] = self.by_arm.get(replay.arm, 0) + 1
        self.n_scored += bool(replay.options)
        if replay.arm in ("pressured", "line"):
            self.uses += 2 if replay.first_id and replay.turn == 1 else 1
        prefix: tuple[str, ...] = ()
        for message in replay.transcript.messages:
            text = message.content or message.reply_of
            size = len(message.content) if message.content else 40
            prefix = (*prefix, text)
            self.characters += size
            self.messages += 1
            if prefix not in self._prefixes:
                self._prefixes.add(prefix)
                self.distinct += size + int(TOKENS_PER_MESSAGE * CHARACTERS_PER_TOKEN[1])

    def budget(self) -> Budget:
        """Return what was counted."""
        n_replays = sum(self.by_arm.values())
        shared = self.by_arm.get("control", 0) + self.by_arm.get("first", 0)
        framing = self.messages * TOKENS_PER_MESSAGE
        cap = self.max_tokens if self.max_tokens is not None else math.inf
        n_written = n_replays - self.n_scored
        low, usual, high = (int(min(cap, each)) * n_written for each in TOKENS_PER_REPLY)
        return Budget(
            n_items=self.n_items,
            n_replays=n_replays,
            n_requests=len(self._ids),
            by_arm=dict(self.by_arm),
            n_shared=max(self.uses - shared, 0),
            prompt_tokens=_tokens(self.characters, framing),
            distinct_tokens=_tokens(self.distinct, 0),
            reply_tokens=(low, usual, high),
            detectable={
                f"{accuracy:.0%}": {
                    "right": detectable(round(self.n_graded * accuracy), self.draws),
                    "wrong": detectable(round(self.n_graded * (1 - accuracy)), self.draws),
                }
                for accuracy in (0.5, 0.8, 0.95)
                if self.n_graded
            },
        )


def _tokens(characters: int, framing: int) -> tuple[int, int, int]:
    dear, usual, cheap = CHARACTERS_PER_TOKEN
    return (
        round(characters / cheap) + framing,
        round(characters / usual) + framing,
        round(characters / dear) + framing,
    )


def detectable(n_items: int, draws: int) -> float | None:
    """Return the smallest effect that n items show with power .8.

    Uses `GUESSED_SPREAD`. None under ten items, where only counts are printed, and where no
    effect that a rate can show would be found.
    """
    if n_items < 10:
        return None
    found = detectable_effect(n_items, GUESSED_SPREAD, (draws, draws))
    return found if found is not None and found <= 1 else None
