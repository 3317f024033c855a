"""Tries a judge: known replies, swapped order, rewrites, empty replies, injections, repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from unswayed import __version__
from unswayed.errors import IncompleteRunError
from unswayed.models.store import Store
from unswayed.readouts.anchors import Anchor, anchors_digest, anchors_of, empties, injected
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.asking import ask_judge
from unswayed.readouts.certificate import THRESHOLDS, Certificate, Check, sampling_words
from unswayed.readouts.desk import Case, Judgement
from unswayed.readouts.human_labels import LabeledText, agreement_with, compare_with_labels
from unswayed.readouts.judge import Judge
from unswayed.readouts.pulls import pulls_of
from unswayed.readouts.tones import preference
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.paired import paired_difference
from unswayed.stats.rates import wilson

_STEP = 1
"""Steps on a scale by which two ratings may differ and still count as the same."""


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said in one pass of the check."""

    cases: tuple[Case, ...]
    """What it was asked."""
    judgements: tuple[Judgement, ...]
    """What it said, in the same order."""

    @property
    def values(self) -> list[str | None]:
        """The verdicts, None where unread."""
        return [judgement.reading.value for judgement in self.judgements]


async def certify(
    appointed: Appointed,
    store: Store,
    *,
    date: str,
    anchors: tuple[Anchor, ...] | None = None,
    labels: Sequence[LabeledText] = (),
    concurrency: int = 8,
) -> Certificate:
    """Try a judge with one model, and write down what it did.

    Args:
        appointed: Judge and model.
        store: The judge's store; a check that was stopped goes on where it was.
        date: Day of the check, as it shall stand in the certificate.
        anchors: Known replies; those that come with the package unless given.
        labels: Human labels, if there are any.
        concurrency: Most requests at once.

    Raises:
        WordingError: When the judge has no anchors.
        ModelError: For a fault that retrying does not mend; what was answered is stored.
        IncompleteRunError: When requests failed on the way; the same call goes on.
    """
    judge = appointed.judge
    known = anchors_of(judge) if anchors is None else anchors

    async def ask(cases: Sequence[Case], *, swapped: bool = False, draw: int = 0) -> Tried:
        given = await ask_judge(
            cases, appointed, store, swapped=swapped, draw=draw, concurrency=concurrency
        )
        return Tried(cases=tuple(cases), judgements=tuple(given))

    plain = [anchor.case("plain", anchor.text) for anchor in known]
    base = await ask(plain)
    passes = {
        "order": await ask(plain, swapped=True),
        "repeat": await ask(plain, draw=1),
        **{
            kind: await ask([anchor.case(kind, anchor.rewrite(kind)) for anchor in known])
            for kind in (*judge.invariant, *judge.reshaped)
        },
    }
    nothing = await ask(empties(judge, known))
    attacked = await ask(injected(judge, known))
    labeled = await ask([label.case for label in labels])
    tried = [base, *passes.values(), nothing, attacked, labeled]
    said = [judgement for each in tried for judgement in each.judgements]
    _check_complete(said)
    return Certificate(
        judge=judge.name,
        judge_sha256=judge.sha256,
        anchors=anchors_digest(known),
        model=appointed.model.identity,
        sampling=sampling_words(appointed.sampling),
        date=date,
        version=__version__,
        n_judged=len(said),
        n_retried=sum(judgement.attempts > 1 for judgement in said),
        checks=(
            *_anchor_checks(judge, known, base),
            _unread_check(said),
            _contradicted_check(said),
            _changed("order_changed", "", judge, base, passes["order"]),
            *_order_bias(judge, base, passes["order"]),
            _changed("repeat_changed", "", judge, base, passes["repeat"]),
            *_rewrite_checks(judge, base, passes),
            _nothing_check(judge, nothing),
            _injection_check(judge, known, attacked),
        ),
        agreement=agreement_with(
            [anchor.verdict for anchor in known],
            [judgement.reading for judgement in base.judgements],
            judge,
        ),
        pulls=pulls_of(
            judge, known, {"plain": base.values, **{k: each.values for k, each in passes.items()}}
        ),
        human=compare_with_labels(labels, labeled.judgements, judge) if labels else None,
        thresholds=THRESHOLDS,
    )


def _check_complete(said: Sequence[Judgement]) -> None:
    """Refuse figures over requests that failed on the way: they say nothing about the judge."""
    failed = [each.reading.detail for each in said if each.failed]
    if failed:
        raise IncompleteRunError(
            f"{len(failed)} of {len(said)} requests to the judge failed",
            given=failed[0],
            next_step="run the same command again; what was answered is stored",
        )


def _same(first: str | None, second: str | None, judge: Judge) -> bool:
    """Whether two verdicts are the same; on a scale, within one step."""
    if judge.scale and first in judge.ratings and second in judge.ratings:
        return abs(int(first or 0) - int(second or 0)) <= _STEP
    return first == second


def _check(
    threshold: str, estimate: Estimate, cases: Sequence[str] = (), *, kind: str = ""
) -> Check:
    """Compare a figure with its threshold; a figure without a value does not pass."""
    limit = THRESHOLDS[threshold]
    value = estimate.value
    passed = (
        value is not None
        and (limit.at_least is None or value >= limit.at_least)
        and (limit.at_most is None or abs(value) <= limit.at_most)
    )
    named = f" ({kind} wording)" if threshold.startswith("rewrite") else ""
    fault = limit.fault + named if value is not None else f"not measured ({estimate.note})"
    return Check(
        name=f"{threshold} ({kind})" if kind else threshold,
        estimate=estimate,
        passed=passed,
        fault="" if passed else fault,
        cases=tuple(cases),
    )


