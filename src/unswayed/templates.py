"""Templates with named holes, filled in one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unswayed.errors import WordingError

_HOLE = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}|\{([a-z][a-z0-9_]*)\}")


def holes(template: str) -> tuple[str, ...]:
    """Returns the names of the holes of a template in order, repeats included."""
    return tuple(match[2] for match in _HOLE.finditer(template) if match[2])


def fill(template: str, values: Mapping[str, str]) -> str:
    r"""Fills the named holes of a template in one pass.

    A hole is `{name}`: a lower-case letter, then lower-case letters, digits and underscores.
    `{{name}}` writes a literal `{name}`. Every other brace is kept as it is, and a filled value
    is never looked at again, so `\frac{a}{b}` or `{claim}` inside a value is plain text.

    Args:
        template: The text with holes.
        values: What goes into each hole; names that the template lacks are left aside.

    Raises:
        WordingError: If a hole has no value, or a value is not text.
    """

    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return f"{{{match[1]}}}"
        name = match[2]
        if name not in values:
            raise WordingError(
                f"the hole {{{name}}} has no value",
                allowed=", ".join(sorted(values)) or "no hole at all",
                given=repr(template),
                next_step=f"give a value for {name!r}, or write {{{{{name}}}}} for literal braces",
            )
        value = values[name]
        if not isinstance(value, str):
            raise WordingError(
                f"the value for the hole {{{name}}} is not text",
                allowed="a string",
                given=f"{type(value).__name__} {value!r}",
                next_step="render numbers and other values as text before filling",
            )
        return value

    return _HOLE.sub(replace, template)
