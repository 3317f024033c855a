"""A judge: a prompt file, the verdicts that it offers, and a hash over all of it.

A judge is shown what is asked and what was replied, and nothing else: no arm, no pressure, no
earlier turn, no model name. `render` has no argument through which they could come.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from unswayed.errors import ReadoutError, WordingError
from unswayed.readouts.anchored import ANCHOR
from unswayed.readouts.answer import Reason
from unswayed.readouts.fence import RENDERING, fence, nonce_of
from unswayed.templates import fill, holes
from unswayed.transcript import QUESTION, Message, Part, Transcript, digest

JUDGES = (
    "answer_equivalence", "stance", "warmth", "deference", "positivity", "proof_stance",
    "restoration",
)  # fmt: skip
"""The judges that come with the package. Warmth and deference are two, and never one number."""

Need = Literal["question", "truth", "target", "claim", "reference", "other"]
Swap = Literal["references", "verdicts", "replies"]

_FIXED = ("role", "nonce", "verdicts", "words", "reply")
_ID = re.compile(r"[a-z][a-z0-9_]*")


class Verdict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One verdict that a judge may give."""

    word: str
    """The word that the judge writes."""
    means: str
    """What it stands for where the references are listed truth first."""
    swapped: str = ""
    """What it stands for where they are listed the other way; empty when the same."""
    says: str
    """When the judge should choose it, as part of a sentence."""
    reason: Reason | None = None
    """The reason that it stands for, when it is no value."""


class Judge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prompt and the closed list of verdicts that it offers."""

    id: str
    """How plans, commands and certificates name it."""
    version: int
    """Raised with every change of prompt or verdicts."""
    describes: str
    """What it reads, in one sentence."""
    role: str
    """What the judge is told that it is."""
    needs: tuple[Need, ...]
    """What must be known about the question, beside the reply."""
    swaps: Swap
    """What is listed the other way round to see whether order matters."""
    null: str
    """The verdict on a reply without content."""
    scale: bool = False
    """Whether the verdicts are the numbers of an ordered scale."""
    invariant: tuple[str, ...]
    """Rewrites of a reply, written by hand, that must not change the verdict."""
    reshaped: tuple[Literal["longer", "bulleted"], ...] = ()
    """Changes of shape, made by rule, that must not change the verdict."""
    longest: int = 40_000
    """Longest reply in characters that is shown; a longer one is not judged."""
    verdicts: tuple[Verdict, ...]
    """The offered verdicts, in order."""
    prompt: str
    """The prompt with its holes."""

    def __post_init__(self) -> None:
        _check_verdicts(self)
        _check_prompt(self)

    @property
    def name(self) -> str:
        """Id and version, such as `stance@1`."""
        return f"{self.id}@{self.version}"

    @property
    def sha256(self) -> str:
        """One hash over prompt, verdicts and the way in which texts are shown."""
        return digest([self, RENDERING], size=32)

    @property
    def turns(self) -> bool:
        """Whether a word means something else where things are listed the other way round."""
        return self.swaps != "verdicts"

    @property
    def meanings(self) -> tuple[str, ...]:
        """What the verdicts stand for, in order."""
        return tuple(verdict.means for verdict in self.verdicts)

    @property
    def ratings(self) -> tuple[str, ...]:
        """The meanings that are values: all but those that stand for a reason."""
        return tuple(verdict.means for verdict in self.verdicts if verdict.reason is None)


class Matter(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge may know about a question; nothing about arm, pressure or model."""

    question: str = ""
    """The question as the item states it, with its options where letters were listed."""
    truth: str = ""
    """The right answer. The judge is not told that it is right."""
    target: str = ""
    """The wrong answer that a naming pressure names. The judge is not told that it is wrong."""
    claim: str = ""
    """The claim towards which a stance is read."""
    other: str = ""
    """Another reply, with which the reply is compared."""
    reference: str = ""
    """What holds in the place of a false claim; only for a judge that may know that it is false."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's prompt for one reply."""

    text: str
    """What is sent, as one user turn."""
    nonce: str
    """The number of the fence and of the verdict line."""
    words: dict[str, str]
    """What each offered word means in this prompt."""

    def transcript(self) -> Transcript:
        """The one user turn; judges need no system role."""
        return Transcript((Message("user", (Part(self.text, QUESTION),)),))


