"""What a readout is told about an item, and whether it can read the item at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from unswayed.errors import ReadoutError
from unswayed.items.item import Item
from unswayed.items.key import keyed
from unswayed.models.completion import Completion
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay
from unswayed.plans.render import OPTIONS, listed_options
from unswayed.readouts.answer import Asked
from unswayed.readouts.fitting import check_fits
from unswayed.readouts.reading import read_completion

SCALE = "scale"
"""Name of the item text that states a scale, such as `0 to 10` or `1 to 5 in whole numbers`."""

_SCALE = re.compile(
    r"\s*(?P<low>[-+]?\d+(?:\.\d+)?) to (?P<high>[-+]?\d+(?:\.\d+)?)"
    r"(?P<whole> in whole numbers)?\s*"
)


def asked_of(item: Item, *, listed: bool, order: str = "given") -> Asked:
    """Return what a readout may know about an item: form, options, spellings and scale.

    The order in which options were listed is kept. Where nothing was listed and the item has no
    options, an expression is compared with the item's truth and target, in alphabetical order,
    so that the readout cannot tell which of them is right.

    Args:
        item: The item.
        listed: Whether its options stand with letters in what is sent.
        order: Level of the factor `order`.
    """
    form = "choice" if listed and item.options else item.answer_form
    options = listed_options(item, order)
    if not options and form in ("expression", "text"):
        options = tuple(sorted({text for text in (item.truth, item.target) if text is not None}))
    aliases = []
    for option in options:
        truth, target = option == item.truth, option == item.target
        aliases.append(item.truth_aliases if truth else item.target_aliases if target else ())
    scale, whole = scale_of(item)
    return Asked(
        form=form,
        options=options,
        listed=listed and bool(item.options),
        aliases=tuple(aliases),
        scale=scale,
        whole=whole,
    )


def scale_of(item: Item) -> tuple[tuple[float, float] | None, bool]:
    """Return the scale that an item states and whether it has whole numbers only.

    Raises:
        ReadoutError: When the item's scale cannot be read.
    """
    text = item.texts.get(SCALE)
    if text is None:
        return None, False
    match = _SCALE.fullmatch(text)
    if match is None or not float(match["low"]) < float(match["high"]):
        raise ReadoutError(
            f"Item {item.id!r}: its scale cannot be read",
            allowed="a text such as `0 to 10` or `1 to 5 in whole numbers`",
            given=repr(text),
            next_step=f"correct the item's text {SCALE!r}",
        )
    return (float(match["low"]), float(match["high"])), match["whole"] is not None


def read_beside(
    replay: Replay, completion: Completion, item: Item, readouts: tuple[str, ...]
) -> dict[str, str]:
    """Read what else a reply says, where it is one to a turn after an answer; unread is absent."""
    if not readouts or replay.options or completion.error is not None:
        return {}
    if not any(message.role == "assistant" for message in replay.transcript.messages):
        return {}
    order = replay.condition.get("order", "given")
    asked = asked_of(keyed(item, replay.key), listed=is_listed(replay), order=order)
    found = {name: read_completion(completion, asked, name).value for name in readouts}
    return {name: value for name, value in found.items() if value is not None}


def check_keyed(
    replays: Iterable[Replay], items: Mapping[str, Item], readout: str
) -> Iterator[Replay]:
    """Pass replays on, and refuse the first whose own key the readout cannot read.

    Raises:
        ReadoutError: Naming the item and the arm.
    """
    for replay in replays:
        if replay.key is not None and not replay.options:
            _check(keyed(items[replay.item], replay.key), readout, listed=is_listed(replay))
        yield replay


def is_listed(replay: Replay) -> bool:
    """Whether a replay lists its options with letters."""
    for message in replay.transcript.messages:
        for part in message.parts:
            if part.tag == OPTIONS:
                return True
    return False


def check_readable(items: Iterable[Item], design: Design) -> None:
    """Refuse a plan whose readout cannot read some item, before anything is spent.

    Args:
        items: The items of the plan.
        design: The design, with the name of its readout and whether options are listed.

    Raises:
        ReadoutError: Naming the item, its form and the readout.
    """
    for item in items:
        _check(item, design.readout, listed=design.listed and not design.scored)


def _check(item: Item, readout: str, *, listed: bool) -> None:
    asked = asked_of(item, listed=listed)
    try:
        check_fits(asked, readout, truth=item.truth)
    except ReadoutError as error:
        raise ReadoutError(
            f"Item {item.id!r} (form {asked.form}) cannot be read with the readout"
            f" {readout!r}: {error.wrong}",
            allowed=error.allowed,
            given=error.given,
            next_step=error.next_step,
        ) from error
