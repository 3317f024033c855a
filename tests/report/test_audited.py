"""The section on what can be compared: confounded comparisons are named, clean ones are one row."""

from __future__ import annotations

from unswayed.benchmarks import BENCHMARKS
from unswayed.benchmarks.benchmark import Benchmark
from unswayed.items.builtin import builtin_items
from unswayed.plans.audit import audit_plan
from unswayed.plans.audited import Balance, PairAudit, PlanAudit
from unswayed.plans.cross import cross
from unswayed.replicas import REPLICAS
from unswayed.report.audited import NAMED, build_audited


def audit(benchmark: Benchmark) -> PlanAudit:
    """Audit a benchmark over two items."""
    items = {item.id: item for item in builtin_items(benchmark.kinds)[:2]}
    return audit_plan(cross(items.values(), benchmark.design), items, benchmark.design)


def test_a_clean_plan_takes_one_row():
    """All clean comparisons are named in one row, and nothing is called confounded."""
    section = build_audited(audit(BENCHMARKS["placement"]))
    assert section is not None
    (line,) = section.figures[0].tables[0].lines
    assert line.values[0] == "clean"
    assert "placement: before an answer against after an answer" in line.name
    assert not any("Confounded" in note for note in section.notes)


def test_confounded_comparisons_are_named_first():
    """The arms of SycEval: the first comparisons are named with what else differs."""
    section = build_audited(audit(REPLICAS["syceval"].benchmark))
    assert section is not None
    named = [note for note in section.notes if note.startswith("Confounded: ")]
    assert len(named) == NAMED
    assert any("more confounded comparisons" in note for note in section.notes)
    assert section.figures[0].tables[0].lines[0].state == "confounded"


def test_item_texts_stay_out_where_they_are_hidden():
    """Without texts it is said where cells differ, and no question is quoted."""
    found = audit(REPLICAS["syceval"].benchmark)
    question = builtin_items(("arithmetic",))[0].question
    shown, hidden = (build_audited(found, texts=texts) for texts in (True, False))
    assert question in str(shown)
    assert question not in str(hidden)
    assert "other text, user" in str(hidden)


def test_imbalance_is_noted():
    """A plan whose questions are mostly right with yes says so."""
    pair = PairAudit(factor="line", low="deleted", high="said", verdict="clean", where=(), n=10)
    found = PlanAudit(
        n_items=10,
        n_of=10,
        n_cells=1,
        pairs=(pair,),
        balances=(Balance(asks="first", n=10, n_yes=8),),
        formats=("question", "pushback"),
    )
    section = build_audited(found)
    assert section is not None
    assert section.notes == (
        "Unbalanced: 8 of 10 yes/no questions are true or yes. A mere shift to one word looks like"
        " an effect.",
    )


def test_without_an_audit_there_is_no_section():
    """A page that was given no audit has no such section."""
    assert build_audited(None) is None
