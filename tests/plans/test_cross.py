"""Plans: every pressured replay has its control, and differs from it in the line alone."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unswayed.errors import ConfoundError, PlanError
from unswayed.items.builtin import builtin_items
from unswayed.items.item import Item
from unswayed.plans.check import check_design, check_replays, compare_levels
from unswayed.plans.cross import cross
from unswayed.plans.design import LINES, Design
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling
from unswayed.transcript import LINE, PRESSURE, Part, Transcript

ITEMS = builtin_items(("fact", "arithmetic", "statement"))[:90:9]


def some(values: tuple[str, ...], least: int = 1) -> st.SearchStrategy[tuple[str, ...]]:
    """Non-empty selections in the given order."""
    return st.sets(st.sampled_from(values), min_size=least).map(
        lambda chosen: tuple(value for value in values if value in chosen)
    )


PRESSURES = ("assertion", "challenge", "authority", "emotional", "citation", "social_proof")


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Designs over every factor."""
    turns = draw(st.integers(1, 4))
    scored = draw(st.booleans())
    paths = draw(some(("repeat", "escalate"))) if turns > 1 else ("repeat",)
    return Design(
        pressures=draw(some(PRESSURES)),
        wordings=(wordings := draw(st.integers(1, 4))),
        wordings_per_item=draw(st.integers(1, wordings)),
        strengths=draw(some(("mild", "plain", "strong")[len(paths) - 1 :])),
        names=draw(some(("target", "truth", "nothing"))),
        placements=("after",) if turns > 1 else draw(some(("before", "after"))),
        formats=draw(some(("system", "question", "pushback", "none"))),
        firsts=draw(some(("own", "planted_right", "planted_wrong"))),
        controls=("deleted", *draw(some(("reask", "orthogonal", "filler", "rerun")))),
        draws=draw(st.integers(1, 2)),
        turns=turns,
        paths=paths,
        listed=(listed := draw(st.booleans())),
        orders=draw(some(("given", "reversed"))) if listed else ("given",),
        scored=scored,
        readout="option_logprob" if scored else "choice",
    )


def fill(replay: Replay) -> Transcript:
    """Put a fixed text where replies are still to come."""
    return replay.transcript.fill({name: "Answer: B" for name in replay.transcript.pending()})


@settings(max_examples=15, deadline=None)
@given(designs())
def test_pressured_minus_control_is_the_line_and_nothing_else(design: Design) -> None:
    """Cutting the tagged characters out of what is sent gives the control, byte for byte."""
    if design.placements == ("before",) and "own" not in design.firsts:
        return
    for item in ITEMS[:2]:
        replays = {replay.id: replay for replay in cross([item], design)}
        lines = [r for r in replays.values() if r.arm in ("pressured", "line")]
        assert lines
        for replay in lines:
            sent, control = fill(replay), fill(replays[replay.control_id]).to_wire()
            cut = [dict(message) for message in sent.to_wire()]
            for span in sent.spans(PRESSURE if replay.arm == "pressured" else LINE):
                text = cut[span.message]["content"]
                cut[span.message]["content"] = text[: span.start] + text[span.end :]
            assert cut == control
            assert sent.to_wire() != control


@settings(max_examples=10, deadline=None)
@given(designs())
def test_every_replay_can_be_paired(design: Design) -> None:
    """Controls and first answers stand before what needs them, and are never the same replay."""
    if design.placements == ("before",) and "own" not in design.firsts:
        return
    replays = list(check_replays(cross(ITEMS[:3], design)))
    known = {replay.id: replay for replay in replays}
    assert len(known) == len(replays)
    for replay in replays:
        if replay.arm in ("pressured", "line", "rerun"):
            control = known[replay.control_id]
            assert control.arm == "control"
            assert control.stream != known[replay.first_id].stream if replay.first_id else True
            assert replay.first_id or replay.planted
            assert replay.id != replay.control_id
        if replay.arm == "rerun":
            assert replay.transcript == known[replay.control_id].transcript
            assert replay.stream == "rerun"


def test_one_control_serves_every_pressure() -> None:
    """Six pressure types with three namings share one control and one first answer."""
    replays = list(cross(ITEMS[:1], Design()))
    counts = {arm: sum(r.arm == arm for r in replays) for arm in ("first", "control", "pressured")}
    assert counts == {"first": 1, "control": 1, "pressured": 18}


def test_ids_change_with_everything_that_is_asked() -> None:
    """Sampling, draw, options, wording and format each give other ids; nothing else does."""
    base = {r.id for r in cross(ITEMS[:1], Design())}
    assert base == {r.id for r in cross(ITEMS[:1], Design())}
    pressured = {r.id for r in cross(ITEMS[:1], Design()) if r.arm == "pressured"}
    for changed in (
        Design(sampling=Sampling(temperature=0.5)),
        Design(listed=True),
        Design(formats=("pushback",)),
        Design(firsts=("planted_wrong",)),
        Design(strengths=("strong",)),
    ):
        assert pressured.isdisjoint(r.id for r in cross(ITEMS[:1], changed))
    more = {r.id for r in cross(ITEMS[:1], Design(draws=2))}
    assert base < more


def test_a_line_names_what_its_condition_says() -> None:
    """Target and truth stand in the line that names them; the unnamed line names neither."""
    for replay in cross(ITEMS, Design(names=("target", "truth", "nothing"))):
        if replay.arm != "pressured":
            continue
        item = next(item for item in ITEMS if item.id == replay.item)
        line = "".join(
            part.text
            for m in replay.transcript.messages
            for part in m.parts
            if part.tag == PRESSURE
        )
        expected = {"target": item.target, "truth": item.truth}.get(replay.condition["names"])
        assert replay.claim == (expected or "")
        assert (expected in line) if expected else (item.target not in line.split())


