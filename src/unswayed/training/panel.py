"""Candidates, the votes of stakeholders on them, and the pairs that come out (PlurPO).

A reply that any stakeholder vetoes is a rejected side, one that all accept a chosen side, and every
vetoed reply is paired with every accepted one of the same prompt (arXiv 2610.02568). A vote or a
stance that was not read takes its candidate out; it is never guessed.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from unswayed.errors import GateError, UsageError
from unswayed.items.conflicts import Conflict, Stance
from unswayed.training.row import Turn
from unswayed.transcript import digest

MOST_PAIRS = 10
"""Pairs of one prompt; without a bound a prompt counts as often as its vetoed times its accepted
replies."""

MOST_UNPARSED = 0.20
"""Largest share of an epoch's candidates whose stance or votes were not read."""


class Vote(msgspec.Struct, frozen=True, kw_only=True):
    """What one stakeholder says of a reply."""

    who: str
    """Name of the stakeholder."""
    accepts: bool | None
    """Whether the reply is accepted; None where the vote was not read."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One reply to a post with what a panel says of it."""

    prompt: tuple[Turn, ...]
    """The bare post, to which every pair is a reply."""
    item: str
    """Name of the post."""
    text: str
    """The reply."""
    stance: Stance | None
    """What it says of the user's act; None where that was not read."""
    votes: tuple[Vote, ...]
    """The votes."""
    finished: bool
    """Whether the reply ended by itself."""
    epoch: int = 0
    """Round of training in which it was drawn."""
    tone: str = ""
    """How it is said; empty where that is not known."""

    @property
    def read(self) -> bool:
        """Whether stance and every vote were read."""
        votes = [vote.accepts for vote in self.votes]
        return self.stance is not None and bool(votes) and None not in votes

    @property
    def veto_by(self) -> tuple[str, ...]:
        """Who vetoes it."""
        return tuple(vote.who for vote in self.votes if vote.accepts is False)


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A reply that all accept and one that somebody vetoes."""

    chosen: Candidate
    """Accepted by all."""
    rejected: Candidate
    """Vetoed."""


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs of candidates, and what was left out."""

    pairs: tuple[Pair, ...]
    """The pairs."""
    counts: dict[str, int]
    """How many candidates, prompts and pairs were left out, by reason."""


def read_votes(cell: Any) -> tuple[Vote, ...] | None:  # noqa: ANN401 - a column holds anything
    """Return the votes of a cell; None where it holds no list of votes.

    Args:
        cell: A list of {"who", "verdict"} with `accept` or `veto`, also as JSON text or an array.
    """
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            return None
    if callable(getattr(cell, "tolist", None)):
        cell = cell.tolist()
    if cell is None or not isinstance(cell, Sequence) or isinstance(cell, str):
        return None
    votes = list(cell)
    if not all(isinstance(vote, Mapping) for vote in votes):
        return None
    accepts = {"accept": True, "veto": False}
    return tuple(
        Vote(
            who=str(vote.get("who", "")),
            accepts=accepts.get(str(vote.get("verdict", "")).strip().casefold()),
        )
        for vote in votes
    )


def votes_on(conflict: Conflict, stance: Stance) -> tuple[Vote, ...]:
    """Return how the stakeholders of a conflict of ours vote on a stance, by construction.

    Who is harmed vetoes an endorsement. Who is not harmed vetoes a challenge where nobody else is
    harmed either. So all accept what the act deserves and one at least vetoes the opposite.
    """
    any_harmed = conflict.act_deserves == "challenge"
    return tuple(
        Vote(who=each.name, accepts=not (each.harmed if stance == "endorse" else not any_harmed))
        for each in conflict.stakeholders
    )


def pair_up(candidates: Sequence[Candidate], *, most: int = MOST_PAIRS) -> Paired:
    """Pair every vetoed candidate with every one that all accept, prompt by prompt and epoch.

    Args:
        candidates: The candidates.
        most: The most pairs of a prompt over all epochs; which ones, a digest decides, and each
            candidate has its turn before any has a second one.

    Raises:
        GateError: When more than 20 % of an epoch's candidates were not read.
        UsageError: When `most` is below 1.
    """
    if most < 1:
        raise UsageError(
            "A prompt cannot have that many pairs",
            allowed="1 or more",
            given=str(most),
            next_step=f"give --most-pairs 1 or more, such as {MOST_PAIRS}",
        )
    _check_read(candidates)
    counts: Counter[str] = Counter()
    groups: dict[tuple[Turn, ...], dict[int, list[Candidate]]] = defaultdict(dict)
    for each in candidates:
        if not each.finished or not each.read:
            counts["candidates unfinished" if not each.finished else "candidates not read"] += 1
            continue
        groups[each.prompt].setdefault(each.epoch, []).append(each)
    pairs: list[Pair] = []
    for epochs in groups.values():
        pairs += _of_prompt(epochs, most, counts)
    return Paired(pairs=tuple(pairs), counts=dict(counts))


def _check_read(candidates: Sequence[Candidate]) -> None:
    totals = Counter(each.epoch for each in candidates)
    unread = Counter(each.epoch for each in candidates if not each.read)
    worst = [epoch for epoch, n in sorted(unread.items()) if n / totals[epoch] > MOST_UNPARSED]
    if worst:
        epoch = worst[0]
        raise GateError(
            f"Too many candidates of epoch {epoch} were not read, and nothing was written",
            allowed=f"at most {100 * MOST_UNPARSED:g} % whose stance or votes were not read",
            given=f"{unread[epoch]} of {totals[epoch]}",
            next_step="ask for these stances and votes again: endorse or challenge, accept or veto",
        )


def _of_prompt(
    epochs: Mapping[int, Sequence[Candidate]], most: int, counts: Counter[str]
) -> list[Pair]:
    found: list[Pair] = []
    seen: set[tuple[str, str]] = set()
    stances: set[Stance | None] = set()
    # Epochs take turns, so that a bound leaves some of each.
    turns = zip_longest(*(_crossed(group) for group in epochs.values()))
    for pair in (pair for turn in turns for pair in turn if pair is not None):
        texts = (pair.chosen.text, pair.rejected.text)
        stances.add(pair.chosen.stance)
        if texts in seen or texts[0] == texts[1]:
            counts["pairs repeated or with equal sides"] += 1
            continue
        seen.add(texts)
        found.append(pair)
    if not stances:
        counts["prompts without a vetoed and an accepted candidate"] += 1
    if len(stances) > 1:
        counts["prompts whose accepted candidates take both stances"] += 1
        return []
    if len(found) > most:
        counts["pairs above the bound"] += len(found) - most
    return found[:most]


def _crossed(group: Sequence[Candidate]) -> Iterator[Pair]:
    """Yield every vetoed x accepted pair once, along diagonals, so that each side has its turn."""
    order = sorted(group, key=lambda each: digest([each.text, each.item]))
    accepted = [each for each in order if not each.veto_by]
    vetoed = [each for each in order if each.veto_by]
    for step in range(len(vetoed)):
        for place, chosen in enumerate(accepted):
            yield Pair(chosen=chosen, rejected=vetoed[(place + step) % len(vetoed)])
