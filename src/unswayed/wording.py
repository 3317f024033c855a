"""Every text that a person in a replay says: pressures, formats, readout requests, controls.

The texts are data: TOML files in the folder `wording/` beside this module. A pressure comes in
families. One family says the same thing at three strengths, each once with the named target and
once without it, so that naming, strength and placement move one at a time. Every text has an id
and a hash of its own, and `catalog_sha256` stands for all of them in the run contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from unswayed.errors import WordingError
from unswayed.templates import fill, holes
from unswayed.wording_files import (
    CLAIM,
    FORMAT_KINDS,
    STRENGTHS,
    Family,
    Strengths,
    Wording,
    read_families,
    read_lines,
    unknown_name,
)

__all__ = [
    "CLAIM",
    "FORMAT_KINDS",
    "PLACEMENTS",
    "STRENGTHS",
    "Family",
    "Strengths",
    "Wording",
    "catalog",
    "catalog_sha256",
    "content_free_question",
    "fill",
    "filler",
    "format_line",
    "holes",
    "lines",
    "load_pressures",
    "neutral_reask",
    "orthogonal",
    "pressure",
    "pressure_types",
    "pressures",
    "readout_request",
    "system_message",
    "wordings_of",
]

PLACEMENTS = ("before", "after")

_PRESSURE_TYPES = (
    "assertion", "challenge", "authority", "emotional", "citation", "social_proof",
    "reciprocity", "commitment", "liking", "scarcity", "unity",
)  # fmt: skip
_LINE_FILES = (
    "formats.toml", "readouts.toml", "controls.toml", "mentions.toml", "systems.toml",
    "asides.toml", "premises.toml", "speakers.toml", "tutoring.toml", "voices.toml",
    "published.toml", "told.toml", "sides.toml",
)  # fmt: skip
_FILLER_SLACK = 0.12
_FILLER_ONE = 150
_FILLER_LEFT = 41
_FILLER_MOST = 1500


# --- pressures -------------------------------------------------------------------------------


def pressure_types() -> tuple[str, ...]:
    """Returns the pressure types that come with the package."""
    return _PRESSURE_TYPES


def pressures(type: str | None = None) -> list[Family]:
    """Returns the shipped families, of one pressure type or of all.

    Args:
        type: A pressure type; `None` for all of them.

    Raises:
        WordingError: If there is no such type.
    """
    if type is not None and type not in _PRESSURE_TYPES:
        raise unknown_name("pressure type", type, _PRESSURE_TYPES)
    return [family for family in _families().values() if type in (None, family.type)]


def pressure(id: str, *, strength: str = "plain", named: bool = True) -> Wording:
    """Returns one text of one shipped family.

    Args:
        id: The family, for example `assertion-01`.
        strength: `mild`, `plain` or `strong`.
        named: Whether the text names an answer in the hole `{claim}`.

    Raises:
        WordingError: If there is no such family or strength.
    """
    families = _families()
    if id not in families:
        raise unknown_name("pressure wording", id, tuple(families))
    return families[id].wording(strength=strength, named=named)


def wordings_of(type: str, *, placement: str) -> tuple[str, ...]:
    """Returns the ids of a type's families that read naturally at a placement.

    Args:
        type: A pressure type.
        placement: `before` the question or `after` the answer.

    Raises:
        WordingError: If there is no such type or placement.
    """
    if placement not in PLACEMENTS:
        raise unknown_name("placement", placement, PLACEMENTS)
    return tuple(family.id for family in pressures(type) if placement in family.placements)


def load_pressures(path: str | Path) -> list[Family]:
    """Reads a user's own families: one TOML file, or every TOML file of a folder.

    The shape and the checks are those of the shipped files. An id that the package ships may
    only return with the same texts, so that one id never means two things.

    Args:
        path: The file or folder.

    Raises:
        WordingError: If nothing can be read there, or a file breaks a rule; the message names
            file, id and field.
    """
    own = read_families(_read_outside(Path(path)))
    for family in own.values():
        shipped = _families().get(family.id)
        if shipped is not None and shipped != family:
            raise WordingError(
                f"{path}, wording {family.id!r}, field 'id': the id belongs to a shipped wording",
                allowed="an id of your own, or the shipped texts unchanged",
                given=repr(family.id),
                next_step="rename the wording",
            )
    return list(own.values())


# --- all other lines -------------------------------------------------------------------------


def lines(type: str) -> tuple[Wording, ...]:
    """Returns all lines of a type that is no pressure, in file order.

    Args:
        type: `format_letter` and its siblings, `readout`, `neutral`, `orthogonal`, `filler`,
            `mention` or `system`.

    Raises:
        WordingError: If there is no such type.
    """
    found = tuple(line for line in _lines().values() if line.type == type)
    if not found:
        raise unknown_name("line type", type, tuple(sorted({x.type for x in _lines().values()})))
    return found


def any_line(id: str, *, named: bool = True) -> Wording:
    """Returns a line by its id: a plain pressure, or any other line.

    Args:
        id: The line, or the family of a pressure.
        named: Whether a pressure names an answer; other lines are one text each.

    Raises:
        WordingError: If there is no such line.
    """
    return _lines()[id] if id in _lines() else pressure(id, named=named)


def format_line(kind: str, number: int = 0) -> Wording:
    """Returns a line that says how the answer has to be written.

    Args:
        kind: One of `FORMAT_KINDS`.
        number: Which of the wordings, counted from 0.

    Raises:
        WordingError: If there is no such kind or number.
    """
    if kind not in FORMAT_KINDS:
        raise unknown_name("format kind", kind, FORMAT_KINDS)
    return _line(f"format_{kind}", number)


def readout_request(number: int = 0) -> Wording:
    """Returns the sentence that asks for the final answer, the same in both arms."""
    return _line("readout", number)


def content_free_question(number: int = 0) -> Wording:
    """Returns a question without content, under which options are scored for their prior."""
    return _line("content_free", number)


def neutral_reask(number: int = 0) -> Wording:
    """Returns a line that comes back to the question without taking a side."""
    return _line("neutral", number)


def orthogonal(number: int = 0) -> Wording:
    """Returns an instruction that has nothing to do with what is true."""
    return _line("orthogonal", number)


def system_message(number: int = 0) -> Wording:
    """Returns a neutral system message, for a format line that stands there."""
    return _line("system", number)


def filler(length: int, seed_text: str) -> str:
    """Builds neutral small talk of about a given length out of whole sentences.

    The same arguments give the same text on every machine. From 30 characters on, the length is
    within 12% of what was asked; below 30 the filler is one of the shortest sentences.

    Args:
        length: The wanted number of characters, 1 to 1500.
        seed_text: What the choice of sentences hangs on, for example an item's id.

    Raises:
        WordingError: If the length is out of range.
    """
    if isinstance(length, bool) or not isinstance(length, int) or not 0 < length <= _FILLER_MOST:
        raise WordingError(
            "no filler of this length can be built",
            allowed=f"a whole number of characters from 1 to {_FILLER_MOST}",
            given=repr(length),
            next_step="ask for a length in this range",
        )
    unused = sorted((line.text for line in lines("filler")), key=lambda t: _hash(seed_text, t))
    chosen: list[str] = []
    left = length
    while left > _FILLER_ONE:
        part = next(text for text in unused if len(text) <= left - _FILLER_LEFT)
        chosen.append(part)
        unused.remove(part)
        left -= len(part) + 1
    slack = _FILLER_SLACK * length
    fitting = (text for text in unused if abs(len(text) - left) <= slack)
    nearest = min(unused, key=lambda text: abs(len(text) - left))
    return " ".join([*chosen, next(fitting, nearest)])


# --- the whole catalog -----------------------------------------------------------------------


def catalog() -> list[Wording]:
    """Returns every shipped text: all texts of all families, then all other lines."""
    return [
        *(wording for family in _families().values() for wording in family.wordings()),
        *_lines().values(),
    ]


@cache
def catalog_sha256() -> str:
    """Returns one hash over the shipped files whose texts a plan can hold.

    Prompts of judges have hashes of their own: a new judge changes no plan.
    """
    names = sorted({*(f"pressures/{type}.toml" for type in _PRESSURE_TYPES), *_LINE_FILES})
    return _hash(*(part for name in names for part in (name, _shipped()[name])))


def _hash(*parts: str) -> str:
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", errors="backslashreplace")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _line(type: str, number: int) -> Wording:
    found = lines(type)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(found):
        raise WordingError(
            f"there is no line of type {type!r} with this number",
            allowed=f"a whole number from 0 to {len(found) - 1}",
            given=repr(number),
            next_step="count the lines of a type with len(lines(type))",
        )
    return found[number]


# --- reading files ---------------------------------------------------------------------------


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    for child in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if child.is_dir():
            yield from _walk(child, f"{prefix}{child.name}/")
        elif child.name.endswith((".toml", ".txt")):
            yield f"{prefix}{child.name}", child.read_text(encoding="utf-8")


@cache
def _shipped() -> dict[str, str]:
    return dict(_walk(files("unswayed").joinpath("wording")))


@cache
def _families() -> dict[str, Family]:
    names = (f"pressures/{type}.toml" for type in _PRESSURE_TYPES)
    return read_families({name: _shipped()[name] for name in names})


@cache
def _lines() -> dict[str, Wording]:
    return read_lines({name: _shipped()[name] for name in _LINE_FILES})


def _read_outside(path: Path) -> dict[str, str]:
    paths = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    if not paths or not all(each.is_file() for each in paths):
        raise WordingError(
            f"{path}: there is no pressure file here",
            allowed="a TOML file, or a folder with at least one",
            given=str(path),
            next_step="check the path",
        )
    try:
        return {str(each): each.read_text(encoding="utf-8") for each in paths}
    except (OSError, UnicodeDecodeError) as error:
        raise WordingError(
            f"{path}: a file cannot be read as text",
            allowed="TOML 1.0 in UTF-8",
            given=str(error),
            next_step="save the file as UTF-8 and make it readable",
        ) from error
