"""The report of a training proof as one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from unswayed.report.page import page_environment, page_policy, page_style
from unswayed.report.trained import (
    HELD_OUT,
    LOOKS,
    NAMES,
    build_lines,
    columns,
    say_looks,
    say_promise,
    say_refused,
    say_stages,
)
from unswayed.report.trained_seeds import SEED_LOOKS, build_seeds, say_seed_looks, say_verdicts

if TYPE_CHECKING:
    from unswayed.learning.guard import Promise
    from unswayed.learning.seeds import Seeds


def render_trained_html(
    seeds: Seeds, promises: Mapping[int, Sequence[Promise]], links: Mapping[str, str]
) -> str:
    """Return the report as one page; further seeds have tables of their own.

    Args:
        seeds: The stages of each seed by name, that of the report first.
        promises: The verdict on each seed.
        links: Other reports by name, as relative addresses.
    """
    from markupsafe import Markup

    first = next(iter(seeds))
    stages = seeds[first]
    css = page_style()
    return (
        page_environment()
        .get_template("trained.html.jinja")
        .render(
            style=Markup(css),
            policy=page_policy(css),
            columns=[NAMES[name] for name in columns(stages)],
            title=HELD_OUT,
            lines=build_lines(stages),
            strata={
                "known before": build_lines(stages, stratum="known"),
                "not known before": build_lines(stages, stratum="unknown"),
            },
            promises=[say_promise(each) for each in promises[first]],
            seeds=build_seeds(seeds) if len(seeds) > 1 else None,
            seed_looks=tuple(say_seed_looks(seeds)),
            seed_look_columns=SEED_LOOKS,
            verdicts=tuple(say_verdicts(promises)),
            looks=tuple(say_looks(stages)),
            look_columns=LOOKS,
            stages=tuple(say_stages(stages)),
            refused=say_refused(stages),
            links=links,
        )
    )
