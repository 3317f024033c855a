"""A benchmark is a declaration: which items, which design, which readout, since which version."""

from __future__ import annotations

import msgspec

from unswayed.plans.design import Design


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of whom, under which design, and how it is read."""

    name: str
    """Name on the command line."""
    version: int
    """Raised by every change that changes a plan."""
    describes: str
    """What it measures, in one sentence."""
    kinds: tuple[str, ...]
    """Kinds of built-in items; empty for all."""
    n_items: int | None
    """Items chosen from them, family by family; None takes all."""
    design: Design
    """Arms and controls."""
    asks_twins: bool = False
    """Whether rows of a public file whose user is right are asked, too: it has arms for their
    lines, in which following the user is right."""
    section: str = ""
    """The section that it adds to the profile, by name; empty for none."""
    reference: str
    """Where the design comes from."""
