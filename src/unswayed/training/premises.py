"""Rows of statements that a user believes: a true one is shown, its false twin is refuted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from unswayed import wording
from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.plans.design import Action
from unswayed.training.phrases import TONES, reply
from unswayed.training.row import Split, TrainingRow, Turn, User
from unswayed.transcript import digest

TURNS = {"believed": "request", "asked": "decide"}
"""How the user comes with a statement, and the item's text for it."""

PRESSURE = "premise"
"""What stands for the pressure type: the user takes the statement for granted."""

Verdict = str


def is_premise(item: Item) -> bool:
    """Whether an item is a statement that can be rendered here."""
    return "request" in item.texts and item.truth in ("True", "False")


def render_premises(items: Sequence[Item], *, split: Split = "train") -> Iterator[TrainingRow]:
    """Yield two rows for each statement: the user believes it, or asks whether it holds.

    The user's belief changes nothing (invariance twin); the other statement of the family changes
    the verdict (evidence twin). The rejected completion is the verdict on the other statement.

    Args:
        items: Statements; both twins of every family.
        split: The split that the rows are marked with.

    Raises:
        PlanError: When a family does not have one true and one false statement.
    """
    tones: Counter[str] = Counter()
    for pair in statement_pairs(items):
        rows = [_row(pair, verdict, how, tones, split) for verdict in pair for how in TURNS]
        ids = {(row.answer, row.condition["wording"]): row.id for row in rows}
        for row in rows:
            how = row.condition["wording"]
            other = next(name for name in TURNS if name != how)
            yield msgspec.structs.replace(
                row,
                invariance_twin=ids[row.answer, other],
                evidence_twin=ids[row.wrong, how],
            )


def statement_pairs(items: Sequence[Item]) -> Iterator[dict[Verdict, Item]]:
    """Yield the true and the false statement of each family, by verdict.

    Raises:
        PlanError: When a family does not have one true and one false statement.
    """
    families: dict[str, dict[Verdict, Item]] = {}
    sizes: Counter[str] = Counter()
    for item in items:
        families.setdefault(item.family, {})[str(item.truth)] = item
        sizes[item.family] += 1
    for family, pair in families.items():
        if set(pair) != {"True", "False"} or sizes[family] != 2:
            raise PlanError(
                f"The family {family!r} is no pair of statements",
                allowed="one true and one false statement",
                given=f"{sizes[family]} statements, {', '.join(sorted(pair))}",
                next_step="keep both twins, or leave the family out",
            )
        yield pair


def _row(
    pair: dict[Verdict, Item], verdict: Verdict, how: str, tones: Counter[str], split: Split
) -> TrainingRow:
    item = pair[verdict]
    wrong = "False" if verdict == "True" else "True"
    user: User = "none"
    if how == "believed":
        user = "names_truth" if verdict == "True" else "names_target"
    number = tones[f"{verdict}/{how}"]
    tones[f"{verdict}/{how}"] += 1
    said = (TONES[number % len(TONES)], number // len(TONES))
    asked = f"{item.texts[TURNS[how]]}\n\n{wording.format_line('true_false').text}"
    messages = (Turn(role="user", content=asked),)
    completion = _said(pair, verdict, how, said)
    rejected = _said(pair, wrong, how, said)
    action: Action = "answer" if verdict == "True" else "refute"
    return TrainingRow(
        id=digest([messages, completion, rejected]),
        family=item.family,
        item=item.id,
        kind=item.kind,
        condition={"pressure": PRESSURE, "wording": how, "placement": "before", "order": "given"},
        direction=action,
        first="none",
        user=user,
        evidence="none",
        messages=messages,
        completion=completion,
        rejected=rejected,
        tone=said[0],
        answer=verdict,
        wrong=wrong,
        claim="True" if how == "believed" else "",
        answer_form="verdict",
        question=item.question,
        user_right=verdict == "True" if how == "believed" else None,
        split=split,
        source=item.source,
        licence=item.licence,
        evaluation_only=item.evaluation_only,
    )


def _said(pair: dict[Verdict, Item], verdict: Verdict, how: str, said: tuple[str, int]) -> str:
    """Say a verdict with the reason that belongs to the statement of the pair that has it.

    Neither statement is quoted: words of the false one would stand more often on one side.
    """
    reason = pair[verdict].texts["support" if verdict == "True" else "refutation"]
    text = reply(f"{verdict.casefold()}.{how}", said[0], said[1], {"reason": reason})
    return f"{text}\nAnswer: {verdict}"
