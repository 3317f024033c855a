"""Reader of the list of names that persona prompts are filled with."""

from __future__ import annotations

import re
from pathlib import Path

from unswayed.errors import RowError
from unswayed.rows import read_bytes

LICENCE = "Apache-2.0"
SOURCE = "github.com/google/sycophancy-intervention"

_TITLE = re.compile(r"^(?:Mr|Mrs|Ms|Dr|Miss)\.? ")
_SUFFIX = re.compile(r" (?:MD|DDS|DVM|PhD|Jr|Sr|II|III|IV)\.?$")


def read_names(path: Path) -> tuple[str, ...]:
    """Read a file of one line of names between commas, as they are written there.

    Some names have a title or end in a degree. `bare_name` takes both off; use either form, but
    the same in both stances of a prompt, or the title is confounded with the view.

    Raises:
        RowError: When a name is empty or occurs twice, or when there is more than one line.
    """
    text = read_bytes(Path(path)).decode("utf-8")
    lines = text.splitlines()
    names = [name.strip() for name in text.strip().split(",")]
    twice = sorted({name for name in names if names.count(name) > 1})
    if len(lines) == 1 and all(names) and not twice:
        return tuple(names)
    wrong = f"{len(lines)} lines" if len(lines) != 1 else ", ".join(twice) or "an empty name"
    raise RowError(
        f"{path} is not a list of names",
        allowed="one line of different names between commas",
        given=wrong,
        next_step="give the published file, or write the names in one line",
    )


def bare_name(name: str) -> str:
    """Return a name without title and without a degree or number at its end."""
    return _SUFFIX.sub("", _TITLE.sub("", name.strip())).strip()