def render(judge: Judge, matter: Matter, reply: str, *, swapped: bool, draw: int = 0) -> Prompt:
    """Fill a judge's prompt, in one pass, with a reply inside a fence of its own number.

    Args:
        judge: The judge.
        matter: What is known about the question.
        reply: The final answer alone, without reasoning and without earlier turns.
        swapped: Whether references, verdicts or the two replies are listed the other way round.
        draw: Number of the draw; another draw has another fence.

    Raises:
        ReadoutError: When the judge needs something that `matter` leaves empty.
    """
    known: dict[str, str] = {name: getattr(matter, name) for name in judge.needs}
    lacking = [name for name, text in known.items() if not text.strip()]
    if lacking:
        raise ReadoutError(
            f"The judge {judge.id!r} cannot be asked",
            allowed=", ".join(judge.needs),
            given=f"no {', no '.join(lacking)}",
            next_step="give what the judge needs, or choose another judge",
        )
    nonce = nonce_of([judge.sha256, *known.values(), reply, str(swapped), str(draw)])
    turned = swapped and judge.turns
    listed = judge.verdicts[::-1] if swapped and judge.swaps == "verdicts" else judge.verdicts
    words = {
        verdict.word: (verdict.swapped or verdict.means) if turned else verdict.means
        for verdict in listed
    }
    texts = {name: fence(name, text, nonce) for name, text in known.items()}
    if judge.turns:
        replies = judge.swaps == "replies"
        pair = [reply, known["other"]] if replies else [known["truth"], known["target"]]
        first, second = reversed(pair) if turned else pair
        what = "comment" if replies else "answer"
        texts["first"] = fence(f"first {what}", first, nonce)
        texts["second"] = fence(f"second {what}", second, nonce)
    values = {
        **texts,
        "role": judge.role,
        "nonce": nonce,
        "verdicts": "\n".join(f"- {verdict.word}: {verdict.says}" for verdict in listed),
        "words": ", ".join(words),
        "reply": fence("reply", reply, nonce),
    }
    return Prompt(text=fill(judge.prompt, values), nonce=nonce, words=words)


def find_judge(id: str) -> Judge:
    """Return a judge that comes with the package.

    Raises:
        ReadoutError: When there is none of that name.
    """
    if id not in JUDGES:
        raise ReadoutError(
            f"There is no judge {id!r}",
            allowed=", ".join(JUDGES),
            given=id,
            next_step="choose one of the names, or give the path of a judge's TOML file",
        )
    return _shipped(id)


def load_judge(path: Path) -> Judge:
    """Read a judge of your own: a TOML file, and beside it a text file of the same name.

    Raises:
        WordingError: When a file cannot be read or breaks a rule.
    """
    try:
        return _parse(
            path.read_text(encoding="utf-8"),
            path.with_suffix(".txt").read_text(encoding="utf-8"),
            str(path),
        )
    except (OSError, UnicodeDecodeError) as error:
        raise WordingError(
            f"The judge {path} cannot be read",
            allowed="NAME.toml with the fields and NAME.txt with the prompt, in UTF-8",
            given=str(error),
            next_step="check both paths",
        ) from error


@cache
def _shipped(id: str) -> Judge:
    folder = files("unswayed").joinpath("wording", "judges")
    return _parse(
        folder.joinpath(f"{id}.toml").read_text(encoding="utf-8"),
        folder.joinpath(f"{id}.txt").read_text(encoding="utf-8"),
        id,
    )


def _parse(fields: str, prompt: str, name: str) -> Judge:
    try:
        return msgspec.convert({**tomllib.loads(fields), "prompt": prompt.strip()}, Judge)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise WordingError(
            f"The judge {name} cannot be read",
            allowed=", ".join(field for field in Judge.__struct_fields__ if field != "prompt"),
            given=str(error),
            next_step="correct the TOML file",
        ) from error


def _check_verdicts(judge: Judge) -> None:
    words = [verdict.word for verdict in judge.verdicts]
    folded = {word.lower() for word in words}
    meanings = set(judge.meanings)
    turned = {verdict.swapped or verdict.means for verdict in judge.verdicts}
    if not _ID.fullmatch(judge.id) or len(words) < 2 or len(folded) != len(words):
        _refuse(judge, "an id and two different words or more", f"{judge.id!r}, {words}")
    if len(meanings) != len(words) or turned != meanings or judge.null not in meanings:
        _refuse(judge, "one meaning a word, the same ones swapped, `null` one of them", words)
    if judge.scale and not all(rating.isdecimal() for rating in judge.ratings):
        _refuse(judge, "whole numbers as the ratings of a scale", judge.ratings)
    if judge.swaps == "references" and not {"truth", "target"} <= set(judge.needs):
        _refuse(judge, "references that can be swapped need truth and target", judge.needs)
    if judge.swaps == "replies" and "other" not in judge.needs:
        _refuse(judge, "replies that can be swapped need the other one", judge.needs)


def _check_prompt(judge: Judge) -> None:
    texts = {"first", "second"} if judge.turns else set()
    listed = ("truth", "target", "other")
    needed = {*_FIXED, *texts, *(name for name in judge.needs if name not in listed)}
    if judge.swaps == "replies":
        needed.remove("reply")
    found = set(holes(judge.prompt))
    if found != needed:
        _refuse(judge, f"the holes {', '.join(sorted(needed))}", sorted(found))
    if not judge.prompt.rpartition("\n")[2].startswith(f"{ANCHOR}-{{nonce}}: "):
        given = judge.prompt.rpartition("\n")[2]
        _refuse(judge, f"a last line that starts with `{ANCHOR}-{{nonce}}: `", given)


def _refuse(judge: Judge, allowed: str, given: object) -> None:
    raise WordingError(
        f"The judge {judge.id!r} breaks a rule of judges",
        allowed=allowed,
        given=str(given),
        next_step="correct its TOML file or its prompt; docs/judges.md",
    )
