"""Training rows: an arm of a plan, its item, and its right action said in words.

One renderer serves evaluation and training. `unswayed.plans.cross` writes the conversation; only
the tagged line is replaced by a line that no evaluation has, and the right action of the arm
becomes the completion. First answers are planted, so no model is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from unswayed.errors import PlanError
from unswayed.items.alike import alike
from unswayed.items.item import Item
from unswayed.plans.cross import cross
from unswayed.plans.design import Action, Design, RightAction
from unswayed.plans.plan import Replay
from unswayed.plans.render import LETTERS, spoken
from unswayed.training.phrases import TONES, lines, reply, turns
from unswayed.training.row import Split, Start, TrainingRow, Turn, User
from unswayed.transcript import LINE, PRESSURE, Part, Transcript, digest
from unswayed.wording import fill


def render(
    items: Sequence[Item], pressures: Sequence[str], *, seed: int, split: Split = "train"
) -> Iterator[TrainingRow]:
    """Yield the rows of items, with both kinds of twins and balanced tones.

    Each item meets every pressure once after a right and after a wrong first answer, naming the
    target, the truth or nothing, and once before the question, naming target or truth (a challenge
    only after an answer). Beside them stand rows without pressure. The user's correction that
    replaces the question takes the question of another item of the same call.

    Args:
        items: The items of one split.
        pressures: Pressure types.
        seed: Another seed chooses other lines.
        split: The split that the rows are marked with.

    Raises:
        PlanError: When an item has no truth and target, or no other item can replace its question.
    """
    tones: Counter[str] = Counter()
    partners = _partners(items, seed)
    for item in items:
        drafts = list(_drafts(item, partners[item.id], pressures, seed))
        rows = [_row(draft, _tone(draft, tones), split) for draft in drafts]
        yield from _paired(rows)


class _Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An arm on its way to a row."""

    item: Item
    asked: Item
    condition: dict[str, str]
    transcript: Transcript
    start: Start
    user: User
    action: Action
    line: str = ""


def _drafts(item: Item, partner: Item, pressures: Sequence[str], seed: int) -> Iterator[_Draft]:
    calm: set[tuple[str, str]] = set()
    for pressure in pressures:
        for replay in _replays(item, pressure):
            if replay.arm == "pressured":
                yield _pushed(item, replay, seed)
                continue
            key = (replay.arm, str(replay.condition))
            if replay.arm == "first" or key in calm:
                continue
            calm.add(key)
            yield from _unpushed(item, partner, replay, seed)


def _replays(item: Item, pressure: str) -> Iterator[Replay]:
    after = Design(
        pressures=(pressure,),
        wordings=1,
        firsts=("planted_right", "planted_wrong"),
        controls=("deleted", "reask"),
        listed=_listed(item),
    )
    yield from cross([item], after)
    if pressure == "challenge":
        return
    before = msgspec.structs.replace(
        after,
        firsts=("own",),
        placements=("before",),
        names=("target", "truth"),
        controls=("deleted",),
    )
    yield from cross([item], before)


def _pushed(item: Item, replay: Replay, seed: int) -> _Draft:
    pressure, names = replay.condition["pressure"], replay.condition["names"]
    bank = lines(pressure)
    line = bank[int(digest([seed, item.family, pressure], size=6), 16) % len(bank)]
    text = fill(line.named, {"claim": spoken(replay.claim)}) if replay.claim else line.unnamed
    start = _start(replay)
    right = replay.right or RightAction(if_right="answer", if_wrong="answer")
    users: dict[str, User] = {"target": "names_target", "truth": "names_truth"}
    return _Draft(
        item=item,
        asked=item,
        condition={**replay.condition, "wording": line.id},
        transcript=_with_line(replay.transcript, PRESSURE, text),
        start=start,
        user=users.get(names, "challenge"),
        action=right.if_right if start == "right" else right.if_wrong,
        line=text,
    )


def _unpushed(item: Item, partner: Item, replay: Replay, seed: int) -> Iterator[_Draft]:
    start = _start(replay)
    actions: dict[Start, Action] = {"none": "answer", "right": "keep", "wrong": "repair"}
    base = _Draft(
        item=item,
        asked=item,
        condition=replay.condition,
        transcript=replay.transcript,
        start=start,
        user="none",
        action=actions[start],
    )
    if replay.arm != "line":
        yield base
        return
    number = int(digest([seed, item.family, "turn"], size=6), 16)
    said = turns()
    line = said.neutral[number % len(said.neutral)]
    yield msgspec.structs.replace(
        base, user="neutral", line=line, transcript=_with_line(replay.transcript, LINE, line)
    )
    if start == "wrong":
        return
    line = fill(said.changed[number % len(said.changed)], {"question": _question(partner)})
    yield msgspec.structs.replace(
        base,
        asked=partner,
        user="new_question",
        action="update",
        line=line,
        transcript=_with_line(replay.transcript, LINE, line),
    )


def _with_line(transcript: Transcript, tag: str, text: str) -> Transcript:
    """Return the transcript with another line, and the white space that stood after the first."""
    old = next(p.text for m in transcript.messages for p in m.parts if p.tag == tag)
    space = "\n\n" if "\n" in text else old[len(old.rstrip()) :]
    return transcript.replacing(tag, Part(text + space, tag))


def _question(item: Item) -> str:
    if not _listed(item):
        return item.question
    listing = (f"({letter}) {text}" for letter, text in zip(LETTERS, item.options, strict=False))
    return "\n".join((item.question, *listing))


def _start(replay: Replay) -> Start:
    starts: dict[str, Start] = {"planted_right": "right", "planted_wrong": "wrong"}
    return starts.get(replay.condition.get("first", ""), "none")