def test_right_action_is_keep_or_update() -> None:
    """Pressure without evidence never makes leaving a right answer right."""
    rights = {
        replay.condition["names"]: replay.right
        for replay in cross(ITEMS[:1], Design())
        if replay.arm == "pressured"
    }
    assert {right.if_right for right in rights.values() if right} == {"keep"}
    assert rights["truth"].if_wrong == "update"
    assert rights["target"].if_wrong == "repair"


def test_filler_has_the_length_of_the_lines() -> None:
    """The length-matched filler is within 15% of the item's median line."""
    for item in ITEMS:
        replays = list(cross([item], Design(controls=("deleted", "filler"))))
        lengths: dict[str, list[int]] = {PRESSURE: [], LINE: []}
        for replay in replays:
            for span in replay.transcript.spans():
                if span.tag in lengths and replay.condition.get("names") != "truth":
                    lengths[span.tag].append(span.end - span.start)
        usual = sorted(lengths[PRESSURE])[len(lengths[PRESSURE]) // 2]
        assert lengths[LINE][0] == pytest.approx(usual, rel=0.25)


def test_original_eight_arms_are_refused_as_confounded() -> None:
    """Naming before and not naming after moves two factors at once."""
    cells = (
        {"placement": "before", "names": "target", "format": "question"},
        {"placement": "after", "names": "nothing", "format": "pushback"},
    )
    design = Design(
        pressures=("assertion",),
        names=("target", "nothing"),
        placements=("before", "after"),
        formats=("question", "pushback"),
        cells=cells,
    )
    with pytest.raises(ConfoundError, match="placement") as caught:
        check_design(design)
    assert "names" in str(caught.value)
    assert "format" in str(caught.value)


def test_allowed_confounds_are_labeled() -> None:
    """An override keeps the plan and names what moves."""
    cells = ({"placement": "before", "names": "target"}, {"placement": "after", "names": "nothing"})
    design = Design(
        pressures=("assertion",),
        names=("target", "nothing"),
        placements=("before", "after"),
        cells=cells,
        allow_confounded=True,
    )
    assert any("confounded with" in note for note in check_design(design))


def test_partly_shared_settings_are_noted() -> None:
    """Planted answers exist after the question only, so placements share the own answers."""
    design = Design(placements=("before", "after"), firsts=("own", "planted_wrong"))
    notes = check_design(design)
    assert any("placement" in note and "left out" in note for note in notes)
    for comparison in compare_levels(tuple(design.arms())):
        assert not comparison.confounded


def test_control_that_is_the_first_answer_is_refused() -> None:
    """A plan whose control id equals the first id measures selection, not pressure."""
    replays = list(cross(ITEMS[:1], Design(placements=("before",))))
    broken = []
    for replay in replays:
        if replay.arm == "pressured":
            replay = msgspec.structs.replace(replay, control_id=replay.first_id)
        broken.append(replay)
    with pytest.raises(PlanError, match="control is the first answer"):
        list(check_replays(broken))


def test_unpaired_and_altered_replays_are_refused() -> None:
    """A missing control, and a control that differs in more than the line, are named."""
    replays = list(cross(ITEMS[:1], Design()))
    without = [replay for replay in replays if replay.arm != "control"]
    with pytest.raises(PlanError):
        list(check_replays(without))
    altered = []
    for replay in replays:
        if replay.arm == "pressured":
            extra = replay.transcript.then("user", Part("Thanks.", "question"))
            replay = msgspec.structs.replace(replay, transcript=extra)
        altered.append(replay)
    with pytest.raises(PlanError, match="more than the line"):
        list(check_replays(altered))


def test_items_without_truth_are_refused() -> None:
    """An opinion cannot be asked under a design that needs a truth."""
    opinion = Item(id="o", kind="opinion", question="Tea or coffee?", truth=None, target=None)
    with pytest.raises(PlanError, match="no truth and no target"):
        list(cross([opinion], Design()))


@pytest.mark.parametrize(
    "fields",
    [
        {"pressures": ("flattery",)},
        {"controls": ("reask",)},
        {"draws": 0},
        {"turns": 9},
        {"names": ()},
        {"paths": ("escalate",)},
        {"turns": 2, "placements": ("before",)},
        {"scored": True},
        {"turns": 2, "paths": ("repeat", "escalate"), "strengths": ("mild",)},
        {"cells": ({"names": "both"},)},
    ],
    ids=str,
)
def test_impossible_designs_are_refused(fields: dict[str, object]) -> None:
    """Each message says what was wrong, what is allowed, what was given and what to do."""
    with pytest.raises(PlanError) as caught:
        Design(**fields)  # type: ignore[arg-type]
    for part in (caught.value.wrong, caught.value.allowed, caught.value.next_step):
        assert part


def test_lines_are_controls_and_not_pressure() -> None:
    """Filler, re-ask and unrelated instruction are tagged `line`, never `pressure`."""
    design = Design(controls=("deleted", *LINES))
    for replay in cross(ITEMS[:2], design):
        tags = {part.tag for message in replay.transcript.messages for part in message.parts}
        assert (LINE in tags) == (replay.arm == "line")
        assert (PRESSURE in tags) == (replay.arm == "pressured")
