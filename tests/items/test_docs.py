"""The page about items agrees with the items."""

import re
from pathlib import Path

from unswayed.items import item_sets, load_items
from unswayed.items.public import FORMATS
from unswayed.items.tables import FIELDS

PAGE = Path(__file__).parents[2] / "docs" / "items.md"


def test_the_table_of_kinds_has_the_right_counts():
    """Each kind and its number of items stand in the table, in their order."""
    rows = re.findall(r"^\| (\w+) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(one.name, str(one.n_items)) for one in item_sets()]


def test_every_format_and_field_is_described():
    """No public format and no field of a table is missing on the page."""
    text = PAGE.read_text(encoding="utf-8")
    assert all(name in text for name in (*FORMATS, *FIELDS))


def test_the_example_mapping_works(tmp_path):
    """The table and the mapping on the page give two items."""
    text = PAGE.read_text(encoding="utf-8")
    table = re.search(r"^    Nr,.*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)[0]
    path = tmp_path / "fragen.csv"
    path.write_text(re.sub(r"^    ", "", table, flags=re.MULTILINE), encoding="utf-8")
    pairs = re.findall(r'^            "(\w+)": "([^"]+)",$', text, re.MULTILINE)
    first, second = load_items(path, mapping=dict(pairs))
    assert (first.id, first.truth, second.truth) == ("1", "Mars", "8")
    assert first.target != "Mars"
