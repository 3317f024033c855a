"""A judge with the model that plays it, named apart from the model under test."""

from __future__ import annotations

from pathlib import Path

import msgspec

from unswayed.errors import ReadoutError
from unswayed.models.protocol import Identity, Model
from unswayed.models.store import Store, owner_digest
from unswayed.plans.sampling import Sampling
from unswayed.readouts.judge import Judge

SAMPLING = Sampling(temperature=0.0, max_tokens=600)
"""How judges are asked unless it is said otherwise."""


class Appointed(msgspec.Struct, frozen=True, kw_only=True):
    """A judge with the model that plays it, apart from the subject."""

    judge: Judge
    """The prompt and its verdicts."""
    model: Model
    """The model that judges."""
    itself: bool
    """Whether the model judges its own replies; printed wherever its numbers appear."""
    sampling: Sampling
    """How it is asked."""

    @property
    def owner(self) -> str:
        """Digest under which a store belongs to this judge, model and sampling."""
        facts = {
            "judge": self.judge.sha256,
            "model": self.model.identity,
            "sampling": self.sampling,
        }
        return owner_digest(facts)

    def open_store(self, path: Path) -> Store:
        """Open this judge's own store; the store of another judge or model is refused."""
        return Store(path, self.owner)


def same_model(first: Identity, second: Identity) -> bool:
    """Whether two identities are one model: the same name, wherever it is served."""
    return first.name.strip().casefold() == second.name.strip().casefold()


def appoint(
    judge: Judge,
    model: Model,
    subject: Identity,
    *,
    allow_itself: bool = False,
    sampling: Sampling = SAMPLING,
) -> Appointed:
    """Appoint a model as a judge of another model's replies.

    Args:
        judge: The judge.
        model: The model that judges; there is no default.
        subject: The model whose replies are judged.
        allow_itself: Let a model judge its own replies; the numbers then say so.
        sampling: How the judge is asked.

    Raises:
        ReadoutError: When judge and subject are the same model and that is not allowed.
    """
    itself = same_model(model.identity, subject)
    if itself and not allow_itself:
        raise ReadoutError(
            "The judge is the model whose replies it would judge",
            allowed="another model, or an explicit permission that is printed beside the numbers",
            given=model.identity.name,
            next_step="name another judge model, or allow self-judging",
        )
    return Appointed(judge=judge, model=model, itself=itself, sampling=sampling)
