"""What an endpoint can do, found out with at most two dozen short requests.

Each finding is a value or a reason why it was not determined. Nothing is said to be deterministic:
equal replies are counted, and how many there were is said with them.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from unswayed.counting import several, verb
from unswayed.errors import CapabilityError, IncompleteRunError, ModelError
from unswayed.models.completion import Completion
from unswayed.models.examined import (
    Finding,
    counted,
    crossed,
    disagreement,
    followed,
    latency,
    obeyed,
    reasoning,
    served_elsewhere,
    truncation,
)
from unswayed.models.progress import Progress
from unswayed.models.protocol import Identity, Model, Price, Request, Sampling, cost_of
from unswayed.transcript import Part, Transcript, digest

MOST_REQUESTS = 20
"""Requests that an examination sends at most."""
N_REPEATS = 5
"""Equal requests at temperature 0."""
N_PARALLEL = 8
"""Requests sent at once."""
N_PLANNED = 7 + N_REPEATS + N_PARALLEL
"""Requests of an examination of a model that answers the first one."""

_REFUSALS = ("bad_request", "server_error", "wrong_content")
_WORD = "MARIGOLD"
_LETTERS = ("A", "B")
_NUMBERS = range(31, 31 + N_PARALLEL)
_SHORT = Sampling(max_tokens=64)
_REPEATED = Sampling(max_tokens=48, temperature=0.0)
_CROSSED = "replies are crossed or kept"
_NOT_ASKED = "the first request failed"


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a model after an examination."""

    identity: Identity
    """The model that was examined."""
    n_requests: int
    """How many requests were sent."""
    reachable: Finding
    """Whether it answers at all."""
    served_by: Finding
    """Name of the model that says it has answered."""
    system_accepted: Finding
    """Whether a system message is taken."""
    system_obeyed: Finding
    """Whether an order in the system message is followed."""
    alternation_needed: Finding
    """Whether two user turns in a row are refused."""
    assistant_last: Finding
    """Whether a transcript that ends with the assistant's words is taken."""
    log_probabilities: Finding
    """Whether options get log-probabilities that tell them apart."""
    repeat_disagreement: Finding
    """Share of equal requests at temperature 0 whose reply is not the most frequent one."""
    reasoning: Finding
    """Whether reasoning comes `apart`, in `tags` inside the text, or was `not seen`."""
    truncation_honest: Finding
    """Whether a reply of one token says that it was cut off."""
    rate_limit_headers: Finding
    """Names of the rate-limit headers seen."""
    parallel: Finding
    """How many of several requests sent at once were answered."""
    usage: Finding
    """Whether token counts are stated."""
    latency_s: Finding
    """Median seconds of one reply."""
    price_per_thousand: Finding
    """Price of a thousand requests as short as those of the examination."""

    @property
    def findings(self) -> dict[str, Finding]:
        """The findings by name, in the order of the fields."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in fields.items() if isinstance(value, Finding)}

    @property
    def problems(self) -> tuple[str, ...]:
        """What would make a run wrong or impossible."""
        bad = {
            "reachable": "the model cannot be reached",
            "system_accepted": "system messages are refused; set the system role to `fold`",
            "system_obeyed": "an order in the system message was not followed",
            "truncation_honest": "cut-off replies are not marked as such",
            "usage": "token counts are not stated, so a cost limit cannot be kept",
        }
        found = [text for name, text in bad.items() if self.findings[name].value is False]
        if self.log_probabilities.value is False and self.log_probabilities.n:
            found.append(f"log-probabilities are not real: {self.log_probabilities.note}")
        if isinstance(self.parallel.value, int) and self.parallel.value < N_PARALLEL:
            found.append(f"only {self.parallel.value} of {N_PARALLEL} requests at once succeeded")
        if self.parallel.note.endswith(_CROSSED):
            found.append(self.parallel.note)
        served = str(self.served_by.value or "")
        if any(served_elsewhere(self.identity.name, name) for name in served.split(", ") if name):
            found.append(f"{served} answered where {self.identity.name} was asked")
        return tuple(found)


@runtime_checkable
class Network(Protocol):
    """A model that can be asked past its own settings and has seen rate-limit headers."""

    rate_limit_headers: frozenset[str]

    def for_examination(self) -> Model:
        """Return the model as it is without the settings that adapt or refuse transcripts."""
        ...


async def examine(
    model: Model, *, price: Price | None = None, progress: Progress | None = None
) -> Diagnosis:
    """Find out what a model can do.

    Args:
        model: Any model; it is left open.
        price: What its tokens cost, for the price per thousand requests.
        progress: Counts what was asked, for a view, and says when to stop.

    Raises:
        IncompleteRunError: When the progress says to stop.
    """
    asked = model.for_examination() if isinstance(model, Network) else model
    return await _Examination(asked, model.identity, price, progress or Progress()).run()


class _Examination:
    def __init__(
        self, model: Model, identity: Identity, price: Price | None, progress: Progress
    ) -> None:
        self.model = model
        self.identity = identity
        self.price = price
        self.progress = progress
        self.n_requests = 0

    async def run(self) -> Diagnosis:
        hello = await self._ask(_user("Name one ocean."), _SHORT)
        findings = {"reachable": self._reachable(hello)}
        if isinstance(hello, Completion) and hello.error is None:
            repeats = await self._repeats()
            findings |= self._seen(hello, repeats)
            findings |= await self._system([hello, *repeats])
            findings["alternation_needed"] = await self._alternation()
            findings["assistant_last"] = await self._assistant_last()
            findings["log_probabilities"] = await self._log_probabilities()
            findings["truncation_honest"] = await self._truncation()
            findings["parallel"] = await self._parallel()
        findings["rate_limit_headers"] = self._headers()
        names = [name for name in Diagnosis.__struct_fields__ if name not in findings]
        rest = {name: Finding(reason=_NOT_ASKED) for name in names}
        return msgspec.convert(
            {**rest, **findings, "identity": self.identity, "n_requests": self.n_requests},
            Diagnosis,
        )

    async def _ask(
        self, transcript: Transcript, sampling: Sampling, options: tuple[str, ...] = ()
    ) -> Completion | ModelError:
        request = _request(transcript, sampling, options=options)
        try:
            (completion,) = await self._complete([request])
        except CapabilityError as error:
            return error
        except ModelError as error:
            self.n_requests += 1
            return error
        self.n_requests += completion.attempts
        return completion

    async def _complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Complete requests and count them, unless the examination is to stop."""
        if self.progress.stopped:
            raise IncompleteRunError(
                f"The examination was stopped: {self.progress.stopped}",
                next_step="run the same command again; nothing was stored",
            )
        try:
            return await self.model.complete(requests)
        finally:
            self.progress.n_asked += len(requests)
            self.progress.n_done += len(requests)

    def _reachable(self, hello: Completion | ModelError) -> Finding:
        why = _why(hello)
        if not why:
            return Finding(value=True)
        if self.identity.kind == "http":
            return Finding(value=False, note=why)
        return Finding(reason=why)

    async def _repeats(self) -> list[Completion]:
        question = _user("Write one sentence about a river.")
        replies = [await self._ask(question, _REPEATED) for _ in range(N_REPEATS)]
        return [each for each in replies if isinstance(each, Completion) and each.error is None]

    def _seen(self, hello: Completion, repeats: Sequence[Completion]) -> dict[str, Finding]:
        replies = [hello, *repeats]
        return {
            "served_by": self._served_by(replies),
            "repeat_disagreement": disagreement(repeats),
            "reasoning": reasoning(replies),
            "usage": Finding(value=all(counted(each) for each in replies), n=len(replies)),
            "latency_s": latency(replies),
            "price_per_thousand": self._price(replies),
        }

    def _served_by(self, replies: Sequence[Completion]) -> Finding:
        names = sorted({each.served_by for each in replies if each.served_by})
        if not names:
            return Finding(reason="the replies name no model")
        other = names != [self.identity.name]
        note = f"asked for {self.identity.name}" if other else ""
        return Finding(value=", ".join(names), n=len(replies), note=note)

    def _price(self, replies: Sequence[Completion]) -> Finding:
        if self.price is None:
            return Finding(reason="no price is known")
        costs = [cost_of(each, self.price) for each in replies]
        known = [cost for cost in costs if cost is not None]
        if len(known) < len(costs):
            return Finding(reason="token counts are not stated")
        mean = statistics.fmean(known)
        return Finding(value=1000 * mean, n=len(known), note=self.price.currency)

    async def _system(self, unasked: Sequence[Completion]) -> dict[str, Finding]:
        order = f"End every reply with the word {_WORD}."
        talk = Transcript(()).then("system", Part(order, "system"))
        talk = talk.then("user", Part("Name a color.", "question"))
        reply = await self._ask(talk, _SHORT)
        accepted = _accepted(reply)
        if not accepted.value or not isinstance(reply, Completion):
            return {
                "system_accepted": accepted,
                "system_obeyed": Finding(reason="no reply to a system message"),
            }
        return {"system_accepted": accepted, "system_obeyed": obeyed(reply, _WORD, order, unasked)}

    async def _alternation(self) -> Finding:
        talk = _user("Name a color.").then("user", Part("And a fruit.", "question"))
        accepted = _accepted(await self._ask(talk, _SHORT))
        if accepted.value is None:
            return accepted
        return Finding(value=not accepted.value, note=accepted.note)

    async def _assistant_last(self) -> Finding:
        talk = _user("What is the capital of France?").then(
            "assistant", Part("The capital of France is", "reply")
        )
        reply = await self._ask(talk, _SHORT)
        accepted = _accepted(reply)
        if accepted.value and isinstance(reply, Completion):
            began = f"the reply began {reply.text[:40]!r}; see whether it goes on or starts anew"
            note = began if reply.text.strip() else "taken, and the reply is empty"
            return Finding(value=True, note=note)
        return accepted

    async def _log_probabilities(self) -> Finding:
        replies = []
        for first, second in (("red", "seven"), ("seven", "red")):
            question = (
                f"Which of these is a color?\nA) {first}\nB) {second}\nReply with one letter."
            )
            reply = await self._ask(_user(question), Sampling(temperature=0.0), options=_LETTERS)
            why = _why(reply)
            if why or not isinstance(reply, Completion):
                offered = not why.startswith(("no_logprobs", "bad_request"))
                return Finding(reason=why) if offered else Finding(value=False, note=why)
            replies.append(reply)
        return followed(replies[0], replies[1], _LETTERS)

    async def _truncation(self) -> Finding:
        reply = await self._ask(
            _user("Write three sentences about rivers."), Sampling(max_tokens=1)
        )
        why = _why(reply)
        if why or not isinstance(reply, Completion):
            return Finding(reason=why)
        return truncation(reply)

    async def _parallel(self) -> Finding:
        requests = [
            _request(_user(f"Reply with the number {number}."), Sampling(max_tokens=16), draw)
            for draw, number in enumerate(_NUMBERS)
        ]
        if self.model.batch > 1:
            calls = [self._complete(requests)]
        else:
            calls = [self._complete([request]) for request in requests]
        results = await asyncio.gather(*calls, return_exceptions=True)
        faults = [result for result in results if isinstance(result, BaseException)]
        unknown = [fault for fault in faults if not isinstance(fault, ModelError)]
        if unknown:
            raise unknown[0]
        replies = [r for result in results if not isinstance(result, BaseException) for r in result]
        self.n_requests += sum(reply.attempts for reply in replies) + len(faults)
        errors = [why for reply in replies if (why := reply.error)] + [str(f) for f in faults]
        answered = sum(reply.error is None for reply in replies)
        note = errors[0] if errors else ""
        mixed = 0 if faults else crossed(replies, _NUMBERS)
        if mixed:
            note = (
                f"{several(mixed, 'reply', 'replies')} {verb(mixed, 'holds', 'hold')} the"
                f" number of another request: {_CROSSED}"
            )
        texts = {reply.text.strip() for reply in replies if reply.error is None}
        if self.identity.kind == "http" and answered > 1 and len(texts) == 1 and "" not in texts:
            note = f"{answered} different requests got one and the same reply: {_CROSSED}"
        return Finding(value=answered, n=len(requests), note=note)

    def _headers(self) -> Finding:
        if not isinstance(self.model, Network):
            return Finding(reason="no network between here and the model")
        names = sorted(self.model.rate_limit_headers)
        return Finding(value=", ".join(names) or "none seen")


def _user(text: str) -> Transcript:
    return Transcript(()).then("user", Part(text, "question"))


def _request(
    transcript: Transcript, sampling: Sampling, draw: int = 0, options: tuple[str, ...] = ()
) -> Request:
    return Request(
        id=digest([transcript, sampling, draw, options]),
        transcript=transcript,
        options=options,
        sampling=sampling,
        draw=draw,
    )


def _why(reply: Completion | ModelError) -> str:
    if isinstance(reply, ModelError):
        return f"{reply.wrong}: {reply.given}" if reply.given else reply.wrong
    return reply.error or ""


def _accepted(reply: Completion | ModelError) -> Finding:
    why = _why(reply)
    if not why:
        return Finding(value=True)
    if isinstance(reply, Completion) and why.startswith(_REFUSALS):
        return Finding(value=False, note=why)
    return Finding(reason=why)
