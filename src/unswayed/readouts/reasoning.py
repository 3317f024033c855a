"""Reasoning that a model writes into its reply, set apart from the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from unswayed.readouts.turns import echoed, own_turn_ends


class ReasoningTag(msgspec.Struct, frozen=True, kw_only=True):
    """How one family of models opens and closes its reasoning."""

    opens: str
    """The opening tag, matched without regard to case."""
    closes: str
    """The closing tag."""


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """A reply divided into reasoning and answer."""

    answer: str
    """The reply from `offset` on; reasoning inside it is replaced by spaces of the same length."""
    reasoning: str
    """The reasoning, without its tags; several blocks are joined by a line break."""
    closed: bool
    """Whether every block of reasoning was closed; False when the reply ended inside one."""
    offset: int
    """Where `answer` starts in the original text."""
    ended: bool = False
    """Whether the reply went on with an invented turn of the other speaker, which is left out."""


def _pair(name: str, left: str = "<", right: str = ">", slash: str = "/") -> ReasoningTag:
    return ReasoningTag(opens=f"{left}{name}{right}", closes=f"{left}{slash}{name}{right}")


_NAMES = (
    "think", "thinking", "thought", "thoughts", "reasoning", "reason", "reflection", "analysis",
    "scratchpad", "inner_monologue", "internal", "chain_of_thought", "cot", "seed:think",
    "ds_think", "deepthink", "rationale", "antthinking", "inner_thought", "inner_thoughts",
    "internal_monologue", "internal_thoughts", "internal_reasoning", "reflect", "self_reflection",
    "thinking_process", "thought_process", "reasoning_process", "reasoning_content",
    "reasoning_steps", "chain-of-thought", "mm:think", "deliberation", "planning", "plan",
    "critique", "draft", "work", "working", "scratch", "scratch_pad", "scratchwork", "monologue",
    "hidden", "hidden_reasoning", "hidden_thoughts", "private", "private_thoughts", "my_thoughts",
    "my_thinking", "internal_thinking", "inner_thinking", "model_thinking", "claude_thinking",
    "o1_thinking", "o3_thinking", "brainstorm", "brainstorming", "step_by_step",
)  # fmt: skip
_SUMMARIES = ("thinking", "thinking process", "thought process", "thoughts", "reasoning")
_SQUARE_NAMES = ("THINK", "THINKING", "REASONING", "THOUGHT", "ANALYSIS")
REASONING_TAGS: tuple[ReasoningTag, ...] = (
    *(_pair(name) for name in _NAMES),
    *(_pair(name, "[", "]") for name in _SQUARE_NAMES),
    _pair("think", "◁", "▷"),
    _pair("think", "<|", "|>"),
    _pair("thinking", "<|", "|>"),
    ReasoningTag(opens="<|begin_of_thought|>", closes="<|end_of_thought|>"),
    ReasoningTag(opens="<|start_thinking|>", closes="<|end_thinking|>"),
    ReasoningTag(opens="<start_of_thought>", closes="<end_of_thought>"),
    ReasoningTag(opens="<unused94>", closes="<unused95>"),
    ReasoningTag(opens="<ctrl94>", closes="<ctrl95>"),
    ReasoningTag(opens="<｜begin▁of▁thinking｜>", closes="<｜end▁of▁thinking｜>"),
    ReasoningTag(opens='<details type="reasoning"', closes="</details>"),
    *(
        ReasoningTag(opens=f"<details>{gap}<summary>{name}</summary>", closes="</details>")
        for name in _SUMMARIES
        for gap in ("", "\n")
    ),
    _pair("think", "＜", "＞"),
    ReasoningTag(opens="here is my thought process:", closes="here is my response:"),
)
"""The tags known without configuration; pass a longer tuple for a model that has its own."""

_CHANNEL = re.compile(
    r"(?:<\|start\|>[a-z]*)?<\|channel\|>\s*(\w+)[^<]*(?:<\|message\|>)?", re.IGNORECASE
)
_BARE_CHANNEL = re.compile(r"\s*analysis(?=[A-Z\s])")
_BARE_FINAL = "assistantfinal"
_NOT_SPACE = re.compile(r"\S")
_TITLE = (
    r"(?:(?:my|inner|internal) )?(?:thinking(?: process)?|thoughts?|thought process|"
    r"chain[ -]of[ -]thought|monologue|scratch ?pad)"
)
_HEADING = re.compile(
    rf"\s*(?:(?:\#{{1,6}}[ \t]*[*_]{{0,3}}|[*_]{{1,3}}){_TITLE}[ \t]*[:*_]*[ \t]*(?=\r?\n|\Z)|"
    rf"{_TITLE}[ \t]*(?:\.{{3}}|…|:)[ \t]*(?:\n|\Z))",
    re.IGNORECASE,
)
_SECTION_TITLE = (
    r"(?:(?:my|inner|internal|detailed|step[- ]by[- ]step) )?(?:thinking(?: process)?|thoughts?|"
    r"thought process|reasoning(?: process| steps)?|chain[ -]of[ -]thought|analysis|monologue|"
    r"scratch ?(?:pad|work)|rationale|deliberation|working(?:s| out)?)"
)
_SECTION = re.compile(
    rf"^[ \t]*(?:\d{{1,2}}[.)][ \t]*)?(?:(?P<marked>\#{{1,6}}[ \t]*[*_]{{0,3}}{_SECTION_TITLE}"
    rf"[ \t]*(?:[:*_]+|$)|[*_]{{1,3}}{_SECTION_TITLE}[ \t]*"
    r"(?::[*_]{1,3}|[*_]{1,3}[ \t]*(?::|$)))"
    rf"|{_SECTION_TITLE}[ \t]*:)",
    re.IGNORECASE | re.MULTILINE,
)
_OVER_TITLE = (
    r"(?:(?:my |the )?final )?(?:answer|response|reply|conclusion|verdict|output|result|solution|"
    r"decision|choice)"
)
_DONE = r"^[ \t]*(?:\.{3}|…)[ \t]*done thinking\.?"
_MARKED_OVER = re.compile(
    rf"{_DONE}|^[ \t]*(?=(?:\d{{1,2}}[.)][ \t]*)?[#*_]{{1,6}}[ \t]*{_OVER_TITLE}[ \t]*[*_]{{0,3}}"
    rf"[ \t]*(?::|$))|^[ \t]*(?=[*_]{{2,3}}{_OVER_TITLE}[*_]{{2,3}}[ \t])"
    rf"|(?=[*_]{{2,3}}{_OVER_TITLE}[ \t]*(?::[*_]{{2,3}}|[*_]{{2,3}}[ \t]*:))",
    re.IGNORECASE | re.MULTILINE,
)
_PLAIN_OVER = re.compile(
    rf"^[ \t]*(?=(?:\d{{1,2}}[.)][ \t]*)?{_OVER_TITLE}[ \t]*(?::|$))", re.IGNORECASE | re.MULTILINE
)


def split_reasoning(text: str, tags: Sequence[ReasoningTag] = REASONING_TAGS) -> Split:
    """Set a reply's reasoning apart from its answer.

    A closing tag without an opening one ends reasoning that began with the reply. An opening tag
    that begins a line and is never closed swallows the rest: the reply ended while the model
    was still thinking, so what stands there is no answer. A heading such as `**Thinking**` over
    the reply does the same, up to a line that is headed as the answer. A section such as
    `**Reasoning:** ...` or `Analysis: ...`, wherever it stands, is set apart where a heading of the
    answer follows; without one it is read like the rest of the reply. What follows an invented
    turn of the other speaker (`Human: Are you sure?`) is left out, with all turns after it, and so
    is a prompt that the reply repeats at its beginning (`[INST] ... [/INST]`).

    Args:
        text: The reply as the model wrote it.
        tags: The tags to know; tags of equal depth may follow or contain one another.

    Returns:
        Answer, reasoning, whether it was closed, and where the answer starts.
    """
    start = echoed(text)
    text = " " * start + text[start:]
    blocks, closed = _blocks(text, tags)
    stop = own_turn_ends(_masked(text, blocks))
    if stop is not None:
        text = text[:stop]
        blocks, closed = _blocks(text, tags)
    if not blocks:
        return Split(
            answer=text[start:], reasoning="", closed=closed, offset=start, ended=stop is not None
        )
    masked = _masked(text, blocks)
    offset = len(masked) - len(masked.lstrip())
    reasoning = [text[inner:inner_end].strip() for _, inner, inner_end, _ in blocks]
    return Split(
        answer=masked[offset:],
        reasoning="\n".join(part for part in reasoning if part),
        closed=closed,
        offset=offset,
        ended=stop is not None,
    )


_Blocks = list[tuple[int, int, int, int]]


def _blocks(text: str, tags: Sequence[ReasoningTag]) -> tuple[_Blocks, bool]:
    """The blocks of reasoning, and whether the last of them was closed."""
    blocks, closed = _channel_blocks(text)
    if not blocks:
        blocks, closed = _tag_blocks(text, tags)
    if not blocks:
        blocks, closed = _heading_block(text)
    return blocks or _sections(text), closed


def _masked(text: str, blocks: _Blocks) -> str:
    """The text with spaces for every block."""
    if not blocks:
        return text
    kept = list(text)
    for start, _, _, end in blocks:
        kept[start:end] = " " * (end - start)
    return "".join(kept)


def _channel_blocks(text: str) -> tuple[_Blocks, bool]:
    """Blocks of a reply written in channels: all but the final one are reasoning."""
    heads = list(_CHANNEL.finditer(text)) if "<|" in text else []
    if not heads:
        bare = _BARE_CHANNEL.match(text)
        if not bare or _BARE_FINAL not in text:
            return [], True
        final = text.rindex(_BARE_FINAL)
        return [(0, bare.end(), final, final + len(_BARE_FINAL))], True
    blocks: _Blocks = []
    final_seen = False
    for number, head in enumerate(heads):
        stop = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        if head[1].lower() == "final":
            final_seen = True
            blocks.append((head.start(), head.end(), head.end(), head.end()))
        else:
            blocks.append((head.start(), head.end(), stop, stop))
    return blocks, final_seen


def _heading_block(text: str) -> tuple[_Blocks, bool]:
    """The block under a heading with which the reply opens, such as `**Thinking**`."""
    heading = _HEADING.match(text)
    if heading is None or not _NOT_SPACE.search(text, heading.end()):
        return [], True
    over = _over(text, heading.end(), marked=True)
    if over is None:
        return [(0, heading.end(), len(text), len(text))], False
    return [(0, heading.end(), over.start(), over.end())], True


def _sections(text: str) -> _Blocks:
    """Blocks under headings of reasoning, each up to the heading of an answer."""
    blocks: _Blocks = []
    place = 0
    while (heading := _SECTION.search(text, place)) is not None:
        over = _over(text, heading.end(), marked=heading["marked"] is not None)
        if over is None:
            break
        blocks.append((heading.start(), heading.end(), over.start(), over.end()))
        place = over.end()
    return blocks


def _over(text: str, place: int, *, marked: bool) -> re.Match[str] | None:
    """The heading that ends reasoning; one with marks where reasoning had them, else any."""
    found = _MARKED_OVER.search(text, place), _PLAIN_OVER.search(text, place)
    if marked and found[0] is not None:
        return found[0]
    return min((each for each in found if each), key=lambda each: each.start(), default=None)


class _Known:
    """A set of tags, ready to be found."""

    def __init__(self, tags: tuple[ReasoningTag, ...]) -> None:
        self.closer_of = {tag.opens.lower(): tag.closes.lower() for tag in tags}
        names = sorted({*self.closer_of, *self.closer_of.values()}, key=len, reverse=True)
        self.pattern = re.compile("|".join(re.escape(name) for name in names), re.IGNORECASE)
        self.by_first: dict[str, list[str]] = {}
        for name in names:
            self.by_first.setdefault(name[:1], []).append(name)

    def may_occur(self, text: str) -> bool:
        """Whether a tag can stand in the text; letters beyond ASCII fold in more ways."""
        if not text.isascii():
            return True
        lower = text.lower()
        return any(
            first in lower and any(name in lower for name in names)
            for first, names in self.by_first.items()
        )


@lru_cache(maxsize=32)
def _known(tags: tuple[ReasoningTag, ...]) -> _Known:
    return _Known(tags)


def _tag_blocks(text: str, tags: Sequence[ReasoningTag]) -> tuple[_Blocks, bool]:
    """Blocks between opening and closing tags."""
    known = _known(tuple(tags))
    if not tags or not known.may_occur(text):
        return [], True
    closer_of = known.closer_of
    found = [(match, match[0].lower()) for match in known.pattern.finditer(text)]
    last = {name: number for number, (_, name) in enumerate(found)}
    blocks: _Blocks = []
    opened: re.Match[str] | None = None
    for number, (match, name) in enumerate(found):
        if opened is not None:
            if name == closer_of[opened[0].lower()]:
                blocks.append((opened.start(), opened.end(), match.start(), match.end()))
                opened = None
        elif name in closer_of:
            if _begins_line(text, match) or last.get(closer_of[name], -1) > number:
                opened = match
        elif not _is_quoted(text, match):
            _close_earlier(text, match, blocks)
    if opened is None:
        return blocks, True
    blocks.append((opened.start(), opened.end(), len(text), len(text)))
    return blocks, False


def _close_earlier(text: str, closer: re.Match[str], blocks: _Blocks) -> None:
    """Take in what stands before a closing tag that no opening tag matches."""
    if not blocks:
        blocks.append((0, 0, closer.start(), closer.end()))
    elif _NOT_SPACE.search(text, closer.end()):
        start, inner, _, _ = blocks.pop()
        blocks.append((start, inner, closer.start(), closer.end()))
    else:
        blocks.append((closer.start(), closer.end(), closer.end(), closer.end()))


def _begins_line(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 60) : match.start()]
    return not before.rpartition("\n")[2].strip()


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """Whether a tag is only named, between backticks or quotation marks."""
    before = text[match.start() - 1 : match.start()]
    return bool(before) and before in "`\"'" and text[match.end() : match.end() + 1] == before
