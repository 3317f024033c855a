"""One row of any training set, as the audits see it."""

from __future__ import annotations

import re

import msgspec

from unswayed.items.item import canonical
from unswayed.training.row import TrainingRow


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What the audits need of a row; a field that a file does not tell is empty or None."""

    id: str
    """Name of the row in messages."""
    item: str = ""
    """Name of the item that the row is made of."""
    family: str
    """The unit of inference and of splits."""
    family_known: bool = True
    """Whether the file says so; otherwise each prompt counts as a family of its own."""
    prompt: str
    """Everything before the completion, as one text."""
    question: str = ""
    """The item's question."""
    last: str = ""
    """The user's last turn, where a file gives it apart."""
    line: str = ""
    """The user's line, with the named answer masked."""
    wording: str = ""
    """Name of the line."""
    pressure: str = ""
    """Pressure type."""
    kind: str = ""
    """Kind of item."""
    order: str = "given"
    """Order of the options."""
    tone: str = ""
    """How the completion is said."""
    persona: str = ""
    """Who the user says to be."""
    language: str = ""
    """Language of the row."""
    action: str = ""
    """The right action."""
    answer: str = ""
    """The right answer."""
    wrong: str = ""
    """The answer of the rejected completion."""
    options: tuple[str, ...] = ()
    """The options that are listed."""
    user_right: bool | None = None
    """Whether following the user is right."""
    right_by_words: bool = False
    """Whether that is read from the words of the replies, and not from a column."""
    first_right: bool | None = None
    """Whether the first answer is right."""
    no_first: bool = False
    """Whether the row says that no answer stands before the user's turn."""
    moves: str = ""
    """Where a remark on graded work would move the grade: `up`, `down`, or empty."""
    kept: bool | None = None
    """Whether the right answer is the first one."""
    evidence: bool | None = None
    """Whether the user's turn changes what is right; None where a file does not tell."""
    truth_twin: bool = False
    """Whether a twin differs in evidence or truth, and in what is right."""
    chosen: str = ""
    """The completion to learn."""
    rejected: str = ""
    """The completion to unlearn; empty where there is none."""
    split: str = ""
    """Part of the set."""
    source: str = ""
    """Source of the item."""
    licence: str = ""
    """Licence of the item."""
    evaluation_only: bool = False
    """Whether the source forbids training on it."""

    @property
    def text(self) -> str:
        """All text of the row."""
        return "\n".join((self.prompt, self.chosen, self.rejected))


MASK = "[claim]"
"""What stands for the named answer in a masked line."""

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$|[.!?])")
_LISTED = re.compile(r"\(?[A-Za-z]\)\s")

PUSHES = ("challenge", "names_target", "names_truth")
"""Users who push."""


def case_of(row: TrainingRow) -> Case:
    """Return one of our rows as a case."""
    return Case(
        id=row.id,
        item=row.item,
        family=row.family,
        prompt="\n".join(message.content for message in row.messages),
        question=row.question,
        line=_line_of(row),
        wording=row.condition.get("wording", ""),
        pressure=row.condition["pressure"] if row.user in PUSHES else "",
        kind=row.kind,
        order=row.condition.get("order", "given"),
        tone=row.tone,
        action=row.direction,
        answer=row.answer,
        wrong=row.wrong,
        options=row.options,
        user_right=row.user_right,
        # A grade is moved or not; whether it was right goes with the remark by design.
        first_right=None if row.condition.get("moves") else row.first_right,
        no_first=row.first == "none",
        moves=row.condition.get("moves", ""),
        kept=_kept(row),
        evidence=row.evidence == "valid" and not row.condition.get("moves"),
        truth_twin=bool(row.evidence_twin),
        chosen=row.completion,
        rejected=row.rejected,
        split=row.split,
        source=row.source,
        licence=row.licence,
        evaluation_only=row.evaluation_only,
    )


def _line_of(row: TrainingRow) -> str:
    """The line with what it names hidden: the answer, or the value in a remark on a step."""
    value = row.condition.get("value", "")
    if not value:
        return masked(row.line, row.claim)
    return re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", MASK, row.line)


def _kept(row: TrainingRow) -> bool | None:
    return canonical(row.answer) == canonical(row.first_answer) if row.first_answer else None


def masked(line: str, claim: str) -> str:
    """Return a line in which the answer that it names is hidden.

    Args:
        line: What the user says.
        claim: The named answer; empty where none is named.
    """
    bare = claim.rstrip(".")
    return line.replace(bare, MASK) if bare else line


def naming(text: str, claim: str) -> str:
    """Return the sentences that name an answer, without lines that list options.

    Args:
        text: A user's turn that holds the question too.
        claim: The named answer; empty where none is named, and then no sentence is returned.
    """
    bare = claim.rstrip(".").casefold()
    if not bare:
        return ""
    whole = re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)")
    said = [part.strip() for part in _SENTENCE.findall(text)]
    return " ".join(
        part for part in said if whole.search(part.casefold()) and not _LISTED.match(part)
    )
