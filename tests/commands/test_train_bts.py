"""`unswayed train bts`: the table for people and for programs."""

from cli import call


def test_tables():
    """Every cell is a line with a verdict; the rehearsals say where they ended."""
    done = call("train", "bts", "--groups", "200", "--validations", "4")
    assert done.code == 0, done.err
    assert done.out.count("bts, honest") == 5
    lines = [line for line in done.out.splitlines() if "bts, honest" in line]
    assert all("pays for yielding" in line for line in lines)
    assert "never" in done.out
    assert "pays_yielding" in done.out
    assert max(len(line.rstrip()) for line in done.out.splitlines()) <= 80


def test_json_holds_the_same():
    """One value with every cell, its interval and counts, and every validation."""
    found = call("train", "bts", "--groups", "200", "--validations", "3", "--json").json
    assert len(found["cells"]) == 30
    assert {"n", "n_drawn", "low", "high"} <= set(found["cells"][0])
    assert len(found["rehearsals"]) == 4
    assert found["rehearsals"][0]["turns"][0]["validation"]["push_gap"]["n"] > 200


def test_too_few_groups_are_refused():
    """The parser says the least."""
    done = call("train", "bts", "--groups", "10")
    assert done.code == 2
    assert "200" in done.err
