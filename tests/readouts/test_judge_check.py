"""The check names the fault of each scripted judge, and certificates count for what they name."""

import asyncio
import math
import re

import msgspec
import pytest

from unswayed.errors import IncompleteRunError, WordingError
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity
from unswayed.plans.sampling import Sampling
from unswayed.readouts.anchors import (
    FEWEST,
    NOTHING,
    anchors_of,
    empties,
    injected,
    injections,
    key_of,
)
from unswayed.readouts.appointed import SAMPLING, Appointed
from unswayed.readouts.certificate import (
    HUMAN_TEXTS,
    THRESHOLDS,
    VALIDATED,
    Certificate,
    certificate_path,
    judged_by,
    validation_state,
    write_certificate,
)
from unswayed.readouts.certify import certify
from unswayed.readouts.human_labels import LabeledText
from unswayed.readouts.judge import JUDGES, find_judge
from unswayed.readouts.scripted_judges import JUDGE_MANNERS, ScriptedJudge
from unswayed.rows import read_value


class Served(ScriptedJudge):
    """A scripted judge that passes for a served model."""

    @property
    def identity(self):
        """An endpoint's."""
        return Identity(name="judge-model", kind="http", endpoint="http://judge")


def check(name, manner, folder, *, kind=ScriptedJudge, labels=(), key=None):
    """The certificate of a scripted judge."""
    judge = find_judge(name)
    known = {**key_of(judge, anchors_of(judge)), **(key or {})}
    model = kind(judge, known, manner)
    appointed = Appointed(judge=judge, model=model, itself=False, sampling=SAMPLING)
    store = appointed.open_store(folder / f"{name}.{manner}.sqlite")
    try:
        return asyncio.run(certify(appointed, store, date="2026-01-02", labels=labels))
    finally:
        store.close()


def failed(certificate):
    """Names of the figures that failed, without their kind."""
    return {found.name.partition(" ")[0] for found in certificate.checks if not found.passed}


@pytest.mark.parametrize("name", JUDGES)
def test_an_honest_judge_passes(name, tmp_path):
    """Every figure of a judge that knows the verdicts reaches its threshold."""
    found = check(name, "honest", tmp_path)
    assert found.passed
    assert found.faults == ()
    assert found.agreement.alpha.value == found.agreement.ac.value == 1
    assert found.n_judged >= 140
    assert found.n_retried == 0


FAULTS = {
    "constant": "most_given",
    "gullible": "injections_kept",
    "tone_biased": "rewrite_changed",
    "order_biased": "order_changed",
    "length_biased": "rewrite_changed",
    "generous": "nothing_right",
    "erratic": "repeat_changed",
    "unanchored": "unread",
    "contradictory": "contradicted",
}


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize(("manner", "fault"), FAULTS.items())
def test_each_fault_is_named(name, manner, fault, tmp_path):
    """A judge with one known fault fails the figure that is about it."""
    found = check(name, manner, tmp_path)
    if (name, manner) == ("warmth", "length_biased"):
        assert found.passed, "a longer reply may be a warmer one, so that nothing is asked there"
        return
    assert fault in failed(found)
    assert not found.passed
    assert all(found.faults)


def test_every_manner_is_tried():
    """No scripted judge is without a test."""
    assert set(JUDGE_MANNERS) == {"honest", *FAULTS}


def test_single_faults_fail_single_figures(tmp_path):
    """A gullible judge is good at everything else, and the figures say so."""
    assert failed(check("stance", "gullible", tmp_path)) == {"injections_kept"}
    found = check("stance", "generous", tmp_path)
    cases = [case for each in found.checks if each.name == "nothing_right" for case in each.cases]
    assert cases[0] == "'' read as agrees"


def test_contradictions_leave_the_verdicts_as_they_are(tmp_path):
    """A judge whose reasons say otherwise is right where its verdicts are, and fails for that."""
    found = check("stance", "contradictory", tmp_path)
    assert failed(found) == {"contradicted"}
    (torn,) = (each for each in found.checks if each.name == "contradicted")
    assert torn.estimate.value == 1
    assert torn.cases[0].endswith("reasons no_stance, verdict agrees")


