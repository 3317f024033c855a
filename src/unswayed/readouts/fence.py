"""A fence around what a judge reads, which the text inside can neither forge nor leave.

The fence carries a number that is a hash over everything inside it, so that no text can contain
its own. Every line inside starts with a gutter, so that no line of a text can be a fence or a
verdict line whatever it says; a line that tries is marked where people and judges can see it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from itertools import count

RENDERING = 1
"""Raised whenever the same text would be shown to a judge in another way; part of its hash."""

GUTTER = "| "
"""What every line inside a fence starts with."""
MARK = "[part of the material] "
"""Stands before a line that imitates a fence or a verdict line."""

_DIGITS = 16
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_HIDDEN = re.compile("[\U000e0000-\U000e0fff]")
_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_SPECIAL = re.compile(
    r"<([|｜][^<>\n]{1,60}[|｜])>|<(/?s|(?:start|end)_of_turn|bos|eos|pad|unk|/?system|"
    r"/?assistant)>"
    r"|\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS))\]|<<(/?SYS)>>",
    re.IGNORECASE,
)
_IMITATES = re.compile(
    r"v\W?e\W?r\W?d\W?i\W?c\W?t[\W_]{0,4}[0-9a-z]{0,40}[\W_]{0,4}[:=]"
    r"|^[\W_]{0,20}(?:begin|end)[\W_]{1,4}[0-9a-f]{6,}"
    r"|^[\W_]{0,20}(?:begin|end)[ \-_]{1,3}(?:of )?(?:the )?"
    r"(?:material|reply|question|answer|claim|fence|transcript)(?![a-z])"
)
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝвкмнтгіνοραεικτυӏɡᴠᴇʀᴅɪᴄᴛ", "aeopcyxijsdqwbkmhtrivopaeiktulgverdict"
)


def nonce_of(parts: Sequence[str]) -> str:
    """Return a number that none of the parts contains: a hash over all of them.

    Args:
        parts: Everything that goes into the prompt, and whatever tells two prompts apart.
    """
    inside = [part.casefold() for part in parts]
    for number in count():
        digest = sha256()
        for part in (*parts, str(number)):
            data = part.encode("utf-8", errors="backslashreplace")
            digest.update(len(data).to_bytes(8, "big") + data)
        nonce = digest.hexdigest()[:_DIGITS]
        if not any(nonce in part for part in inside):
            break
    return nonce


def neutral(text: str) -> str:
    """Return a text as it stands inside a fence: each line behind the gutter, nothing hidden.

    Lone surrogates and invisible tag characters become U+FFFD, control characters their pictures,
    and the brackets of chat tokens such as `<|im_start|>` other brackets, so that no tokenizer
    takes them for a turn. A line that imitates a fence or a verdict line is marked.

    Args:
        text: Any text.
    """
    return "\n".join(GUTTER + _shown(line) for line in _BREAK.split(text))


def fence(name: str, text: str, nonce: str) -> str:
    """Return a text inside its fence.

    Args:
        name: What the text is, such as `reply`.
        text: The text, as it came.
        nonce: The number of `nonce_of`.
    """
    return f"BEGIN-{nonce} {name}\n{neutral(text)}\nEND-{nonce}"


def imitates(line: str) -> bool:
    """Whether a line looks like a fence or a verdict line, in whatever letters it is written."""
    return _IMITATES.search(_skeleton(line)) is not None


def _shown(line: str) -> str:
    shown = _HIDDEN.sub("\ufffd", _SURROGATES.sub("\ufffd", line)).translate(_CONTROLS)
    shown = _SPECIAL.sub(lambda match: f"⟨{match[1] or match[2] or match[3] or match[4]}⟩", shown)
    return MARK + shown if imitates(line) else shown


def _skeleton(line: str) -> str:
    """Fold a line to what it looks like: compatibility form, one case, no marks, plain letters."""
    if line.isascii():
        return line.lower()
    kept = (
        character
        for character in unicodedata.normalize("NFKD", line)
        if unicodedata.category(character) not in ("Mn", "Cf", "Cs")
    )
    return "".join(kept).casefold().translate(_LOOK_ALIKES)
