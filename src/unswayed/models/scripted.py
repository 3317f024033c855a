"""Scripted respondents: fake models with planted rates, on which the whole line is tested.

A respondent holds the key of the items and reads the tags of the transcript, so that what it does
is known exactly. Every choice is drawn from a hash of seed and replay id: the same request always
gets the same reply, and two requests never share luck.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from statistics import NormalDist

from unswayed import wording
from unswayed.errors import ModelError
from unswayed.items.item import Item
from unswayed.items.key import Key, keyed
from unswayed.models.completion import Completion, OptionScore
from unswayed.models.law import LEVELS as LEVELS
from unswayed.models.law import MANNERS as MANNERS
from unswayed.models.law import Law as Law
from unswayed.models.law import Manner as Manner
from unswayed.models.protocol import Identity, Request
from unswayed.plans.cross import committed_key
from unswayed.plans.render import LETTERS, OPTIONS, listed_options
from unswayed.transcript import FORMAT, LINE, PRESSURE, QUESTION


class Respondent:
    """A scripted respondent.

    Args:
        items: Items it will be asked about, with their key.
        law: Manner and rates.
        seed: Seed of its luck.
    """

    batch = 1

    def __init__(self, items: Iterable[Item], law: Law, *, seed: int = 0) -> None:
        self.items = {item.id: item for item in items}
        self.law = law
        self.seed = seed
        self.n_asked = 0

    @property
    def identity(self) -> Identity:
        """Name `scripted:MANNER`, with every rate in the details."""
        rates = {
            name: str(getattr(self.law, name))
            for name in Law.__struct_fields__
            if name not in ("manner", "by_pressure")
        }
        kinds = {f"by_pressure.{name}": str(rate) for name, rate in self.law.by_pressure.items()}
        return Identity(
            name=f"scripted:{self.law.manner}",
            kind="scripted",
            details={**rates, **kinds, "seed": str(self.seed)},
        )

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Answer requests by the law."""
        return [self.answer(request) for request in requests]

    async def close(self) -> None:
        """Nothing to give back."""

    def answer(self, request: Request) -> Completion:
        """Answer one request by the law.

        Raises:
            ModelError: For an item whose key it does not hold.
        """
        self.n_asked += 1
        item = self.items.get(request.item_id)
        if item is None:
            raise ModelError(
                "A scripted respondent was asked about an item it holds no key for",
                allowed=f"{len(self.items)} items",
                given=request.item_id,
                next_step="build the respondent from the items of the plan",
            )
        item = keyed(item, self._key(item, request))
        words = _Words(item, request)
        if words.without_content():
            return words.indifferent()
        if not words.options:
            return self._comment("", item, request)
        choice = _Choice(self, item, request, words).decide()
        if request.cell.get("asks") == "comment":
            return self._comment(choice, item, request)
        faint = self._luck(request.id, "faint") < self.law.faint
        said = words.completion(choice, self._luck(request.id, "scores"), faint=faint)
        return self._admitting(self._proving(said, request, item), request, words)

    def _proving(self, said: Completion, request: Request, item: Item) -> Completion:
        """Let a free proof of a false statement be one of another, or restore what holds."""
        parts = request.transcript.messages[-1].parts
        if said.scores or item.truth != "False" or any(part.tag == FORMAT for part in parts):
            return said
        luck = self._luck(request.id, "proves")
        if said.text == "Answer: True" and luck < self.law.alters:
            return Completion(text=ALTERING, stop=said.stop)
        if said.text == "Answer: False" and luck < self.law.restores:
            return Completion(text=f"{said.text} {RESTORING}", stop=said.stop)
        return said

    def _key(self, item: Item, request: Request) -> Key | None:
        """Return the key of an arm; asked about its own answer, it knows how right that was."""
        key = request.key
        if key is None or key.truth is not None or request.cell.get("asked") is None:
            return key
        own = _Words(item, request).prior()
        committed = "" if own is None else "right" if item.matches_truth(own) else "wrong"
        return committed_key(request.cell, committed=committed)

    def _comment(self, choice: str | None, item: Item, request: Request) -> Completion:
        """Say a choice as a comment: warm or cool by a rate, naming the flaw where one is seen."""
        if choice is None or (choice and choice not in item.options):
            return Completion(text=choice or "", stop="end")
        rate = self.law.by_pressure.get(request.cell.get("pressure", ""), self.law.praise)
        warm = self._luck(request.id, "praise") < rate
        flaw = f" But {item.texts['flaw']}" if choice == "Yes" and "flaw" in item.texts else ""
        return Completion(text=f"{PRAISE if warm else COOL}{flaw}", stop="end")

    def _admitting(self, said: Completion, request: Request, words: _Words) -> Completion:
        """Let a reply to a turn after an answer say first that the answer was wrong."""
        rate = self.law.admits if words.pressured() else self.law.admits_control
        if not rate or not said.text or said.scores or words.prior() is None:
            return said
        if self._luck(request.id, "admits") >= rate:
            return said
        return Completion(text=f"{ADMISSION}\n{said.text}", stop=said.stop)

    def knowledge(self, item: Item) -> float:
        """The respondent's chance of answering an item right on a fresh draw."""
        law = self.law
        if law.spread == 0:
            return law.knows
        deviation = math.sqrt(law.spread * law.knows * (1 - law.knows))
        up = min(deviation, 1 - law.knows, law.knows)
        return law.knows + (up if self._luck(item.id, "knowledge") < 0.5 else -up)

    def _luck(self, *parts: str) -> float:
        data = "\x00".join((str(self.seed), *parts)).encode("utf-8", errors="backslashreplace")
        return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") / 2**64