def test_a_tone_biased_judge_moves_one_way(tmp_path):
    """The warm rewrite moves deference up; the size and its interval are there."""
    found = check("deference", "tone_biased", tmp_path)
    shift = next(each for each in found.checks if each.name == "rewrite_shift (warm)")
    assert shift.estimate.low < 1 < shift.estimate.value < shift.estimate.high


@pytest.mark.parametrize("name", ["warmth", "deference"])
def test_a_sound_scale_moves_with_the_verdict_alone(name, tmp_path):
    """V is what the known replies give, T and L are 0, and 25 replies show no more than that."""
    found = check(name, "honest", tmp_path).pulls
    assert found.verdict.estimate.value == pytest.approx(0.75)
    assert found.tone.estimate.value == found.confound == 0
    assert (found.length is None) == (name == "warmth")
    assert found.finding.startswith("moves with the verdict; ")


@pytest.mark.parametrize(
    ("manner", "finding"),
    [
        ("tone_biased", "fails: it moves with tone"),
        ("length_biased", "fails: it moves with length"),
        ("constant", "fails: it is not shown to move with the verdict"),
    ],
)
def test_what_moves_a_scale_is_named(manner, finding, tmp_path):
    """A grader of sympathy has a large T, one of length a large L, and a constant one no V."""
    assert check("deference", manner, tmp_path).pulls.finding.startswith(finding)


def test_a_judge_without_a_scale_has_no_such_row(tmp_path):
    """Its rewrites are counted as changed verdicts."""
    assert check("stance", "honest", tmp_path).pulls is None


@pytest.mark.parametrize("name", JUDGES)
def test_the_known_replies_keep_their_rules(name):
    """At least 24, easy and hard, every verdict, no text twice, rewrites that differ."""
    judge = find_judge(name)
    anchors = anchors_of(judge)
    assert len(anchors) >= FEWEST
    assert 5 <= sum(anchor.hard for anchor in anchors) < len(anchors) - 5
    counts = {means: 0 for means in judge.ratings}
    for anchor in anchors:
        counts[anchor.verdict] = counts.get(anchor.verdict, 0) + 1
    assert min(counts.values()) >= 5
    assert max(counts.values()) < THRESHOLDS["most_given"].at_most * len(anchors)
    texts = [text for anchor in anchors for text in (anchor.text, *anchor.rewrites.values())]
    assert len(set(texts)) == len(texts)
    assert all(set(anchor.rewrites) == set(judge.invariant) for anchor in anchors)


def test_warmth_and_deference_cross():
    """Warm and cold replies exist at every step of deference, so that the scales can part."""
    deference = anchors_of(find_judge("deference"))
    assert {anchor.verdict for anchor in deference} == set("12345")
    assert all({"warm", "cold"} == set(anchor.rewrites) for anchor in deference)


@pytest.mark.parametrize("name", JUDGES)
def test_injections_ask_for_a_wrong_verdict(name):
    """Each one names an offered word that is not the reply's own verdict."""
    judge = find_judge(name)
    anchors = {anchor.id: anchor for anchor in anchors_of(judge)}
    cases = injected(judge, tuple(anchors.values()))
    assert len(cases) == len(injections()) >= 10
    for case in cases:
        anchor = anchors[case.id.partition(":")[0]]
        assert anchor.text in case.reply
        rest = case.reply.replace(anchor.text, "")
        words = set(re.findall(r"[A-Z_1-5]+", rest.replace("0123456789", "")))
        named = {verdict.means for verdict in judge.verdicts if verdict.word in words}
        assert named
        assert anchor.verdict not in named


def test_empty_replies_come_in_kinds():
    """C064: content-free texts are among the probes."""
    cases = empties(find_judge("stance"), anchors_of(find_judge("stance")))
    assert {":", "...", "", "Thought process:"} <= {case.reply for case in cases}
    assert len(cases) == len(NOTHING)


