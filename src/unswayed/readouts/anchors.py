"""Replies whose verdict is known: what a judge is tried on before its numbers count.

All of them are data in `wording/judges/`, written by us: for each judge at least 24 replies, easy
and hard, each with rewrites under which the verdict stays the same; and injections, which ask the
judge for a verdict from inside the reply.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

from unswayed.errors import WordingError
from unswayed.readouts.desk import Case
from unswayed.readouts.judge import JUDGES, Judge, Matter
from unswayed.rows import read_bytes
from unswayed.templates import fill
from unswayed.transcript import digest
from unswayed.wording import filler

FEWEST = 24
"""Fewest anchors of a judge."""

NOTHING = ("", " \n ", "...", ":", "-", "Thought process:", "Answer:", "\u200b")
"""Replies without content; each must get the judge's null verdict."""

NOTHING_ID = "nothing"
"""Id under which replies without content stand in a scripted judge's key."""

_LONGER = 200
_SENTENCE = re.compile(r"(?<=[.!?]) ")
_Row = TypeVar("_Row")


class Anchor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reply with its known verdict."""

    id: str
    """Stable id, unique in its file."""
    hard: bool
    """Whether the words of the reply mislead: quoted, taken back, unsaid or softened."""
    verdict: str
    """The right meaning among the judge's verdicts."""
    text: str
    """The reply."""
    rewrites: dict[str, str]
    """The reply said otherwise with the same verdict, by kind, such as `warm` and `cold`."""
    question: str = ""
    """The question, where the judge needs it."""
    truth: str = ""
    """The right answer, where the judge needs it."""
    target: str = ""
    """The wrong answer, where the judge needs it."""
    claim: str = ""
    """The claim, where the judge needs it."""
    other: str = ""
    """The reply to compare with, where the judge needs it."""
    reference: str = ""
    """What holds in its place, where the judge needs it."""

    @property
    def matter(self) -> Matter:
        """What the judge may know."""
        return Matter(**{name: getattr(self, name) for name in Matter.__struct_fields__})

    def rewrite(self, kind: str) -> str:
        """The reply in another wording or shape.

        `longer` puts neutral small talk of 200 characters before it, `bulleted` makes every
        sentence a bullet; all other kinds are written by hand.
        """
        if kind == "longer":
            return f"{filler(_LONGER, self.id)} {self.text}"
        if kind == "bulleted":
            return "\n".join(f"- {sentence}" for sentence in _SENTENCE.split(self.text))
        return self.rewrites[kind]

    def case(self, what: str, reply: str) -> Case:
        """A case whose id tells this anchor and what was done to it."""
        return Case(id=f"{self.id}:{what}", matter=self.matter, reply=reply)


class Injection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way in which a reply asks its judge for a verdict."""

    id: str
    """Stable id."""
    text: str
    """The reply with the attempt; holes `{reply}` and `{word}`."""


def anchors_of(judge: Judge, path: Path | None = None) -> tuple[Anchor, ...]:
    """Return the anchors of a judge.

    Args:
        judge: The judge.
        path: A JSONL file of your own; required for a judge that does not come with the package.

    Raises:
        WordingError: When there are none, or an anchor breaks a rule.
    """
    if path is not None:
        return _checked(judge, _decode(read_bytes(path), Anchor, str(path)), str(path))
    if judge.id not in JUDGES:
        raise WordingError(
            f"The judge {judge.id!r} has no anchors",
            allowed=f"a JSONL file with at least {FEWEST} replies and their verdicts",
            given="no file",
            next_step="write anchors and name the file; docs/judges.md",
        )
    return _checked(judge, _shipped(f"{judge.id}.anchors.jsonl", Anchor), judge.id)


def anchors_digest(anchors: tuple[Anchor, ...]) -> str:
    """Return one hash over anchors, injections and empty replies, for a certificate."""
    return digest([anchors, injections(), NOTHING])


def injections() -> tuple[Injection, ...]:
    """Return every injection."""
    return _shipped("injections.jsonl", Injection)


def injected(judge: Judge, anchors: tuple[Anchor, ...]) -> list[Case]:
    """Cases in which an easy reply asks for a verdict that is not its own, one an injection.

    Each injection is tried on one reply, in turn, and asks for the word of another verdict as it
    would stand in the listed order.
    """
    easy = [anchor for anchor in anchors if not anchor.hard and anchor.verdict != judge.null]
    cases = []
    for number, injection in enumerate(injections()):
        anchor = easy[(number * 5) % len(easy)]
        wrong = [v for v in judge.verdicts if v.means not in (anchor.verdict, judge.null)]
        far = wrong[-1] if judge.scale and int(anchor.verdict) < 3 else wrong[0]
        word = far.word if judge.scale else wrong[number % len(wrong)].word
        text = fill(injection.text, {"reply": anchor.text, "word": word})
        cases.append(anchor.case(f"injection-{injection.id}", text))
    return cases


def empties(judge: Judge, anchors: tuple[Anchor, ...]) -> list[Case]:
    """Cases without content, on the questions of the first anchors."""
    return [
        Case(id=f"{NOTHING_ID}:{number}", matter=anchors[number % len(anchors)].matter, reply=text)
        for number, text in enumerate(NOTHING)
    ]


def key_of(judge: Judge, anchors: tuple[Anchor, ...]) -> dict[str, str]:
    """The right verdict by id, as a scripted judge holds it."""
    return {**{anchor.id: anchor.verdict for anchor in anchors}, NOTHING_ID: judge.null}


def _checked(judge: Judge, anchors: tuple[Anchor, ...], name: str) -> tuple[Anchor, ...]:
    known = set(judge.meanings)
    for anchor in anchors:
        lacking = [need for need in judge.needs if not getattr(anchor, need).strip()]
        if anchor.verdict not in known or lacking or set(anchor.rewrites) != set(judge.invariant):
            raise WordingError(
                f"The anchor {anchor.id!r} of {name} breaks a rule",
                allowed=f"verdict among {', '.join(judge.meanings)}; {', '.join(judge.needs)} given"
                f"; rewrites {', '.join(judge.invariant)}",
                given=f"verdict {anchor.verdict!r}; empty: {', '.join(lacking) or 'none'};"
                f" rewrites {', '.join(anchor.rewrites)}",
                next_step="correct the anchor",
            )
    easy = sum(not anchor.hard and anchor.verdict != judge.null for anchor in anchors)
    if len({anchor.id for anchor in anchors}) < max(FEWEST, len(anchors)) or not easy:
        raise WordingError(
            f"The judge {judge.id!r} has too few anchors",
            allowed=f"at least {FEWEST} with ids of their own, and an easy one with a verdict",
            given=f"{len(anchors)} anchors in {name}",
            next_step="write more",
        )
    return anchors


@cache
def _shipped(name: str, kind: type[_Row]) -> tuple[_Row, ...]:
    data = files("unswayed").joinpath("wording", "judges", name).read_bytes()
    return _decode(data, kind, name)


def _decode(data: bytes, kind: type[_Row], name: str) -> tuple[_Row, ...]:
    decoder = msgspec.json.Decoder(kind)
    rows = []
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            rows.append(decoder.decode(line))
        except msgspec.DecodeError as error:
            raise WordingError(
                f"{name}, line {number} is not a readable {kind.__name__}",
                given=str(error),
                next_step="correct the line",
            ) from error
    return tuple(rows)
