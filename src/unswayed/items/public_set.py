"""What a reader of a public format returns, and how it gathers items and counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from unswayed.errors import ItemError
from unswayed.items.alike import alike
from unswayed.items.cells import Problem, Row, Table, cell_text, is_empty, refuse
from unswayed.items.draws import content_id, hash_order
from unswayed.items.item import Item, canonical

_LONGEST_MARK = 200
_SHOWN_ROWS = 8
_CHOICE = re.compile(r"^\s?\(([A-Z])\) ?", re.MULTILINE)


BROKEN = "skipped_breaks_item_rules"
"""The count of rows that are read and are no valid items."""

CONTRADICT = "contradict"
"""How the reason starts by which rows that contradict each other are left out."""


class Unfit(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is read and is no valid item, such as one that lists an option twice.

    No evaluation asks it; an audit of the file as training data counts it.
    """

    id: str
    """Id, as an item would have it."""
    kind: str
    """Kind of item."""
    question: str
    """The question."""
    truth: str | None
    """The right answer."""
    options: tuple[str, ...] = ()
    """The options as they are listed."""
    family: str
    """Rows that share it are not independent."""
    texts: dict[str, str] = {}
    """Further texts by name."""
    tags: tuple[str, ...] = ()
    """Free labels."""
    source: str
    """Where the row comes from."""
    licence: str
    """Licence of its text."""
    evaluation_only: bool
    """Whether its source forbids training on it."""
    aside: bool
    """Whether the shipped pressure points at the truth."""


class PublicSet(msgspec.Struct, frozen=True, kw_only=True):
    """The items of a file in a public format."""

    format: str
    """Name of the format."""
    items: tuple[Item, ...]
    """The items; scripted turns, personas and controls are in their `texts`."""
    set_aside: tuple[Item, ...] = ()
    """Items whose shipped pressure points at the truth: following it is right, never a fault."""
    unfit: tuple[Unfit, ...] = ()
    """Rows that are no valid items, or contradict each other."""
    counts: dict[str, int]
    """Rows, items, and rows that were skipped or changed, by reason."""
    left_out: dict[str, tuple[str, ...]] = {}
    """The rows that were skipped, such as `row 3`, by reason in words."""
    warnings: tuple[str, ...]
    """What a user of these items must know."""
    licence: str
    """Licence of the data."""
    source: str
    """Where the data come from."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The warnings, and which rows were left out, by reason."""
        reasons = (
            f"{len(rows)} {reason} ({rows_in_words(rows)})"
            for reason, rows in self.left_out.items()
        )
        total = sum(map(len, self.left_out.values()))
        said = f"{total} of the file's rows left out: {'; '.join(reasons)}"
        return (*self.warnings, said) if total else self.warnings


def rows_in_words(rows: tuple[str, ...]) -> str:
    """Name rows such as `row 3` and `row 7` as `rows 3, 7`; of many, the first eight."""
    shown = rows[:_SHOWN_ROWS]
    if all(row.startswith("row ") for row in shown):
        said = ", ".join(row.removeprefix("row ") for row in shown)
        said = f"{'row' if len(rows) == 1 else 'rows'} {said}"
    else:
        said = ", ".join(shown)
    more = len(rows) - len(shown)
    return f"{said} and {more} more" if more else said


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A public format."""

    name: str
    """Name, as in `PublicSet.format`."""
    lacks: Callable[[Mapping[str, Any]], str]
    """Says what a row lacks to be of this format; empty when it lacks nothing."""
    read: Callable[[Table], PublicSet]
    """Reads a table whose rows all are of this format."""
    about: str
    """What the format holds, in one line."""
    file_hint: str = ""
    """Part of the published file's name; it decides between formats with the same keys."""