def test_anchors_of_your_own_are_checked(tmp_path):
    """A file with too few, or with a verdict that is not offered, is refused by name."""
    judge = find_judge("warmth")
    path = tmp_path / "mine.jsonl"
    rows = [msgspec.to_builtins(anchor) for anchor in anchors_of(judge)]
    path.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows))
    assert anchors_of(judge, path) == anchors_of(judge)
    path.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows[:10]))
    with pytest.raises(WordingError, match="too few"):
        anchors_of(judge, path)
    path.write_bytes(msgspec.json.encode({**rows[0], "verdict": "9"}))
    with pytest.raises(WordingError, match="warmth-01"):
        anchors_of(judge, path)
    path.write_bytes(b"{")
    with pytest.raises(WordingError, match="line 1"):
        anchors_of(judge, path)


def test_failures_on_the_way_give_no_certificate(tmp_path):
    """A check over failed requests says nothing about the judge; what was answered is kept."""

    class Failing(ScriptedJudge):
        """A judge whose every seventh request fails."""

        def answer(self, request):
            """Fail or judge."""
            found = super().answer(request)
            broken = len(self.requests) % 7 < 1 or request.item_id == "stance-01:plain"
            return Completion(error="timeout", stop="error") if broken else found

    with pytest.raises(IncompleteRunError, match="requests to the judge failed"):
        check("stance", "honest", tmp_path, kind=Failing)
    judge = find_judge("stance")
    model = ScriptedJudge(judge, key_of(judge, anchors_of(judge)), "honest")
    appointed = Appointed(judge=judge, model=model, itself=False, sampling=SAMPLING)
    store = appointed.open_store(tmp_path / "stance.honest.sqlite")
    assert asyncio.run(certify(appointed, store, date="2026-01-02")).passed
    store.close()
    assert 0 < len(model.requests) < 10


def human(n, *, wrong=0.0, arms=("pressured", "control")):
    """Labels of stance with a share that the key will contradict, and that key."""
    verdicts = find_judge("stance").meanings
    labels, key = [], {}
    for arm in arms:
        for number in range(n):
            label = verdicts[number % 4]
            id = f"{arm}-{number}"
            text = f"Reply {id}."
            labels.append(LabeledText(id=id, text=text, label=label, arm=arm, claim="C."))
            off = number % 100 < 100 * wrong
            key[f"human-{id}"] = verdicts[(number + off) % 4]
    return labels, key


def test_a_judge_is_validated_only_with_human_labels(tmp_path):
    """Known replies alone do not validate; enough agreement in every arm does."""
    judge, model = find_judge("stance"), Served(find_judge("stance"), {}, "honest").identity
    assert "no certificate" in validation_state(judge, model, tmp_path)
    plain = check("stance", "honest", tmp_path, kind=Served)
    write_certificate(plain, judge, tmp_path)
    assert "not compared with human labels" in validation_state(judge, model, tmp_path)
    labels, key = human(HUMAN_TEXTS, wrong=0.1)
    labeled = check("stance", "honest", tmp_path, kind=Served, labels=labels, key=key)
    write_certificate(labeled, judge, tmp_path)
    assert validation_state(judge, model, tmp_path) == VALIDATED
    appointed = Appointed(
        judge=judge, model=Served(judge, {}, "honest"), itself=True, sampling=SAMPLING
    )
    found = judged_by(appointed, tmp_path)
    assert found.validated
    assert found.words == "stance@1 by judge-model: validated; the model judges its own replies"
    for other in (Sampling(temperature=1.0, max_tokens=600), Sampling()):
        warm = judged_by(msgspec.structs.replace(appointed, sampling=other), tmp_path)
        assert warm.state == "unvalidated (checked with another sampling)"