def _anchor_checks(judge: Judge, known: Sequence[Anchor], base: Tried) -> list[Check]:
    by_verdict: dict[str, list[bool]] = {}
    wrong: dict[str, list[str]] = {}
    unread = 0
    for anchor, value in zip(known, base.values, strict=True):
        if value is None:
            unread += 1
            continue
        right = _same(anchor.verdict, value, judge)
        by_verdict.setdefault(anchor.verdict, []).append(right)
        if not right:
            wrong.setdefault(anchor.verdict, []).append(f"{anchor.id} read as {value}")
    rows = [right for group in by_verdict.values() for right in group]
    shares = {
        verdict: wilson(sum(by_verdict.get(verdict, ())), len(by_verdict.get(verdict, ())))
        for verdict in dict.fromkeys(anchor.verdict for anchor in known)
    }
    worst = min(shares, key=lambda verdict: shares[verdict].value or 0.0)
    given = Counter(value for value in base.values if value is not None)
    most, count = given.most_common(1)[0] if given else ("none", 0)
    return [
        _check(
            "anchors_right",
            wilson(sum(rows), len(rows), n_unread=unread),
            [case for cases in wrong.values() for case in cases],
        ),
        _check("worst_verdict", shares[worst], wrong.get(worst, ()), kind=worst),
        _check("most_given", wilson(count, sum(given.values()), n_unread=unread), kind=most),
    ]


def _unread_check(rows: Sequence[Judgement]) -> Check:
    lost = [row for row in rows if row.reading.value is None]
    named = [f"{row.case}: {row.reading.reason} {row.reading.detail}".strip() for row in lost]
    return _check("unread", wilson(len(lost), len(rows)), named[:20])


def _contradicted_check(rows: Sequence[Judgement]) -> Check:
    """Verdicts that the judge's own words contradict, over those that were read."""
    read = [row for row in rows if row.reading.value is not None]
    torn = [
        f"{row.case}: reasons {row.reading.contradicted}, verdict {row.reading.value}"
        for row in read
        if row.reading.contradicted
    ]
    estimate = wilson(len(torn), len(read), n_unread=len(rows) - len(read))
    return _check("contradicted", estimate, torn[:20])


def _changed(threshold: str, kind: str, judge: Judge, base: Tried, other: Tried) -> Check:
    """How many verdicts differ between two passes, over the replies that both read."""
    changed, read = [], 0
    for case, before, after in zip(other.cases, base.values, other.values, strict=True):
        if before is None or after is None:
            continue
        read += 1
        if not _same(before, after, judge):
            changed.append(f"{case.id}: {before} to {after}")
    lost = len(base.cases) - read
    return _check(threshold, wilson(len(changed), read, n_unread=lost), changed, kind=kind)


def _order_bias(judge: Judge, base: Tried, order: Tried) -> list[Check]:
    """How far replies are preferred for their place, for a judge that compares two of them."""
    if judge.swaps != "replies":
        return []
    pairs = [
        (score, turned)
        for score, turned in zip(
            map(preference, base.values), map(preference, order.values), strict=True
        )
        if score is not None and turned is not None
    ]
    lost = len(base.cases) - len(pairs)
    if not pairs:
        return [_check("order_bias", counts_only(n_unread=lost))]
    estimate = paired_difference(
        [score for score, _ in pairs], [turned for _, turned in pairs], n_unread=lost
    )
    return [_check("order_bias", estimate)]


def _rewrite_checks(judge: Judge, base: Tried, passes: dict[str, Tried]) -> list[Check]:
    checks = []
    for kind in (*judge.invariant, *judge.reshaped):
        checks.append(_changed("rewrite_changed", kind, judge, base, passes[kind]))
        if judge.scale:
            checks.append(_check("rewrite_shift", _shift(judge, base, passes[kind]), kind=kind))
    return checks


def _shift(judge: Judge, base: Tried, other: Tried) -> Estimate:
    """Mean movement on the scale, over the replies that both passes rated."""
    pairs = [
        (int(before), int(after))
        for before, after in zip(base.values, other.values, strict=True)
        if before in judge.ratings and after in judge.ratings and before and after
    ]
    if not pairs:
        return counts_only(n_unread=len(base.cases))
    steps = [int(rating) for rating in judge.ratings]
    return paired_difference(
        [after for _, after in pairs],
        [before for before, _ in pairs],
        n_unread=len(base.cases) - len(pairs),
        bound=float(max(steps) - min(steps)),
    )


def _nothing_check(judge: Judge, nothing: Tried) -> Check:
    """Empty replies; an unread verdict is no verdict for no content."""
    wrong = [
        f"{case.reply!r} read as {value}"
        for case, value in zip(nothing.cases, nothing.values, strict=True)
        if value != judge.null
    ]
    n = len(nothing.cases)
    return _check("nothing_right", wilson(n - len(wrong), n), wrong)


def _injection_check(judge: Judge, known: Sequence[Anchor], attacked: Tried) -> Check:
    """Replies that ask for a verdict; one that leaves the judge unread is not resisted either."""
    right = {anchor.id: anchor.verdict for anchor in known}
    lost = [
        f"{case.id}: {right[case.id.partition(':')[0]]} to {value or 'unread'}"
        for case, value in zip(attacked.cases, attacked.values, strict=True)
        if not _same(right[case.id.partition(":")[0]], value, judge)
    ]
    n = len(attacked.cases)
    return _check("injections_kept", wilson(n - len(lost), n), lost)
