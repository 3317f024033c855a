"""The audit of plans: what else differs between compared cells, on what is really sent."""

from __future__ import annotations

import msgspec
import pytest

from unswayed.benchmarks import BENCHMARKS, Benchmark
from unswayed.errors import ConfoundError
from unswayed.items.builtin import builtin_items
from unswayed.items.item import Item
from unswayed.plans.audit import audit_plan, check_compared
from unswayed.plans.audited import Differing, PairAudit, PlanAudit
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.parity import count_mentions, offending_span, place_of_format
from unswayed.replicas import REPLICAS
from unswayed.transcript import FORMAT, PRESSURE, QUESTION, REPLY, Part, Transcript


def audit(design: Design, items: tuple[Item, ...]) -> PlanAudit:
    """Audit a design over items."""
    return audit_plan(cross(items, design), {item.id: item for item in items}, design)


def audit_of(benchmark: Benchmark, n: int = 8) -> PlanAudit:
    """Audit a benchmark over a few of its items."""
    items = builtin_items(benchmark.kinds)
    return audit(benchmark.design, items[:: max(1, len(items) // n)])


FORMAT_MOVES = Differing(factor="format", low="question", high="pushback")
PLACEMENT_MOVES = Differing(factor="placement", low="before", high="after")

SYCEVAL = audit_of(REPLICAS["syceval"].benchmark)


def pairs(found: PlanAudit, factor: str, *where: str) -> list[PairAudit]:
    """Return the comparisons of a factor in some pressure types."""
    return [p for p in found.pairs if p.factor == factor and set(where) <= set(p.where)]


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=BENCHMARKS)
def test_no_benchmark_compares_confounded_cells(benchmark: Benchmark):
    """Every benchmark of ours passes its own audit."""
    found = audit_of(benchmark, 4)
    assert found.pairs
    assert not found.confounded, [p for p in found.pairs if p.verdict == "confounded"]


def test_syceval_names_an_answer_before_and_none_after_at_its_weakest():
    """Placement at `simple` differs in naming, 0 against 1 mention, and in the format line."""
    for pair in pairs(SYCEVAL, "placement", "simple"):
        assert pair.verdict == "confounded"
        assert any(each.factor == "names" for each in pair.differing)
        assert FORMAT_MOVES in pair.differing
        assert pair.mentions.startswith("1 against 0")


def test_syceval_names_an_answer_twice_before_and_once_after_above():
    """From `ethos` up the counts are 2 against 1, and the format line still moves along."""
    (pair,) = pairs(SYCEVAL, "placement", "ethos", "justification", "citation")
    assert pair.differing == (FORMAT_MOVES,)
    assert pair.mentions.startswith("2 against 1")
    assert "pressure: " in pair.span


def test_syceval_confounds_naming_and_format_with_placement():
    """Both ways round: naming with placement, and the place of the format line with placement."""
    (naming,) = pairs(SYCEVAL, "names", "simple")[:1]
    assert PLACEMENT_MOVES in naming.differing
    for pair in pairs(SYCEVAL, "format"):
        assert PLACEMENT_MOVES in pair.differing
    assert SYCEVAL.confounded


def test_a_count_of_one_against_two_alone_is_a_warning():
    """The strengths before the question differ in how often they name the answer."""
    (pair,) = [p for p in pairs(SYCEVAL, "pressure") if p.low == "simple" and p.high == "ethos"]
    assert (pair.verdict, pair.differing) == ("warned", ())
    assert pair.mentions.startswith("1 against 2")


def test_every_factor_that_differs_is_listed():
    """A crossed design cut to two far cells names all that moves between them."""
    design = Design(
        listed=True,
        wordings=2,
        names=("target", "nothing"),
        pressures=("authority", "emotional"),
        cells=(
            {"names": "target", "pressure": "authority"},
            {"names": "nothing", "pressure": "emotional"},
        ),
        allow_confounded=True,
    )
    (naming,) = pairs(audit(design, builtin_items(("fact",))[:3]), "names")
    assert naming.verdict == "confounded"
    assert naming.differing == (Differing(factor="pressure", low="authority", high="emotional"),)


def test_a_restricted_comparison_counts_what_it_leaves_out():
    """Cells without a partner are counted, and the comparison stands on the others."""
    design = Design(
        listed=True,
        wordings=2,
        pressures=("authority", "emotional"),
        names=("target", "nothing"),
        cells=({"pressure": "authority"}, {"pressure": "emotional", "names": "target"}),
    )
    (naming,) = pairs(audit(design, builtin_items(("fact",))[:3]), "names")
    assert (naming.verdict, naming.n_left_out, naming.n) == ("restricted", 1, 3)


def question(number: int, truth: str) -> Item:
    """Return a yes/no question."""
    return Item(
        id=f"yes-{number}",
        kind="statement",
        question=f"Is {number} even?",
        truth=truth,
        target="No" if truth == "Yes" else "Yes",
        options=("Yes", "No"),
        answer_form="verdict",
    )


@pytest.mark.parametrize(("n_yes", "balanced"), [(5, True), (6, True), (8, False), (2, False)])
def test_truth_imbalance_is_flagged(n_yes: int, balanced: bool):
    """A plan with 80% yes questions is flagged; one with 60% is not."""
    items = tuple(question(n, "Yes" if n < n_yes else "No") for n in range(10))
    (found,) = audit(Design(readout="verdict", pressures=("authority",)), items).balances
    assert (found.asks, found.n, found.n_yes, found.balanced) == ("first", 10, n_yes, balanced)


def talk(*turns: tuple[str, tuple[tuple[str, str], ...]]) -> Transcript:
    """Return a transcript from roles and tagged texts."""
    transcript = Transcript(())
    for role, parts in turns:
        transcript = transcript.then(role, *(Part(text, tag) for text, tag in parts))  # type: ignore[arg-type]
    return transcript


BEFORE = talk(("user", (("You see it.\n\n", PRESSURE), ("Why?", QUESTION), (" End.", FORMAT))))
AFTER = talk(
    ("user", (("Why?", QUESTION), ("  End.", FORMAT))),
    ("assistant", (("So.", REPLY),)),
    ("user", (("You see it. ", PRESSURE),)),
)


def test_moving_the_line_changes_no_text():
    """Placement moves a line; replies and white space are no difference, other words are."""
    assert offending_span(BEFORE, AFTER, "placement") == ""
    other = BEFORE.replacing(FORMAT, Part(" Stop.", FORMAT))
    assert offending_span(other, AFTER, "placement") == "format: 'Stop.' against 'End.'"


def test_a_span_is_offending_outside_what_is_declared():
    """The line may change with naming, the format line with its place, nothing else."""
    named = BEFORE.replacing(PRESSURE, Part("It is 4.", PRESSURE))
    assert offending_span(BEFORE, named, "names") == ""
    assert "4" in offending_span(BEFORE, named, "format")
    longer = BEFORE.then("user", Part("More.", QUESTION))
    assert offending_span(BEFORE, longer, "names") == "user: nothing against 'More.'"
    assert offending_span(BEFORE, longer, "own_factor") == ""


@pytest.mark.parametrize(
    ("text", "n"),
    [("It is 4.", 1), ("4, I say 4!", 2), ("It is 44 or 14.", 0), ("Four, or FOUR.", 2), ("", 0)],
)
def test_mentions_are_whole_words_in_any_spelling(text: str, n: int):
    """Aliases count, parts of longer numbers do not."""
    item = Item(
        id="sum", kind="fact", question="2 + 3?", truth="5", target="4", target_aliases=("four",)
    )
    assert count_mentions(BEFORE.replacing(PRESSURE, Part(text, PRESSURE)), item, "4") == n


def test_the_place_of_the_format_line_is_read_from_the_text():
    """Beside the question after it, beside the line before it, in the system message, or none."""
    assert place_of_format(BEFORE) == "question"
    assert place_of_format(AFTER) == "question"
    first = talk(("user", (("End. ", FORMAT), ("Why?", QUESTION))))
    assert place_of_format(first) == "pushback"
    assert place_of_format(talk(("system", (("End.", FORMAT),)))) == "system"
    assert place_of_format(BEFORE.without(FORMAT)) == "none"


def test_one_place_of_the_format_line_is_seen():
    """A plan says which places of the format line occur."""
    assert audit_of(BENCHMARKS["placement"]).formats == ("question", "pushback")
    assert audit_of(BENCHMARKS["pushback"]).formats == ("question",)


def test_an_audit_is_data():
    """What was found survives writing and reading."""
    assert msgspec.json.decode(msgspec.json.encode(SYCEVAL), type=PlanAudit) == SYCEVAL


def test_a_plan_with_a_confounded_text_is_refused():
    """What the factors cannot tell, the texts do: one cell says more than its line."""
    items = {item.id: item for item in builtin_items(("fact",))[:3]}
    design = Design(listed=True, pressures=("authority",), wordings=2, names=("target", "nothing"))
    replays = list(cross(items.values(), design))
    assert list(check_compared(iter(replays), items, design)) == replays
    changed = [
        msgspec.structs.replace(
            replay, transcript=replay.transcript.then("user", Part("Think of it.", QUESTION))
        )
        if replay.condition.get("names") == "nothing" and replay.arm == "pressured"
        else replay
        for replay in replays
    ]
    with pytest.raises(ConfoundError, match="a wrong answer against no answer") as caught:
        list(check_compared(iter(changed), items, design))
    assert "Think of it." in str(caught.value)
    allowed = msgspec.structs.replace(design, allow_confounded=True)
    assert list(check_compared(iter(changed), items, allowed)) == changed


def test_a_word_that_two_lines_share_by_chance_refuses_no_plan():
    """Lines of different kinds may say `no`: a warning, where `No` is the target."""
    items = tuple(question(n, "Yes") for n in range(4))
    found = audit(Design(readout="verdict"), items)
    assert not found.confounded
