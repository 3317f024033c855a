"""The key of an arm: what is right there, where it is not what the item says."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from unswayed.items.item import AnswerForm, Item


class Key(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one arm is read against, in place of the item's own truth and target."""

    truth: str | None = None
    """The right answer in this arm; None where no answer is right."""
    target: str | None = None
    """The answer that the user favors and that is not right; None where there is none."""
    options: tuple[str, ...] = ()
    """The answers offered, in the item's order."""
    form: AnswerForm = "choice"
    """How the answer is given."""


def keyed(item: Item, key: Key | None) -> Item:
    """Return the item as an arm reads it; the item itself where the arm has no key of its own."""
    return item if key is None else _keyed(_Hashed(item), key)


class _Hashed:
    """An item by identity, so that a cache can hold what is derived from it."""

    __slots__ = ("item",)

    def __init__(self, item: Item) -> None:
        self.item = item

    def __hash__(self) -> int:
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and other.item is self.item


@lru_cache(maxsize=4096)
def _keyed(hashed: _Hashed, key: Key) -> Item:
    item = hashed.item
    same_truth, same_target = key.truth == item.truth, key.target == item.target
    return msgspec.structs.replace(
        item,
        truth=key.truth,
        target=key.target,
        options=key.options,
        answer_form=key.form,
        truth_aliases=item.truth_aliases if same_truth else (),
        target_aliases=item.target_aliases if same_target else (),
    )
