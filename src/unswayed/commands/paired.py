"""What `unswayed train-data` adds to a preference set: pairs of tone, and candidates with votes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import msgspec

from unswayed.commands.view import say
from unswayed.errors import UsageError

if TYPE_CHECKING:
    from unswayed.items.item import Item
    from unswayed.training.build import Built


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """What the command was asked to add."""

    kind: str
    """Kind of set."""
    tones: float | None
    """Share of pairs that differ in tone alone; None for the usual one."""
    candidates: Path | None
    """File of candidates."""
    most_pairs: int | None
    """Pairs of a prompt of that file; None for the usual number."""
    seed: int
    """Seed."""
    margin: float
    """How far above chance a trivial policy may come."""


def check_added(added: Added) -> None:
    """Refuse what only a preference set can have.

    Raises:
        UsageError: When it is asked for elsewhere, or the share of tones is no such share.
    """
    from unswayed.training.tones import check_share

    given = {
        "--tones": added.tones,
        "--candidates": added.candidates,
        "--most-pairs": added.most_pairs,
    }
    asked = [f"{name} {value}" for name, value in given.items() if value]
    if asked and added.kind != "preference":
        raise UsageError(
            "Such pairs cannot be written so",
            allowed="--tones, --candidates and --most-pairs with --kind preference; elsewhere a"
            " right answer, said curtly, would be one to unlearn",
            given=f"--kind {added.kind} {' '.join(asked)}",
            next_step="leave them out, or write a preference set",
        )
    if added.most_pairs is not None and added.candidates is None:
        raise UsageError(
            "There is no file whose pairs of a prompt are bounded",
            allowed="--most-pairs with --candidates FILE",
            given=f"--most-pairs {added.most_pairs}",
            next_step="give --candidates FILE, or leave --most-pairs out",
        )
    check_share(_share(added))


def check_advice(chosen: Sequence[Item], added: Added, *, asks_model: bool) -> None:
    """Refuse advice where there are no pairs, or where a model's own answers are to be read.

    Raises:
        UsageError: Naming what goes together.
    """
    from unswayed.items.conflicts import KIND, Stance, is_conflict

    if asks_model and not chosen and added.candidates is not None:
        raise UsageError(
            "A file of candidates alone is not asked of a model",
            allowed="--candidates without --model and --known, or with items beside it",
            given=f"--candidates {added.candidates}",
            next_step="leave the model out, or name --kinds or --items",
        )
    if added.tones and not chosen and added.candidates is not None:
        raise UsageError(
            "A file of candidates alone has no pairs that differ in tone",
            allowed="--tones with items: --kinds, --items or --n beside --candidates",
            given=f"--candidates {added.candidates} --tones {added.tones:g}",
            next_step="leave --tones out, or name the items whose answers are said in two tones",
        )
    told = [each for each in chosen if each.kind == KIND and not is_conflict(each)]
    if any(each.truth in get_args(Stance) for each in told):
        raise UsageError(
            "Conflicts cannot be taken from a table",
            allowed=f"ours with --kinds {KIND}, or replies with votes as --candidates",
            given=f"{len(told)} items of the kind {KIND}",
            next_step=f"leave these rows out and add --kinds {KIND} without --items",
        )
    kind = added.kind
    if any(map(is_conflict, chosen)) and (kind != "preference" or asks_model):
        raise UsageError(
            "Conflicts cannot be written so",
            allowed="--kinds conflict with --kind preference, without --model and --known",
            given=f"--kind {kind}{', with what a model knows' if asks_model else ''}",
            next_step="write a preference set from templates, or give a model's replies with the"
            " votes on them as --candidates",
        )


def add(built: Built | None, added: Added) -> Built:
    """Return a set with pairs of tone and those of the file of candidates, audited again.

    Args:
        built: The set; None where the file is all of it.
        added: What was asked for.
    """
    from unswayed.training.build import toned, with_posts
    from unswayed.training.candidates import read_candidates
    from unswayed.training.panel import MOST_PAIRS

    share = _share(added)
    if built is not None and share:
        built = toned(built, share, margin=added.margin)
    if added.candidates is None:
        if built is None:
            raise UsageError(
                "There is nothing to write",
                allowed="items, or a file of candidates",
                given="neither",
                next_step="give --candidates FILE, or leave --items out",
            )
        return built
    most = MOST_PAIRS if added.most_pairs is None else added.most_pairs
    posts = read_candidates(added.candidates, seed=added.seed, most=most)
    say(", ".join(f"{name}: {n}" for name, n in posts.counts.items()))
    return with_posts(built, posts, seed=added.seed, margin=added.margin)


def _share(added: Added) -> float:
    from unswayed.training.tones import SHARE

    usual = SHARE if added.kind == "preference" else 0.0
    return usual if added.tones is None else added.tones
