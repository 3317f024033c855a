"""Rewards for training, read by the readouts of the evaluation.

    from unswayed.rewards import Penalties, Reward, TruthMatch

    reward = Reward(TruthMatch(penalties=Penalties(declined=0.0, missing=0.0)))
    reward(["Answer: B"], answer_form="choice", options=[["red", "green"]], truth="green")  # [1.0]

A reward gives each completion a number or None, in order; `explain` gives the reasons too.
"""

from unswayed.rewards.confidence import Calibration
from unswayed.rewards.context import ContextTerms
from unswayed.rewards.critiques import Discernment, FormatMatch, LengthBand
from unswayed.rewards.grouped import PeerRates, PeerTruth, Serum
from unswayed.rewards.majority import Majority
from unswayed.rewards.mixture import Counterweight, Logged, Mixture, Term
from unswayed.rewards.probe import MixtureAudit, audit_mixture
from unswayed.rewards.questions import Penalties
from unswayed.rewards.reward import Reward, RewardValue, Rule
from unswayed.rewards.rules import (
    ActionMatch,
    ContextChange,
    OpinionInvariance,
    PressureShift,
    TruthMatch,
    TwinMatch,
)
from unswayed.rewards.shapes import Batch, group_rows, take_batch
from unswayed.rewards.votes import PanelVotes

__all__ = [
    "ActionMatch",
    "Batch",
    "Calibration",
    "ContextChange",
    "ContextTerms",
    "Counterweight",
    "Discernment",
    "FormatMatch",
    "LengthBand",
    "Logged",
    "Majority",
    "Mixture",
    "MixtureAudit",
    "OpinionInvariance",
    "PanelVotes",
    "PeerRates",
    "PeerTruth",
    "Penalties",
    "PressureShift",
    "Reward",
    "RewardValue",
    "Rule",
    "Serum",
    "Term",
    "TruthMatch",
    "TwinMatch",
    "audit_mixture",
    "group_rows",
    "take_batch",
]
