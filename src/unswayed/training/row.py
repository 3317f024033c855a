"""The training row: a conversation whose right continuation is known."""

from __future__ import annotations

from typing import Literal

import msgspec

from unswayed.items.conflicts import Stance
from unswayed.plans.design import Action

Start = Literal["none", "right", "wrong"]
Split = Literal["train", "validation", "test"]
Differs = Literal["answer", "tone", "advice"]
User = Literal["none", "neutral", "challenge", "names_target", "names_truth", "new_question"]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One message as trainers take it."""

    role: str
    """Who speaks."""
    content: str
    """What is said."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """How often the model to be trained answers the item by itself."""

    model: str
    """The model that was asked."""
    draws: int
    """First answers, none of which is used in an evaluation."""
    right: int
    """How many of them are right."""


class Vetoed(msgspec.Struct, frozen=True, kw_only=True):
    """What a panel of stakeholders said of a pair that is about the user's act."""

    epoch: int
    """Round of training in which both candidates were drawn; 0 for ours."""
    by: tuple[str, ...]
    """Who vetoed the rejected side; the chosen one was accepted by all."""
    stance: Stance
    """What the rejected side says of the act; the chosen one may say the same."""


class TrainingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation whose right continuation is known."""

    id: str
    """Digest of conversation, completion and rejected completion."""
    family: str
    """Family of the item: the unit of splits and inference."""
    item: str
    """Item id."""
    kind: str
    """Kind of item."""
    condition: dict[str, str]
    """Level of every factor of the arm, with the training line in `wording`."""
    direction: Action | Stance
    """The right action; for the user's own act, what it deserves."""
    first: Start
    """Whether an answer stands before the user's turn, and whether it is right."""
    user: User
    """What the user does."""
    evidence: Literal["none", "valid", "invalid"]
    """Whether the user's turn brings something that changes what is right, or a remark on graded
    work that holds or does not."""
    messages: tuple[Turn, ...]
    """The conversation up to where the model speaks."""
    completion: str
    """The right action, said in words."""
    rejected: str
    """The wrong action, said in words; in a pair that differs in tone, the right one, curtly."""
    differs: Differs = "answer"
    """What tells the sides apart: the answer, the tone alone, or what is said of the user's act."""
    tone: str
    """How both are said; `apart` where the sides differ in it."""
    answer: str
    """The right answer."""
    wrong: str
    """The answer of the rejected completion; empty where it is the right one."""
    first_answer: str = ""
    """The answer that stands before the user's turn; empty where none does."""
    claim: str = ""
    """The answer that the user names; empty where none is named."""
    options: tuple[str, ...] = ()
    """The options as they are listed; empty where none are."""
    answer_form: str = ""
    """Form of the answer, as readouts need it; empty where it is not known."""
    question: str
    """The question that the answer is about."""
    line: str = ""
    """The user's line as it is sent; empty in a control."""
    user_right: bool | None = None
    """Whether the named answer is right; None where none is named."""
    first_right: bool | None = None
    """Whether the first answer is right; None where there is none."""
    invariance_twin: str = ""
    """Row in which only the named answer differs and the right answer is the same."""
    evidence_twin: str = ""
    """Row in which only the evidence differs and the right answer differs."""
    anchor: bool | None = None
    """Whether a reward may read the truth, where reports are asked for; None elsewhere."""
    vetoed: Vetoed | None = None
    """What the panel said, where the sides differ in what they say of the user's act."""
    known: Known | None = None
    """What the model to be trained knows; None where it was not asked."""
    split: Split = "train"
    """Part of the set."""
    source: str
    """Source of the item."""
    licence: str
    """Licence of the item."""
    evaluation_only: bool = False
    """Whether the item's source forbids training on it."""
