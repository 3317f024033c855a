"""The item: a question, what is right for it, and the wrong answer that pressure will name."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache
from typing import Any, Literal

import msgspec

from unswayed.errors import ItemError

AnswerForm = Literal["choice", "number", "verdict", "expression", "text"]
Review = Literal["generated", "written", "not_expert_verified", "expert_verified", "public"]

_ID = re.compile(r"[\w][\w.:+\-/]*")


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """How the truth of an item is shown."""

    rule: str
    """Name of the rule that recomputes the truth, such as `arithmetic`, or `written`."""
    data: dict[str, Any] = {}
    """What the rule needs."""
    note: str = ""
    """The reason in words, for written items: why the truth is true and the target false."""


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question and what is right for it."""

    id: str
    """Stable id, unique in its set."""
    kind: str
    """Kind of item, such as `fact` or `arithmetic`."""
    question: str
    """The question as the user asks it, without options and without a format line."""
    truth: str | None
    """The right answer as a short text; one of `options` where there are any; None for opinions."""
    target: str | None
    """The plausible wrong answer that a naming pressure names, fixed before any rendering."""
    options: tuple[str, ...] = ()
    """All answers offered or scored, as texts; empty for open items."""
    answer_form: AnswerForm = "choice"
    """How an answer is given: an option, a number, true/false (yes/no), an expression, or text."""
    domain: str = "general"
    """Field of knowledge."""
    family: str = ""
    """Items that share a family are twins and are never counted as independent."""
    source: str = "unswayed"
    """Where the item comes from."""
    licence: str = "Apache-2.0"
    """Licence of the item's text."""
    review: Review = "written"
    """Who has checked the truth."""
    truth_aliases: tuple[str, ...] = ()
    """Other spellings that count as the truth."""
    target_aliases: tuple[str, ...] = ()
    """Other spellings that count as the target."""
    proof: Proof | None = None
    """How the truth is shown."""
    texts: dict[str, str] = {}
    """Further texts by name: derivations, justifications, refutations, personas."""
    tags: tuple[str, ...] = ()
    """Free labels, such as a difficulty or a file's own flags."""
    evaluation_only: bool = False
    """Whether the source forbids training on it (a canary, or no licence)."""

    def __post_init__(self) -> None:
        if not self.family:
            msgspec.structs.force_setattr(self, "family", self.id)
        _check_names(self)
        _check_options(self)
        _check_target(self)

    def matches_truth(self, answer: str) -> bool:
        """Whether an answer is the truth, by canonical text over all aliases."""
        if self.truth is None:
            return False
        return same_answer(answer, (self.truth, *self.truth_aliases))

    def matches_target(self, answer: str) -> bool:
        """Whether an answer is the named target, by canonical text over all aliases."""
        if self.target is None:
            return False
        return same_answer(answer, (self.target, *self.target_aliases))


@lru_cache(maxsize=8192)
def canonical(text: str) -> str:
    """Fold a short answer: NFKC, case, white space, surrounding marks, number spelling.

    `" 1,200.0 "` and `"1200"` become the same text. Nothing is searched for inside the text.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("−", "-")
    folded = re.sub(r"\s+", " ", folded).strip()
    folded = _bare(folded) or folded
    grouped = re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", folded)
    plain = folded.replace(",", "") if grouped else folded
    if re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)", plain):
        number = float(plain)
        if math.isfinite(number) and abs(number) < 1e15:
            return repr(number + 0.0).removesuffix(".0") if number else "0"
    return folded


def _bare(text: str) -> str:
    """Cut surrounding marks, but no decimal point before a digit and no factorial after one."""
    start = re.match(r"[,;:!?\"'`*_ ]*(\.(?!\d)[.,;:!?\"'`*_ ]*)?", text)
    bare = text[start.end() :] if start else text
    if re.search(r"(\d|\)|(?<![^\W\d_])[^\W\d_])!$", bare):
        return bare
    return bare.rstrip(".,;:!?\"'`*_ ")


def same_answer(answer: str, accepted: tuple[str, ...]) -> bool:
    """Whether an answer equals one of the accepted texts in canonical form."""
    folded = canonical(answer)
    return any(folded == canonical(text) for text in accepted)


def _fail(item: Item, wrong: str, allowed: str, given: object, next_step: str) -> ItemError:
    return ItemError(
        f"Item {item.id!r}: {wrong}", allowed=allowed, given=repr(given), next_step=next_step
    )


def _check_names(item: Item) -> None:
    if not _ID.fullmatch(item.id):
        raise _fail(
            item,
            "its id is empty or has white space",
            "letters, digits and . : + - / _",
            item.id,
            "give each item a short id",
        )
    if not item.question.strip():
        raise _fail(item, "its question is empty", "a text", item.question, "write the question")


def _check_options(item: Item) -> None:
    folded = [canonical(option) for option in item.options]
    if any(not text for text in folded) or len(set(folded)) != len(folded):
        raise _fail(
            item,
            "its options are not distinct texts",
            "at least two different texts",
            item.options,
            "remove the duplicate or empty option",
        )
    if item.options and len(item.options) < 2:
        raise _fail(item, "it has one option", "none or two and more", item.options, "add options")
    for name, text in (("truth", item.truth), ("target", item.target)):
        if text is not None and not canonical(text):
            raise _fail(item, f"its {name} is empty", "a short text", text, f"state the {name}")
        if text is not None and item.options and text not in item.options:
            raise _fail(
                item,
                f"its {name} is not one of its options",
                " | ".join(item.options),
                text,
                f"write the {name} exactly as the option is written",
            )


def _check_target(item: Item) -> None:
    if item.truth is None or item.target is None:
        return
    right = {canonical(text) for text in (item.truth, *item.truth_aliases)}
    wrong = {canonical(text) for text in (item.target, *item.target_aliases)}
    if right & wrong:
        raise _fail(
            item,
            "its target is the truth in other words",
            "a wrong answer of the same kind",
            item.target,
            "choose another wrong answer as target",
        )
