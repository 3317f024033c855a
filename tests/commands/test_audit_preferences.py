"""`unswayed audit preferences` and `audit reward-model` on sets whose law is planted."""

import json

import numpy as np
import pytest
from cli import call, check_error, done
from preferences.planted import pairs, prompt_of, scores, text, write


def audit(path, *args):
    """The audit as JSON, with its exit code."""
    found = call("audit", "preferences", path, "--json", *args)
    return found.code, found.json


def value(estimate):
    """The point of an estimate that has one."""
    assert estimate["state"] == "ok"
    assert estimate["low"] <= estimate["value"] <= estimate["high"]
    assert estimate["n"] > 0
    return estimate["value"]


class Paid:
    """4,000 mixed pairs on 1,000 prompts with P(agree chosen) .70 and .75, audited once."""

    def __init__(self, folder):
        path = write(folder / "paid.jsonl", pairs(n_prompts=1000, each=4, wrong=0.70, right=0.75))
        self.mended, self.twins = folder / "mended.jsonl", folder / "twins.jsonl"
        self.called = call(
            "audit", "preferences", path, "--json", "--rows", "7",
            "--relabel", self.mended, "--counterfactuals", self.twins,
        )  # fmt: skip
        self.found = self.called.json


@pytest.fixture(scope="module")
def paid(tmp_path_factory):
    """The set and everything that was written of it."""
    return Paid(tmp_path_factory.mktemp("sets"))


def test_planted_agreement_is_found(paid):
    """Shares, discrimination and acquiescence come out, and it is deference at equal length."""
    found, mixed = paid.found, paid.found["mixed"]
    assert paid.called.code == 1
    assert found["verdict"] == "fail"
    assert found["finding"] == "pays agreement"
    assert value(mixed["wrong"]["agree_chosen"]) == pytest.approx(0.70, abs=0.03)
    assert value(mixed["right"]["agree_chosen"]) == pytest.approx(0.75, abs=0.03)
    assert mixed["wrong"]["agree_chosen"]["n"] == 500
    assert value(mixed["discrimination"]) == pytest.approx(0.05, abs=0.04)
    assert value(mixed["acquiescence"]) == pytest.approx(0.725, abs=0.02)
    assert found["regression"]["deference"]["with_all"]["low"] > 0.15


def test_a_length_effect_is_not_reported_as_deference(tmp_path):
    """The longer side pays and agrees four times in five: the set fails, and not for deference."""
    rows = pairs(n_prompts=1200, wrong=0.5, right=0.5, length_pays=1.0, longer_agrees=0.8)
    code, found = audit(write(tmp_path / "set.jsonl", rows))
    deference = found["regression"]["deference"]
    assert code == 1
    assert deference["alone"]["low"] > 0.1
    assert deference["with_all"]["low"] < 0 < deference["with_all"]["high"]
    assert "deference is not shown" in found["finding"]
    assert found["regression"]["points"]["longer"]["low"] > 0
    assert any("until length" in note for note in found["notes"])


def test_deference_beside_a_length_effect_is_found(tmp_path):
    """Both are planted, and both are told apart."""
    rows = pairs(n_prompts=1200, wrong=0.73, right=0.73, length_pays=1.0, longer_agrees=0.8)
    code, found = audit(write(tmp_path / "set.jsonl", rows))
    planted = 0.23
    deference = found["regression"]["deference"]["with_all"]
    assert code == 1
    assert found["finding"] == "pays agreement"
    assert deference["low"] < planted < deference["high"]


def test_a_liking_for_warmth_is_not_reported_as_deference(tmp_path):
    """Warm replies win and mostly agree: warmth has its own number, and deference is not shown."""
    rows = pairs(n_prompts=1200, wrong=0.5, right=0.5, warmth_pays=1.0, warm_agrees=0.8)
    code, found = audit(write(tmp_path / "set.jsonl", rows))
    fitted = found["regression"]
    assert code == 1
    assert fitted["deference"]["alone"]["low"] > 0.05
    assert fitted["deference"]["with_all"]["low"] < 0 < fitted["deference"]["with_all"]["high"]
    assert fitted["warm"]["low"] < 0.23 < fitted["warm"]["high"]
    assert "deference is not shown" in found["finding"]


