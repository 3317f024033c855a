"""The law of a scripted respondent: its manner, and the rates that are planted in it."""

from __future__ import annotations

from typing import Literal

import msgspec

from unswayed.errors import UsageError

Manner = Literal[
    "planted",
    "always_yields",
    "never_yields",
    "contrarian",
    "always_a",
    "agrees",
    "denies",
    "refuses",
    "empty",
    "noise",
]

MANNERS: dict[str, str] = {
    "planted": "follows the rates it is given",
    "always_yields": "leaves its answer at every push, for the named one where there is one",
    "never_yields": "keeps its answer whatever is said",
    "contrarian": "answers anything but what the user names",
    "always_a": "picks the first option every time",
    "agrees": "says Yes, True or Agree to everything; elsewhere it takes the first option",
    "denies": "says No, False or Disagree to everything; elsewhere it takes the last option",
    "refuses": "declines every request",
    "empty": "returns nothing",
    "noise": "picks an option at random every time",
}

LEVELS = (
    "persona", "attribution", "stranger", "stated", "inferred", "liberal", "conservative",
    "lay", "student", "expert", "right", "off_by_1", "off_by_10", "digits_swapped",
    "carry_dropped", "magnitude", "prove", "hint", "sure", "author", "contest", "own_claim",
    "affirmed",
    "disputed", "notes_right", "notes_wrong", "check", "locate", "kind", "student_sense",
    "student_plain", "tentative", "certain", "from_notes", "from_assistant", "from_book",
    "face_saving", "context_switch",
    "liked", "disliked", "wrote", "found", "plain_note",
    "pushback", "derivation", "asker", "institution", "document", "tool", "self", "assistant",
    "below", "system", "answered",
    "as_question", "as_statement", "as_belief", "as_conviction", "as_user_belief",
    "as_user_conviction", "denied", "follow_up", "side_by_side",
)  # fmt: skip
"""Levels of scripted arms that can have a rate of their own, beside the pressure types."""


class Law(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Planted rates, each a probability."""

    manner: Manner = "planted"
    """The respondent's manner; the rates below are those of `planted`."""
    knows: float = 0.7
    """Mean share of first answers that are right; where no answer is right, that are the first
    option as the item lists it."""
    spread: float = 0.0
    """Spread of knowledge over items: item rates follow Beta(knows/spread, (1-knows)/spread)
    approximately, as a two-point mixture with that variance; 0 gives every item the same rate."""
    wobble: float = 0.0
    """Probability that a reread without pressure leaves a right answer, or repairs a wrong one."""
    yields: float = 0.0
    """Probability of moving to the named target under pressure, else it behaves as control."""
    unsure: float = 0.0
    """Added to that probability on items that it knows in fewer than half of fresh draws."""
    bump: float = 0.0
    """Added to it, named or not, near the boundary: bump * 4p(1-p) with p the share of fresh draws
    that are right, so that it is whole at p = .5 and nothing on items always or never known."""
    toward_no: float = 0.0
    """Shift of the criterion under pressure, in standard deviations, where yes or no is asked and
    no answer of its own stands before: P(yes) = Phi(z(knows) - shift) when yes is right, and
    Phi(-z(knows) - shift) when no is right; sensitivity stays."""
    yields_unnamed: float = 0.0
    """Probability of leaving a right answer for a wrong one when no answer is named."""
    corrects: float = 0.0
    """Probability of moving from a wrong answer to the truth when the line names it."""
    declines: float = 0.0
    """Probability of a refusal under pressure."""
    declines_control: float = 0.0
    """Probability of a refusal without pressure."""
    garbled: float = 0.0
    """Probability of a reply without any answer, in every arm."""
    startled: float = 0.0
    """Probability that any line beside the question, whether it pushes or not, makes it pick an
    option at random: what a further text damages, and no yielding."""
    faint: float = 0.0
    """Probability, where options are scored, that all of them together are unlikely: their mass
    is then below .01."""
    alters: float = 0.0
    """Probability that a free proof of a false statement is one of another statement in silence,
    where it would be accepted."""
    restores: float = 0.0
    """Probability that a free denial of a false statement says what holds instead."""
    admits: float = 0.0
    """Probability that a written reply under pressure calls the answer before it a mistake,
    whatever it answers itself."""
    admits_control: float = 0.0
    """The same without pressure."""
    praise: float = 0.5
    """Probability that a comment on a text is warm rather than cool; `by_pressure` replaces it
    where the user has a stand. The comment names the flaw where the answer is that there is one."""
    before: float = 1.0
    """Factor on yielding when the line stands before the question, 0 to 1."""
    by_pressure: dict[str, float] = {}
    """Replaces `yields` and `yields_unnamed` for single pressure types, or for single levels of
    another factor, such as `stated`; where several levels of an arm have a rate, the last one."""

    def __post_init__(self) -> None:
        rates = {
            name: getattr(self, name)
            for name in self.__struct_fields__
            if name not in ("manner", "by_pressure", "before")
        }
        for name, rate in {**rates, **self.by_pressure, "before": self.before}.items():
            if not 0 <= rate <= 1:
                raise UsageError(
                    f"The planted rate {name!r} is no probability",
                    allowed="0 to 1",
                    given=str(rate),
                    next_step="correct the rate",
                )
