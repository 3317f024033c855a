"""The key of an endpoint: read from the environment, sent in one header, never shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from urllib.parse import quote, unquote

from msgspec.structs import replace

from unswayed.errors import ModelError, UsageError
from unswayed.models.completion import Completion

HIDDEN = "[key]"
"""What stands in a text where a key stood."""
SECRET_LENGTH = 12
"""Shorter values are placeholders that local servers ask for; they may occur in ordinary text."""
LEAST_PART = 8
"""Fewer characters of a key in a row, whatever their case, say nothing of it."""
_GRAM = 8
PLACEHOLDER_LENGTH = 4
"""Still shorter values are no secret in any text."""

_LOOKS_LIKE_KEY = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf)[-_][A-Za-z0-9_\-*.]{8,}|Bearer\s+\S+")
_SECRET_FIELDS = re.compile(
    r"^(?:x-)?(?:api[-_]?key|secret|password|authorization|access[-_]token|auth[-_]token)$", re.I
)
_SECRET_NAMES = re.compile(
    r"^(?:x-)?(?:.*[-_])?(?:api-?_?key|apikey|key|token|secret|password|sig|signature|auth)$", re.I
)


class Key:
    """A secret that no repr, pickle or encoder shows."""

    __slots__ = ("_forms", "_grams", "_least", "_runs", "_value", "name")

    def __init__(self, value: str, name: str) -> None:
        self._value = value
        self.name = name
        forms = {value, quote(value, safe=""), quote(value), value.replace("/", "\\/")}
        self._forms = tuple(sorted(forms, key=len, reverse=True))
        low = value.encode().lower() if len(value) >= SECRET_LENGTH else b""
        self._grams = tuple(low[start : start + _GRAM] for start in range(len(low) - _GRAM + 1))
        self._least = max(SECRET_LENGTH, len(value) // 2)
        letters = re.escape("".join(sorted(set(value.lower() + value.upper()))))
        sizes = (self._least, LEAST_PART) if low else ()
        self._runs = {size: re.compile(f"[{letters}]{{{size},}}") for size in sizes}

    @classmethod
    def from_environment(cls, name: str, environ: Mapping[str, str]) -> Key:
        """Read a key from the environment variable `name`; an absent one gives an empty key.

        Raises:
            ModelError: When the value cannot stand in an HTTP header.
        """
        value = environ.get(name, "").strip() if name else ""
        if not all("\x21" <= character <= "\x7e" for character in value):
            raise ModelError(
                f"The value of the environment variable {name} cannot be sent as a key",
                allowed="visible ASCII characters without spaces or line breaks",
                next_step=f"set {name} again, without quotes or a file's other lines",
            )
        return cls(value, name)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Key({self.name!r}, {'set' if self._value else 'absent'})"

    def __reduce__(self) -> tuple[object, ...]:
        raise UsageError(
            "A model with a key cannot be pickled",
            next_step="send the endpoint to the other process and build the model there",
        )

    def headers(self, header: str) -> dict[str, str]:
        """Return the header that carries the key; nothing when there is no key."""
        if not self._value:
            return {}
        bearer = header.lower() == "authorization"
        return {header: f"Bearer {self._value}" if bearer else self._value}

    def inside(self, text: str) -> bool:
        """Whether a text holds the key."""
        return len(self._value) >= SECRET_LENGTH and self._value in unquote(text)

    def scrub_body(self, body: bytes) -> bytes:
        """Return a reply's bytes without the key, so that nothing read from it can hold it."""
        if len(self._value) < SECRET_LENGTH:
            return body
        for form in self._forms:
            body = body.replace(form.encode(), HIDDEN.encode())
        return body

    def scrub_completion(self, completion: Completion) -> Completion:
        """Return a completion without the key, should a server have sent it back in disguise."""
        if len(self._value) < SECRET_LENGTH:
            return completion
        texts = (completion.text, completion.reasoning, completion.served_by)
        hidden = tuple(map(self._without, texts, (self._least, self._least, LEAST_PART)))
        if hidden == texts:
            return completion
        text, reasoning, served_by = hidden
        return replace(completion, text=text, reasoning=reasoning, served_by=served_by)

    def scrub(self, text: str) -> str:
        """Return a text of an error without the key or anything that looks like one."""
        if len(self._value) >= PLACEHOLDER_LENGTH:
            for form in self._forms:
                text = text.replace(form, HIDDEN)
        return _LOOKS_LIKE_KEY.sub(HIDDEN, self._without(text, LEAST_PART))

    def _without(self, text: str, least: int) -> str:
        """A text without parts of the key, also where it is written as HTML writes it."""
        runs = self._runs.get(least)
        if runs is None or not (runs.search(text) or "&" in text):
            return text
        hidden = self._without_parts(text.encode("utf-8", "surrogatepass"), least)
        if "&" in text:
            plain = unescape(hidden.decode("utf-8", "surrogatepass"))
            written = plain.encode("utf-8", "surrogatepass")
            found = self._without_parts(written, least)
            hidden = found if found != written else hidden
        return hidden.decode("utf-8", "surrogatepass")

    def _without_parts(self, data: bytes, least: int) -> bytes:
        """Data without any run of `least` characters of the key or more, in whatever case."""
        low = data.lower()
        if not any(gram in low for gram in self._grams):
            return data
        key = self._value.encode().lower()
        kept, done, place = [], 0, 0
        while place < len(low):
            size = _run_at(low, place, key) if low[place : place + _GRAM] in self._grams else 0
            if size >= least:
                kept += [data[done:place], HIDDEN.encode()]
                done = place + size
            place += max(size, 1)
        return b"".join((*kept, data[done:]))


def _run_at(low: bytes, place: int, key: bytes) -> int:
    """How many bytes from a place on are a part of the key, at most."""
    longest = 0
    start = key.find(low[place : place + _GRAM])
    while start >= 0:
        size = _GRAM
        while low[place + size : place + size + 1] == key[start + size : start + size + 1] != b"":
            size += 1
        longest = max(longest, size)
        start = key.find(low[place : place + _GRAM], start + 1)
    return longest


def names_a_secret(name: str) -> bool:
    """Whether the name of an address's parameter says that its value is a secret."""
    return bool(_SECRET_NAMES.match(name))


def holds_a_secret(value: object) -> bool:
    """Whether a field anywhere inside a request body is named like a secret."""
    if isinstance(value, dict):
        named = any(_SECRET_FIELDS.match(str(name)) for name in value)
        return named or any(holds_a_secret(inner) for inner in value.values())
    return isinstance(value, list | tuple) and any(holds_a_secret(inner) for inner in value)