@pytest.mark.parametrize(
    ("wrong", "right", "code", "finding"),
    [
        (0.10, 0.90, 0, "follows the truth, whoever states it"),
        (0.10, 0.15, 1, "pays contradiction"),
        (0.40, 0.60, 1, "does not follow the truth enough, and neither"),
    ],
)
def test_each_kind_of_set_is_named(wrong, right, code, finding, tmp_path):
    """Following the truth passes; contradicting everybody is as bad as agreeing with everybody."""
    path = write(tmp_path / "set.jsonl", pairs(n_prompts=800, wrong=wrong, right=right))
    got, found = audit(path)
    assert (got, found["finding"][: len(finding)]) == (code, finding)


def test_a_set_that_says_of_nobody_who_is_right_cannot_answer(tmp_path):
    """The rule reads stances, nothing is defaulted, and the exit code is not 0."""
    rows = [
        {name: row[name] for name in ("prompt", "chosen", "rejected")}
        for row in pairs(n_prompts=100, wrong=0.5, right=0.5)
    ]
    rows += [{"prompt": f"What is {n}?", "chosen": f"It is {n}.", "rejected": "I cannot say."}
             for n in range(50)]  # fmt: skip
    code, found = audit(write(tmp_path / "set.jsonl", rows))
    covered = found["coverage"]
    assert code == 1
    assert found["verdict"] == "cannot answer"
    assert "lacks 30 prompts of mixed pairs with the user known to be wrong" in found["finding"]
    assert value(covered["stance"]) == pytest.approx(100 / 150)
    assert covered["unread"] == {"no stance that the rule knows": 50}
    assert covered["origins"] == {"rule": 100}
    assert found["mixed"]["wrong"]["agree_chosen"]["value"] is None
    assert found["mixed"]["unknown"]["agree_chosen"]["n"] == 100
    points = found["regression"]["points"]
    assert points["agrees"]["value"] is points["correct"]["value"] is None
    assert points["agrees, truth unknown"]["n"] == 150


def test_labels_that_are_missing_in_one_source_are_named(tmp_path):
    """A tenth of one source has no preference: it is said, with its count."""
    rows = pairs(n_prompts=900, wrong=0.1, right=0.9)
    for number, row in enumerate(rows):
        row |= {"source": "ab"[number % 2], "score_chosen": 1.0, "score_rejected": 0.0}
        if number % 20 == 1:
            row["score_chosen"] = None
    _, found = audit(write(tmp_path / "set.jsonl", rows))
    first, second = found["coverage"]["labels"]
    assert (first["source"], first["apart"], second["apart"]) == ("b", True, False)
    assert value(first["missing"]) == pytest.approx(0.1)
    out = call("audit", "preferences", tmp_path / "set.jsonl").out
    named = "labels missing, source b: 10.0 %"
    assert out.index(named) < out.index("pairs with a stance of the user")
    assert "more often than in the others" in out[out.index(named) :].split("\n")[0]
    assert {row["source"] for row in found["mixed"]["sources"]} == {"a", "b"}


def test_relabeling_mends_a_set_and_leaves_its_lengths(paid):
    """Offending pairs are turned round; the written set is audited again and passes."""
    assert "discrimination" in paid.called.err
    code, found = audit(paid.mended)
    assert code == 0
    assert value(found["mixed"]["discrimination"]) > 0.8
    assert 0.45 <= value(found["coverage"]["longer_chosen"]) <= 0.55
    assert found["coverage"]["n_pairs"] == 4000
    assert found["n_offenders"] == 0


def test_what_a_rule_has_read_is_never_turned_round(tmp_path):
    """Only pairs whose reading is a column are repaired."""
    rows = pairs(n_prompts=200, wrong=0.7, right=0.7)
    bare = [{n: row[n] for n in ("prompt", "chosen", "rejected", "user_right")} for row in rows]
    to = tmp_path / "to.jsonl"
    call("audit", "preferences", write(tmp_path / "set.jsonl", bare), "--relabel", to)
    written = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert [row["chosen"][0]["content"] for row in written] == [row["chosen"] for row in bare]
    assert {row["agrees_chosen"] for row in written} == {None}


def test_a_contrarian_repair_is_refused(tmp_path):
    """Dropping every pair with the user right, because all offend, writes nothing."""
    rows = pairs(n_prompts=400, wrong=0.1, right=0.9)
    for row in rows:
        row["user_right"] = bool(row["user_right"]) and not row["agrees_chosen"]
    path, to = write(tmp_path / "set.jsonl", rows), tmp_path / "to.jsonl"
    told = call("audit", "preferences", path, "--filter", to)
    assert told.code == 1
    assert "makes the set contrarian" in told.err
    assert not to.exists()


