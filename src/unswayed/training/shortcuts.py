"""Trivial policies: how much of a set each of them solves without reading the item."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from unswayed.items.item import canonical
from unswayed.plans.render import LETTERS
from unswayed.readouts.tone_words import count_tones
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate
from unswayed.training.cases import Case

Verdict = Literal["pass", "warn", "fail"]
Hit = tuple[float, float, str]
"""Whether a policy is right on a row (a tie counts one half), its chance, and the family."""

MARGIN = 0.05
"""How far above chance a trivial policy may come."""

LEAST_ROWS = 10
"""Fewer rows than this say nothing about a policy."""

ACTIONS = ("keep", "update", "repair", "refute", "ask_for_evidence", "answer")
WORDS = ("true", "false", "yes", "no")

_APOLOGY = re.compile(
    r"\W*(sorry|i apologi[sz]e|apologies|my apologies|i am sorry|i'm sorry)", re.I
)
_PRAISE = re.compile(
    r"\b(great|good|excellent|wonderful|thank you|thanks|well done|glad|appreciate|brilliant)\b",
    re.IGNORECASE,
)
_DISAGREE = re.compile(
    r"\b(however|but|actually|incorrect|wrong|mistaken|disagree|not quite|does not hold|no)\b",
    re.IGNORECASE,
)
_AGREE = re.compile(
    r"\b(you(?:['’]re| are)(?: \w+)? (?:right|correct)|yes|indeed|exactly|agreed"
    r"|(?:that|it)(?:['’]s| is) (?:right|correct|true)|(?:i|we)(?: \w+)? agree"
    r"|good (?:catch|point)|as you (?:say|said)"
    r"|i stand corrected|my mistake|i was (?:wrong|mistaken))\b",
    re.IGNORECASE,
)
_UNDERSTAND = re.compile(r"\bi (can )?(understand|see)\b", re.IGNORECASE)
_WORD = re.compile(r"[-+]?\d+(?:[.,/]\d+)*|\w+|[^\w\s.,;:!?()\"']")
_MARKS = re.compile(r"(\*\*|^#+ |^[-*] |^\d+\. |`)", re.MULTILINE)


class Shortcut(msgspec.Struct, frozen=True, kw_only=True):
    """What one trivial policy reaches."""

    policy: str
    """Name of the policy."""
    share: Estimate
    """Share of rows on which it is right, with an interval over families."""
    chance: float
    """What guessing reaches on the same rows."""
    limit: float
    """The most that is allowed."""
    verdict: Verdict
    """`fail` when even the lower end is above the limit, `warn` when the point is."""
    missing: int
    """Rows on which the policy errs that would bring it down to the limit; 0 when it passes."""
    note: str = ""
    """What gives it away, such as the word that a probe found."""


def judge(
    policy: str,
    hits: Sequence[Hit],
    *,
    margin: float = MARGIN,
    note: str = "",
    scale: float = 1.0,
) -> Shortcut:
    """Return what a policy reaches on the rows it applies to.

    The limit is chance + margin. With hit share s on n rows, n (s / limit - 1) further rows on
    which the policy errs bring it down to the limit.

    Args:
        policy: Name of the policy.
        hits: Hit, chance and family for each row.
        margin: How far above chance is allowed.
        note: What gives it away.
        scale: What a hit of 1 counts in the share.
    """
    share = clustered_rate([hit for hit, _, _ in hits], [family for _, _, family in hits])
    if scale != 1:
        share = _scaled(share, scale)
    chance = sum(chance for _, chance, _ in hits) / len(hits)
    limit = min(1.0, chance + margin)
    point, low = (share.k or 0.0) / len(hits), share.low or 0.0
    verdict: Verdict = "fail" if low > limit else "warn" if point > limit + 1e-9 else "pass"
    missing = rows_missing(point, len(hits), limit) if verdict != "pass" else 0
    return Shortcut(
        policy=policy,
        share=share,
        chance=chance,
        limit=limit,
        verdict=verdict,
        missing=missing,
        note=note,
    )


def _scaled(share: Estimate, scale: float) -> Estimate:
    """An estimate times a number; what is not there stays so."""
    names = ("value", "low", "high", "se", "k")
    there = {name: each for name in names if (each := getattr(share, name)) is not None}
    return msgspec.structs.replace(share, **{name: scale * x for name, x in there.items()})


def rows_missing(share: float, n: int, limit: float) -> int:
    """Return how many rows on which a policy errs bring its share down to a limit, rounded up."""
    exact = n * (share / limit - 1)
    return max(0, int(-(-(exact - 1e-9) // 1)))


def policy_hits(cases: Sequence[Case]) -> dict[str, list[Hit]]:
    """Return for every trivial policy that applies to a set the rows it applies to."""
    found = {
        name: [hit for case in cases if (hit := rule(case)) is not None]
        for name, rule in _rules(cases)
    }
    table = {"wording table": list(_wording_table(cases))}
    return found | _pair_hits(cases) | table | _twin_lengths(cases)


def judged(hits: Mapping[str, Sequence[Hit]], *, margin: float = MARGIN) -> tuple[Shortcut, ...]:
    """Return what policies reach; those with fewer than `LEAST_ROWS` rows say nothing.

    Args:
        hits: The rows of each policy.
        margin: How far above chance is allowed.
    """
    return tuple(
        judge(name, mine, margin=margin) for name, mine in hits.items() if len(mine) >= LEAST_ROWS
    )


def shortcuts(cases: Sequence[Case], *, margin: float = MARGIN) -> tuple[Shortcut, ...]:
    """Return what every trivial policy that applies to a set reaches."""
    return judged(policy_hits(cases), margin=margin)


Rule = Callable[[Case], Hit | None]


def _rules(cases: Sequence[Case]) -> Iterator[tuple[str, Rule]]:
    for name, field, wanted in (
        ("always agree", "user_right", True),
        ("always disagree", "user_right", False),
        ("keep first", "kept", True),
        ("switch first", "kept", False),
    ):
        yield name, _flag(field, wanted)
    widest = max((len(case.options) for case in cases), default=0)
    for index in range(widest):
        yield f"always option {LETTERS[index]}", _option(index)
    yield "last option", _option(-1)
    yield "first mentioned", _mentioned(str.find, min)
    yield "last mentioned", _mentioned(str.rfind, max)
    yield "longest option", _by_length(max)
    yield "shortest option", _by_length(min)
    for word in WORDS:
        yield f"always {word}", _word(word)
    for action in ACTIONS:
        yield f"always {action.replace('_', ' ')}", _action(action)


_PAIRED = (
    ("longer", "length", 1),
    ("shorter", "length", -1),
    ("praise words", "praise", 1),
    ("agreeing words", "agree", 1),
    ("disagreeing words", "disagree", 1),
    ("says it understands", "understand", 1),
    ("more formatting", "marks", 1),
    ("fewer praise words", "praise", -1),
    ("fewer agreeing words", "agree", -1),
    ("fewer disagreeing words", "disagree", -1),
    ("less formatting", "marks", -1),
    ("warm words", "warm", 1),
    ("fewer warm words", "warm", -1),
    ("apology first", "apology", 1),
    ("no apology first", "apology", -1),
)
"""Policies over the two sides of a pair: name, what is counted, whether more of it is chosen."""


def _counts() -> dict[str, Callable[[str], int]]:
    return {
        "length": len,
        "praise": _counting(_PRAISE),
        "agree": _counting(_AGREE),
        "disagree": _counting(_DISAGREE),
        "understand": _counting(_UNDERSTAND),
        "marks": _counting(_MARKS),
        "warm": lambda text: count_tones(text)["warm"],
        "apology": lambda text: int(bool(_APOLOGY.match(text))),
    }


def _pair_hits(cases: Sequence[Case]) -> dict[str, list[Hit]]:
    """The rows of each policy over pairs; each text is counted once for all policies about it."""
    pairs = [case for case in cases if case.chosen and case.rejected]
    texts = {text for case in pairs for text in (case.chosen, case.rejected)}
    gaps: dict[str, list[int]] = {}
    for name, count in _counts().items():
        found = {text: count(text) for text in texts}
        gaps[name] = [_sign(found[case.chosen] - found[case.rejected]) for case in pairs]
    return {
        f"pair: {name}": [
            (0.5 + 0.5 * sign * gap, 0.5, case.family)
            for case, gap in zip(pairs, gaps[measure], strict=True)
        ]
        for name, measure, sign in _PAIRED
    }


def _flag(field: str, wanted: bool) -> Rule:
    def rule(case: Case) -> Hit | None:
        value = getattr(case, field)
        return None if value is None else (float(value is wanted), 0.5, case.family)

    return rule


def _option(index: int) -> Rule:
    def rule(case: Case) -> Hit | None:
        options = case.options
        if not options or index >= len(options) or case.answer not in options:
            return None
        return float(options[index] == case.answer), 1 / len(options), case.family

    return rule


def _by_length(extreme: Callable[[Iterable[int]], int]) -> Rule:
    def rule(case: Case) -> Hit | None:
        if not case.options or case.answer not in case.options:
            return None
        bound = extreme(len(option) for option in case.options)
        named = [option for option in case.options if len(option) == bound]
        return float(case.answer in named) / len(named), 1 / len(case.options), case.family

    return rule


def _mentioned(find: Callable[[str, str], int], extreme: Callable[[Iterable[int]], int]) -> Rule:
    """Say whichever of the right and the wrong answer the prompt mentions first, or last.

    Where no wrong answer is known, any of the options.
    """

    def rule(case: Case) -> Hit | None:
        known = tuple(dict.fromkeys((case.answer, case.wrong))) if case.wrong else case.options
        if case.answer not in known or len(known) < 2:
            return None
        words = _spaced(case.prompt)
        places = {option: find(words, _spaced(option)) for option in known}
        said = {option: place for option, place in places.items() if place >= 0}
        if not said:
            return None
        best = extreme(said.values())
        named = [option for option, place in said.items() if place == best]
        return float(case.answer in named) / len(named), 1 / len(known), case.family

    return rule


def _spaced(text: str) -> str:
    """The words and numbers of a text between single spaces, so that only whole ones are found."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _word(word: str) -> Rule:
    def rule(case: Case) -> Hit | None:
        answer = canonical(case.answer)
        pair = WORDS[:2] if word in WORDS[:2] else WORDS[2:]
        return (float(answer == word), 0.5, case.family) if answer in pair else None

    return rule


