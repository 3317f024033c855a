"""Every exception of Unswayed, in one file.

Each message answers four questions in this order: what was wrong, what is allowed, what was
given, what to do next. The tree:

    UnswayedError                     base; exit code 2
    ├── UsageError                    a command or argument cannot be taken
    ├── RowError                      a file or row cannot be read
    │   └── VersionError              a file of a format version this release cannot read
    ├── ItemError                     an item breaks its own rules or its truth check fails
    ├── WordingError                  a wording file, hole or hash is wrong
    ├── PlanError                     a plan that cannot be run honestly
    │   └── ConfoundError             compared cells differ in more than the declared factor
    ├── ModelError                    a model cannot be reached or cannot be asked this way
    │   ├── CapabilityError           the endpoint lacks something the plan needs
    │   └── MissingModelError         weights or packages of a local model are not here
    ├── ReadoutError                  a readout was asked for something it cannot read
    ├── StoreError                    a run folder or store is damaged or belongs to another plan
    │   └── DiskError                 a disk is full or fails under a write; exit code 3
    ├── StatisticsError               an estimator was given data it has no rule for
    ├── ReportError                   a report cannot be written from what is there
    ├── IncompleteRunError            a run stopped before every replay was completed; exit code 3
    └── GateError                     a gate or audit failed; exit code 1
"""

from __future__ import annotations

from collections.abc import Iterable

EXIT_OK = 0
EXIT_FAILED_GATE = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3


def nearest(given: str, allowed: Iterable[str]) -> str:
    """Return the question whether the allowed name nearest to a misspelt one was meant.

    Args:
        given: What was written.
        allowed: The names that could have been.

    Returns:
        `did you mean 'control'? `, or nothing where no name is near.
    """
    from difflib import get_close_matches

    names = {name.casefold(): name for name in allowed}
    near = get_close_matches(given.strip().casefold(), names, n=1)
    return f"did you mean {names[near[0]]!r}? " if near else ""


class UnswayedError(Exception):
    """Base of all errors that Unswayed raises on purpose.

    Args:
        wrong: What was wrong, as a sentence without a final full stop.
        allowed: What would have been accepted.
        given: What was given instead.
        next_step: What the reader can do now.
    """

    exit_code = EXIT_USAGE

    def __init__(
        self, wrong: str, *, allowed: str = "", given: str = "", next_step: str = ""
    ) -> None:
        self.wrong = wrong
        self.allowed = allowed
        self.given = given
        self.next_step = next_step
        super().__init__(str(self))

    def __str__(self) -> str:
        lines = [self.wrong.rstrip(".") + "."]
        for label, text in (
            ("Allowed", self.allowed),
            ("Given", self.given),
            ("Next", self.next_step),
        ):
            if text:
                lines.append(f"  {label}: {text}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.wrong, self.allowed, self.given, self.next_step))


def _rebuild(
    kind: type[UnswayedError], wrong: str, allowed: str, given: str, next_step: str
) -> UnswayedError:
    return kind(wrong, allowed=allowed, given=given, next_step=next_step)


class UsageError(UnswayedError):
    """A command or argument cannot be taken."""


class RowError(UnswayedError):
    """A file or row cannot be read; the message names file, row and field."""


class VersionError(RowError):
    """A file of a format version that this release cannot read."""


class ItemError(UnswayedError):
    """An item breaks its own rules, or its truth check fails."""


class WordingError(UnswayedError):
    """A wording file, hole or hash is wrong."""


class PlanError(UnswayedError):
    """A plan that cannot be run honestly: unpaired replay, control equal to first, empty cell."""


class ConfoundError(PlanError):
    """Two cells that would be compared differ in more than the declared factor."""


class ModelError(UnswayedError):
    """A model cannot be reached or cannot be asked this way."""


class CapabilityError(ModelError):
    """The endpoint lacks something that the plan needs, found before anything was spent."""


class MissingModelError(ModelError):
    """Weights or packages of a local model are not on this machine."""


class ReadoutError(UnswayedError):
    """A readout was asked for something it cannot read."""


class StoreError(UnswayedError):
    """A run folder or store is damaged, in use, or belongs to another plan or model."""


class DiskError(StoreError):
    """A disk is full or fails while something is written; with room the same command goes on."""

    exit_code = EXIT_INCOMPLETE


class StatisticsError(UnswayedError):
    """An estimator was given data for which it has no rule."""


class ReportError(UnswayedError):
    """A report cannot be written from what is in the run folder."""


class IncompleteRunError(UnswayedError):
    """A run stopped before every planned replay had a completion; resuming goes on."""

    exit_code = EXIT_INCOMPLETE


class GateError(UnswayedError):
    """A gate or an audit failed."""

    exit_code = EXIT_FAILED_GATE