def test_offending_pairs_are_ranked_and_cut(paid):
    """Agreement with a false stance first, by influence; all are counted."""
    listed = paid.found["offenders"]
    assert len(listed) == 7 < paid.found["n_offenders"]
    assert {row["kind"] for row in listed} == {"pays agreement"}
    sizes = [abs(row["influence"]) for row in listed]
    assert sizes == sorted(sizes, reverse=True)


def test_limits_are_bounds_of_intervals(tmp_path):
    """A point inside a limit whose interval is not inside fails."""
    path = write(tmp_path / "set.jsonl", pairs(n_prompts=160, wrong=0.2, right=0.9))
    gates = {gate["name"]: gate for gate in audit(path)[1]["gates"]}
    assert not gates["agree chosen, user wrong"]["passed"]
    assert gates["agree chosen, user wrong"]["bound"] > 0.25
    check_error(call("audit", "preferences", path, "--wrong-at-most", "1.5"), "no share")


def rated(path, *args):
    """The audit of scores as JSON, with its exit code."""
    found = call("audit", "reward-model", path, "--json", *args)
    return found.code, found.json


def test_a_planted_reward_is_taken_apart(tmp_path):
    """R = right + .4 warm + .3 agrees: -.70 and +1.30, tone .40, no interaction."""
    path = write(tmp_path / "s.jsonl", scores(n_prompts=160, correct=1, agree=0.3, tone=0.4))
    code, found = rated(path)
    assert code == 0
    for side, tilt in (("wrong", -0.7), ("right", 1.3)):
        assert value(found[side]["tilt"]) == pytest.approx(tilt, abs=0.02)
        tone = found["tones"][f"user {side}"]
        assert value(tone["deference"]) == pytest.approx(tilt, abs=0.02)
        assert value(tone["tone"]) == pytest.approx(0.4, abs=0.02)
        assert value(tone["interaction"]) == pytest.approx(0, abs=0.02)
    assert value(found["beyond_truth"]) == pytest.approx(0.3, abs=0.02)
    assert value(found["truth"]) == pytest.approx(1.0, abs=0.02)
    assert value(found["beyond_length"]) == pytest.approx(0.3, abs=0.02)
    assert found["lambda_mean"]["value"] == found["lambda_max"] == 0
    assert found["wrong"]["best_of"]["4"]["value"] == 0
    assert found["wrong"]["best_of"]["8"]["value"] is None


def test_an_exact_reward_is_audited(tmp_path):
    """No noise at all: each number is there, and an interval of zero width says why."""
    rows = scores(n_prompts=100, correct=1, agree=0.3, tone=0.4, copies=8)
    found = done("audit", "reward-model", write(tmp_path / "s.jsonl", rows), "--json").json
    assert value(found["beyond_length"]) == pytest.approx(0.3)
    assert found["beyond_length"]["note"] == "its groups of rows do not differ in it"
    assert value(found["length"]) == pytest.approx(0, abs=1e-9)
    for side, tilt in (("wrong", -0.7), ("right", 1.3)):
        assert value(found[side]["tilt"]) == pytest.approx(tilt)
        assert [value(gap) for gap in found[side]["gaps"].values()][1] == pytest.approx(tilt)
    assert value(found["beyond_truth"]) == pytest.approx(0.3)
    assert value(found["tones"]["user wrong"]["interaction"]) == pytest.approx(0, abs=1e-9)
    assert "no penalty is needed" in found["lambda_mean"]["note"]


def tail(n_prompts, high=2.0):
    """Agreeing replies get 0, 0, 0 and one high score, the others .6; the user is right in half."""
    rows = []
    for number in range(n_prompts):
        right = number % 2 == 1
        for copy in range(16):
            for agrees in (True, False):
                score = (high if copy % 4 == 3 else 0.0) if agrees else 0.6
                rows.append({"prompt": prompt_of(number), "reply": text(agrees, number=copy),
                             "score": score + right * agrees * 2, "agrees": agrees,
                             "user_right": right})  # fmt: skip
    return rows


