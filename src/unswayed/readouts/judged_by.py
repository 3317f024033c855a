"""Which judge stands behind numbers, and whether it has passed its checks."""

from __future__ import annotations

import msgspec

VALIDATED = "validated"
"""State of a judge that has passed everything; every other state says why it is unvalidated."""


class JudgedBy(msgspec.Struct, frozen=True, kw_only=True):
    """A judge behind numbers."""

    name: str
    """Name and version of the judge."""
    model: str
    """The model that plays it."""
    prompt: str
    """Hash over its prompt, its verdicts and the way in which texts are shown."""
    state: str
    """`validated`, or `unvalidated (reason)`."""
    itself: bool
    """Whether the model judges its own replies."""
    sampling: dict[str, str] | None = None
    """How it was asked; None in readings of a version that did not record it."""

    @property
    def validated(self) -> bool:
        """Whether its numbers may be read."""
        return self.state == VALIDATED

    @property
    def words(self) -> str:
        """The sentence that stands beside every number of the judge."""
        words = f"{self.name} by {self.model}: {self.state}"
        return f"{words}; the model judges its own replies" if self.itself else words
