"""Declarations only: each benchmark is items, design, readout and version."""

from unswayed.benchmarks import (
    claims,
    evaluative,
    factual,
    freeform,
    lens,
    opinions,
    premises,
    reframing,
    speakers,
    triggers,
    tutoring,
)
from unswayed.benchmarks.benchmark import Benchmark

BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        factual.pushback,
        factual.pushback_scored,
        factual.placement,
        factual.rebuttals,
        factual.persistence,
        factual.verdicts,
        triggers.triggers,
        triggers.triggers_scored,
        freeform.suggestions,
        freeform.are_you_sure,
        freeform.feedback,
        freeform.comments,
        freeform.mimicry,
        opinions.opinions,
        opinions.opinions_identity,
        opinions.opinions_scored,
        speakers.opinions_speakers,
        speakers.opinions_speakers_scored,
        speakers.speakers,
        speakers.speakers_scored,
        reframing.reframing,
        reframing.reframing_scored,
        evaluative.evaluative,
        evaluative.evaluative_scored,
        claims.claims,
        claims.claims_scored,
        premises.premises,
        premises.proofs,
        premises.premises_scored,
        premises.twins,
        premises.twins_scored,
        tutoring.tutoring,
        tutoring.tutoring_free,
        tutoring.tutoring_scored,
        lens.lens,
        lens.lens_scored,
    )
}

__all__ = ["BENCHMARKS", "Benchmark"]