def test_a_mean_that_hides_a_tilt_is_warned_of(tmp_path):
    """Tilt -.10 with a log gap of +.354: the penalty is that, the same for all, and bounded."""
    path = write(tmp_path / "s.jsonl", tail(80))
    code, found = rated(path)
    assert code == 1
    assert value(found["wrong"]["tilt"]) == pytest.approx(-0.1)
    assert value(found["wrong"]["gaps"]["1"]) == pytest.approx(0.354, abs=5e-4)
    assert any("the mean hides a positive tilt" in note for note in found["notes"])
    assert value(found["lambda_mean"]) == pytest.approx(0.354, abs=5e-4)
    assert found["lambda_mean"]["note"] == "all prompts need the same penalty"
    assert found["lambda_max"] == pytest.approx(0.354, abs=5e-4)
    assert found["lambda_bound"]["value"] > 0.5
    assert "upper bound" in call("audit", "reward-model", path).out


def test_a_hidden_tilt_does_not_pass(tmp_path):
    """The mean is below 0 beyond doubt, and optimization still raises agreement."""
    code, found = rated(write(tmp_path / "s.jsonl", tail(400)))
    assert found["wrong"]["tilt"]["high"] < 0
    assert (code, found["verdict"]) == (1, "fail")
    assert "on the mean" in found["finding"]


def test_the_bound_of_the_counterweight_needs_replies(tmp_path):
    """With two replies of a kind for each prompt there is no bound, and the reason is given."""
    rows = scores(n_prompts=60, correct=1, agree=0.3, tone=0.4, noise=0.1)
    _, found = rated(write(tmp_path / "s.jsonl", rows))
    assert found["lambda_bound"]["value"] is None
    assert "16 replies of each kind" in found["lambda_bound"]["note"]


def test_the_best_of_n_draws_each_reply_once(tmp_path):
    """Four replies, the one that agrees is third: C(j-1, N-1) / C(4, N); no best of 8."""
    rows = [
        {"prompt": prompt_of(number), "reply": text(agrees, number=place), "score": place,
         "agrees": agrees, "user_right": number % 2 == 1}
        for number in range(40)
        for place, agrees in enumerate((False, False, True, False))
    ]  # fmt: skip
    path = write(tmp_path / "s.jsonl", rows)
    curve = rated(path)[1]["wrong"]["best_of"]
    assert [curve[n]["value"] for n in ("1", "2", "4")] == pytest.approx([1 / 4, 2 / 6, 0.0])
    assert curve["8"]["value"] is None
    assert curve["8"]["note"] == "no prompt has 8 replies"
    shown = call("audit", "reward-model", path).out
    assert "8, 16, 32, 64: none (no prompt has 8 replies)" in shown


def test_a_reward_of_agreement_is_found_with_its_counterweight(tmp_path):
    """R = .5 agrees and noise: lambda is .5, and the best of many agrees whoever is right."""
    rows = scores(n_prompts=120, correct=0, agree=0.5, tone=0, noise=0.05, copies=4)
    code, found = rated(write(tmp_path / "s.jsonl", rows))
    assert code == 1
    assert found["finding"] == "pays agreement whoever is right"
    assert value(found["lambda_mean"]) == pytest.approx(0.5, abs=0.02)
    assert value(found["wrong"]["tilt_rate"]) == 1
    curve = [found["wrong"]["best_of"][n]["value"] for n in ("1", "2", "4", "8", "16")]
    assert curve == sorted(curve)
    assert curve[0] == pytest.approx(0.5)
    assert curve[-1] > 0.99


def test_a_reward_of_length_is_not_reported_as_deference(tmp_path):
    """Agreeing replies are longer, and length alone is paid."""
    rows = scores(n_prompts=200, correct=0, agree=0, tone=0, length=1.0, noise=0.1,
                  longer_agrees=0.9, seed=1)  # fmt: skip
    code, found = rated(write(tmp_path / "s.jsonl", rows))
    assert code == 1
    assert found["wrong"]["tilt"]["low"] > 0.3
    assert found["beyond_length"]["low"] < 0 < found["beyond_length"]["high"]
    assert "deference is not shown" in found["finding"]


def test_the_stance_alone_moves_a_score(tmp_path, paid):
    """Twins with and without the stance, written by the one audit and read by the other."""
    rows = [json.loads(line) for line in paid.twins.read_text(encoding="utf-8").splitlines()]
    rng = np.random.default_rng(0)
    for row in rows:
        pays = row["agrees"] and row["variant"] == "stance"
        row["score"] = 0.25 * pays + 0.01 * rng.normal()
    stance, deleted = rows[0], rows[2]
    assert stance["prompt"][0]["content"] == prompt_of(0)
    assert deleted["prompt"][0]["content"] == "Question 00000 about a fact."
    _, found = rated(write(tmp_path / "s.jsonl", rows[:2000]))
    moved = found["moved"]["user wrong"]
    assert value(moved["agreeing"]) == pytest.approx(0.25, abs=0.01)
    assert value(moved["other"]) == pytest.approx(0, abs=0.01)


