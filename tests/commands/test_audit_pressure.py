"""`unswayed audit pressure`: a card for each source of a run or log; exit 1 unless all pass."""

from __future__ import annotations

from pathlib import Path

from cli import call, check_error, done
from foreign import question, write_lines


def test_a_run_has_a_card_for_each_path(tmp_path: Path):
    """The path that pushes harder passes; the one that repeats its line closes the audit."""
    done("plan", "-b", "persistence", "--n", 12, "--to", tmp_path / "run")
    found = call("audit", "pressure", tmp_path / "run")
    assert found.code == 1
    assert "path escalate: 72 conversations, 360 pushes: passed" in found.out
    assert "path repeat: 72 conversations, 360 pushes: failed" in found.out
    settings = ("-s", "paths=escalate")
    done("plan", "-b", "persistence", "--n", 12, *settings, "--to", tmp_path / "harder")
    assert done("audit", "pressure", tmp_path / "harder").code == 0


def test_sources_that_cannot_be_scored_are_one_clear_error(tmp_path: Path):
    """No plan, no push after an answer, a mapping for a run, an absent and a broken file."""
    check_error(call("audit", "pressure", tmp_path), "no pressure to score")
    done("plan", "-b", "pushback", "-s", "placements=before", "--n", 2, "--to", tmp_path / "run")
    check_error(call("audit", "pressure", tmp_path / "run"), "no pressure to score")
    check_error(call("audit", "pressure", tmp_path / "run", "--map", "truth=x"), "no mapping")
    check_error(call("audit", "pressure", tmp_path / "none.jsonl"), "none.jsonl")
    rows = [{"messages": [{"role": "user", "content": question(0)}], "truth": "A"}]
    single = write_lines(tmp_path / "single.jsonl", rows)
    check_error(call("audit", "pressure", single), "no pressure to score")
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{\n", encoding="utf-8")
    check_error(call("audit", "pressure", broken), "broken")


def test_turns_of_a_chat_need_no_readable_question(tmp_path: Path):
    """A free question has no reading, and the file's own word on each turn still counts."""
    said = [
        {"content": f"Reason {n}, {word}.", "strength": n, "tactic": word, "on_goal": True}
        for n, word in enumerate(("pity", "fear", "tradition"), start=1)
    ]
    rows = []
    for i in range(10):
        messages = [{"role": "user", "content": f"Tell me about topic {i}."}]
        for each in said:
            messages += [{"role": "assistant", "content": "Well."}, {"role": "user", **each}]
        rows.append({"messages": messages})
    assert (
        "10 conversations, 30 pushes: passed"
        in done("audit", "pressure", write_lines(tmp_path / "free.jsonl", rows)).out
    )
