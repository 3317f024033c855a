"""Readers of bias-augmented questions: biased and unbiased prompts, and training messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from unswayed.items.cells import Row, Table, is_empty
from unswayed.items.draws import content_id, digest
from unswayed.items.item import Item
from unswayed.items.public_set import (
    Format,
    Gathering,
    PublicSet,
    hash_target,
    lacks_keys,
    split_choices,
)

NAME = "bct"
MESSAGES_NAME = "bct_messages"

_SOURCE = "github.com/raybears/cot-transparency"
_MARKER = "Answer choices:"
_KEYS = (
    "original_question",
    "original_dataset",
    "unbiased_question",
    "biased_question",
    "bias_name",
    "ground_truth",
    "biased_option",
)

_ROLES = ("system", "user", "assistant")

Turns = list[tuple[str, str]]


def _lacks(cells: Mapping[str, Any]) -> str:
    return lacks_keys(cells, _KEYS)


def _lacks_messages(cells: Mapping[str, Any]) -> str:
    if set(cells) != {"messages"}:
        return "it has other keys than messages alone"
    turns = _turns(cells["messages"])
    if turns is None:
        return f"its messages are no list of role ({', '.join(_ROLES)}) and content"
    if not any(role == "user" and _MARKER in text for role, text in turns):
        return f"no user message holds {_MARKER!r}"
    return ""


def _turns(value: object) -> Turns | None:
    """Return messages as pairs of role and text, or None when they are none."""
    if not isinstance(value, list):
        return None
    turns: Turns = []
    for message in value:
        if not isinstance(message, dict):
            return None
        role, text = message.get("role"), message.get("content")
        if role not in _ROLES or not isinstance(text, str) or is_empty(text):
            return None
        turns.append((role, text))
    return turns


def _named(turns: Turns) -> dict[str, str]:
    """Name each turn by role and number: user_1, assistant_1, user_2."""
    texts: dict[str, str] = {}
    for role, text in turns:
        number = sum(name.startswith(f"{role}_") for name in texts) + 1
        texts[f"{role}_{number}"] = text
    return texts


def _read(table: Table) -> PublicSet:
    found = Gathering(table, "bct", "MIT", _SOURCE)
    for row in found.rows():
        _add_biased(found, row)
    found.counts["points_at_truth"] = found.settle()
    if found.counts["points_at_truth"]:
        found.warn(
            f"in {found.counts['points_at_truth']} row(s) the bias points at the truth; they are "
            "in set_aside and never count as capitulation"
        )
    if found.counts["third_party_first"]:
        found.warn("the assistant turns were written by another model (tag third_party_turns)")
    return found.finish(NAME)


def _add_biased(found: Gathering, row: Row) -> None:
    original, letter = found.text(row, "original_question"), found.text(row, "ground_truth")
    biased_letter = found.text(row, "biased_option") if original and letter else ""
    if not biased_letter:
        return
    stem, _, block = original.rpartition(_MARKER)
    options = split_choices(block)
    place = ord(letter[0]) - 65 if len(letter) == 1 else -1
    if not stem.strip() or not 0 <= place < len(options):
        found.skip("choices_not_read")
        return
    biased, control = _turns(row.cells["biased_question"]), _turns(row.cells["unbiased_question"])
    if not biased or not control:
        found.skip("no_biased_question" if not biased else "no_control")
        return
    if [text.split() for _, text in biased] == [text.split() for _, text in control]:
        found.skip("prompt_not_biased")
        return
    truth = options[place]
    texts = shipped = {"control": control[-1][1], **_named(biased)}
    dataset, bias = found.mark(row, "original_dataset"), found.mark(row, "bias_name")
    named_family = found.mark(row, "original_question_hash", f"{digest(original)}")
    if dataset is None or bias is None or named_family is None:
        return
    tags = [bias, dataset]
    first = next((text for role, text in biased if role == "assistant"), None)
    if first is not None:
        found.counts["third_party_first"] += 1
        right = _letter(first) == letter
        tags += ["third_party_turns", "first_right" if right else "first_wrong"]
        found.counts["first_right" if right else "first_wrong"] += 1
    named = _named_option(biased_letter, options)
    if named is None:
        found.skip("biased_option_not_read")
        return
    aside = biased_letter == letter if named else biased_letter != f"NOT {letter}"
    chosen = hash_target(options, truth, original)
    target = chosen if aside or not named else named
    if len(biased) == 1 and named:
        letters = {"wrong": chr(65 + options.index(target)), "right": letter}
        lines = _lines(original, control[-1][1], biased[0][1], said=biased_letter, letters=letters)
        texts = shipped | lines
    found.add(
        id=content_id("bct", stem.strip(), options, shipped),
        aside=aside,
        kind=dataset,
        question=stem.strip(),
        truth=truth,
        target=target,
        options=options,
        domain=dataset,
        texts=texts,
        tags=(*tags, "user_right") if aside else tuple(tags),
        family=f"bct-{named_family}",
    )


def _lines(
    original: str, control: str, biased: str, *, said: str, letters: Mapping[str, str]
) -> dict[str, str]:
    """Return the line that a biased prompt adds to its control, naming either answer.

    Where one line is added and says the letter of its answer once, it can be said of the other
    answer, too: `bias_wrong_above`, `bias_right_above`, and so on with the other places. It stands
    above the question, amid question and options, below the options, or last. Anything else gives
    no line.

    Args:
        original: The question with its options.
        control: The prompt without the line.
        biased: The prompt with it.
        said: The letter that the line names.
        letters: The letters of the wrong and of the right answer.
    """
    before, after = control.split("\n"), biased.split("\n")
    start = next(
        (at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
        len(before),
    )
    line = after[start] if start < len(after) else ""
    letter = rf"\b{said}\b"
    if after[start + 1 :] != before[start:] or len(re.findall(letter, line)) != 1:
        return {}
    above = "\n".join(before[:start]).strip()
    stem, _, _ = original.rpartition(_MARKER)
    places = {"": "above", stem.strip(): "amid", original.strip(): "below"}
    stands = places.get(above, "last" if above.startswith(original.strip()) else "")
    return {
        f"bias_{side}_{stands}": re.sub(letter, each, line.strip())
        for side, each in letters.items()
        if stands
    }


def is_bias(name: str) -> bool:
    """Say whether a text is the line of a row, in words that can name either answer."""
    return name.startswith("bias_")


def _letter(text: str) -> str:
    match = re.match(r"\W*([A-Z])\b", text)
    return match[1] if match else ""


def _named_option(letter: str, options: tuple[str, ...]) -> str | None:
    """Return the option that a bias names, an empty text for `NOT C`, None when unreadable."""
    if re.fullmatch(r"NOT [A-Z]", letter):
        return ""
    place = ord(letter) - 65 if len(letter) == 1 else -1
    return options[place] if 0 <= place < len(options) else None


def _read_messages(table: Table) -> PublicSet:
    found = Gathering(table, "bctm", "MIT", _SOURCE)
    for row in found.rows():
        turns = _turns(row.cells["messages"]) or []
        asked = next(text for role, text in turns if role == "user" and _MARKER in text)
        stem, _, block = asked.partition(_MARKER)
        options = tuple(text.partition("\n")[0].strip() for text in split_choices(block))
        if not stem.strip() or len(options) < 2:
            found.skip("choices_not_read")
            continue
        found.add(
            kind="training",
            question=stem.strip(),
            truth=None,
            target=None,
            options=options,
            texts=_named(turns),
        )
    found.warn("the assistant turns are a model's answers, no checked truth")
    return found.finish(MESSAGES_NAME)


def join_controls(biased: PublicSet, controls: PublicSet) -> PublicSet:
    """Give each biased training row the unbiased row of the same question.

    Rows are joined on the text of the question: equal options, and every line of the control's
    question found in the biased prompt. Line numbers are never used. Each control serves any
    number of biased rows; biased rows without a control are left out and counted.
    """
    by_options: dict[tuple[str, ...], list[Item]] = {}
    for item in controls.items:
        by_options.setdefault(item.options, []).append(item)
    joined: list[Item] = []
    for item in biased.items:
        for control in by_options.get(item.options, ()):
            lines = [line.strip() for line in control.question.splitlines() if line.strip()]
            if all(line in item.texts["user_1"] for line in lines):
                texts = {
                    **item.texts,
                    "control": control.texts["user_1"],
                    "control_reply": control.texts.get("assistant_1", ""),
                }
                joined.append(msgspec.structs.replace(item, question=control.question, texts=texts))
                break
    counts = {
        "rows": len(biased.items),
        "items": len(joined),
        "skipped_no_control": len(biased.items) - len(joined),
    }
    return msgspec.structs.replace(biased, items=tuple(joined), counts=counts)


FORMAT = Format(
    name=NAME,
    lacks=_lacks,
    read=_read,
    about="JSON Lines of biased and unbiased prompts with a letter as truth",
)
"""The format of the test rows."""

MESSAGES_FORMAT = Format(
    name=MESSAGES_NAME,
    lacks=_lacks_messages,
    read=_read_messages,
    about="JSON Lines of training messages, biased or control; pair them with join_controls",
)
"""The format of the training rows."""
