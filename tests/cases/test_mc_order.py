"""Listed options: keys are texts, orders are a factor, letters belong to one presentation."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from cli import done

from cases.measured import Told, cell, measure, numbered, plan, records_of
from unswayed import line
from unswayed.errors import PlanError
from unswayed.plans.design import Design
from unswayed.plans.render import OPTIONS, listed_options

BOTH = Design(
    pressures=("assertion",), names=("target",), controls=("deleted",), listed=True,
    orders=("given", "reversed"),
)  # fmt: skip


def listing(transcript) -> dict[str, str]:
    """Return letter and option of what is listed."""
    text = "".join(p.text for m in transcript.messages for p in m.parts if p.tag == OPTIONS)
    return dict(re.findall(r"^\(([A-Z])\) (.+)$", text, re.M))


def knowing(truths: set[str]) -> Told:
    """A model that says the letter under which a truth stands."""

    def answer(request):
        found = [name for name, text in listing(request.transcript).items() if text in truths]
        return f"Answer: {found[0]}"

    return Told(answer)


@pytest.mark.parametrize("options", [("w", "x"), ("w", "x", "y", "z"), ("v", "w", "x", "y", "z")])
def test_c099_reversing_twice_is_the_first_order(options: tuple[str, ...]):
    """C099: the item keeps its own order; a listing is derived from it and can be undone."""
    item = msgspec.structs.replace(
        numbered(1)[0], options=options, truth=options[0], target=options[1]
    )
    once = listed_options(item, "reversed")
    assert once != options
    assert listed_options(msgspec.structs.replace(item, options=once), "reversed") == options
    assert item.options == options


def test_c099_c101_letters_of_both_orders_give_the_same_option(tmp_path: Path):
    """C099, C101: the key is a text; whichever letter it has in a listing, it is read as itself."""
    items = numbered(8)
    folder, profile = measure(
        tmp_path / "run", items, BOTH, knowing({item.truth for item in items})
    )
    truths = {item.id: item.truth for item in items}
    records = records_of(folder)
    assert {record.condition["order"] for record in records} == {"given", "reversed"}
    for record in records:
        for read in (record.first, record.control, record.pressured):
            assert (read.value, read.outcome) == (truths[record.item], "truth")
    assert profile.accuracy.k == profile.accuracy.n_rows > 0


def test_c101_a_table_with_a_text_key_needs_no_letter(tmp_path: Path):
    """C101: truth and target of a user's table are option texts and stay so in the plan."""
    table = tmp_path / "own.csv"
    table.write_text(
        "question,truth,target,options\n"
        "Pick the long one?,the third choice,one,one|two|the third choice\n",
        encoding="utf-8",
    )
    done("plan", "-i", table, "-s", "orders=given,reversed", "--to", tmp_path / "run")
    (item,) = line.RunFolder(tmp_path / "run").read_items().values()
    assert (item.truth, item.options[2]) == ("the third choice", "the third choice")
    letters = {
        name
        for replay in line.RunFolder(tmp_path / "run").replays()
        for name, text in listing(replay.transcript).items()
        if text == item.truth
    }
    assert letters == {"A", "C"}


def test_c102_both_arms_of_a_pair_list_the_options_alike(tmp_path: Path):
    """C102: order is a factor with a contrast of its own, and never differs inside a pair."""
    folder = plan(tmp_path / "plan", numbered(3), BOTH)
    replays = {replay.id: replay for replay in folder.replays()}
    compared = 0
    for replay in replays.values():
        if replay.arm == "pressured":
            control, first = replays[replay.control_id], replays[replay.first_id]
            assert (
                listing(replay.transcript)
                == listing(control.transcript)
                == listing(first.transcript)
            )
            assert len(listing(replay.transcript)) == 3
            assert replay.condition["order"] == control.condition["order"]
            compared += 1
    assert compared == 6


def test_c102_accuracy_that_depends_on_the_place_is_visible(tmp_path: Path):
    """C102: yielding only where the target stands first shows in the contrast of orders."""
    items = numbered(20)
    truths, targets = ({getattr(i, name) for i in items} for name in ("truth", "target"))

    def answer(request):
        shown = listing(request.transcript)
        pushed = "pressure" in request.cell and shown["A"] in targets
        wanted = targets if pushed else truths
        return "Answer: " + next(name for name, text in shown.items() if text in wanted)

    _, profile = measure(tmp_path / "run", items, BOTH, Told(answer))
    found = cell(profile, "contrast", factor="order", low="given", high="reversed")
    assert found.measures["capitulation"].value == -1.0


@pytest.mark.parametrize(
    "last",
    ["None of the above", "all of the above.", "Both A and B", "A and C", "(A) or (B) only"],
)
def test_c102_an_option_that_speaks_of_places_is_not_turned_round(tmp_path: Path, last: str):
    """C102: first in its list it would mean another thing, so no order but its own is asked."""
    item = msgspec.structs.replace(
        numbered(1)[0], options=("x", "y", last), truth=last, target="x", answer_form="choice"
    )
    with pytest.raises(PlanError, match="another order") as refused:
        plan(tmp_path / "run", [item], BOTH)
    assert last in str(refused.value)
    own = msgspec.structs.replace(BOTH, orders=("given",))
    assert list(plan(tmp_path / "own", [item], own).replays())


@pytest.mark.parametrize("last", ["Vitamins A and D", "above 100", "none of these", "the first"])
def test_c102_an_option_that_stands_for_itself_is_turned_round(tmp_path: Path, last: str):
    """C102: letters and places in what is said of the world are no places in the list."""
    item = msgspec.structs.replace(
        numbered(1)[0], options=("x", "y", last), truth=last, target="x", answer_form="choice"
    )
    assert list(plan(tmp_path / "run", [item], BOTH).replays())


@pytest.mark.parametrize("count", [26, 27])
def test_c101_no_option_is_left_without_a_letter(tmp_path: Path, count: int):
    """C101: as many options as letters are listed; one more is refused, and nothing written."""
    options = tuple(f"word{number}" for number in range(count))
    item = msgspec.structs.replace(
        numbered(1)[0], options=options, truth=options[0], target=options[-1]
    )
    if count > 26:
        with pytest.raises(PlanError, match="more options than letters"):
            plan(tmp_path / "run", [item], BOTH)
        assert not (tmp_path / "run" / "plan.jsonl").exists()
        return
    folder = plan(tmp_path / "run", [item], BOTH)
    assert {len(listing(replay.transcript)) for replay in folder.replays()} == {26}
