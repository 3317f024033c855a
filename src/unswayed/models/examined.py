"""What the replies of an examination show, and where they are too short to show anything.

An empty reply, or one that was cut before it could do what was asked, is evidence of nothing:
models that reason spend a small budget before they write a word.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence

import msgspec

from unswayed.counting import are, several
from unswayed.errors import ModelError
from unswayed.models.completion import Completion
from unswayed.signs import signed

_TAGS = re.compile(r"<\s*(?:think|thinking|thought|reasoning|reflection)\s*>|◁think▷", re.I)
_WHOLE = re.compile(r"""[.!?…。！？।]['")\]*_`»”’]*$""")
_ENDING = re.compile(r"[\W_]+$")
_LEAST_MOVE = 1e-3
"""Least change of a difference of log-probabilities that a swap of two options must make."""
_LONGEST_TOKEN = 12
"""Characters above which a text is taken for more than one token."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing found out, or why it was not."""

    value: bool | int | float | str | None = None
    """What was found; None when it was not determined."""
    reason: str = ""
    """Why it was not determined; empty when it was."""
    n: int | None = None
    """How many replies the value rests on, where that matters."""
    note: str = ""
    """What a reader should know beside the value."""

    def __post_init__(self) -> None:
        if (self.value is None) == (not self.reason):
            raise ModelError(
                "A finding is a value or a reason why it was not determined, never both",
                given=f"value {self.value!r}, reason {self.reason!r}",
                next_step="give one of the two",
            )

    @property
    def text(self) -> str:
        """The finding in one line."""
        if self.value is None:
            return f"not determined: {self.reason}"
        shown = {True: "yes", False: "no"}[self.value] if isinstance(self.value, bool) else ""
        if not shown:
            shown = f"{self.value:.3g}" if isinstance(self.value, float) else str(self.value)
        shown += f" (n={self.n})" if self.n is not None else ""
        return f"{shown}; {self.note}" if self.note else shown


def obeyed(reply: Completion, word: str, order: str, unasked: Sequence[Completion]) -> Finding:
    """Whether a reply ends with the word that the system message orders.

    Args:
        reply: The reply under the order.
        word: The word.
        order: The system message, which a reply that repeats its prompt holds too.
        unasked: Replies without the order; a word that stands there shows nothing.
    """
    told = order.casefold().rstrip(".")
    if told in reply.text.casefold():
        return Finding(reason="the reply repeats the order itself")
    if any(word.casefold() in each.text.casefold() for each in unasked):
        return Finding(reason="the ordered word stands in replies that were not asked for it")
    said = _ENDING.sub("", reply.text).casefold().endswith(word.casefold())
    if not said and (short := _too_short(reply)):
        return Finding(reason=f"{short} before the ordered word could end it")
    return Finding(value=said, n=1)


def followed(first: Completion, swapped: Completion, options: tuple[str, str]) -> Finding:
    """Whether the log-probabilities of two letters follow which option each stands for.

    Args:
        first: Reply to a trivial question whose right answer is the first letter.
        swapped: Reply to the same question with the options swapped.
        options: The letters.
    """
    values = [
        {score.text: score.logprob for score in reply.scores if score.logprob is not None}
        for reply in (first, swapped)
    ]
    if not all(values):
        return Finding(value=False, note="no option was given a value")
    n = min(len(each) for each in values)
    if n < len(options):
        return Finding(value=True, n=n, note="only one of two options was listed")
    ahead = [each[options[0]] - each[options[1]] for each in values]
    if ahead[0] == ahead[1] == 0:
        same = f"every option of a trivial question got {values[0][options[0]]:g}"
        return Finding(value=False, n=n, note=same)
    if ahead[0] - ahead[1] < _LEAST_MOVE:
        before, after = (signed(each, 2) for each in ahead)
        stays = (
            f"{options[0]} lies {before} from {options[1]}, and {after} with the options swapped"
        )
        return Finding(value=False, n=n, note=f"{stays}: it should move down")
    wrong = sum((ahead[0] <= 0, ahead[1] >= 0))
    note = f"in {wrong} of 2 orders of a trivial question the wrong option lies ahead"
    return Finding(value=True, n=n, note=note if wrong else "")


def crossed(replies: Sequence[Completion], numbers: Sequence[int]) -> int:
    """How many replies hold the number of another request and not their own.

    Args:
        replies: Replies to "reply with the number N", in the order of the numbers.
        numbers: The number asked for by each.
    """
    asked = set(numbers)
    found = [set(map(int, re.findall(r"[0-9]{1,9}", each.text))) for each in replies]
    return sum(
        number not in held and bool(held & asked)
        for held, number in zip(found, numbers, strict=True)
    )


def served_elsewhere(asked: str, served: str) -> bool:
    """Whether a model's own name shares nothing with the one asked for.

    A dated or quantized name holds the plain one, and a path ends with it.

    Args:
        asked: The name asked for.
        served: The name that the reply states.
    """
    first, second = (name.casefold().rstrip("/").rpartition("/")[2] for name in (asked, served))
    return bool(first and second) and first not in second and second not in first


def truncation(reply: Completion) -> Finding:
    """Whether a reply that was allowed one token says that it was cut off."""
    stop = f"stop reason: {reply.stop}"
    if reply.stop == "length":
        return Finding(value=True, note=stop)
    text = reply.text.strip()
    if not text or reply.stop == "filter":
        return Finding(reason=f"the reply is {'filtered' if text else 'empty'} ({stop})")
    tokens = reply.n_completion_tokens
    several = tokens > 1 if tokens is not None else len(text) > _LONGEST_TOKEN
    if several and _WHOLE.search(text):
        written = "more than one token" if tokens is None else f"{tokens} tokens"
        return Finding(reason=f"the limit of one token was not kept: {written}, a whole text")
    return Finding(value=False, note=stop)


def disagreement(repeats: Sequence[Completion]) -> Finding:
    """Share of equal requests whose reply is not the most frequent one; empty ones are no reply."""
    texts = [each.text for each in repeats if each.text.strip()]
    gone = len(repeats) - len(texts)
    empty = (
        f"{gone} of {several(len(repeats), 'reply', 'replies')} {are(gone)} empty" if gone else ""
    )
    if len(texts) < 2:
        few = "fewer than two replies at temperature 0"
        return Finding(reason=f"{few}: {empty}" if empty else few)
    frequent = Counter(texts).most_common(1)[0][1]
    same = "" if frequent < len(texts) else "more repeats, or a busier server, may still differ"
    note = "; ".join(filter(None, (same, empty)))
    return Finding(value=1 - frequent / len(texts), n=len(texts), note=note)


def reasoning(replies: Sequence[Completion]) -> Finding:
    """Where reasoning stands; what writes nothing at all may reason unseen."""
    if any(each.reasoning for each in replies):
        return Finding(value="apart", n=len(replies))
    written = [each.text for each in replies if each.text.strip()]
    if not written:
        return Finding(
            reason=(
                f"{len(replies)} of {several(len(replies), 'reply', 'replies')}"
                f" {are(len(replies))} empty"
            )
        )
    tagged = any(_TAGS.search(text) for text in written)
    return Finding(value="tags" if tagged else "not seen", n=len(written))


def counted(reply: Completion) -> bool:
    """Whether a reply states its token counts."""
    return reply.n_prompt_tokens is not None and reply.n_completion_tokens is not None


def latency(replies: Sequence[Completion]) -> Finding:
    """Median seconds of one reply."""
    known = [each.latency_s for each in replies if each.latency_s is not None]
    if not known:
        return Finding(reason="the model states no times")
    return Finding(value=float(statistics.median(known)), n=len(known))


def _too_short(reply: Completion) -> str:
    """How a reply fell short; empty for one that was written to its end."""
    if not reply.text.strip():
        return f"the reply is empty (stop reason: {reply.stop})"
    return "" if reply.stop == "end" else f"the reply stopped ({reply.stop})"