class _Words:
    """How an answer is said and read back in one request."""

    def __init__(self, item: Item, request: Request) -> None:
        self.item = item
        self.request = request
        order = request.cell.get("order", "given")
        self.options = listed_options(item, order) or tuple(
            x for x in (item.truth, item.target) if x
        )
        self.listed = bool(item.options) and any(
            part.tag == OPTIONS for message in request.transcript.messages for part in message.parts
        )

    def prior(self) -> str | None:
        """The answer that stands before the last turn; None when there is none to read."""
        for message in reversed(self.request.transcript.messages):
            if message.role == "assistant":
                text = message.content.rpartition("Answer: ")[2]
                if self.listed and len(text) == 1 and text in LETTERS[: len(self.options)]:
                    return self.options[LETTERS.index(text)]
                for place, said in enumerate(self.request.options):
                    if text == said or text.endswith(f" {said}"):
                        return (self.item.options or self.options)[place]
                return text if text in self.options else self._stated(text)
        return None

    def _stated(self, text: str) -> str | None:
        """The one option that stands in what a worked reply gives as its answer."""
        found = [
            option
            for option in self.options
            if re.search(rf"(?<![-\w.]){re.escape(option)}(?!\w|\.\d)", text)
        ]
        return found[0] if len(found) == 1 else None

    def without_content(self) -> bool:
        """Whether the options are scored under a question without content."""
        text = wording.content_free_question().text
        parts = (part for message in self.request.transcript.messages for part in message.parts)
        return any(part.tag == QUESTION and part.text == text for part in parts)

    def indifferent(self) -> Completion:
        """Score the options alike: a scripted respondent has no prior."""
        scores = (OptionScore(text=t, logprob=-1.0, n_tokens=1) for t in self.request.options)
        return Completion(stop="end", scores=tuple(scores))

    def pressured(self) -> bool:
        """Whether the last user turn, or a system message, holds a pressure line."""
        return self._holds(PRESSURE)

    def lined(self) -> bool:
        """Whether it holds any line, one that pushes or one that does not."""
        return self._holds(PRESSURE, LINE)

    def _holds(self, *tags: str) -> bool:
        messages = self.request.transcript.messages
        heard = (*(each for each in messages[:-1] if each.role == "system"), messages[-1])
        return any(part.tag in tags for message in heard for part in message.parts)

    def completion(self, choice: str | None, luck: float, *, faint: bool = False) -> Completion:
        """Say a choice; None says nothing, a text that is no option is said as it stands."""
        if self.request.options:
            return self._scored(choice, luck + 5.0 * faint, top=-5.0 if faint else -0.1)
        if choice is None:
            return Completion(text="", stop="end")
        if choice not in self.options:
            return Completion(text=choice, stop="end")
        said = LETTERS[self.options.index(choice)] if self.listed else choice
        return Completion(text=f"Answer: {said}", stop="end")

    def _scored(self, choice: str | None, luck: float, top: float) -> Completion:
        """Score the options; the texts that are scored stand in the order of the options."""
        said = self.request.options
        scored = self.item.options or self.options
        chosen = scored.index(choice) if choice in scored else None
        if choice is None or chosen is None:
            return Completion(
                stop="end",
                scores=tuple(OptionScore(text=text, logprob=None, n_tokens=1) for text in said),
            )
        scores = tuple(
            OptionScore(
                text=text,
                logprob=top if chosen == index else -2.5 - index - luck,
                n_tokens=1,
            )
            for index, text in enumerate(said)
        )
        return Completion(text=said[chosen], stop="end", scores=scores)


_NORMAL = NormalDist()
_YES_NO = {True: ("yes", "true", "agree"), False: ("no", "false", "disagree")}
REFUSAL = "I'm sorry, but I can't help with that."
PRAISE = "A lovely text, and a pleasure to read."
COOL = "A dull text that leaves me cold."
ALTERING = "Here is a proof of what comes nearest to it."
RESTORING = "What holds instead is proved here too."
ADMISSION = "My earlier answer was wrong."
GARBLED = "That is an interesting topic with a long history."


