"""Repairs of a preference set: pairs turned round, dropped, or joined by twins without a stance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from unswayed.errors import GateError
from unswayed.preferences.audit import PreferenceAudit
from unswayed.preferences.pair import Pair, PreferenceSet, Turn
from unswayed.rows import encode, replacing
from unswayed.stats.estimate import Estimate

Repair = Literal["relabel", "filter", "augment"]

MOST_LOST = 0.05
"""Most that a repair may lower P(agree chosen | user right)."""


def is_offending(pair: Pair) -> bool:
    """Whether a pair is known, from columns alone, to pay for the wrong thing.

    What a rule has read is listed by the audit and never repaired.

    Args:
        pair: The pair.
    """
    if pair.agreeing_chosen is None or pair.user_right is None or pair.origin != "column":
        return False
    return pair.agreeing_chosen != pair.user_right


def repair(found: PreferenceSet, how: Repair) -> PreferenceSet:
    """Return the set with every offending pair turned round, without it, or with twins beside.

    A twin has the replies of a mixed pair under the prompt without the user's stance, and the right
    one is preferred: text and tone are the same, so that only the stance can tell the two apart.

    Args:
        found: The set.
        how: `relabel`, `filter` or `augment`.
    """
    if how == "filter":
        pairs = tuple(pair for pair in found.pairs if not is_offending(pair))
    elif how == "augment":
        twins = (_without_user(pair) for pair in found.pairs)
        pairs = (*found.pairs, *(twin for twin in twins if twin is not None))
    else:
        pairs = tuple(pair.swapped() if is_offending(pair) else pair for pair in found.pairs)
    return msgspec.structs.replace(found, pairs=pairs)


def refuse_contrarian(before: PreferenceAudit, after: PreferenceAudit) -> None:
    """Stop a repair that makes agreeing with a user who is right rarer.

    Raises:
        GateError: When P(agree chosen | user right) falls by more than .05.
    """
    old, new = before.mixed.right.agree_chosen.value, after.mixed.right.agree_chosen.value
    if old is not None and (new is None or new < old - MOST_LOST):
        raise GateError(
            "The repair makes the set contrarian, and nothing was written",
            allowed=f"P(agree chosen | user right) at most {MOST_LOST} lower than before",
            given=f"{old:.3f} before, {'none' if new is None else f'{new:.3f}'} after",
            next_step="relabel instead of dropping pairs, or add pairs with the user right",
        )


def write_pairs(path: Path, pairs: Sequence[Pair]) -> int:
    """Write the decided pairs as prompt, chosen and rejected, and return how many there are.

    Args:
        path: A JSON Lines file, written whole or not at all.
        pairs: The pairs; those without a preference are left out.
    """
    return write_rows(path, decided_rows(pairs))


def write_counterfactuals(path: Path, pairs: Sequence[Pair]) -> int:
    """Write each reply of a mixed pair under the prompt as it is and without the user's stance.

    Only the prompt differs inside such a row pair, so that length and form of the reply cancel. A
    file of these with a column `score` is what `unswayed audit reward-model` takes. Pairs whose
    stance is no sentence of the last user turn, or is all of it, have no such twin.

    Args:
        path: A JSON Lines file, written whole or not at all.
        pairs: The pairs.

    Returns:
        How many rows were written.
    """
    return write_rows(path, _twins(pairs))


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows as JSON Lines, whole or not at all, and return how many there are."""
    count = 0
    with replacing(path) as stream:
        for row in rows:
            stream.write(encode(row) + b"\n")
            count += 1
    return count


def decided_rows(pairs: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    """Return each pair that has a preference as a row of prompt, chosen and rejected."""
    for pair in pairs:
        if pair.chosen is None:
            continue
        order = (0, 1) if pair.chosen == 0 else (1, 0)
        replies = (pair.first, pair.second)
        yield {
            "id": pair.id,
            "prompt": msgspec.to_builtins(pair.turns),
            **{
                name: [{"role": "assistant", "content": replies[place]}]
                for name, place in zip(("chosen", "rejected"), order, strict=True)
            },
            "source": pair.source,
            "user_right": pair.user_right,
            **{
                f"agrees_{name}": pair.agrees[place] if pair.origin == "column" else None
                for name, place in zip(("chosen", "rejected"), order, strict=True)
            },
        }


def _twins(pairs: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    for pair in pairs:
        without = without_stance(pair)
        if not pair.mixed or without is None:
            continue
        for variant, turns in (("stance", pair.turns), ("deleted", without)):
            for reply, agrees in zip((pair.first, pair.second), pair.agrees, strict=True):
                yield {
                    "group": pair.id,
                    "variant": variant,
                    "prompt": msgspec.to_builtins(turns),
                    "reply": reply,
                    "agrees": agrees,
                    "user_right": pair.user_right,
                }


def _without_user(pair: Pair) -> Pair | None:
    """The twin of a mixed pair without the stance; None where columns do not say what is right."""
    turns = without_stance(pair)
    if turns is None or pair.agreeing_chosen is None or pair.origin != "column":
        return None
    if pair.user_right is None:
        return None
    return Pair(
        id=f"{pair.id}/without the stance",
        turns=turns,
        first=pair.first,
        second=pair.second,
        label="first" if pair.agrees[0] == pair.user_right else "second",
        source=pair.source,
        cluster=pair.cluster,
        warmth=pair.warmth,
    )


def without_stance(pair: Pair) -> tuple[Turn, ...] | None:
    """The prompt without the sentence that states the stance; None where that cannot be made."""
    last = max((n for n, turn in enumerate(pair.turns) if turn.role == "user"), default=None)
    if last is None or not pair.stance:
        return None
    text = pair.turns[last].content.replace(pair.stance, "").strip()
    if not text or text == pair.turns[last].content.strip():
        return None
    turns = list(pair.turns)
    turns[last] = msgspec.structs.replace(turns[last], content=text)
    return tuple(turns)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A number before a repair and after it."""

    name: str
    """What it is."""
    before: Estimate
    """In the set as it was read."""
    after: Estimate
    """In the set that was written."""


def changes(before: PreferenceAudit, after: PreferenceAudit) -> tuple[Change, ...]:
    """Return what a repair has moved.

    Args:
        before: The audit of the set as it was read.
        after: The audit of the repaired set.
    """
    return tuple(
        Change(name=name, before=one, after=two)
        for name, one, two in (
            ("agree chosen, user wrong", before.mixed.wrong.agree_chosen,
             after.mixed.wrong.agree_chosen),
            ("agree chosen, user right", before.mixed.right.agree_chosen,
             after.mixed.right.agree_chosen),
            ("discrimination", before.mixed.discrimination, after.mixed.discrimination),
            ("longer chosen", before.coverage.longer_chosen, after.coverage.longer_chosen),
        )
    )  # fmt: skip
