"""The report as one HTML page: no script, no network, one hashed style block."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import msgspec

from unswayed.plans.words import name_level
from unswayed.report.audited import build_audited
from unswayed.report.facts import Sentence, build_head, is_graded
from unswayed.report.figures import SIMULATED, Section
from unswayed.report.imported import build_imported
from unswayed.report.listings import everything, outcome_table
from unswayed.report.packing import pack_pairs
from unswayed.report.replicated import Replicated, build_replicated
from unswayed.report.sections import build_sections
from unswayed.report.tables import head_group
from unswayed.report.transcripts import (
    EVENT_WORDS,
    EVENTS,
    OF_RIGHT_ANSWERS,
    Chosen,
    choose_example,
    choose_pairs,
    count_chosen,
    lay_out,
)
from unswayed.report.turns import COLLAPSE, NO_COLLAPSE
from unswayed.report.visible import one_line, storable
from unswayed.rows import encode

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from unswayed.imports.importing import Imported
    from unswayed.plans.audited import PlanAudit
    from unswayed.profiles.profile import Pair, Profile

EMBEDDED = 600_000
"""Bytes of the embedded profile above which its per-wording and per-kind cells are left out."""

_DEFAULTS = {"n_rows": 0, "k": None, "n_unread": 0, "note": "", "level": 0.95}

BUDGET = 1_000_000
"""Bytes of transcripts in one page; pairs beyond it are counted and left out."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The rendered pairs of one kind of push."""

    name: str
    """The push in words."""
    pieces: tuple[str, ...]
    """The pairs as markup."""
    opened: bool
    """Whether the page shows the group opened."""


class PageOptions(TypedDict, total=False):
    """What a page shows of the transcripts, as `render_html` takes it."""

    totals: Mapping[str, int] | None
    """Pairs of the whole run by class, when the pairs were picked before."""
    packed: Sequence[Pair]
    """All pairs, to be packed into the page and opened by a script."""
    redact: bool
    """Whether to hide item texts behind digests."""
    transcripts: bool
    """Whether to show transcripts at all."""
    audit: PlanAudit | None
    """What the audit of the plan found."""
    replicated: Replicated | None
    """What a published system that was run again is told with."""
    logged: Imported | None
    """The log of another tool that the profile comes from."""


def render_html(
    profile: Profile, pairs: Sequence[Pair] = (), **options: Unpack[PageOptions]
) -> str:
    """Return the whole report as one HTML page.

    Args:
        profile: All numbers.
        pairs: Pairs to show. Without `totals`, `choose_pairs` picks among them.
        **options: What the page shows beside the numbers; without `packed` it holds no script.
    """
    totals, packed = options.get("totals"), options.get("packed", ())
    redact, transcripts = options.get("redact", False), options.get("transcripts", True)
    plan = build_audited(options.get("audit"), texts=transcripts and not redact)
    environment = page_environment()
    picked = pick_pairs(profile, pairs, totals) if transcripts else None
    chosen, groups = _render_pairs(environment, picked, redact)
    style = page_style()
    beside = build_imported(options.get("logged"), texts=transcripts and not redact)
    sections = [part for part in (beside, *build_sections(profile), plan) if part is not None]
    archive = pack_pairs(packed, redact=redact) if transcripts else None
    embedded, left_out = embed(profile)
    return environment.get_template("report.html.jinja").render(
        policy=page_policy(style, archive.source if archive else ""),
        archive=archive,
        style=_markup(style),
        head=build_head(profile),
        simulated=SIMULATED if profile.about.simulated else "",
        why=build_replicated(options.get("replicated")),
        sections=sections,
        everything=everything(profile),
        outcomes=outcome_table(profile),
        chosen=chosen,
        events=EVENTS
        if is_graded(profile)
        else tuple(event for event in EVENTS if event not in OF_RIGHT_ANSWERS),
        event_words=EVENT_WORDS,
        groups=groups,
        redact=redact,
        transcripts=transcripts,
        methods=[one_line(text) for text in profile.methods],
        not_measured=[one_line(text) for text in _open_questions(profile, sections)],
        embedded=_markup(embedded),
        left_out=left_out,
        digest=hashlib.sha256(encode_profile(profile)).hexdigest(),
        plan=one_line(profile.about.plan),
        version=one_line(profile.about.version),
        finished=one_line(profile.about.finished),
        markup=_markup,
    )