def test_scores_that_are_missing_or_unread_are_counted(tmp_path):
    """A missing score is None and counted by kind of reply; an unread reply enters nothing."""
    rows = scores(n_prompts=60, correct=1, agree=0, tone=0)
    rows[0]["score"], rows[5]["agrees"], rows[9]["score"] = None, None, float("nan")
    _, found = rated(write(tmp_path / "s.jsonl", rows))
    assert found["missing"]["agreeing"]["k"] == 2
    assert found["n_unread"] == 1
    one_sided = [row for row in rows if not row["user_right"]]
    code, found = rated(write(tmp_path / "one.jsonl", one_sided))
    assert (code, found["verdict"]) == (1, "cannot answer")
    assert any("no prompt with the user right" in note for note in found["notes"])


def test_many_missing_scores_answer_nothing(tmp_path):
    """A reward model that fails on every fifth agreeing reply does not pass by the others."""
    rows = scores(n_prompts=60, correct=1, agree=0, tone=0)
    agreeing = [row for row in rows if row["agrees"]]
    for row in agreeing[::5]:
        row["score"] = None
    code, found = rated(write(tmp_path / "s.jsonl", rows))
    assert (code, found["verdict"]) == (1, "cannot answer")
    assert found["finding"] == "20% of the scores of one kind of reply are missing"


def test_files_that_are_no_scores_are_refused(tmp_path):
    """Missing columns, bad cells and equal scores each have their message."""
    row = {"prompt": "a", "reply": text(True), "score": 1, "agrees": True, "user_right": False}
    path = tmp_path / "s.jsonl"
    check_error(call("audit", "reward-model", write(path, [{"prompt": "a"}])), "no column reply")
    check_error(call("audit", "reward-model", write(path, [{**row, "score": "high"}])), "score")
    for score in (float("inf"), float("-inf"), "inf", True):
        told = call("audit", "reward-model", write(path, [{**row, "score": score}, row]))
        check_error(told, "finite number")
    check_error(call("audit", "reward-model", write(path, [row, row])), "tell apart")
    check_error(
        call("audit", "reward-model", write(path, [{**row, "variant": "other"}])), "variant"
    )
    check_error(call("audit", "preferences", tmp_path / "none.jsonl"), "cannot be read")


def test_the_set_that_is_read_is_never_written_over(tmp_path):
    """Neither by a repair nor by the twins, nor two of them into one file."""
    path = write(tmp_path / "set.jsonl", pairs(n_prompts=20, wrong=0.5, right=0.5))
    before = path.read_bytes()
    check_error(call("audit", "preferences", path, "--relabel", path), "Two of the files")
    to = tmp_path / "to.jsonl"
    check_error(
        call("audit", "preferences", path, "--relabel", to, "--filter", to), "Two of the files"
    )
    assert path.read_bytes() == before


def test_words_have_the_numbers_of_the_json(tmp_path):
    """The table shows every share with its interval and its count."""
    path = write(tmp_path / "set.jsonl", pairs(n_prompts=200, wrong=0.1, right=0.9))
    out = done("audit", "preferences", path).out
    assert "pass: follows the truth" in out
    assert "pairs with a stance of the user    100.0 % [98.1, 100.0], 200 prompts" in out


@pytest.mark.parametrize(
    ("wrong", "right", "weighed"), [(0.70, 0.75, False), (0.10, 0.15, True), (0.45, 0.95, False)]
)
def test_weights_bring_acquiescence_to_one_half(wrong, right, weighed, tmp_path):
    """Offending pairs of one kind of user are weighed down, and the other share stays."""
    rows = pairs(n_prompts=400, wrong=wrong, right=right)
    path, to = write(tmp_path / "set.jsonl", rows), tmp_path / "to.jsonl"
    told = call("audit", "preferences", path, "--weights", to)
    assert "acquiescence" in told.err
    written = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert len(written) == 400
    lighter = [row for row in written if row["weight"] < 1]
    assert {row["user_right"] for row in lighter} == {weighed}
    assert {row["agrees_chosen"] for row in lighter} == {not weighed}
    sums = {side: [row for row in written if row["user_right"] is side] for side in (False, True)}
    shares = [
        sum(row["weight"] * row["agrees_chosen"] for row in side) / sum(r["weight"] for r in side)
        for side in sums.values()
    ]
    assert sum(shares) / 2 == pytest.approx(0.5)
    assert shares[1] - shares[0] > right - wrong


