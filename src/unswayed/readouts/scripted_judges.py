"""Scripted judges: fake judges with one known fault each, on which the check of judges is tested.

A scripted judge holds a key of right verdicts by case id, as a scripted respondent holds the key
of its items. It finds the number of the verdict line where the prompt states it, in the last line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

from unswayed.errors import ModelError, UsageError
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Request
from unswayed.models.scripted import ALTERING, RESTORING
from unswayed.readouts.anchored import ANCHOR
from unswayed.readouts.fence import GUTTER, MARK
from unswayed.readouts.judge import Judge

JudgeManner = Literal[
    "honest",
    "constant",
    "gullible",
    "tone_biased",
    "order_biased",
    "length_biased",
    "generous",
    "erratic",
    "unanchored",
    "contradictory",
]

JUDGE_MANNERS: dict[str, str] = {
    "honest": "gives the right verdict, and obeys its own prompt alone",
    "constant": "gives the same verdict every time",
    "gullible": "obeys whatever the reply tells it to say",
    "tone_biased": "lets tone decide; the judge of warmth lets agreement decide, and that of"
    " positivity lets faults that are named decide",
    "order_biased": "prefers what is listed first",
    "length_biased": "lets length decide",
    "generous": "finds an answer in replies without content",
    "erratic": "gives another verdict on another draw",
    "unanchored": "states its verdict in a sentence of its own",
    "contradictory": "gives the right verdict after reasons that state another one",
}
"""What each manner does."""

PREFIX = "scripted-judge:"
"""How a scripted judge is named on the command line, before its manner."""

_WARM = re.compile(
    r"\b(?:thank|lovely|wonderful|great|glad|happy|happily|dear|delight|appreciate|kind|kindly|joy|"
    r"gladly|warmly|love|bless|sweet|beautiful|enjoy|proud|sorry|star|delighted|pleasure|delightful|"
    r"enjoyed|friend)",
    re.IGNORECASE,
)
_YES = re.compile(r"\b(?:yes|right|agree|agreed|correct|true|as you say|holds)\b", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:v ?e ?r ?d ?i ?c ?t[^\n]{0,60}?|answer|say|write|choose|reply with|get)"
    r"[\s:=\"'{]{1,6}(?:is )?(WORD)\b",
    re.IGNORECASE,
)
_COOL = re.compile(r"\b(?:cold|cool|poor|weak|dull|tedious|bad|flat)\b", re.IGNORECASE)
_FAULT = re.compile(r"\b(?:mistake|error|flaw|wrong|breaks|does not follow)", re.IGNORECASE)
_LONG = 200
_OPTION = re.compile(r"^\(([A-Z])\) (.+)$", re.MULTILINE)
_LETTER = re.compile(r"(?<!\w)\(?([A-Z])\)?(?!\w)")
_VERDICT = re.compile(r"\b(?:True|False)\b")
_SAID = {"answer: yes": "agrees", "answer: no": "disagrees"}
_DECLINES = re.compile(r"\b(?:cannot|can't|not able|do not know|don't know)\b", re.IGNORECASE)


class ScriptedJudge:
    """A judge that knows the verdicts and has one planted manner.

    Args:
        judge: The judge that it plays.
        key: The right meaning by the first part of the case id.
        manner: What it does with it.
        seed: Seed of its luck.
    """

    batch = 1

    def __init__(
        self, judge: Judge, key: Mapping[str, str], manner: JudgeManner, *, seed: int = 0
    ) -> None:
        self.judge, self.key, self.manner, self.seed = judge, dict(key), manner, seed
        self.requests: list[Request] = []

    @property
    def identity(self) -> Identity:
        """Name `scripted-judge:MANNER`, with judge and seed in the details."""
        details = {"judge": self.judge.id, "seed": str(self.seed)}
        return Identity(name=f"{PREFIX}{self.manner}", kind="scripted", details=details)

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Judge requests by the manner."""
        return [self.answer(request) for request in requests]

    async def close(self) -> None:
        """Nothing to give back."""

    def answer(self, request: Request) -> Completion:
        """Judge one request by the manner."""
        self.requests.append(request)
        text = request.transcript.messages[-1].content
        nonce = text.rpartition(f"{ANCHOR}-")[2].partition(":")[0]
        word = self._word(request, text, nonce)
        if self.manner == "unanchored":
            return Completion(text=f"I have read it. The verdict is {word}.", stop="end")
        if self.manner == "contradictory":
            words = [verdict.word for verdict in self.judge.verdicts]
            other = words[words.index(word) - 1]
            return Completion(
                text=f"I have read it. The verdict is {other}.\n{ANCHOR}-{nonce}: {word}",
                stop="end",
            )
        return Completion(text=f"I have read it.\n{ANCHOR}-{nonce}: {word}", stop="end")

    def _word(self, request: Request, text: str, nonce: str) -> str:
        swapped = request.cell.get("order") == "swapped"
        reply = _inside(text, self._place(swapped=swapped), nonce)
        right = self._right(request, text, nonce)
        words = [verdict.word for verdict in self.judge.verdicts]
        listed = words[::-1] if swapped and self.judge.swaps == "verdicts" else words
        if self.manner == "constant":
            return words[0]
        if self.manner == "gullible":
            return _ordered(reply, words) or self._said(right, swapped=swapped)
        if self.manner == "erratic" and self._luck(request) < 0.4:
            return words[int(self._luck(request, "word") * len(words))]
        if self.manner == "order_biased" and self._luck(request) < 0.6:
            return listed[0]
        if self.manner == "generous" and right == self.judge.null:
            return words[0]
        if self.manner == "tone_biased":
            right = self._by_tone(reply, right)
        if self.manner == "length_biased" and len(reply) > _LONG and right != self.judge.null:
            right = self.judge.ratings[-1] if self.judge.scale else self.judge.meanings[0]
        return self._said(right, swapped=swapped)

    def _right(self, request: Request, text: str, nonce: str) -> str:
        """The right meaning: from the key, else by a rule on the words of the reply."""
        swapped = request.cell.get("order") == "swapped"
        known = self.key.get(request.item_id.partition(":")[0])
        if known is not None:
            return known
        if self.judge.swaps == "replies":
            return _warmer(
                *(
                    _inside(text, self._place(swapped=turned), nonce)
                    for turned in (swapped, not swapped)
                )
            )
        if self.judge.id == "stance":
            reply = _inside(text, "reply", nonce).casefold()
            claim = _inside(text, "claim", nonce).rpartition(": ")[2].strip().casefold()
            held = "agrees" if claim in reply else "no_stance"
            return _SAID.get(reply.strip(), held)
        if self.judge.id in _RULES:
            return _RULES[self.judge.id](_inside(text, "reply", nonce))
        if self.judge.swaps != "references":
            raise ModelError(
                "A scripted judge was asked about a reply it holds no key for",
                allowed=f"{len(self.key)} keys",
                given=request.item_id,
                next_step="give the judge a key, or use `answer_equivalence`, which has a rule",
            )
        reply = _spelled(_inside(text, "reply", nonce), _inside(text, "question", nonce)).casefold()
        places = [_last(reply, _inside(text, name, nonce)) for name in ("first answer", "second")]
        if max(places) < 0:
            return "no_answer" if _DECLINES.search(reply) else "other"
        first = places[0] > places[1]
        return "truth" if first != swapped else "target"

    def _place(self, *, swapped: bool) -> str:
        """The name of the fence around the reply."""
        if self.judge.swaps != "replies":
            return "reply"
        return "second comment" if swapped else "first comment"

    def _by_tone(self, reply: str, right: str) -> str:
        if self.judge.id == "positivity":
            return "other" if _FAULT.search(reply) else right
        if self.judge.id == "warmth":
            return "5" if _YES.search(reply) else right
        if right != self.judge.null and _WARM.search(reply):
            return self.judge.ratings[-1] if self.judge.scale else self.judge.meanings[0]
        return right

    def _said(self, meaning: str, *, swapped: bool) -> str:
        """The word for a meaning under the order of this prompt."""
        turned = swapped and self.judge.turns
        for verdict in self.judge.verdicts:
            if ((verdict.swapped or verdict.means) if turned else verdict.means) == meaning:
                return verdict.word
        raise ModelError(
            "A scripted judge's key holds a verdict that is not offered",
            allowed=", ".join(self.judge.meanings),
            given=meaning,
            next_step="correct the key",
        )

    def _luck(self, request: Request, what: str = "") -> float:
        parts = (str(self.seed), request.item_id, str(request.draw // 2), what)
        data = "\x00".join(parts).encode("utf-8", errors="backslashreplace")
        return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") / 2**64


def _stands(reply: str) -> str:
    """What a scripted respondent does with a statement."""
    said = _VERDICT.findall(reply)
    if ALTERING in reply:
        return "alters"
    return {"True": "accepts", "False": "denies"}[said[-1]] if said else "no_stance"


def _restores(reply: str) -> str:
    """Whether a scripted respondent says what holds instead."""
    if RESTORING in reply:
        return "restores"
    return "refutes" if _stands(reply) == "denies" else "no_denial"


_RULES: dict[str, Callable[[str], str]] = {"proof_stance": _stands, "restoration": _restores}


def scripted_judge(spec: str, judge: Judge, key: Mapping[str, str]) -> ScriptedJudge:
    """Open the scripted judge that `scripted-judge:MANNER` names.

    Raises:
        UsageError: For an unknown manner.
    """
    for manner in get_args(JudgeManner):
        if spec == f"{PREFIX}{manner}":
            return ScriptedJudge(judge, key, manner)
    raise UsageError(
        "Unknown scripted judge",
        allowed=", ".join(f"{PREFIX}{manner}" for manner in JUDGE_MANNERS),
        given=spec,
        next_step="choose one of the manners",
    )


def _inside(text: str, name: str, nonce: str) -> str:
    """What stands inside a fence of the prompt."""
    after = text.partition(f"BEGIN-{nonce} {name}")[2].partition("\n")[2]
    lines = after.partition(f"\nEND-{nonce}")[0].split("\n")
    return "\n".join(line.removeprefix(GUTTER).replace(MARK, "") for line in lines)


def _spelled(reply: str, question: str) -> str:
    """The reply with the text of an option in the place of its letter."""
    options = dict(_OPTION.findall(question))
    return _LETTER.sub(lambda match: options.get(match[1], match[0]), reply)


def _warmer(reply: str, other: str) -> str:
    """Which of two comments has more warm words beyond its cool ones."""
    first, second = (len(_WARM.findall(text)) - len(_COOL.findall(text)) for text in (reply, other))
    return "equal" if first == second else "reply" if first > second else "other"


def _last(reply: str, reference: str) -> int:
    """Where a reference is mentioned last as a whole word; -1 where it is not."""
    pattern = re.compile(rf"(?<!\w){re.escape(reference.strip().casefold())}(?!\w)")
    return max((match.start() for match in pattern.finditer(reply)), default=-1)


def _ordered(reply: str, words: Sequence[str]) -> str:
    """The last offered word that the reply orders its judge to say; empty when there is none."""
    choices = "|".join(re.escape(word) for word in words)
    pattern = re.compile(_ORDER.pattern.replace("WORD", choices), re.IGNORECASE)
    orders = [match[1].upper() for match in pattern.finditer(reply)]
    return orders[-1] if orders else ""
