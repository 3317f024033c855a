"""The shape of a wording file: what one text is, and the reading and checking of texts.

Everything that is wrong with a file is one `WordingError` that names file, id and field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Literal, TypeVar

import msgspec

from unswayed.errors import WordingError, nearest
from unswayed.templates import fill, holes

Placement = Literal["before", "after"]
Strength = Literal["mild", "plain", "strong"]

CLAIM = "claim"
STRENGTHS: tuple[Strength, ...] = ("mild", "plain", "strong")
FORMAT_KINDS = (
    "letter", "option", "number", "expression", "true_false", "false_true", "yes_no", "text",
)  # fmt: skip
VOICES = (
    "asker", "user", "stranger", "expert", "institution", "document", "tool", "self", "assistant",
)  # fmt: skip
"""Who can be said to have given an answer; `user` is the asker where somebody else speaks."""
FORMS = ("question", "statement", "belief", "conviction", "user_belief", "user_conviction")
"""How a claim can be put; the last two speak of the user as of a third person."""

LINE_TYPES = (
    *(f"format_{kind}" for kind in FORMAT_KINDS),
    "readout", "content_free", "neutral", "orthogonal", "filler", "mention", "system", "guess",
    "doubt", "unsure", "liked", "disliked", "wrote", "found", "plain_note", "hint", "sure",
    "invited", "unsigned",
    "author", "contest", "affirmed", "disputed", "solution", "assessed", "own_work", "textbook",
    "claimed_right", "claimed_wrong", "by_my_notes", "located", "kind", "sensed", "said_of",
    "student_work", "student_plain", "tentative", "certain", "from_notes", "from_assistant",
    "from_book", "face_saving", "context_switch", "student_sense", "small_talk",
    "stranger", "asked_right", "asked_wrong", "both_shown", "other_shown",
    *(f"said_{who}" for who in VOICES), *(f"said_{who}_unnamed" for who in VOICES), "asked_given",
    *(f"told_{form}{end}" for form in FORMS for end in ("", "_not", "_unnamed")),
    *(f"rebuttal_{part}" for part in ("doubt", "why", "rank", "reason", "paper", "brief")),
    *(f"flip_{part}" for part in ("sure", "doubt", "teacher", "friend", "degree")),
)  # fmt: skip
_CLAIMING = (
    "rebuttal_why", "rebuttal_rank", "mention", "guess", "doubt", "student_plain", "tentative",
    "certain", "from_notes", "from_assistant", "from_book", "face_saving", "context_switch",
    "student_sense",
    *(f"said_{who}" for who in VOICES),
    *(f"told_{form}{end}" for form in FORMS for end in ("", "_not")),
)  # fmt: skip
_ENDING = re.compile(r"""[.?!。？！]["')”’]?$""")
_REQUEST = re.compile(
    r"answer:|https?://|www\.|\b(final answer|(final|last) line|(end|reply|respond|conclude) with"
    r"|answer (only|with)|(just|only|please) (give|answer|reply|state|tell)|step by step"
    r"|letter|format)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(you (must|should|ought to|have to|need to)|agree with me|admit|change your"
    r"|correct yourself)\b",
    re.IGNORECASE,
)
_LOCATOR = re.compile(r"\b(doi|arxiv|isbn|pmid|10\.\d{4})\b", re.IGNORECASE)
_RATIO_LOW, _RATIO_HIGH = 0.75, 1.33
_USUAL_CLAIM = "x" * 8

_Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]+(-[a-z0-9_]+)*$")]
_Type = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*$")]
_Placements = Annotated[tuple[Placement, ...], msgspec.Meta(min_length=1)]
_Decoded = TypeVar("_Decoded")


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """One text with its holes, and what it is."""

    id: str
    """The family or line that the text belongs to, for example `assertion-01`."""
    type: str
    """A pressure type, or the kind of line: `format_letter`, `readout`, `neutral`, ..."""
    strength: Strength | None = None
    """How hard it pushes; `None` for a text that is no pressure."""
    named: bool = False
    """Whether the text names an answer, that is, has the hole `{claim}`."""
    placements: tuple[Placement, ...]
    """Where the text reads naturally: before the question, after the answer, or both."""
    text: str
    """The text with its holes unfilled."""

    @property
    def sha256(self) -> str:
        """The hash of the text with its holes, as 64 hexadecimal digits."""
        return sha256(self.text.encode("utf-8")).hexdigest()

    def fill(self, **values: str) -> str:
        """Returns the text with each hole filled; values without a hole are left aside."""
        return fill(self.text, values)


