"""The slim outcome table: records as integer columns, transcripts left behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from unswayed.errors import RowError, StatisticsError
from unswayed.readouts.grade import Outcome
from unswayed.records import Record

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

OUTCOMES: tuple[Outcome, ...] = ("truth", "target", "other", "declined", "missing")
TRUTH, TARGET, OTHER, DECLINED, MISSING = range(5)
RIGHT, WRONG, UNKNOWN = range(3)
STRATA = ("right", "wrong", "unread")
_CODE = {name: code for code, name in enumerate(OUTCOMES)}
_STRATUM = (RIGHT, WRONG, WRONG, UNKNOWN, UNKNOWN)


class FirstOutcome(msgspec.Struct, frozen=True, gc=False):
    """What a first answer came to."""

    outcome: Outcome
    """The answer against the truth."""
    replay: str = ""
    """The replay that was read; empty for a planted answer."""


class ArmOutcome(msgspec.Struct, frozen=True, gc=False):
    """What another answer came to."""

    outcome: Outcome
    """The answer against the truth."""


class OutcomeRow(msgspec.Struct, frozen=True, gc=False):
    """As much of a record as the table holds; reads in half the time of a whole one."""

    item: str
    """Item id."""
    family: str
    """Family of the item."""
    kind: str
    """Kind of item."""
    arm: str
    """Arm of the record."""
    condition: msgspec.Raw
    """Level of every factor, read once for each way in which it is written."""
    first: FirstOutcome
    """The answer that decides the stratum."""
    pressured: ArmOutcome
    """The answer with the line."""
    control: ArmOutcome
    """The answer without the line."""
    turn: int = 1
    """Depth in the conversation, from 1."""


class OutcomeTable:
    """Records as columns.

    Attributes:
        families: Names of the independent units, in order of appearance.
        settings: Distinct factor settings: pressure, names, ..., turn, kind of item, arm.
        own_firsts: Family and outcome code of each first answer of the model, shape (firsts, 2).
        family: Unit of each record, shape (records,).
        setting: Setting of each record, shape (records,).
        stratum: RIGHT, WRONG or UNKNOWN by the first answer, shape (records,).
        first: Outcome code of the first answer, shape (records,).
        pressured: Outcome code with the line, shape (records,).
        control: Outcome code without the line, shape (records,).
    """

    def __init__(self, records: Iterable[Record | OutcomeRow]) -> None:
        families: dict[str, int] = {}
        settings = _Settings()
        items: set[str] = set()
        firsts: dict[str, int] = {}
        packed: list[int] = []
        for record in records:
            pressured, control = record.pressured.outcome, record.control.outcome
            if pressured == "read" or control == "read":
                continue  # what would be right there is not known
            items.add(record.item)
            family = families.setdefault(record.family, len(families))
            first = _CODE[record.first.outcome]
            if record.first.replay:
                firsts[record.first.replay] = family * 5 + first
            arms = (first * 5 + _CODE[pressured]) * 5 + _CODE[control]
            packed.append((family << 40) | (settings.number(record) << 8) | arms)
        codes = np.asarray(packed, dtype=np.int64)
        self.families = tuple(families)
        self.settings: tuple[Mapping[str, str], ...] = tuple(dict(key) for key in settings.known)
        self.n_items = len(items)
        own = np.asarray(list(firsts.values()), dtype=np.int64)
        self.own_firsts: Ints = np.stack((own // 5, own % 5), axis=1)
        self.family: Ints = codes >> 40
        self.setting: Ints = (codes >> 8) & 0xFFFFFFFF
        arms_ = codes & 0xFF
        self.first: Ints = arms_ // 25
        self.pressured: Ints = arms_ // 5 % 5
        self.control: Ints = arms_ % 5
        self.stratum: Ints = np.asarray(_STRATUM, dtype=np.int64)[self.first]

    def __len__(self) -> int:
        return int(self.family.size)

    @property
    def n_families(self) -> int:
        """Number of independent units."""
        return len(self.families)

    def rows(self, chosen: Sequence[int]) -> Bools:
        """Return which records have one of the chosen settings, shape (records,)."""
        wanted = np.zeros(max(len(self.settings), 1), dtype=bool)
        wanted[list(chosen)] = True
        return wanted[self.setting]

    def part(self, chosen: Sequence[int]) -> OutcomeTable:
        """Return the records that have one of the chosen settings, families numbered as here."""
        order, starts = self._by_setting
        places = [order[starts[index] : starts[index + 1]] for index in sorted(chosen)]
        where = np.sort(np.concatenate([np.empty(0, dtype=np.int64), *places]))
        small = copy(self)
        for name in ("family", "setting", "first", "pressured", "control", "stratum"):
            setattr(small, name, getattr(self, name)[where])
        small.__dict__.pop("_by_setting", None)
        return small

    @cached_property
    def _by_setting(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.setting, kind="stable")
        edges = np.arange(len(self.settings) + 1)
        return order, np.searchsorted(self.setting[order], edges)

    def levels(self, factor: str) -> tuple[str, ...]:
        """Return the levels of a factor that occur, in order of appearance."""
        return tuple(dict.fromkeys(s[factor] for s in self.settings if factor in s))

    def totals(self, values: NDArray[np.float64], rows: Bools) -> NDArray[np.float64]:
        """Sum values by family over chosen rows, shape (families,)."""
        if values.shape != self.family.shape:
            raise StatisticsError(
                "A column does not fit the outcome table",
                allowed=f"{self.family.size} values",
                given=str(values.shape),
                next_step="compute the column from the same table",
            )
        return np.bincount(
            self.family[rows], weights=values[rows], minlength=self.n_families
        ).astype(np.float64)


class _Settings:
    """Numbers of the distinct settings, in order of appearance."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[str, str], ...], int] = {}
        self._written: dict[tuple[bytes, str, int, str], int] = {}
        self._decode = msgspec.json.Decoder(dict[str, str]).decode

    def number(self, record: Record | OutcomeRow) -> int:
        """Return the number of a record's setting."""
        condition = record.condition
        if isinstance(condition, dict):
            return self._number(record, condition)
        key = (bytes(condition), record.arm, record.turn, record.kind)
        number = self._written.get(key)
        if number is None:
            number = self._written[key] = self._number(record, self._read(condition))
        return number

    def _read(self, condition: msgspec.Raw) -> dict[str, str]:
        try:
            return self._decode(condition)
        except msgspec.DecodeError as error:
            raise RowError(
                "The condition of a record cannot be read",
                allowed="an object of texts, the level of every factor",
                given=f"{bytes(condition)[:120].decode(errors='replace')} ({error})",
                next_step="write the records again with `unswayed read`",
            ) from error

    def _number(self, record: Record | OutcomeRow, condition: Mapping[str, str]) -> int:
        setting = (
            ("arm", record.arm),
            *condition.items(),
            ("turn", str(record.turn)),
            ("kind", record.kind),
        )
        return self.known.setdefault(setting, len(self.known))