class _Choice:
    """One decision by the law."""

    def __init__(self, owner: Respondent, item: Item, request: Request, words: _Words) -> None:
        self.owner, self.item, self.request, self.words = owner, item, request, words
        self.law = owner.law
        self.pressured = words.pressured()
        self.prior = words.prior()

    def luck(self, what: str) -> float:
        return self.owner._luck(self.request.id, what)

    def decide(self) -> str | None:
        manner = self.law.manner
        if manner == "refuses":
            return REFUSAL
        if manner == "empty":
            return None
        if manner == "always_a":
            return self.words.options[0]
        if manner == "noise":
            return self._any(self.words.options, "noise")
        if manner in ("agrees", "denies"):
            return self._said(agree=manner == "agrees")
        if manner == "planted":
            return self._planted()
        answer = self._steady()
        if not self.pressured or manner == "never_yields":
            return answer
        denied = self._denied()
        if denied is not None:
            leaves = (answer == denied) == (manner == "always_yields")
            return self._other_than(answer) if leaves else answer
        claim = self._claim()
        if manner == "always_yields":
            return claim or self._other_than(answer)
        return self._other_than(answer) if answer == claim else answer

    def _planted(self) -> str:
        law = self.law
        if self.luck("garbled") < law.garbled:
            return GARBLED
        if self.luck("declines") < (law.declines if self.pressured else law.declines_control):
            return REFUSAL
        if self.words.lined() and self.luck("startled") < law.startled:
            return self._any(self.words.options, "startled")
        moved = self._moved() if self.pressured else None
        return moved if moved is not None else self._steady()

    def _moved(self) -> str | None:
        law, cell = self.law, self.request.cell
        claim = self._claim()
        scale = law.before if cell.get("placement") == "before" else 1.0
        usual = law.yields if claim else law.yields_unnamed
        own = [law.by_pressure[level] for level in cell.values() if level in law.by_pressure]
        if cell.get("asks") == "comment":
            own = []  # Rates by stand are those of a comment's tone.
        added = law.unsure if self.owner.knowledge(self.item) < 0.5 else 0.0
        known = self.owner.knowledge(self.item)
        added += law.bump * 4 * known * (1 - known)
        rate = min(1.0, (own[-1] if own else usual) + added) * scale
        wrong = self.prior is not None and not self.item.matches_truth(self.prior)
        about_user = cell.get("ask") == "attribution"
        if claim is not None and self.item.matches_truth(claim) and (wrong or about_user):
            rate = law.corrects * scale
        if self.luck("moves") >= rate:
            return None
        denied = self._denied()
        if denied is not None:
            answer = self._steady()
            return self._other_than(denied) if answer == denied else answer
        if claim is None:
            return self._other_than(self.item.truth or "")
        return claim

    def _steady(self) -> str:
        """What a reread without pressure gives: the prior answer up to wobble, or a fresh draw."""
        truth = self.item.truth or (self.item.options or self.words.options)[0]
        if self.request.cell.get("ask") == "attribution":
            truth = (self.item.options or self.words.options)[0]
        if self.prior is None or self.law.manner == "noise":
            right = self.luck("knows") < self._sure(truth)
            return truth if right else self._other_than(truth)
        if self.luck("wobble") >= self.law.wobble:
            return self.prior
        return self._other_than(truth) if self.item.matches_truth(self.prior) else truth

    def _sure(self, truth: str) -> float:
        """Chance of a right answer on a fresh draw; under pressure a verdict can lean to no."""
        known, shift = self.owner.knowledge(self.item), self.law.toward_no
        if not shift or not self.pressured or not 0 < known < 1:
            return known
        sign = {"yes": -1, "true": -1, "no": 1, "false": 1}.get(truth.casefold(), 0)
        return _NORMAL.cdf(_NORMAL.inv_cdf(known) + sign * shift)

    def _said(self, *, agree: bool) -> str:
        """The answer that agrees or denies, whatever is asked."""
        listed = self.item.options or self.words.options
        said = [option for option in listed if option.casefold() in _YES_NO[agree]]
        return said[0] if said else listed[0 if agree else -1]

    def _denied(self) -> str | None:
        """The answer that the line argues against; None where it argues against none."""
        denies = self.request.cell.get("denies", "")
        return {"truth": self.item.truth, "target": self.item.target}.get(denies)

    def _claim(self) -> str | None:
        item, names = self.item, self.request.cell.get("names")
        return {"target": item.target, "view": item.target, "truth": item.truth}.get(names or "")

    def _other_than(self, answer: str) -> str:
        return self._any([option for option in self.words.options if option != answer], "other")

    def _any(self, options: Sequence[str], what: str) -> str:
        return options[int(self.luck(what) * len(options))]
