"""`unswayed profile`: the same numbers for people and for programs, from the records alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli import cell_of, done, profile_of, written_profile


def test_json_is_the_profile_on_disk(copied: Callable[[], Path]):
    """What is printed for programs is what the run wrote, and what the folder keeps."""
    folder = copied()
    written = written_profile(folder)
    assert profile_of(folder) == written == written_profile(folder)


def test_words_and_json_agree(copied: Callable[[], Path], monkeypatch: pytest.MonkeyPatch):
    """Every headline number that a person sees is the program's number in points."""
    monkeypatch.setenv("COLUMNS", "240")
    folder = copied()
    profile = profile_of(folder)
    words = done("profile", folder)
    assert words.err == ""
    assert "SIMULATED" in words.out
    for sentence in profile["verdict"]:
        assert sentence in " ".join(words.out.split())
    assert f"{100 * profile['accuracy']['value']:.1f}%" in words.out
    for pressure, spoken in (("authority", "authority"), ("social_proof", "social proof")):
        for names, measure, said in (
            ("target", "capitulation", "names a wrong answer"),
            ("truth", "correction", "names the right answer"),
        ):
            cell = cell_of(profile, "pressure", pressure=pressure, names=names)
            estimate = cell["measures"][measure]
            (line,) = re.findall(rf"^{spoken}, {said} .*$", words.out, re.M)
            assert f" {estimate['k']:.0f}/{estimate['n_rows']}".replace("-", "−") in line
            if estimate["value"] is not None:
                points = f"{100 * estimate['value']:+.0f}".replace("-", "−")
                assert f" {points}" in line


def test_profile_is_computed_from_the_records_alone(copied: Callable[[], Path]):
    """Without items, store and answers the same profile comes out."""
    folder = copied()
    before = profile_of(folder)
    for name in ("store.sqlite", "items.jsonl", "answers.choice.jsonl", "profile.choice.json"):
        (folder / name).unlink()
    assert profile_of(folder) == before


def test_missing_records_are_read_first(copied: Callable[[], Path]):
    """A run that was never read is read on the way."""
    folder = copied()
    before = profile_of(folder)
    (folder / "records.choice.jsonl").unlink()
    (folder / "answers.choice.jsonl").unlink()
    assert profile_of(folder) == before


def test_same_seed_is_the_same_bytes(copied: Callable[[], Path]):
    """Two computations of one profile are byte for byte the same."""
    first, second = (done("profile", copied(), "--json").out for _ in range(2))
    assert first == second
