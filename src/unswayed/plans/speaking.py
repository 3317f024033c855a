"""From the turns of a scripted arm to tagged parts.

The white space between two parts belongs to the one that can be deleted, as in `render`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unswayed import wording
from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.plans.design import Design
from unswayed.plans.render import LETTERS, OPTIONS, format_kind, listed_options, say, spoken
from unswayed.plans.script import Piece, ScriptedArm, Turn
from unswayed.transcript import (
    FORMAT,
    LINE,
    PRESSURE,
    QUESTION,
    READOUT,
    REPLY,
    SYSTEM,
    Message,
    Part,
    Transcript,
    digest,
)

_TAGS = {
    "question": QUESTION,
    "options": OPTIONS,
    "format": FORMAT,
    "readout": READOUT,
    "text": QUESTION,
    "line": LINE,
    "pressure": PRESSURE,
    "answer": REPLY,
}


class Speaker:
    """Says the turns of one item.

    Args:
        item: The item as the arm reads it: with the answers that the arm offers.
        design: Whether options are listed, and how they are said.
        order: The order in which options are listed.
    """

    def __init__(self, item: Item, design: Design, order: str) -> None:
        self.item = item
        self.design = design
        self.order = order

    def say(self, turns: Sequence[Turn], first_id: str, claim: str) -> Transcript:
        """Return the transcript of an arm.

        Args:
            turns: The arm's turns.
            first_id: The replay that provides the model's own first answer.
            claim: The answer that a line names.
        """
        messages: list[Message] = []
        for turn in turns:
            if not turn.pieces:
                messages.append(Message("assistant", (), first_id))
                continue
            gap = " " if any(message.role == "assistant" for message in messages) else "\n\n"
            messages.append(Message(turn.role, tuple(self._parts(turn, claim, gap))))
        return Transcript(tuple(messages))

    def _parts(self, turn: Turn, claim: str, gap: str) -> Iterator[Part]:
        kept = False
        last = len(turn.pieces) - 1
        for index, piece in enumerate(turn.pieces):
            text = self._text(piece, claim)
            tag = piece.tag or (SYSTEM if turn.role == "system" else _TAGS[piece.of])
            between = "\n" if piece.of == "options" else gap
            if kept:
                text = between + text
            if tag not in (PRESSURE, LINE):
                kept = True
            elif not kept and index < last:
                text += gap
            yield Part(text, tag)

    def _text(self, piece: Piece, claim: str) -> str:
        item = self.item
        if piece.of == "question":
            turned = item.texts.get("question_reversed", "") if self.order == "reversed" else ""
            return turned or item.question
        if piece.of == "options":
            listed = listed_options(item, self.order)
            return "\n".join(f"({LETTERS[i]}) {option}" for i, option in enumerate(listed))
        if piece.of == "format":
            return wording.format_line(format_kind(item, self.design, self.order)).text
        if piece.of == "readout":
            return wording.readout_request().text
        if piece.of == "text":
            return text_of(item, piece.name)
        if piece.of == "answer":
            return self._answer(text_of(item, piece.name))
        line = wording.any_line(chosen_line(item, piece), named=bool(claim))
        return line.fill(claim=spoken(claim))

    def _answer(self, answer: str) -> str:
        if self.design.scored:
            return say(answer, self.design)
        if self.design.listed and answer in self.item.options:
            return f"Answer: {LETTERS[listed_options(self.item, self.order).index(answer)]}"
        return f"Answer: {answer}"


def text_of(item: Item, name: str) -> str:
    """Return the item's truth, target, or one of its texts.

    Raises:
        PlanError: When the item has no such text.
    """
    known = {"truth": item.truth, "target": item.target}
    text = known[name] if name in known else item.texts.get(name)
    if not text:
        raise PlanError(
            f"Item {item.id!r} has no text {name!r}, which this script says",
            allowed=", ".join(sorted(item.texts)) or "no texts of its own",
            given=f"kind {item.kind}",
            next_step="use items of the kinds that the benchmark names",
        )
    return text


def wording_of(item: Item, arm: ScriptedArm) -> str:
    """Return the level of the factor `wording`: the line of a bank, else the arm's name.

    Lines of one frame are one wording, whoever says it.
    """
    for turn in arm.turns:
        for piece in turn.pieces:
            if piece.of in ("line", "pressure") and piece.name and piece.tag != "question":
                line = chosen_line(item, piece)
                return f"{piece.frame}-{line.rpartition('-')[2]}" if piece.frame else line
    return arm.name


def chosen_line(item: Item, piece: Piece) -> str:
    """Return the id of the line that an item's family meets, out of a bank or pressure type."""
    number = int(digest([item.family, piece.frame or piece.name], size=6), 16)
    if piece.of == "pressure":
        ids = wording.wordings_of(piece.name, placement="after")
        return ids[number % len(ids)]
    bank = wording.lines(piece.name)
    return bank[number % len(bank)].id
