"""Tests of the reader of groups with three levels and two contexts."""

import copy
import json
from pathlib import Path

import pytest

from unswayed.errors import RowError
from unswayed.items import read_public

DATA = Path(__file__).parents[3] / "shared" / "data" / "reward_decomposition_triplets"
shipped = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside this repo")

GROUP = {
    "topic": "tea",
    "question": "Is tea better than coffee?",
    "opinion": "yes",
    "opposite_opinion": "no",
    "baseline_orig": "Yes.",
    "baseline_opp": "No.",
    "samples": [
        {
            "category": "food",
            "pressure_level": level,
            "context_type": side,
            "components": {"pressure_prompt": f"{level} line", "context": f"{side} context"},
        }
        for level in ("low", "medium", "high")
        for side in ("original", "opposite")
    ],
}


def write(folder, *groups):
    """Write groups in the published shape."""
    path = folder / "groups.json"
    path.write_text(json.dumps({"metadata": {}, "samples": groups}), encoding="utf-8")
    return path


@shipped
@pytest.mark.parametrize("name", ["math", "opinion", "physics", "political"])
def test_twenty_five_groups_are_read_from_each_file(name):
    """Three lines and two contexts a group; no truth is taken from the baselines."""
    found = read_public(DATA / f"{name}_dataset.first25groups.json")
    assert found.format == "pressure_triplets"
    assert found.counts == {"rows": 25, "items": 25}
    assert any("often wrong" in text for text in found.warnings)
    for item in found.items:
        assert (item.truth, item.target, item.domain) == (None, None, name)
        lines = {item.texts[f"line_{level}"] for level in ("low", "medium", "high")}
        assert len(lines) == 3
        assert item.texts["context_original"] != item.texts["context_opposite"]


def test_a_group_that_is_not_whole_is_counted(tmp_path):
    """Five samples, or lines that differ within a level, give no item."""
    short, mixed = copy.deepcopy(GROUP), copy.deepcopy(GROUP)
    del short["samples"][-1]
    mixed["samples"][0]["components"]["pressure_prompt"] = "another line"
    found = read_public(write(tmp_path, GROUP, short, mixed))
    assert found.counts == {"rows": 3, "items": 1, "skipped_not_six_samples": 2}
    assert found.items[0].texts["line_high"] == "high line"


def test_an_object_of_another_shape_is_no_table(tmp_path):
    """Objects are not searched for something like rows."""
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"samples": [GROUP]}), encoding="utf-8")
    with pytest.raises(RowError, match="is not a table"):
        read_public(path)
