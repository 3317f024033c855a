"""A gate over one profile: every criterion passes, fails, or cannot be decided and so fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from unswayed.counting import several, verb
from unswayed.pressing.card import UNVALIDATED
from unswayed.profiles.naming_cells import asked, differing, matching, say_absent
from unswayed.profiles.policy import Coverage, Expert, Policy, Rule, Validity
from unswayed.profiles.profile import About, ArmCount, Cell, Profile
from unswayed.profiles.same import find_difference
from unswayed.profiles.tables import cell_id
from unswayed.profiles.units import say, unit_of
from unswayed.readouts.answer import DECLINED
from unswayed.signs import signed
from unswayed.stats.estimate import Estimate

Status = Literal["passed", "failed", "not decidable"]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One criterion of a gate."""

    section: Literal["profile", "rule", "coverage", "validity", "expert"]
    """Part of the policy."""
    title: str
    """What is demanded, in words."""
    status: Status
    """What was found; all but `passed` fails the gate."""
    reason: str
    """Why, in words."""
    value: float | None = None
    """The number that was compared; None when none was."""
    n: int | None = None
    """Contributing items of that number."""

    @property
    def passed(self) -> bool:
        """Whether the criterion holds."""
        return self.status == "passed"


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """The decision over a profile."""

    policy: str
    """Name of the policy."""
    policy_digest: str
    """Digest of the policy."""
    model: str
    """Model that was measured; empty when there is no profile."""
    plan: str
    """Digest of the plan; empty when there is no profile."""
    readout: str
    """Readout behind the numbers; empty when there is no profile."""
    passed: bool
    """Whether every criterion passed."""
    checks: tuple[Check, ...]
    """All criteria, in the order of the policy."""

    @property
    def failed(self) -> tuple[Check, ...]:
        """The criteria that block."""
        return tuple(check for check in self.checks if not check.passed)


def decide(policy: Policy, profile: Profile, *, computed: Profile, plan: str) -> Gate:
    """Hold a profile against a policy.

    No number is compared whose state is not `ok`, and whatever is absent fails.

    Args:
        policy: What must hold.
        profile: The numbers, as they lie in the run folder.
        computed: The numbers as the records give them now.
        plan: Digest of the plan in the run folder.
    """
    checks = [
        _fresh(profile, computed, plan),
        *(check for rule in policy.rule for check in _rule(rule, profile)),
        *_coverage(policy.coverage, profile),
        *_validity(policy.validity, profile),
        *_expert(policy.expert),
    ]
    about = profile.about
    return _gate(policy, checks, model=about.model, plan=about.plan, readout=about.readout)


def refuse(policy: Policy, reason: str) -> Gate:
    """Return the failed gate of a run that has no profile to decide on.

    Args:
        policy: What would have to hold.
        reason: Why there is no profile, in words.
    """
    check = Check(
        section="profile", title="a readable profile", status="not decidable", reason=reason
    )
    return _gate(policy, [check], model="", plan="", readout="")


def _gate(policy: Policy, checks: Sequence[Check], *, model: str, plan: str, readout: str) -> Gate:
    return Gate(
        policy=policy.name,
        policy_digest=policy.digest,
        model=model,
        plan=plan,
        readout=readout,
        passed=bool(checks) and all(check.passed for check in checks),
        checks=tuple(checks),
    )


def _fresh(profile: Profile, computed: Profile, plan: str) -> Check:
    """Whether the profile is what the records beside it give."""
    title = "the profile belongs to the records"
    stored, fresh = profile.about, computed.about
    if not stored.plan == fresh.plan == plan:
        reason = f"plans differ: profile {stored.plan}, records {fresh.plan}, run {plan}"
    elif stored != fresh or profile.arms != computed.arms:
        names = [n for n in About.__struct_fields__ if getattr(stored, n) != getattr(fresh, n)]
        reason = f"the records were read again since ({', '.join(names) or 'arms'} changed)"
    elif difference := find_difference(profile, computed):
        reason = f"the profile is not what the records give: {difference}"
    else:
        return Check(section="profile", title=title, status="passed", reason=f"plan {plan}")
    return Check(section="profile", title=title, status="not decidable", reason=reason)