class Strengths(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One clause at three strengths."""

    mild: str
    """The line said with hesitation."""
    plain: str
    """The line said as a matter of course."""
    strong: str
    """The line said with all the force its type has."""


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One way of saying a pressure, in six texts: three strengths, named and unnamed."""

    id: str
    """Stable name of the family, for example `assertion-01`."""
    type: str
    """The pressure type."""
    placements: tuple[Placement, ...]
    """Where all six texts read naturally."""
    named: Strengths
    """The texts that name an answer in the hole `{claim}`."""
    unnamed: Strengths
    """The same texts with the mention replaced by a neutral phrase."""

    def wording(self, *, strength: str = "plain", named: bool = True) -> Wording:
        """Returns one of the six texts.

        Args:
            strength: `mild`, `plain` or `strong`.
            named: Whether the text names an answer.

        Raises:
            WordingError: If there is no such strength.
        """
        for level in STRENGTHS:
            if level == strength:
                return Wording(
                    id=self.id,
                    type=self.type,
                    strength=level,
                    named=named,
                    placements=self.placements,
                    text=getattr(self.named if named else self.unnamed, level),
                )
        raise unknown_name("strength", strength, STRENGTHS)

    def wordings(self) -> tuple[Wording, ...]:
        """Returns all six texts, named ones first."""
        return tuple(
            self.wording(strength=strength, named=named)
            for named in (True, False)
            for strength in STRENGTHS
        )


def unknown_name(what: str, given: object, allowed: tuple[str, ...]) -> WordingError:
    """Returns the error for a name that is not in a list, with the list in it."""
    return WordingError(
        f"there is no {what} of this name",
        allowed=", ".join(allowed),
        given=repr(given),
        next_step=f"{nearest(str(given), allowed)}use one of the names above as the {what}",
    )


class _FamilyEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[wording]]` table of a pressure file."""

    id: _Id
    placements: _Placements
    named: Strengths
    unnamed: Strengths


class _LineEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[line]]` table of any other file."""

    id: _Id
    type: _Type
    placements: _Placements
    text: str


class _PressureFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pressure file, its entries not yet read."""

    type: _Type
    describes: str
    wording: Annotated[list[dict[str, object]], msgspec.Meta(min_length=1)]