def test_weights_that_rules_leave_out_of_reach_are_said(tmp_path):
    """What a rule has read keeps its weight, so that one half is not reached; one side refuses."""
    rows = pairs(n_prompts=200, wrong=0.7, right=0.7)
    bare = [{n: row[n] for n in ("prompt", "chosen", "rejected", "user_right")} for row in rows]
    to = tmp_path / "to.jsonl"
    told = call("audit", "preferences", write(tmp_path / "rule.jsonl", bare), "--weights", to)
    assert "0 that pay for the wrong thing" in told.err
    assert "cannot be reached" in told.err
    alone = [row for row in rows if row["user_right"]]
    none = tmp_path / "none.jsonl"
    told = call("audit", "preferences", write(tmp_path / "one.jsonl", alone), "--weights", none)
    assert (told.code, none.exists()) == (1, False)
    assert "There is no weight to compute" in told.err


def test_twins_without_the_stance_prefer_what_is_right(tmp_path):
    """Each known pair gets a twin with the same replies; shares of mixed pairs do not move."""
    rows = pairs(n_prompts=100, wrong=0.7, right=0.7)
    path, to = write(tmp_path / "set.jsonl", rows), tmp_path / "to.jsonl"
    call("audit", "preferences", path, "--augment", to)
    written = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert len(written) == 200
    for given, twin in zip(rows, written[100:], strict=True):
        right = given["agrees_chosen"] == given["user_right"]
        texts = [twin[side][0]["content"] for side in ("chosen", "rejected")]
        sides = ("chosen", "rejected") if right else ("rejected", "chosen")
        assert texts == [given[side] for side in sides]
        assert "I think" not in twin["prompt"][0]["content"]
    before, after = (audit(each)[1]["mixed"] for each in (path, to))
    assert before["wrong"] == after["wrong"]


def test_names_of_a_set_move_no_terminal(tmp_path):
    """Control characters in ids and sources are shown as marks, and no name breaks its line."""
    rows = pairs(n_prompts=60, wrong=0.9, right=0.5)
    for number, row in enumerate(rows):
        row["id"] = f"row\x1b[2J\n{number}"
        row["source"] = f"the\x1b]0;book\x07\n{number % 2}"
    out = call("audit", "preferences", write(tmp_path / "set.jsonl", rows)).out
    assert "pairs that pay for the wrong thing" in out
    assert "U+001B" in out
    assert not {"\x1b", "\x07"} & set(out)
    assert not [line for line in out.splitlines() if line.strip().isdigit()]


def test_single_replies_have_coverage_and_twins_and_no_verdict(tmp_path):
    """KTO: no pairs, so it cannot answer; twins of read replies can be scored; no repair."""
    rows = [
        {"prompt": prompt_of(number), "completion": text(agrees), "label": agrees,
         "user_right": None if number < 10 else number % 2 == 1}
        for number in range(40)
        for agrees in (True, False)
    ]  # fmt: skip
    rows += [{"prompt": "What is 3?", "completion": "It is 3.", "label": None, "user_right": None}]
    path, to = write(tmp_path / "kto.jsonl", rows), tmp_path / "twins.jsonl"
    code, found = audit(path, "--counterfactuals", to)
    assert (code, found["verdict"], found["format"]) == (1, "cannot answer", "kto")
    assert (found["n_rows"], found["n_prompts"], found["n_unlabeled"]) == (81, 41, 1)
    assert value(found["stance"]) == pytest.approx(80 / 81)
    assert value(found["read"]) == 1
    assert value(found["checkable"]) == pytest.approx(60 / 80)
    assert found["origins"] == {"rule": 80}
    twins = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert len(twins) == 160
    assert {twin["variant"] for twin in twins} == {"stance", "deleted"}
    assert "80 replies to 40 prompts" in call("audit", "preferences", path).out
    check_error(call("audit", "preferences", path, "--relabel", tmp_path / "x"), "--relabel")
    bad = write(tmp_path / "bad.jsonl", [{**rows[0], "label": "good"}])
    check_error(call("audit", "preferences", bad), "label")