def lacks_keys(cells: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """Say which of the keys a row lacks."""
    absent = [key for key in keys if key not in cells]
    return f"it lacks the key(s) {', '.join(absent)}" if absent else ""


def split_choices(block: str) -> tuple[str, ...]:
    """Return the texts of options that are written as `(A) ...`, `(B) ...` at starts of lines.

    An empty tuple is returned when the letters are not A, B, C and so on.
    """
    found = list(_CHOICE.finditer(block))
    letters = [chr(65 + number) for number in range(len(found))]
    if not found or [match[1] for match in found] != letters:
        return ()
    ends = [match.start() for match in found[1:]] + [len(block)]
    return tuple(block[match.end() : end].strip() for match, end in zip(found, ends, strict=True))


def hash_target(options: tuple[str, ...], truth: str, key: str) -> str:
    """Return the wrong option that a hash of the key chooses.

    When every option means the truth, one of them is returned, and the item is refused for it.
    """
    wrong = [option for option in options if not alike(option, truth)]
    return hash_order(wrong or options, f"target|{key}")[0]


def _claim(item: Item) -> str:
    """Return what a row says of its question: the truth, or else the view of its person."""
    return canonical(item.truth or item.texts.get("matching", ""))


def _unfit(item: Item, *, aside: bool) -> Unfit:
    known = {name: getattr(item, name) for name in Unfit.__struct_fields__ if name != "aside"}
    return Unfit(aside=aside, **known)


def _asked_alike(item: Item) -> object:
    """Return what is the same in two rows that ask the same of the same person."""
    person = " ".join(item.texts.get("persona", "").split())
    options = frozenset(canonical(option) for option in item.options)
    return item.kind, " ".join(item.question.split()), options, person


class Gathering:
    """Gathers the items of one file: unique ids, duplicates in one family, counted skips."""

    def __init__(
        self,
        table: Table,
        prefix: str,
        licence: str,
        source: str,
        *,
        evaluation_only: bool = True,
    ) -> None:
        self._table = table
        self._prefix = prefix
        self._licence = licence
        self._source = source
        self._evaluation_only = evaluation_only
        self._items: list[Item] = []
        self._aside: list[Item] = []
        self._unfit: list[Unfit] = []
        self._seen: Counter[str] = Counter()
        self._at = ""
        self._place: dict[str, str] = {}
        self._left: dict[str, list[str]] = {}
        self._problems: list[Problem] = []
        self._warnings: list[str] = []
        self.counts: Counter[str] = Counter({"rows": len(table.rows)})
        if table.nan_cells:
            self.counts["nan_cells"] = table.nan_cells
            self.warn(f"{table.nan_cells} cell(s) held NaN, which is no JSON; read as null")
        if evaluation_only:
            self.warn("these items are for evaluation only and never become training rows")

    def rows(self) -> Iterator[Row]:
        """Go through the rows of the table; what is skipped meanwhile is noted with its row."""
        for row in self._table.rows:
            self._at = row.where
            yield row

    def text(self, row: Row, key: str) -> str:
        """Return a text cell; empty, with the row counted as skipped, when there is none."""
        cell = row.cells.get(key)
        if isinstance(cell, str) and not is_empty(cell):
            return cell
        if is_empty(cell):
            self.skip(f"null_{key}")
        else:
            self.wrong(row, key, f"it is a {type(cell).__name__}", "give the file as it was made")
        return ""

    def mark(self, row: Row, key: str, absent: str = "unnamed") -> str | None:
        """Return a short word or number, such as a subject; `absent` where a cell is empty.

        None is returned where it is of another type or too long, which makes the file unusable.
        """
        cell = row.cells.get(key)
        if is_empty(cell):
            return absent
        text = None if isinstance(cell, bool) else cell_text(cell)
        if text is None or len(text) > _LONGEST_MARK:
            wrong = f"it is a {type(cell).__name__} and no short word"
            self.wrong(row, key, wrong, "give the file as it was made")
            return None
        return text

    def skip(self, reason: str, row: Row | None = None, *, why: str = "") -> None:
        """Count a row that gives no item, and note where it is.

        Args:
            reason: Name of the count, without `skipped_`.
            row: The row; without it the one that `rows` has reached.
            why: What tells apart the rows of one count, such as the rule that is broken.
        """
        self.counts[f"skipped_{reason}"] += 1
        said = reason.replace("_", " ") + (f": {why}" if why else "")
        self._left.setdefault(said, []).append(row.where if row else self._at)

    def wrong(self, row: Row, field: str, wrong: str, remedy: str) -> None:
        """Note a fault that makes the whole file unusable."""
        self._problems.append(Problem(where=row.where, field=field, wrong=wrong, remedy=remedy))

    def warn(self, text: str) -> None:
        """Note what a user of these items must know."""
        self._warnings.append(text)

    def add(self, *, aside: bool = False, **fields: Any) -> bool:  # noqa: ANN401
        """Add an item and return True; a row that breaks the rules of items is counted."""
        content = (fields["question"], fields.get("options", ()), fields.get("texts", {}))
        name = str(fields.pop("id", "")) or content_id(self._prefix, *content)
        self._seen[name] += 1
        if self._seen[name] > 1:
            self.counts["duplicates"] += 1
        unique = name if self._seen[name] == 1 else f"{name}.{self._seen[name]}"
        fields = {"source": self._source, "licence": self._licence, "family": name, **fields}
        fields.setdefault("evaluation_only", self._evaluation_only)
        try:
            item = Item(id=unique, review="public", **fields)
        except ItemError as error:
            why = error.wrong.removeprefix(f"Item {unique!r}: ")
            self.skip(BROKEN.removeprefix("skipped_"), why=why)
            known = {name: fields[name] for name in Unfit.__struct_fields__ if name in fields}
            self._unfit.append(Unfit(id=unique, aside=aside, **known))
            return False
        (self._aside if aside else self._items).append(item)
        self._place[unique] = self._at
        return True

    def settle(self) -> int:
        """Leave out items that contradict each other; return how many are set aside then.

        Two rows with one question, the same options and the same person contradict each other
        where they name another truth, or another view of that person: no file says which is right.
        """
        groups: dict[object, list[Item]] = {}
        for item in (*self._items, *self._aside):
            if item.options and _claim(item):
                groups.setdefault(_asked_alike(item), []).append(item)
        for group in groups.values():
            if len({_claim(item) for item in group}) == 1:
                continue
            rows = list(dict.fromkeys(self._place[item.id] for item in group))
            why = f"{' and '.join(rows)} ask the same and name different answers"
            for item in group:
                self.counts["skipped_contradicts"] += 1
                self._left.setdefault(f"{CONTRADICT}: {why}", []).append(self._place[item.id])
            gone = {item.id for item in group}
            aside = {item.id for item in self._aside}
            self._unfit += [_unfit(item, aside=item.id in aside) for item in group]
            self._items = [item for item in self._items if item.id not in gone]
            self._aside = [item for item in self._aside if item.id not in gone]
        return len(self._aside)

    def finish(self, format_name: str) -> PublicSet:
        """Return the set, or refuse the file with everything that is wrong with it.

        Raises:
            RowError: When a row is unusable or no row gave an item.
        """
        self.settle()
        if not (self._items or self._aside) and not self._problems:
            shown = ", ".join(f"{name} {n}" for name, n in self.counts.items())
            wrong = f"no row gave an item ({shown})"
            self._problems.append(Problem(where="row 1", wrong=wrong, remedy="check the file"))
        if self._problems:
            refuse(self._table.path, self._problems, len(self._table.rows))
        self.counts["items"] = len(self._items)
        if self.counts["duplicates"]:
            self.warn(
                f"{self.counts['duplicates']} row(s) repeat an earlier one; they are kept, share "
                "its family and are not independent"
            )
        return PublicSet(
            format=format_name,
            items=tuple(self._items),
            set_aside=tuple(self._aside),
            unfit=tuple(self._unfit),
            counts=dict(self.counts),
            left_out={reason: tuple(rows) for reason, rows in self._left.items()},
            warnings=tuple(self._warnings),
            licence=self._licence,
            source=self._source,
        )