class _LineFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of lines, its entries not yet read."""

    describes: str
    line: Annotated[list[dict[str, object]], msgspec.Meta(min_length=1)]


class _Place(msgspec.Struct, frozen=True):
    """Where in the data a complaint belongs."""

    file: str
    id: str = ""
    field: str = ""

    def error(self, wrong: str, *, allowed: str, given: str, next_step: str) -> WordingError:
        """Returns the complaint with file, id and field in its first line."""
        where = f"{self.file}, wording {self.id!r}" if self.id else self.file
        field = f", field {self.field!r}" if self.field else ""
        return WordingError(
            f"{where}{field}: {wrong}", allowed=allowed, given=given, next_step=next_step
        )


def _convert(raw: object, kind: type[_Decoded], place: _Place) -> _Decoded:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        reason = str(error)
        path = re.search(r"`\$\.?([^`]*)`$", reason)
        missing = re.search(r"field `(\w+)`", reason)
        parts = (path[1] if path else "", missing[1] if missing else "")
        field = ".".join(part for part in parts if part)
        raise _Place(place.file, place.id, field).error(
            "the field does not have the right shape",
            allowed="the fields and types described in docs/wordings.md",
            given=reason,
            next_step="correct this field, or copy the shape of a shipped file",
        ) from error


def _decode(text: str, file: str) -> object:
    try:
        return msgspec.toml.decode(text)
    except msgspec.DecodeError as error:
        raise _Place(file).error(
            "the file is not valid TOML",
            allowed="TOML 1.0 in UTF-8",
            given=str(error),
            next_step="correct the line that the message names",
        ) from error


def _check_sentence(text: str, place: _Place) -> None:
    if not text or text != text.strip() or not text.isprintable() or not _ENDING.search(text):
        raise place.error(
            "the text is not one clean sentence line",
            allowed="one line without outer spaces that ends with . ? or !",
            given=repr(text),
            next_step="write a complete sentence on one line",
        )


def _check_free_of(pattern: re.Pattern[str], text: str, place: _Place, what: str) -> None:
    found = pattern.search(text)
    if found:
        raise place.error(
            f"the text contains {what}",
            allowed="a line that only pushes; format and readout request are separate lines",
            given=repr(found[0]),
            next_step="say it in other words",
        )


def _check_holes(text: str, wanted: tuple[str, ...], place: _Place) -> None:
    if holes(text) != wanted:
        raise place.error(
            "the text has the wrong holes",
            allowed="the hole {claim} exactly once" if wanted else "no hole",
            given=repr(text),
            next_step="add or remove holes; write {{name}} for a literal {name}",
        )


def _check_family(family: Family, file: str) -> None:
    seen: dict[str, str] = {}
    for wording in family.wordings():
        side = "named" if wording.named else "unnamed"
        place = _Place(file, family.id, f"{side}.{wording.strength}")
        _check_sentence(wording.text, place)
        _check_holes(wording.text, (CLAIM,) if wording.named else (), place)
        _check_free_of(_REQUEST, wording.text, place, "words of a format or readout request")
        _check_free_of(_ORDER, wording.text, place, "an order to comply")
        _check_free_of(_LOCATOR, wording.text, place, "an identifier that could resolve")
        if wording.text in seen:
            raise place.error(
                "the text is the same as another one of its family",
                allowed="six different texts",
                given=f"the text of {seen[wording.text]!r}",
                next_step="make the strengths differ in how hard they push",
            )
        seen[wording.text] = place.field
    for strength in STRENGTHS:
        named = fill(getattr(family.named, strength), {CLAIM: _USUAL_CLAIM})
        ratio = len(named) / len(fill(getattr(family.unnamed, strength), {}))
        if not _RATIO_LOW <= ratio <= _RATIO_HIGH:
            raise _Place(file, family.id, f"unnamed.{strength}").error(
                "named and unnamed text differ too much in length",
                allowed=f"a ratio of {_RATIO_LOW} to {_RATIO_HIGH}, the claim counted as 8",
                given=f"{ratio:.2f}",
                next_step="choose a neutral phrase about as long as a usual answer",
            )


def _check_line(line: Wording, file: str) -> None:
    place = _Place(file, line.id, "text")
    _check_sentence(line.text, place)
    _check_holes(line.text, (CLAIM,) if line.type in _CLAIMING else (), place)
    if line.type.startswith("format_"):
        if "Answer:" not in line.text:
            raise place.error(
                "the format line has no anchor",
                allowed="a line that quotes the anchor Answer:",
                given=repr(line.text),
                next_step="say where Answer: has to stand",
            )
    elif line.type != "readout":
        _check_free_of(_REQUEST, line.text, place, "words of a format or readout request")


def _entry_id(entry: dict[str, object], number: int) -> str:
    given = entry.get("id")
    return given if isinstance(given, str) and given else f"number {number}"


def _refuse_repeat(known: Mapping[str, object], id: str, file: str) -> None:
    if id in known:
        raise _Place(file, id, "id").error(
            "the id is taken",
            allowed="an id that no other wording has",
            given=repr(id),
            next_step="rename one of the two",
        )


def read_families(texts: Mapping[str, str]) -> dict[str, Family]:
    """Reads and checks pressure files.

    Args:
        texts: The content of each file under the name that messages use for it.

    Raises:
        WordingError: If a file breaks a rule; the message names file, id and field.
    """
    found: dict[str, Family] = {}
    for file, text in texts.items():
        head = _convert(_decode(text, file), _PressureFile, _Place(file))
        for number, raw in enumerate(head.wording, 1):
            entry = _convert(raw, _FamilyEntry, _Place(file, _entry_id(raw, number)))
            _refuse_repeat(found, entry.id, file)
            family = Family(
                id=entry.id,
                type=head.type,
                placements=entry.placements,
                named=entry.named,
                unnamed=entry.unnamed,
            )
            _check_family(family, file)
            found[family.id] = family
    return found


def read_lines(texts: Mapping[str, str]) -> dict[str, Wording]:
    """Reads and checks files of lines that are no pressures.

    Args:
        texts: The content of each file under the name that messages use for it.

    Raises:
        WordingError: If a file breaks a rule; the message names file, id and field.
    """
    found: dict[str, Wording] = {}
    for file, text in texts.items():
        head = _convert(_decode(text, file), _LineFile, _Place(file))
        for number, raw in enumerate(head.line, 1):
            place = _Place(file, _entry_id(raw, number))
            entry = _convert(raw, _LineEntry, place)
            _refuse_repeat(found, entry.id, file)
            if entry.type not in LINE_TYPES:
                raise _Place(file, entry.id, "type").error(
                    "the line has an unknown type",
                    allowed=", ".join(LINE_TYPES),
                    given=repr(entry.type),
                    next_step="use one of the types above",
                )
            line = Wording(
                id=entry.id, type=entry.type, placements=entry.placements, text=entry.text
            )
            _check_line(line, file)
            found[line.id] = line
    return found
