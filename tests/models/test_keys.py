"""A key that comes back in part, in other case or in disguise reaches no text that is kept."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.commands.reaching import spoken_command
from unswayed.models.completion import Completion
from unswayed.models.keys import HIDDEN, Key

VALUE = "zq-THISISMYSECRET0123456789"
KEY = Key(VALUE, "TEST_KEY")


@pytest.mark.parametrize(
    "part", [VALUE, VALUE[:24], VALUE[5:], VALUE.lower(), VALUE[:14], html.escape(VALUE)]
)
def test_half_a_key_or_more_is_hidden_everywhere(part):
    """Cut short by a gateway, or written in another case, it is the key."""
    completion = Completion(text=f"It is {part}.", reasoning=part, served_by=part, stop="end")
    found = KEY.scrub_completion(completion)
    assert found.text == f"It is {HIDDEN}."
    assert found.reasoning == found.served_by == HIDDEN
    assert KEY.scrub(f"bad key {part}") == f"bad key {HIDDEN}"


def test_entities_of_a_key_are_the_key():
    """An error page writes characters as numbers."""
    text = "".join(f"&#{ord(character)};" for character in VALUE)
    completion = Completion(text=f"<p>{text}</p>", stop="end")
    assert KEY.scrub_completion(completion).text == f"<p>{HIDDEN}</p>"


def test_errors_and_names_hide_shorter_parts_than_replies():
    """Eight characters go from an error and a model's name; a reply keeps a mere likeness."""
    part = VALUE[3:12]
    completion = Completion(text=part, served_by=part, stop="end")
    assert KEY.scrub(part) == KEY.scrub_completion(completion).served_by == HIDDEN
    assert KEY.scrub_completion(completion).text == part
    assert KEY.scrub(VALUE[3:10]) == VALUE[3:10]


@given(st.text(max_size=40), st.text(max_size=40), st.integers(0, 12), st.integers(14, 27))
def test_no_half_of_a_key_is_left_in_any_text(before, after, start, size):
    """Whatever stands around it."""
    part = VALUE[start : start + size]
    found = KEY.scrub_completion(Completion(text=before + part + after, stop="end")).text
    assert (part in found) == (len(part) < len(VALUE) // 2 + 1 and part in found)
    assert VALUE[start : start + 14] not in found or len(part) < 14


@given(st.text(alphabet=st.characters(exclude_characters=VALUE + VALUE.lower() + VALUE.upper())))
def test_other_texts_stay_as_they_are(text):
    """What holds nothing of the key is not touched."""
    assert KEY.scrub_completion(Completion(text=text, stop="end")).text == text


def test_the_command_that_is_kept_holds_no_parameter_of_an_address(monkeypatch):
    """Some gateways take their key in the address."""
    address = "https://user:pass@host/v1?code=SECRETVALUE12345"
    for words in (["--base-url", address], [f"--base-url={address}"]):
        monkeypatch.setattr("sys.argv", ["unswayed", "run", "-m", "m", *words, "--n", "2"])
        shown = spoken_command()
        assert "SECRET" not in shown
        assert "pass" not in shown
        assert "https://host/v1" in shown
        assert shown.startswith("unswayed run -m m --base-url")


def test_a_key_that_html_escapes_is_hidden_beside_one_that_is_hidden_already():
    """What stands hidden elsewhere in a text does not end the search."""
    value = "sk-ab&cd/efgh<ijkl&mnopqrstuv"
    key = Key(value, "TEST_KEY")
    text = f"{HIDDEN} and {html.escape(value)} again"
    found = key.scrub_completion(Completion(text=text, stop="end")).text
    assert found == f"{HIDDEN} and {HIDDEN} again"
    assert "ijkl" not in key.scrub(f"{value} {html.escape(value)}")
