"""The sections that benchmarks add to a profile, by name."""

from __future__ import annotations

from unswayed.errors import VersionError
from unswayed.profiles.sections import (
    admissions,
    claims,
    collapse,
    comments,
    confounds,
    evaluative,
    feedback,
    lens,
    mimicry,
    opinions,
    premises,
    reframing,
    speakers,
    strengths,
    suggestions,
    triggers,
    tutoring,
)
from unswayed.profiles.sections.section import Section

SECTIONS: dict[str, Section] = {
    section.name: section
    for section in (
        suggestions.SECTION,
        admissions.SECTION,
        feedback.SECTION,
        comments.SECTION,
        mimicry.SECTION,
        confounds.SECTION,
        strengths.SECTION,
        triggers.SECTION,
        lens.SECTION,
        opinions.SECTION,
        speakers.FACTS,
        speakers.OPINIONS,
        reframing.SECTION,
        evaluative.SECTION,
        claims.SECTION,
        premises.SECTION,
        tutoring.SECTION,
        collapse.SECTION,
    )
}


def section_of(name: str) -> Section | None:
    """Return a section by name; None for the empty name.

    Raises:
        VersionError: When there is no section of that name.
    """
    if not name:
        return None
    if name not in SECTIONS:
        raise VersionError(
            "The profile has an unknown section",
            allowed=", ".join(SECTIONS),
            given=name,
            next_step="use the version of the toolkit that wrote the run",
        )
    return SECTIONS[name]


__all__ = ["SECTIONS", "Section", "section_of"]
