"""A file of candidates with votes: read, paired, audited, and refused where it must be."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unswayed.errors import GateError, RowError
from unswayed.training.build import with_posts
from unswayed.training.candidates import read_candidates

Write = Callable[[list[dict[str, Any]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes rows as a file of candidates."""

    def written(rows: list[dict[str, Any]]) -> Path:
        path = tmp_path / "candidates.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
        return path

    return written


def votes(stance: str, due: str) -> list[dict[str, str]]:
    """Return the votes of two people who agree on what an act deserves."""
    verdict = "accept" if stance == due else "veto"
    return [{"who": "Mia", "verdict": verdict}, {"who": "Sam", "verdict": "accept"}]


def post(number: int, due: str, *, licence: str = "MIT") -> list[dict[str, Any]]:
    """Return the four candidates of a post: two of each stance."""
    place = f"street {number} in the town of {chr(65 + number % 26)}{chr(97 + number // 26)}ville"
    said = {
        "endorse": ("I stand by it.", "That was in order, and I say so."),
        "challenge": ("I mind it.", "That was out of order, I say so."),
    }
    return [
        {
            "prompt": f"On {place} I moved {number} chairs. What do you think?",
            "item": f"post-{number}",
            "completion": text,
            "stance": stance,
            "votes": votes(stance, due),
            "finished": True,
            "epoch": 1,
            "licence": licence,
        }
        for stance, texts in said.items()
        for text in texts
    ]


def posts(n_challenge: int, n_endorse: int) -> list[dict[str, Any]]:
    """Return the candidates of so many posts whose acts deserve the one and the other."""
    due = ["challenge"] * n_challenge + ["endorse"] * n_endorse
    return [row for number, stance in enumerate(due) for row in post(number, stance)]


def test_pairs_have_what_is_asked_for(write: Write):
    """Prompt, sides, item, epoch, who vetoed and both stances; posts stay in one split."""
    found = read_candidates(write(posts(20, 20)), seed=3)
    assert found.counts == {"candidates": 160, "pairs": 160}
    assert len(found.rows) == 160
    for row in found.rows:
        assert row.vetoed is not None
        assert (row.vetoed.epoch, row.vetoed.by) == (1, ("Mia",))
        assert {row.answer, row.wrong} == {"endorse", "challenge"}
        assert row.licence == "MIT"
        assert row.source == "candidates.jsonl"
        assert row.messages[0].content.startswith("On street")
    assert set(Counter(row.item for row in found.rows).values()) == {4}
    splits = Counter(split for _, split in {(row.item, row.split) for row in found.rows})
    assert splits == {"train": 32, "validation": 4, "test": 4}
    built = with_posts(None, found, seed=3)
    assert built.audit.verdict in ("pass", "warn")
    assert "candidates: 160" in built.notes[0]


def test_chosen_that_always_challenges_is_refused(write: Write):
    """100 % is refused with the number of pairs that would do; 60 % is not."""
    with pytest.raises(GateError, match="54 more that endorse would do"):
        with_posts(None, read_candidates(write(posts(20, 0)), seed=0), seed=0)
    built = with_posts(None, read_candidates(write(posts(24, 16)), seed=0), seed=0)
    found = {each.check: each for each in built.audit.findings}
    share = found["advice pairs whose chosen side challenges the act"]
    assert (share.value, share.verdict) == (0.6, "pass")


def test_unread_votes(write: Write):
    """They take their candidates out and are counted; above 20 % nothing is written."""
    rows = posts(10, 10)
    for row in rows[:8]:
        row["votes"] = [{"who": "Mia", "verdict": "dunno"}]
    for row in rows[8:16]:
        row["stance"] = None
    found = read_candidates(write(rows), seed=0)
    assert found.counts == {
        "candidates": 80, "pairs": 64, "candidates not read": 16,
    }  # fmt: skip
    rows[20]["votes"] = "no json"
    with pytest.raises(GateError, match="17 of 80"):
        read_candidates(write(rows), seed=0)


def test_messages_and_posts_without_a_name(write: Write):
    """A prompt may be messages, a reply too; a post without a name is its prompt."""
    rows = posts(2, 2)
    for row in rows:
        row["prompt"] = [{"role": "user", "content": row["prompt"]}]
        row["completion"] = [{"role": "assistant", "content": row["completion"]}]
        del row["item"]
    found = read_candidates(write(rows), seed=0)
    assert len({row.item for row in found.rows}) == 4
    assert {row.messages[0].role for row in found.rows} == {"user"}


def test_evaluation_posts_are_refused(write: Write):
    """A post that says that it is for evaluation alone is not trained on."""
    rows = posts(12, 12)
    for row in rows:
        row["use"] = "train"
    rows[15]["use"] = "eval_only"
    with pytest.raises(GateError, match="evaluation only"):
        with_posts(None, read_candidates(write(rows), seed=0), seed=0)


BAD: dict[str, tuple[str, object, str]] = {
    "prompt": ("prompt", "  ", "'prompt'"),
    "completion": ("completion", [], "'completion'"),
    "finished": ("finished", "perhaps", "'finished'"),
    "epoch": ("epoch", "first", "'epoch'"),
    "use": ("use", "sometimes", "'use'"),
    "item": ("item", "post-1", "a name of its own"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_cells_are_named(write: Write, name: str):
    """The row and the field, and what to write there."""
    field, value, words = BAD[name]
    rows = posts(2, 2)
    rows[0][field] = value
    with pytest.raises(RowError, match=words):
        read_candidates(write(rows), seed=0)


def test_missing_columns_and_no_pairs(write: Write):
    """A file without votes is no such file, and one in which nobody objects gives no pair."""
    rows = posts(1, 0)
    with pytest.raises(RowError, match="missing votes"):
        read_candidates(write([{k: v for k, v in r.items() if k != "votes"} for r in rows]), seed=0)
    for row in rows:
        row["votes"] = [{"who": "Mia", "verdict": "accept"}]
    with pytest.raises(GateError, match="gives no pair"):
        read_candidates(write(rows), seed=0)