def _partners(items: Sequence[Item], seed: int) -> dict[str, Item]:
    """Return for each item another of its kind whose right answer reads differently."""
    order = sorted(items, key=lambda item: digest([seed, item.id]))
    found = {}
    for place, item in enumerate(order):
        if item.truth is None or item.target is None:
            raise PlanError(
                f"Item {item.id!r} has no truth or no target",
                allowed="items with a truth and a fixed wrong answer",
                given=f"kind {item.kind}",
                next_step="leave such items out",
            )
        others = [
            other for other in (*order[place + 1 :], *order[:place]) if _can_replace(item, other)
        ]
        partner = next((other for other in others if other.kind == item.kind), None)
        partner = partner or next(iter(others), None)
        if partner is None:
            raise PlanError(
                f"No other item can stand in for the question of {item.id!r}",
                allowed="at least two families with different answers in each part of the set",
                given=f"{len(items)} items of the same part",
                next_step="add items, or leave this one out",
            )
        found[item.id] = partner
    return found


def _can_replace(item: Item, other: Item) -> bool:
    if other.family == item.family or bool(other.options) != bool(item.options):
        return False
    mine, theirs = str(item.truth), str(other.truth)
    same_form = item.answer_form == other.answer_form or _listed(item) == _listed(other) is True
    return (
        same_form
        and not alike(mine, theirs)
        # An old answer that the new question lists too would stand there at another letter.
        and not (_listed(other) and mine in other.options)
        and final_line(other, theirs) != final_line(item, mine)
    )


def _listed(item: Item) -> bool:
    return bool(item.options) and item.answer_form != "verdict"


def final_line(item: Item, answer: str) -> str:
    """Return the line in which an answer is given, as the format line of the prompt asks."""
    if _listed(item):
        return f"Answer: {LETTERS[item.options.index(answer)]}"
    return f"Answer: {answer}"


def _tone(draft: _Draft, tones: Counter[str]) -> tuple[str, int]:
    """Give the tones in turn inside each kind of row, so that no tone goes with an action."""
    key = f"{draft.action}/{draft.start}/{draft.user}"
    number = tones[key]
    tones[key] += 1
    return TONES[number % len(TONES)], number // len(TONES)


def _row(draft: _Draft, said: tuple[str, int], split: Split) -> TrainingRow:
    item, asked = draft.item, draft.asked
    truth, target = str(item.truth), str(item.target)
    answer = str(asked.truth)
    wrong = truth if draft.user == "new_question" else target
    first = {"right": truth, "wrong": target}.get(draft.start, "")
    claim = {"names_target": target, "names_truth": truth}.get(draft.user, "")
    holder = item if draft.user == "new_question" else asked
    completion = _said(draft, asked, answer, (first, claim), said)
    rejected = _said(draft, holder, wrong, (first, claim), said)
    messages = tuple(Turn(**message) for message in draft.transcript.to_wire())
    return TrainingRow(
        id=digest([messages, completion, rejected]),
        family=item.family,
        item=item.id,
        kind=item.kind,
        condition=draft.condition,
        direction=draft.action,
        first=draft.start,
        user=draft.user,
        evidence="valid" if draft.user == "new_question" else "none",
        messages=messages,
        completion=completion,
        rejected=rejected,
        tone=said[0],
        answer=answer,
        wrong=wrong,
        first_answer=first,
        claim=claim,
        options=asked.options,
        answer_form="choice" if _listed(asked) else asked.answer_form,
        question=asked.question,
        line=draft.line,
        user_right={"names_target": False, "names_truth": True}.get(draft.user),
        first_right={"right": True, "wrong": False}.get(draft.start),
        split=split,
        source=item.source,
        licence=item.licence,
        evaluation_only=item.evaluation_only or asked.evaluation_only,
    )


def _said(
    draft: _Draft, holder: Item, answer: str, stood: tuple[str, str], said: tuple[str, int]
) -> str:
    """Say an answer as one who holds it would, whether it is right or wrong.

    Both sides of a pair come from this one rule, so that neither words nor length tell which
    side is right.
    """
    first, claim = stood
    if draft.user == "new_question":
        # Said alike on both sides: words of one side alone would tell which is right.
        name = "update.changed"
    else:
        name = f"{_deed(answer, first, claim)}.{_stance(draft.user, answer, claim)}"
    values = {"answer": spoken(answer), "claim": spoken(claim), "first": spoken(first)}
    return f"{reply(name, said[0], said[1], values)}\n{final_line(holder, answer)}"


def _deed(answer: str, first: str, claim: str) -> str:
    if not first:
        return "answer"
    if answer == first:
        return "keep"
    return "update" if answer == claim else "repair"


def _stance(user: User, answer: str, claim: str) -> str:
    if user == "challenge":
        return "doubted"
    if not claim:
        return "calm"
    return "agreed" if answer == claim else "contradicted"


def _paired(rows: Sequence[TrainingRow]) -> Iterator[TrainingRow]:
    """Yield the rows of one item with the ids of their twins."""
    by_cell = {_cell(row): row.id for row in rows}
    swap = {"names_target": "names_truth", "names_truth": "names_target"}
    change = {"neutral": "new_question", "new_question": "neutral"}
    for row in rows:
        pressure, place, first, user = _cell(row)
        yield msgspec.structs.replace(
            row,
            invariance_twin=by_cell.get((pressure, place, first, swap.get(user, "")), ""),
            evidence_twin=by_cell.get((pressure, place, first, change.get(user, "")), ""),
        )


def _cell(row: TrainingRow) -> tuple[str, str, str, str]:
    condition = row.condition
    return condition.get("pressure", ""), condition["placement"], row.first, row.user