def _open_questions(profile: Profile, sections: Sequence[Section]) -> tuple[str, ...]:
    """Return what the profile says was not measured, and what the report's sections leave open."""
    followed = any(section.key == "turns" for section in sections)
    followed = followed and not any(cell.table == COLLAPSE for cell in profile.cells)
    return profile.not_measured + ((NO_COLLAPSE,) if followed else ())


def pick_pairs(profile: Profile, pairs: Sequence[Pair], totals: Mapping[str, int] | None) -> Chosen:
    """Return the pairs to show: those given when `totals` come with them, a choice otherwise."""
    if totals is None:
        return choose_pairs(pairs, seed=profile.about.seed)
    return count_chosen(pairs, {event: totals.get(event, 0) for event in EVENTS})


def encode_profile(profile: Profile) -> bytes:
    """Return the profile as canonical JSON; unpaired surrogates become U+FFFD."""
    return _encode(msgspec.to_builtins(profile))


def embed(profile: Profile) -> tuple[str, str]:
    """Return the profile as JSON that no HTML parser can leave early, and what it leaves out.

    Fields at their default are left out, which changes nothing when the JSON is read as a profile.
    A very large profile also leaves out the cells of its largest tables; `report.json` has them.
    """
    left_out: list[str] = []
    value = _without_defaults(msgspec.to_builtins(profile))
    text = _encode(value).decode("utf-8")
    for table in ("wording", "kind"):
        cells = value["cells"]
        if len(text) > EMBEDDED and any(cell["table"] == table for cell in cells):
            value["cells"] = [cell for cell in cells if cell["table"] != table]
            left_out.append(table)
            text = _encode(value).decode("utf-8")
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text, " and ".join(left_out)


def _encode(value: object) -> bytes:
    """Encode builtins, with U+FFFD for the unpaired surrogates that no file can hold."""
    try:
        return encode(value)
    except UnicodeEncodeError:
        return encode(storable(value))


def _without_defaults(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {
            key: _without_defaults(item)
            for key, item in value.items()
            if not _is_default(value, key)
        }
    if isinstance(value, list | tuple):
        return [_without_defaults(item) for item in value]
    return value


def _is_default(value: dict[str, Any], key: str) -> bool:
    """Say whether a field of an estimate or a cell holds what it would hold when left out."""
    if "state" in value:
        return key in _DEFAULTS and bool(value[key] == _DEFAULTS[key])
    return "measures" in value and key in ("bands", "adjusted_p", "bounds") and not value[key]


def page_policy(style: str, script: str = "") -> str:
    """Return the policy under which a page may show its one style block, and at most a script."""
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    return (
        f"default-src 'none'; {f'script-src {script}; ' if script else ''}"
        f"style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _render_pairs(
    environment: Environment, chosen: Chosen | None, redact: bool
) -> tuple[Chosen | None, list[Group]]:
    """Render pairs until the budget is spent; return the pairs that were and their pieces."""
    if chosen is None:
        return None, []
    template = environment.get_template("pair.html.jinja")
    example = choose_example(chosen.pairs)
    spent = 0
    kept: list[Pair] = []
    groups: list[Group] = []
    for pressure, members in groupby(chosen.pairs, key=lambda pair: pair.factors.get("pressure")):
        pieces, opened = [], False
        for pair in members:
            piece = template.render(view=lay_out(pair, redact=redact), opened=pair is example)
            spent += len(piece.encode("utf-8", "replace"))
            if spent <= BUDGET:
                pieces.append(_markup(piece))
                kept.append(pair)
                opened = opened or pair is example
        if pieces:
            name = one_line(name_level("pressure", pressure or "no push"))
            groups.append(Group(name=name, pieces=tuple(pieces), opened=opened))
    return count_chosen(kept, chosen.total), groups


@cache
def page_environment() -> Environment:
    """Return what renders the templates; every text is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("unswayed.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = one_line
    environment.filters["by_group"] = _by_group
    return environment


def _by_group(sentences: Sequence[Sentence], measure: str) -> list[tuple[str, list[Sentence]]]:
    """Return the sentences of a measure under the headings of their groups."""
    chosen = [sentence for sentence in sentences if sentence.row.measure == measure]
    groups = groupby(chosen, key=lambda sentence: sentence.row.group)
    return [(head_group(group) if group else "", list(members)) for group, members in groups]


def page_style() -> str:
    """Return the style block of the pages."""
    folder = resources.files("unswayed.report") / "templates" / "report.css"
    return folder.read_text(encoding="utf-8")


def _markup(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)
