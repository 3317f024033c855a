"""Checks the settings of a reward when it is made, so that none fails on the first batch."""

from __future__ import annotations

import math
import types
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from unswayed.errors import UsageError

_PLAIN = (str, int, float, bool, type(None))


def check_settings(made: msgspec.Struct, **least: float) -> None:
    """Refuse a setting of another type than it is declared with, or one that is not finite.

    Args:
        made: The reward, or a part of one.
        **least: The lowest value of settings that have one.

    Raises:
        UsageError: Naming the setting, what it may be and what it is.
    """
    for field in msgspec.structs.fields(type(made)):
        given = getattr(made, field.name)
        if not _fits(given, field.type):
            _refuse(made, field.name, _named(field.type), given)
        elif given is not None and field.name in least and not given >= least[field.name]:
            _refuse(made, field.name, f"{least[field.name]:g} or more", given)


def _fits(given: object, declared: Any) -> bool:  # noqa: ANN401 - any annotation
    """Whether a value is of a declared type; what is no plain type has to have its methods."""
    if isinstance(declared, type) and issubclass(declared, msgspec.Struct):
        return isinstance(given, declared)
    if getattr(declared, "_is_protocol", False):
        return callable(getattr(given, "score", None))
    if not _is_plain(declared):
        return True
    try:
        value = msgspec.convert(_python(given), declared)
    except msgspec.ValidationError:
        return False
    numbers = value if isinstance(value, tuple) else (value,)
    return all(not isinstance(each, float) or math.isfinite(each) for each in numbers)


def _is_plain(declared: Any) -> bool:  # noqa: ANN401
    origin = get_origin(declared)
    if origin in (Union, types.UnionType, tuple):
        return all(each is Ellipsis or _is_plain(each) for each in get_args(declared))
    return origin is Literal or declared in _PLAIN


def _python(given: object) -> object:
    """A scalar of an array as Python has it."""
    item = getattr(given, "item", None)
    return item() if callable(item) and getattr(given, "shape", None) == () else given


def _named(declared: Any) -> str:  # noqa: ANN401
    origin, args = get_origin(declared), get_args(declared)
    if origin is Literal:
        return ", ".join(str(each) for each in args)
    if origin in (Union, types.UnionType):
        return " or ".join(_named(each) for each in args)
    if origin is tuple:
        return f"{len(args)} values, each {_named(args[0])}"
    words = {
        float: "a finite number",
        int: "a whole number",
        str: "a text",
        bool: "True or False",
        type(None): "None",
    }
    return words.get(declared, f"a {declared.__name__}")


def _refuse(made: msgspec.Struct, name: str, allowed: str, given: object) -> None:
    raise UsageError(
        f"The setting {name!r} of {type(made).__name__} cannot be used",
        allowed=allowed,
        given=repr(given)[:60],
        next_step=f"state {name} so, or leave it out where it has a default",
    )
