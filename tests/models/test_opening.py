"""From what stands after --model to a model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import asdict

from unswayed.errors import RowError, UnswayedError, UsageError
from unswayed.items.builtin import builtin_items
from unswayed.models.http import HTTPModel
from unswayed.models.opening import Reach, name_model, open_model, read_law
from unswayed.models.protocol import Price
from unswayed.models.scripted import MANNERS, Law, Manner, Respondent

ITEMS = builtin_items(("fact",))[:3]


def test_law_with_every_rate():
    """Each rate of the law can be given, and each type of pressure its own."""
    rates = {name: 0.25 for name in Law.__struct_fields__ if name not in ("manner", "by_pressure")}
    text = "planted," + ", ".join(f"{name}=.25" for name in rates) + ",by.authority=.5"
    assert asdict(read_law(text)) == {
        "manner": "planted", "by_pressure": {"authority": 0.5}, **rates,
    }  # fmt: skip


@pytest.mark.parametrize("manner", get_args(Manner))
def test_bare_manners(manner: str):
    """Every manner is a respondent with the usual rates, and is listed."""
    model = open_model(f"scripted:{manner}", ITEMS, reach=Reach(), seed=3)
    assert isinstance(model, Respondent)
    assert model.law == Law(manner=manner)
    assert model.seed == 3
    assert set(model.items) == {item.id for item in ITEMS}
    assert manner in MANNERS


@pytest.mark.parametrize(
    "text",
    ["", "nope", "Planted", "planted,foo=1", "planted,knows", "planted,knows=", "planted,knows=x",
     "planted,knows=nan", "planted,knows=inf", "planted,knows=1.5", "planted,by.nope=.1",
     "planted,by.=.1", "planted,authority=.1", "planted,manner=1", "planted,,", "planted;knows=1"],
)  # fmt: skip
def test_unreadable_laws(text: str):
    """What cannot be read is refused with what could be, never ignored."""
    with pytest.raises(UsageError) as found:
        read_law(text)
    assert found.value.allowed
    assert found.value.next_step


def test_name_behind_an_address():
    """A plain name is a model behind the address, with the key of the environment."""
    reach = Reach(
        base_url="http://127.0.0.1:1/v1",
        key_env="NO_SUCH_KEY",
        concurrency=7,
        timeout_s=9.0,
        price=Price(prompt_per_million=1, completion_per_million=2),
    )
    assert "NO_SUCH_KEY" not in os.environ
    model = open_model("my/model", ITEMS, reach=reach)
    assert isinstance(model, HTTPModel)
    assert model.identity.name == "my/model"
    assert model.identity.kind == "http"
    assert model.identity.endpoint == "http://127.0.0.1:1/v1"
    assert not model.identity.simulated


def test_endpoint_file(tmp_path: Path):
    """An endpoint's file says where the model is; the name is the one that was asked for."""
    path = tmp_path / "endpoint.toml"
    path.write_text('base_url = "http://127.0.0.1:2/v1"\nmodel = "other"\n', encoding="utf-8")
    model = open_model("mine", ITEMS, reach=Reach(endpoint=path))
    assert model.identity.name == "mine"
    assert model.identity.endpoint == "http://127.0.0.1:2/v1"
    with pytest.raises((RowError, UnswayedError), match="none"):
        open_model("mine", ITEMS, reach=Reach(endpoint=tmp_path / "none.toml"))
    path.write_text("base_url = [", encoding="utf-8")
    with pytest.raises(UnswayedError, match=r"endpoint\.toml"):
        open_model("mine", ITEMS, reach=Reach(endpoint=path))


def test_name_without_an_address():
    """A name alone is refused with the ways to say where it is."""
    with pytest.raises(UsageError, match="--base-url"):
        open_model("my-model", ITEMS, reach=Reach())


def test_a_file_names_its_own_model(tmp_path: Path):
    """The name may be left out where the file of endpoints has one; two names are a question."""
    path = tmp_path / "endpoints.toml"
    entry = '[[endpoints]]\nbase_url = "http://{}/v1"\nmodel = "{}"\n'
    path.write_text(entry.format("a", "m") + entry.format("b", "m"), encoding="utf-8")
    assert name_model(None, path) == "m"
    assert name_model("other", path) == "other"
    path.write_text(entry.format("a", "m") + entry.format("b", "n"), encoding="utf-8")
    with pytest.raises(UsageError, match="different models"):
        name_model(None, path)
    with pytest.raises(UsageError, match="No model is named"):
        name_model(None, None)