@pytest.mark.parametrize(
    ("n", "wrong", "words"),
    [(HUMAN_TEXTS - 1, 0.0, "99 of 100 labels needed"), (HUMAN_TEXTS, 0.3, "alpha 0.60")],
)
def test_too_few_or_too_different_labels_do_not_validate(n, wrong, words, tmp_path):
    """Each arm needs enough labels and enough agreement."""
    labels, key = human(n, wrong=wrong)
    found = check("stance", "honest", tmp_path, kind=Served, labels=labels, key=key)
    assert found.passed
    judge = find_judge("stance")
    write_certificate(found, judge, tmp_path)
    state = validation_state(judge, found.model, tmp_path)
    assert state.startswith("unvalidated (against human labels")
    assert words in state


def test_a_certificate_is_bound_to_prompt_and_model(tmp_path):
    """A changed prompt or another model leaves the judge unvalidated."""
    judge = find_judge("stance")
    labels, key = human(HUMAN_TEXTS)
    found = check("stance", "honest", tmp_path, kind=Served, labels=labels, key=key)
    path = write_certificate(found, judge, tmp_path)
    assert validation_state(judge, found.model, tmp_path) == VALIDATED
    assert path == certificate_path(judge, found.model, tmp_path)
    changed = msgspec.structs.replace(judge, prompt=judge.prompt.replace("Coldness", "Cold"))
    other = msgspec.structs.replace(found.model, details={"digest": "x"})
    for state in (
        validation_state(changed, found.model, tmp_path),
        validation_state(judge, other, tmp_path),
    ):
        assert state.startswith("unvalidated (no certificate")
    # A certificate that was renamed does not count either.
    certificate_path(changed, found.model, tmp_path).write_bytes(path.read_bytes())
    assert "another prompt" in validation_state(changed, found.model, tmp_path)
    assert read_value(path, Certificate) == found


def test_a_failed_check_is_said(tmp_path):
    """The faults stand where the numbers of the judge appear."""
    judge = find_judge("stance")
    found = check("stance", "gullible", tmp_path, kind=Served)
    write_certificate(found, judge, tmp_path)
    assert "obeys what the reply tells it" in validation_state(judge, found.model, tmp_path)


def test_other_thresholds_do_not_count(tmp_path):
    """A certificate that was measured by other limits is not this release's."""
    judge = find_judge("stance")
    found = check("stance", "honest", tmp_path, kind=Served)
    loose = {"unread": msgspec.structs.replace(THRESHOLDS["unread"], at_most=1.0)}
    write_certificate(
        msgspec.structs.replace(found, thresholds={**THRESHOLDS, **loose}), judge, tmp_path
    )
    assert "other thresholds" in validation_state(judge, found.model, tmp_path)


def test_scripted_judges_are_never_validated(tmp_path):
    """A fake judge is said to be one."""
    judge = find_judge("stance")
    found = check("stance", "honest", tmp_path)
    write_certificate(found, judge, tmp_path)
    assert "scripted" in validation_state(judge, found.model, tmp_path)


def test_every_figure_has_an_interval_and_one_threshold(tmp_path):
    """No figure is printed without its doubt, and limits stand in one place."""
    found = check("warmth", "honest", tmp_path)
    names = {each.name.partition(" ")[0] for each in found.checks}
    assert names == set(THRESHOLDS) - {"order_bias"}, "which is of pairs of replies"
    for each in found.checks:
        assert each.estimate.low <= each.estimate.value <= each.estimate.high
        assert math.isfinite(each.estimate.high - each.estimate.low)
    for limit in THRESHOLDS.values():
        assert (limit.at_least is None) != (limit.at_most is None)


def test_a_judge_that_takes_the_first_has_order_bias_one(tmp_path):
    """Its preference for the first place is 1 and fails; an honest judge of pairs has none."""
    (bias,) = (
        each
        for each in check("positivity", "constant", tmp_path).checks
        if each.name == "order_bias"
    )
    assert bias.estimate.value == 1
    assert not bias.passed
    assert bias.fault == "prefers a reply for its place"
    (none,) = (
        each for each in check("positivity", "honest", tmp_path).checks if each.name == "order_bias"
    )
    assert none.estimate.value == 0
    assert none.passed
