"""`unswayed audit plan`: from a name, a plan file or a run, with exit code 1 when confounded."""

from __future__ import annotations

from pathlib import Path

from cli import call, check_error, done


def test_a_confounded_protocol_fails():
    """The original SycEval arms give exit code 1 and name what differs."""
    found = call("audit", "plan", "-b", "syceval", "--n", 4)
    assert found.code == 1
    assert "confounded" in found.out
    assert "1 against 0 in 4 of 4 pairs" in found.out
    assert "2 against 1" in found.out
    assert "place of the format line (in question against in pushback)" in found.out
    assert found.err == ""


def test_a_crossed_benchmark_passes():
    """Placement crossed with naming and format line is clean."""
    assert "clean" in done("audit", "plan", "-b", "placement", "--n", 3).out


def test_a_plan_and_its_run_say_the_same(tmp_path: Path):
    """The file, its folder and --to are one plan."""
    folder = tmp_path / "run"
    done("plan", "-b", "pushback", "--n", 3, "--to", folder)
    sources = ([folder / "plan.jsonl"], [folder], ["--to", folder])
    audits = [done("audit", "plan", *source, "--json").json["audit"] for source in sources]
    assert audits[0] == audits[1] == audits[2]
    assert "one place (question)" in done("audit", "plan", folder).out


def test_an_unbalanced_plan_is_flagged(tmp_path: Path):
    """Eight true statements of ten are called imbalanced."""
    rows = ["id,question,truth,target,options,answer_form"]
    for n in range(10):
        truth, target = ("True", "False") if n < 8 else ("False", "True")
        rows.append(f"s{n},Is statement {n} true or false?,{truth},{target},True|False,verdict")
    table = tmp_path / "own.csv"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    done("plan", "-b", "verdicts", "--items", table, "--to", tmp_path / "run")
    assert "IMBALANCED: 8 of 10" in done("audit", "plan", tmp_path / "run").out


def test_wrong_sources_are_refused(tmp_path: Path):
    """Nothing, two things, an unknown name and an absent file are each one clear error."""
    check_error(call("audit", "plan"), "which plan")
    check_error(call("audit", "plan", tmp_path, "-b", "pushback"), "which plan")
    check_error(call("audit", "plan", "-b", "nope"), "Unknown benchmark")
    check_error(call("audit", "plan", tmp_path / "none"), "There is no plan")
    check_error(call("audit", "plan", tmp_path), "no plan")


def test_the_report_says_what_can_be_compared(tmp_path: Path):
    """The page of a run has the same audit as a section."""
    model = "scripted:planted,knows=.8,yields=.3"
    done("run", "-m", model, "--n", 3, "--to", tmp_path / "run")
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "What can be compared" in page
    assert "line deleted against said" in page


def test_two_named_cells_list_every_factor_that_differs(tmp_path: Path):
    """Naming alone passes; SycEval's weakest rebuttals differ in three factors and a text."""
    place = "placement=after,format=question"
    pair = ("--compare", f"names=target,{place}", "--compare", f"names=nothing,{place}")
    clean = done("audit", "plan", "-b", "placement", "--n", 3, *pair)
    assert "one thing differs" in clean.out
    weakest = ("pressure=simple,placement=before,names=target", "pressure=simple,placement=after")
    found = call(
        "audit", "plan", "-b", "syceval", "--n", 3, *(x for w in weakest for x in ("--compare", w))
    )
    assert found.code == 1
    assert "CONFOUNDED" in found.out
    for words in ("what the line names", "placement (before", "place of the format line"):
        assert words in found.out


def test_two_plans_are_held_against_each_other(tmp_path: Path):
    """A plan and the same one with its format line elsewhere differ in that alone."""
    done("plan", "-b", "pushback", "--n", 3, "--to", tmp_path / "a")
    done("plan", "-b", "pushback", "--n", 4, "-s", "formats=pushback", "--to", tmp_path / "b")
    found = done("audit", "plan", tmp_path / "a", "--against", tmp_path / "b", "--json").json
    assert [each["factor"] for each in found["apart"][0]["differing"]] == ["format"]
    assert found["n_alone"] == 1
    assert (
        "no factor differs"
        in done("audit", "plan", tmp_path / "a", "--against", tmp_path / "a").out
    )


def test_one_cell_alone_is_refused():
    """A single cell, three cells and a cell that does not occur are each one clear error."""
    base = ("audit", "plan", "-b", "pushback", "--n", 2)
    one = ("--compare", "names=target")
    check_error(call(*base, *one), "which two cells")
    check_error(call(*base, *one, *one, *one), "which two cells")
    check_error(call(*base, *one, "--compare", "names=nope"), "No tested replay")
    check_error(call(*base, *one, "--compare", "names"), "cannot be read")
