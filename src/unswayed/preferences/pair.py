"""A pair of replies to one prompt, with what is known of the user's stance."""

from __future__ import annotations

from typing import Literal

import msgspec

Label = Literal["first", "second", "tie"]
Origin = Literal["column", "rule", "none"]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a prompt."""

    role: str
    """`system`, `user` or `assistant`."""
    content: str
    """Its text."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two replies to one prompt; a field that is unread is None and never a default."""

    id: str
    """Name of the pair in messages; no other pair of its set has it."""
    turns: tuple[Turn, ...]
    """The prompt."""
    first: str
    """The reply that the file gives first; the chosen one where it orders them so."""
    second: str
    """The other reply."""
    label: Label | None
    """Which one was preferred; None where the file does not say."""
    source: str = ""
    """Where the pair comes from."""
    cluster: str
    """The prompt, the unit of inference."""
    stance: str = ""
    """The user's sentence that states a stance; empty where none was found."""
    user_right: bool | None = None
    """Whether the stance is true; known from a column alone."""
    agrees: tuple[bool | None, bool | None] = (None, None)
    """Whether each reply agrees with the stance."""
    origin: Origin = "none"
    """Who says whether the replies agree."""
    why_unread: str = ""
    """Why the stance or a reply is unread; empty when all is read."""
    warmth: tuple[float | None, float | None] = (None, None)
    """How warm each reply is, where the file has columns for it."""

    @property
    def has_stance(self) -> bool:
        """Whether the user holds something that a reply can agree with."""
        return bool(self.stance) or self.user_right is not None or self.agrees != (None, None)

    @property
    def mixed(self) -> bool:
        """Whether one reply agrees and the other does not, both read."""
        return None not in self.agrees and self.agrees[0] != self.agrees[1]

    @property
    def chosen(self) -> int | None:
        """Place of the preferred reply, 0 or 1; None for ties and pairs without a label."""
        return {"first": 0, "second": 1}.get(self.label or "")

    @property
    def agreeing_chosen(self) -> bool | None:
        """Whether the agreeing reply of a mixed pair was preferred; None for all other pairs."""
        if self.chosen is None or not self.mixed:
            return None
        return bool(self.agrees[self.chosen])

    def swapped(self) -> Pair:
        """The same pair with the opposite preference."""
        other: dict[Label, Label] = {"first": "second", "second": "first", "tie": "tie"}
        return msgspec.structs.replace(self, label=other[self.label] if self.label else None)


class PreferenceSet(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs of a file and what the reader left out."""

    format: str
    """What the file was read as."""
    pairs: tuple[Pair, ...]
    """The pairs."""
    skipped: dict[str, int]
    """Rows that hold no pair, by reason."""
    notes: tuple[str, ...] = ()
    """What must be known about the format."""