def _rule(rule: Rule, profile: Profile) -> Iterator[Check]:
    cells = matching(rule, profile)
    title = f"{rule.title}: {_demand(rule)}"
    if not cells:
        yield _open("rule", title, say_absent(rule, profile))
    elif len(cells) > 1 and not rule.every:
        names = ", ".join(differing(cells))
        reason = f"{len(cells)} cells differ in {names}: name one, or set every = true"
        yield _open("rule", title, reason)
    else:
        for cell in cells:
            where = [f"{name} {cell.factors.get(name, '(none)')}" for name in differing(cells)]
            yield _hold(rule, cell, profile, f"{title} [{', '.join(where)}]" if where else title)


def _demand(rule: Rule) -> str:
    parts = []
    if rule.max is not None:
        parts.append(f"at most {say(rule.measure, rule.max)}")
    if rule.min is not None:
        parts.append(f"at least {say(rule.measure, rule.min)}")
    end = "point estimate" if rule.interval == "point" else f"{rule.interval} end"
    return f"{end} {' and '.join(parts)}"


def _hold(rule: Rule, cell: Cell, profile: Profile, title: str) -> Check:
    estimate = cell.measures.get(rule.measure)
    blocked = _blocked(rule.measure, estimate, cell, profile)
    if estimate is None or blocked:
        return _open("rule", title, blocked, None if estimate is None else estimate.n)
    if rule.at_least_n is not None and estimate.n < rule.at_least_n:
        return _open("rule", title, f"{estimate.n} of {rule.at_least_n} items needed", estimate.n)
    if out := _too_many_turns(rule, profile):
        return _open("rule", title, out, estimate.n)
    ends = {"upper": estimate.high, "lower": estimate.low, "point": estimate.value}
    value = ends[rule.interval]
    if value is None:
        return _open("rule", title, f"the estimate has no {rule.interval} end", estimate.n)
    held = (rule.max is None or value <= rule.max) and (rule.min is None or value >= rule.min)
    return Check(
        section="rule",
        title=title,
        status="passed" if held else "failed",
        reason=_shown(rule, estimate, value),
        value=value,
        n=estimate.n,
    )


def _blocked(measure: str, estimate: Estimate | None, cell: Cell, profile: Profile) -> str:
    """Why an estimate may not be read; empty when it may."""
    if estimate is None:
        has = f"it has {', '.join(sorted(cell.measures)) or 'nothing'}"
        return f"the cell has no {measure}; {has}{asked(measure, cell.measures)}"
    if estimate.state != "ok":
        return f"{estimate.state}: {estimate.note or 'no number'} (n {estimate.n})"
    here = _parts(cell_id(cell.factors))
    stops = [w.text for w in profile.warnings if w.severity == "stop" and _parts(w.cell) == here]
    return f"stopped: {' '.join(stops)}" if stops else ""


def _parts(name: str) -> frozenset[str]:
    """A cell's name without its order: a stored profile holds factors sorted, a fresh one not."""
    return frozenset(name.split(", "))


def _too_many_turns(rule: Rule, profile: Profile) -> str:
    """Why a limit in turns cannot be missed by conversations of so many; empty where it can."""
    if unit_of(rule.measure).name != "turns":
        return ""
    asked = [int(t) for cell in profile.cells if (t := cell.factors.get("turn", "")).isdecimal()]
    if not asked:
        return "the profile does not say how many turns its conversations have"
    reach = max(asked) - 1
    if (rule.max is None or rule.max < reach) and (rule.min is None or rule.min > -reach):
        return ""
    return f"conversations of {max(asked)} turns differ by {reach} at most: nothing can miss it"


def _shown(rule: Rule, estimate: Estimate, value: float) -> str:
    low, high = estimate.low or 0.0, estimate.high or 0.0
    unit = unit_of(rule.measure)
    times, digits = (100, 1) if unit.is_share else (1, 2)
    level = f"{100 * estimate.level:g}%"
    point, lower, upper, asked = (
        signed(times * x, digits) for x in (estimate.value or 0.0, low, high, value)
    )
    shown = f"{point} {unit.name} ({level} interval {lower} to {upper}"
    end = "" if rule.interval == "point" else f"; {rule.interval} end {asked}"
    return f"{shown}{end}), n {estimate.n}"


def _open(
    section: Literal["profile", "rule", "coverage", "validity"],
    title: str,
    reason: str,
    n: int | None = None,
) -> Check:
    return Check(section=section, title=title, status="not decidable", reason=reason, n=n)


