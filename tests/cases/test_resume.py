"""Resuming: planned minus successful, one row a key, totals over all sessions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import servers
from cli import background, call, check_error, done, profile_of

from cases.measured import BARE, Told, ask, letter, numbered, plan, records_of
from unswayed import line
from unswayed.models.completion import Completion
from unswayed.models.run import Limits
from unswayed.readouts.answer import Answer
from unswayed.rows import read_rows

SMALL = ("-s", "pressures=assertion", "-s", "controls=deleted", "--kinds", "fact")


def failing(items: set[str], tokens: int | None = None) -> Told:
    """A model that fails on some items and states its tokens."""

    def answer(request):
        if request.item_id in items:
            return Completion(error="server error", stop="error")
        return Completion(
            text=letter(request, 2), stop="end", n_prompt_tokens=tokens, n_completion_tokens=tokens
        )

    return Told(answer)


def test_c126_what_failed_in_the_middle_is_asked_again_and_nothing_else(tmp_path: Path):
    """C126: with item 2 failed among 0 to 4, the second session asks item 2 and no other."""
    items = numbered(5)
    folder = plan(tmp_path / "run", items, BARE)
    assert not ask(folder, failing({"n0002"})).complete
    second = failing(set())
    assert ask(folder, second).complete
    assert {request.item_id for request in second.asked} == {"n0002"}
    third = failing(set())
    assert ask(folder, third).complete
    assert third.asked == []


def test_c128_one_row_a_key_and_older_attempts_are_kept(tmp_path: Path):
    """C128: after three sessions each replay has one answer; failures stay as attempts."""
    items = numbered(4)
    folder = plan(tmp_path / "run", items, BARE)
    for broken in ({"n0000", "n0001"}, {"n0001"}, set()):
        ask(folder, failing(broken))
    for _ in range(2):
        line.read(folder, "choice")
    planned = [replay.id for replay in folder.replays()]
    answers = [
        answer.replay_id for answer in read_rows(folder.answers("choice"), "answers", Answer)
    ]
    assert answers == planned
    records = records_of(folder)
    keys = Counter((r.item, r.condition["names"], r.draw) for r in records)
    assert set(keys.values()) == {1}
    assert {record.pressured.outcome for record in records} == {"truth"}
    store = folder.open_store(writable=False)
    try:
        assert store.n_attempts() == len(planned) + 3
        assert len(store.sessions()) == 3
    finally:
        store.close()


def test_c129_a_start_record_never_shadows_what_was_answered(tmp_path: Path):
    """C129: a session that was killed right after its start leaves all earlier answers in place."""
    items = numbered(4)
    folder = plan(tmp_path / "run", items, BARE)
    ask(folder, failing({"n0003"}))
    store = folder.open_store(writable=True)
    before = dict(store.completions())
    store.begin_session("2030-01-01T00:00:00+00:00")
    store.close()
    counts = line.read(folder, "choice")
    assert sum(arm.n_answered for arm in counts.arms) == len(before) > 0
    last = failing(set())
    assert ask(folder, last).complete
    assert {request.item_id for request in last.asked} == {"n0003"}
    store = folder.open_store(writable=False)
    try:
        assert before.items() <= dict(store.completions()).items()
    finally:
        store.close()


def test_c130_tokens_and_requests_add_up_over_sessions(tmp_path: Path):
    """C130: two sessions of 4 and 2 items cost what both cost; failed requests count as asked."""
    items = numbered(6)
    folder = plan(tmp_path / "run", items, BARE)
    ask(folder, failing({"n0004", "n0005"}, tokens=10))
    ask(folder, failing(set(), tokens=10))
    line.read(folder, "choice")
    about = line.profile(folder, "choice").about
    asked = 6 * 4
    assert about.tokens == {"prompt": 10 * asked, "cached": None, "written": 10 * asked}
    assert about.n_asked == asked + 2
    assert about.started <= about.finished


def test_c130_a_part_of_the_tokens_is_no_total(tmp_path: Path):
    """C130: where one session's replies state no tokens, the total is unknown and not the rest."""
    items = numbered(4)
    folder = plan(tmp_path / "run", items, BARE)
    ask(folder, failing({"n0003"}, tokens=10))
    ask(folder, failing(set(), tokens=None))
    line.read(folder, "choice")
    tokens = line.profile(folder, "choice").about.tokens
    assert (tokens["prompt"], tokens["written"]) == (None, None)


def test_c130_through_the_command_line_and_a_cost_limit(tmp_path: Path):
    """C130: a run that a limit stopped and that went on states the tokens of both sessions."""
    with background(servers.reply("Answer: A")) as server:
        common = (
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 4, "--price", "1e6,1e6",
            "-s", "max_tokens=16",
            "--concurrency", 1, "--to", tmp_path / "run",
        )  # fmt: skip
        assert call(*common, "--max-cost", 120).code == 3
        middle = len(server.received)
        done(*common)
        total = len(server.received)
    assert 0 < middle < total
    about = profile_of(tmp_path / "run")["about"]
    assert (about["n_asked"], about["tokens"]["prompt"]) == (total, 11 * total)
    assert about["cost"] == f"{14 * total:.2f} USD"


def test_c132_resuming_under_another_condition_is_refused_by_name(tmp_path: Path):
    """C132: temperature 1 into a folder of temperature 0: refused by name, nothing asked."""
    common = ("run", "-m", "scripted:noise", *SMALL, "--n", 2, "--to", tmp_path / "run")
    assert call(*common, "-s", "temperature=0", "--max-minutes", "1e-9").code == 3
    for setting, words in (
        ("temperature=1", "temperature 0.0 before, 1.0 now"),
        ("draws=2", "draws 1 before, 2 now"),
    ):
        check_error(call(*common, "-s", setting), "another plan", words)
    check_error(
        call("run", "-m", "scripted:always_a", "--to", tmp_path / "run"), "another run", "always_a"
    )
    folder = line.RunFolder(tmp_path / "run")
    store = folder.open_store(writable=False)
    try:
        assert store.n_attempts() == 0
    finally:
        store.close()


def test_c132_limits_may_change_between_sessions(tmp_path: Path):
    """C132: what does not change a reply, such as concurrency, does not stop a resumption."""
    items = numbered(4)
    folder = plan(tmp_path / "run", items, BARE)
    ask(folder, failing({"n0002"}), Limits(concurrency=2))
    assert ask(folder, failing(set()), Limits(concurrency=7)).complete
    line.read(folder, "choice")
    assert line.profile(folder, "choice").about.asked_with["concurrency"] == "2, 7"