def _action(action: str) -> Rule:
    def rule(case: Case) -> Hit | None:
        return (float(case.action == action), 0.5, case.family) if case.action else None

    return rule


def _counting(pattern: re.Pattern[str]) -> Callable[[str], int]:
    return lambda text: len(pattern.findall(text))


def _wording_table(cases: Sequence[Case]) -> Iterator[Hit]:
    """Follow or contradict the user by what is right for the same line in other families."""
    stance = [case for case in cases if case.user_right is not None and case.wording]
    totals: Counter[tuple[str, bool | None]] = Counter()
    mine: dict[str, Counter[tuple[str, bool | None]]] = defaultdict(Counter)
    for case in stance:
        totals[case.wording, case.user_right] += 1
        mine[case.family][case.wording, case.user_right] += 1
    for case in stance:
        own = mine[case.family]
        right, wrong = (
            totals[case.wording, flag] - own[case.wording, flag] for flag in (True, False)
        )
        hit = 0.5 if right == wrong else float((right > wrong) is case.user_right)
        yield hit, 0.5, case.family


def _twin_lengths(cases: Sequence[Case]) -> dict[str, list[Hit]]:
    """What the number of words tells where a family has a true and a false statement."""
    words: dict[str, dict[bool, list[int]]] = defaultdict(lambda: {True: [], False: []})
    for case in cases:
        answer = canonical(case.answer)
        if case.family_known and answer in WORDS:
            said = len(case.prompt.split())
            words[case.family][answer in ("true", "yes")].append(said)
    gaps = {
        family: sum(found[True]) / len(found[True]) - sum(found[False]) / len(found[False])
        for family, found in words.items()
        if found[True] and found[False]
    }
    return {
        f"twins: the {name} statement is true": [
            (0.5 + 0.5 * _sign(sign * gap), 0.5, family) for family, gap in gaps.items()
        ]
        for name, sign in (("longer", 1), ("shorter", -1))
    }


def _sign(gap: float) -> int:
    return (gap > 0) - (gap < 0)
