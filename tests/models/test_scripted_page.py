"""The page on scripted respondents explains every manner and every rate of the code."""

from __future__ import annotations

import pytest
from scripted_page import PAGE, explained, filled

from unswayed.models.law import Law


def test_every_rate_is_explained():
    """Each field of the law has words under it."""
    assert set(explained()) == set(Law.__struct_fields__)


def test_the_page_holds_the_tables_of_the_code():
    """`python tests/scripted_page.py` would change nothing."""
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text


@pytest.mark.parametrize("name", [n for n in Law.__struct_fields__ if n != "manner"])
def test_the_page_names_every_rate(name: str):
    """No rate is missing from the tables."""
    said = "by.LEVEL" if name == "by_pressure" else name
    assert f"| `{said}` |" in PAGE.read_text(encoding="utf-8")