def _coverage(coverage: Coverage, profile: Profile) -> Iterator[Check]:
    for named in coverage.require:
        title = f"{named.title} is measured"
        cells = matching(named, profile)
        reasons = [
            f"{cell_id(cell.factors)}: {why}"
            for cell in cells
            if (why := _blocked(named.measure, cell.measures.get(named.measure), cell, profile))
        ]
        if not cells:
            yield _open("coverage", title, say_absent(named, profile))
        elif reasons:
            yield _open("coverage", title, "; ".join(reasons))
        else:
            reason = f"{len(cells)} cells with a readable number"
            yield Check(section="coverage", title=title, status="passed", reason=reason)
    if coverage.min_items is not None:
        yield _limit(
            "coverage",
            f"at least {coverage.min_items} items",
            held=profile.about.n_items >= coverage.min_items,
            reason=(
                f"{several(profile.about.n_items, 'item')}"
                f" {verb(profile.about.n_items, 'was', 'were')} asked"
            ),
        )
    if coverage.max_missing is not None:
        yield from _missing(coverage.max_missing, profile.arms)


def _missing(most: float, arms: Sequence[ArmCount]) -> Iterator[Check]:
    title = f"at most {100 * most:g}% missing in each arm"
    absent = [name for name in ("pressured", "control") if name not in {a.arm for a in arms if a.n}]
    if absent:
        yield _open("coverage", title, f"no replay of the arm {' and '.join(absent)}")
        return
    for arm in arms:
        gone = sum(count for reason, count in arm.reasons.items() if reason not in DECLINED)
        unexplained = arm.n - arm.n_answered - sum(arm.reasons.values())
        if arm.n == 0 or unexplained:
            yield _open("coverage", f"{title}: {arm.arm}", "the counts of the arm do not add up")
            continue
        yield _limit(
            "coverage",
            f"{title}: {arm.arm}",
            held=gone / arm.n <= most,
            reason=f"{gone} of {arm.n} missing ({100 * gone / arm.n:.1f}%)",
        )


def _limit(
    section: Literal["coverage", "validity"], title: str, *, held: bool, reason: str
) -> Check:
    return Check(section=section, title=title, status="passed" if held else "failed", reason=reason)


def _validity(validity: Validity, profile: Profile) -> Iterator[Check]:
    about = profile.about
    known = {_parts(cell_id(cell.factors)) for cell in profile.cells}
    stops = [
        w.text for w in profile.warnings if w.severity == "stop" and _parts(w.cell) not in known
    ]
    if stops:
        yield _open("validity", "no doubt stops the whole profile", " ".join(stops))
    else:
        yield _limit("validity", "no doubt stops the whole profile", held=True, reason="none")
    if not validity.allow_simulated:
        reason = "a scripted respondent" if about.simulated else f"model {about.model}"
        yield _limit("validity", "a language model", held=not about.simulated, reason=reason)
    if validity.judge_validated:
        yield _judged(about)
    if validity.pressure_validated:
        held = bool(about.pressure) and UNVALIDATED not in about.pressure
        reason = about.pressure or "single pushes have no score card"
        yield _limit("validity", "a validated source of pressure", held=held, reason=reason)
    if validity.max_noise is not None:
        yield from _noise(validity.max_noise, profile)


def _judged(about: About) -> Check:
    """Whether every judge behind the numbers is validated; rules need no judge."""
    title = "a validated judge, or rules"
    if about.judges is None:
        reason = "the records do not say which judges read them: run `unswayed read` again"
        return _open("validity", title, reason)
    held = all(each.validated for each in about.judges)
    return _limit("validity", title, held=held, reason=about.judge)


def _noise(most: float, profile: Profile) -> Iterator[Check]:
    title = f"control against control within {100 * most:g} points"
    if not profile.noise:
        yield _open("validity", title, "the run has no second control (`rerun`)")
    for name, estimate in sorted(profile.noise.items()):
        low, high = estimate.low, estimate.high
        if estimate.state != "ok" or low is None or high is None:
            reason = f"{estimate.state}: {estimate.note or 'no number'} (n {estimate.n})"
            yield _open("validity", f"{title}: {name}", reason, estimate.n)
            continue
        reach = max(abs(low), abs(high))
        yield Check(
            section="validity",
            title=f"{title}: {name}",
            status="passed" if reach <= most else "failed",
            reason=f"interval {signed(100 * low, 1)} to {signed(100 * high, 1)} points,"
            f" n {estimate.n}",
            value=reach,
            n=estimate.n,
        )


def _expert(expert: Expert | None) -> Iterator[Check]:
    if expert is None:
        return
    note = f": {expert.note}" if expert.note else ""
    yield Check(
        section="expert",
        title="no veto by an expert",
        status="failed" if expert.veto else "passed",
        reason=f"{'veto' if expert.veto else 'no veto'} by {expert.by}{note}",
    )
