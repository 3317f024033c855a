"""Rewards by name, for configurations and commands, and which of them need their whole group."""

from __future__ import annotations

from importlib import import_module

from unswayed.errors import UsageError
from unswayed.rewards.confidence import Calibration
from unswayed.rewards.critiques import Discernment, FormatMatch
from unswayed.rewards.grouped import Serum
from unswayed.rewards.mixture import Counterweight, Mixture
from unswayed.rewards.reward import Reward, Rule
from unswayed.rewards.rules import (
    ActionMatch,
    ContextChange,
    OpinionInvariance,
    PressureShift,
    TruthMatch,
    TwinMatch,
)

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        TruthMatch(),
        ActionMatch(),
        PressureShift(),
        ContextChange(),
        FormatMatch(),
        Calibration(),
        Discernment(),
        TwinMatch(),
        OpinionInvariance(),
        Serum(),
    )
}
"""Rewards that need no settings."""

_COMPANY = frozenset({"group_id", "family_id"})


def needs_company(rule: Rule) -> bool:
    """Whether a rule pays a completion by others: a group, a twin, or a term that may abstain."""
    if isinstance(rule, Mixture):
        return any(needs_company(term.rule) or not term.required for term in rule.terms)
    if isinstance(rule, Counterweight):
        return needs_company(rule.rule)
    return bool(_COMPANY & set(rule.needs))


def named_rule(name: str) -> Rule:
    """Return a reward by its name, or by the dotted path of one of your own.

    Args:
        name: A name of `RULES`, or `package.module:attribute` of a rule or a `Reward`.

    Raises:
        UsageError: There is no such reward.
    """
    if name in RULES:
        return RULES[name]
    module, colon, attribute = name.partition(":")
    if not colon:
        raise _unknown(name)
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise _unknown(name) from error
    rule: object = found.rule if isinstance(found, Reward) else found
    if isinstance(rule, type) or not all(hasattr(rule, each) for each in ("score", "needs")):
        raise _unknown(name)
    return rule  # type: ignore[return-value]


def _unknown(name: str) -> UsageError:
    return UsageError(
        "There is no such reward",
        allowed=f"{', '.join(RULES)}, or package.module:attribute",
        given=name,
        next_step="name one of these, or the place of a rule of your own",
    )
