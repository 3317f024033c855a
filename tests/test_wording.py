"""The shipped wordings keep their own rules, and the loader gives them out unchanged."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed import wording as texts
from unswayed.errors import WordingError
from unswayed.wording import STRENGTHS, Family, Wording
from unswayed.wording_files import VOICES

FAMILIES = texts.pressures()
CATALOG = texts.catalog()
PRESSURES = [each for each in CATALOG if each.strength is not None]
LINES = [each for each in CATALOG if each.strength is None]
CLAIMS = ("Canberra", "42 km", "True", "7", r"\frac{1}{2}", "the longer of the two rivers")
REQUESTS = re.compile(
    r"\b(final|format|letter|(reply|respond|end) with|answer:|please|state the|only give)\b",
    re.IGNORECASE,
)
ORDERS = re.compile(
    r"\b(you (must|should|have to|need to)|agree with|change your|admit|accept it)\b", re.IGNORECASE
)
IDENTIFIERS = re.compile(r"doi|http|www|arxiv|isbn|pmid|\d", re.IGNORECASE)
SIDES = re.compile(
    r"\b(right|wrong|true|false|correct\w*|sure|certain|doubt\w*|evidence|truth|fact\w*|agree)\b",
    re.IGNORECASE,
)


def name_of(each: Wording | Family) -> str:
    """Gives a readable test id."""
    if isinstance(each, Family):
        return each.id
    return f"{each.id}-{each.strength}-{'named' if each.named else 'unnamed'}"


every_pressure = pytest.mark.parametrize("wording", PRESSURES, ids=name_of)
every_family = pytest.mark.parametrize("family", FAMILIES, ids=name_of)


# --- what is shipped -------------------------------------------------------------------------


def test_every_toml_file_of_the_folder_is_in_the_catalog() -> None:
    """No file lies in the folder unread: the ids in the files are the ids in the catalog."""
    folder = Path(str(files("unswayed").joinpath("wording")))
    found = set()
    for path in folder.rglob("*.toml"):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        found |= {entry["id"] for entry in data.get("wording", data.get("line", []))}
    assert found == {each.id for each in CATALOG}


@pytest.mark.parametrize("type_", texts.pressure_types())
def test_each_pressure_type_has_enough_families(type_: str) -> None:
    """At least 8 families each, 8 in both placements, for a challenge 8 after and 4 before."""
    both = set(texts.wordings_of(type_, placement="before")) & set(
        texts.wordings_of(type_, placement="after")
    )
    assert len(texts.pressures(type_)) >= 8
    assert len(both) >= (4 if type_ == "challenge" else 8)
    assert all(family.id.startswith(f"{type_}-") for family in texts.pressures(type_))


def test_a_challenge_has_lines_for_after_the_answer() -> None:
    """Eight or more challenges follow an answer, some of them only that."""
    after = texts.wordings_of("challenge", placement="after")
    assert len(after) >= 8
    assert len(set(after) - set(texts.wordings_of("challenge", placement="before"))) >= 4


@pytest.mark.parametrize(
    ("type_", "least"),
    [
        *((f"format_{kind}", 3) for kind in texts.FORMAT_KINDS),
        ("readout", 4),
        ("neutral", 8),
        ("orthogonal", 8),
        ("filler", 40),
        ("system", 1),
    ],
)
def test_each_line_type_has_enough_lines(type_: str, least: int) -> None:
    """Every type of line comes in several wordings."""
    assert len(texts.lines(type_)) >= least


def test_no_two_texts_are_equal() -> None:
    """Six texts a family and one a line, all different even without case."""
    assert len(PRESSURES) == 6 * len(FAMILIES)
    assert len({each.text.casefold() for each in CATALOG}) == len(CATALOG)


def test_families_and_lines_share_no_id() -> None:
    """An id alone says which text is meant, up to strength and naming."""
    ids = [family.id for family in FAMILIES] + [line.id for line in LINES]
    assert len(set(ids)) == len(ids)


# --- pressures -------------------------------------------------------------------------------


@every_pressure
def test_a_pressure_is_one_self_contained_sentence_line(wording: Wording) -> None:
    """It starts with a capital, ends as a sentence, and has no stray space or line break."""
    assert re.fullmatch(r"[A-Z][^\n\t]*[.?!]", wording.text)
    assert "  " not in wording.text
    assert wording.text.isascii()


@every_pressure
def test_a_pressure_has_the_holes_of_its_kind(wording: Wording) -> None:
    """A named text has the claim exactly once, an unnamed text has no hole."""
    assert texts.holes(wording.text) == (("claim",) if wording.named else ())
    assert wording.text.count("{") == int(wording.named)


@every_pressure
def test_a_pressure_only_pushes(wording: Wording) -> None:
    """It asks for no format or final answer, orders nothing, and gives nothing to look up."""
    assert not REQUESTS.search(wording.text)
    assert not ORDERS.search(wording.text)
    assert not IDENTIFIERS.search(wording.text)


@every_pressure
def test_a_line_about_an_earlier_answer_stands_after_it(wording: Wording) -> None:
    """A line that speaks of what was said is never placed before the question."""
    refers = re.search(r"\b(are you|be sure|you|your)\b", wording.text, re.IGNORECASE)
    assert not (refers and "before" in wording.placements)


@every_family
def test_named_and_unnamed_have_about_the_same_length(family: Family) -> None:
    """With a claim of 8 characters the ratio stays within 0.75 to 1.33."""
    for strength in STRENGTHS:
        named = family.wording(strength=strength).fill(claim="Canberra")
        unnamed = family.wording(strength=strength, named=False).fill()
        assert 0.75 <= len(named) / len(unnamed) <= 1.33


@every_family
def test_only_the_mention_is_replaced(family: Family) -> None:
    """Named text with a neutral phrase of up to 4 words for the claim is the unnamed text."""
    phrases = set()
    for strength in STRENGTHS:
        before, after = getattr(family.named, strength).split("{claim}")
        unnamed = getattr(family.unnamed, strength)
        assert unnamed.startswith(before)
        assert unnamed.endswith(after)
        phrases.add(unnamed[len(before) : len(unnamed) - len(after)])
    assert len(phrases) == 1
    assert 1 <= len(phrases.pop().split()) <= 4


@every_family
def test_strong_lines_are_no_shorter_than_mild_ones(family: Family) -> None:
    """Pushing harder never takes fewer words than hesitating, up to ten characters."""
    assert len(family.named.strong) >= len(family.named.mild) - 10


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_in_the_filled_line_exactly_once(claim: str) -> None:
    """Filling adds the claim as it is and nothing else."""
    for wording in PRESSURES:
        filled = wording.fill(claim=claim)
        if wording.named:
            assert filled == wording.text.replace("{claim}", claim)
        else:
            assert filled == wording.text


def test_a_named_line_without_its_claim_is_refused() -> None:
    """A named line is never sent with an open hole."""
    with pytest.raises(WordingError, match=r"\{claim\} has no value"):
        texts.pressure("assertion-01").fill()


def test_pressure_gives_the_text_asked_for() -> None:
    """Id, strength and naming select one text and are carried along."""
    wording = texts.pressure("challenge-01", strength="strong", named=False)
    family = next(family for family in FAMILIES if family.id == "challenge-01")
    assert wording.text == family.unnamed.strong
    assert (wording.id, wording.type) == ("challenge-01", "challenge")
    assert (wording.strength, wording.named, wording.placements) == ("strong", False, ("after",))


@pytest.mark.parametrize(
    "call",
    [
        lambda: texts.pressure("assertion-99"),
        lambda: texts.pressure("assertion-01", strength="rude"),
        lambda: texts.pressures("flattery"),
        lambda: texts.wordings_of("assertion", placement="during"),
        lambda: texts.wordings_of("flattery", placement="before"),
        lambda: texts.lines("assertion"),
        lambda: texts.format_line("poem"),
        lambda: texts.format_line("letter", 99),
        lambda: texts.readout_request(-1),
        lambda: texts.neutral_reask(99),
        lambda: texts.orthogonal(True),
        lambda: texts.system_message(99),
        lambda: texts.filler(0, "x"),
        lambda: texts.filler(1501, "x"),
        lambda: texts.filler(50.0, "x"),  # type: ignore[arg-type]
    ],
)
def test_unknown_names_and_numbers_say_what_is_allowed(call) -> None:
    """Every wrong name or number is answered with the right ones."""
    with pytest.raises(WordingError) as caught:
        call()
    assert caught.value.allowed
    assert caught.value.given
    assert caught.value.next_step


# --- other lines -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", texts.FORMAT_KINDS)
def test_format_lines_are_anchored(kind: str) -> None:
    """Each format line asks for a line with the anchor Answer: once."""
    for number, line in enumerate(texts.lines(f"format_{kind}")):
        assert line.text.count("Answer:") == 1
        assert "line" in line.text
        assert texts.format_line(kind, number) == line


@pytest.mark.parametrize("type_", ["neutral", "filler", "system", "orthogonal"])
def test_controls_take_no_side(type_: str) -> None:
    """No control line speaks of right, wrong, doubt or evidence."""
    for line in texts.lines(type_):
        assert not SIDES.search(line.text), line.text


@pytest.mark.parametrize("type_", ["neutral", "filler", "system"])
def test_controls_ask_for_no_form(type_: str) -> None:
    """No control line carries a format or readout request."""
    for line in texts.lines(type_):
        assert not REQUESTS.search(line.text), line.text


def test_orthogonal_lines_leave_the_answer_alone() -> None:
    """A truth-orthogonal instruction speaks of the manner, never of the answer."""
    for line in texts.lines("orthogonal"):
        assert not re.search(r"answer|reply|option|letter|question", line.text, re.IGNORECASE)


def test_readout_requests_speak_of_the_answer() -> None:
    """Each readout request asks for the answer and names no form."""
    for number, line in enumerate(texts.lines("readout")):
        assert "answer" in line.text
        assert "Answer:" not in line.text
        assert texts.readout_request(number) == line


def test_numbered_lines_come_in_file_order() -> None:
    """The number counts from 0 in the order of the file."""
    assert texts.neutral_reask(1).id == "neutral-02"
    assert texts.orthogonal(2).id == "orthogonal-03"
    assert texts.system_message(0).id == "system-01"


def test_filler_sentences_vary_in_length() -> None:
    """The bank spans short to long sentences, each 30 to 160 characters."""
    lengths = [len(line.text) for line in texts.lines("filler")]
    assert min(lengths) >= 30
    assert max(lengths) <= 160
    assert len(set(lengths)) >= 30


@given(st.integers(30, 400), st.text())
def test_a_filler_has_the_asked_length_in_whole_sentences(length: int, seed_text: str) -> None:
    """From 30 to 400 characters the filler is within 12% and made of different bank sentences."""
    made = texts.filler(length, seed_text)
    assert abs(len(made) - length) <= 0.12 * length
    bank = sorted((line.text for line in texts.lines("filler")), key=len, reverse=True)
    rest = made
    while rest:
        sentence = next(text for text in bank if rest.startswith(text))
        bank.remove(sentence)
        rest = rest[len(sentence) :].removeprefix(" ")


def test_every_length_works_up_to_the_limit() -> None:
    """All lengths from 30 to 1500 are matched for several seeds."""
    for length in range(30, 1501):
        for seed_text in ("", "a", "item-7"):
            assert abs(len(texts.filler(length, seed_text)) - length) <= 0.12 * length


def test_a_filler_depends_on_its_arguments_alone() -> None:
    """Global random state does not matter; the seed text does."""
    random.seed(1)
    first = texts.filler(200, "item-1")
    random.seed(2)
    assert texts.filler(200, "item-1") == first
    assert len({texts.filler(200, f"item-{n}") for n in range(20)}) > 10


def test_a_short_filler_is_one_short_sentence() -> None:
    """Below 30 characters the nearest sentence of the bank is taken."""
    assert len(texts.filler(1, "x")) == min(len(line.text) for line in texts.lines("filler"))


# --- hashes ----------------------------------------------------------------------------------


def test_a_hash_is_that_of_the_text_with_its_holes() -> None:
    """The hash can be recomputed by anyone and does not depend on the claim."""
    wording = texts.pressure("assertion-01")
    assert wording.sha256 == sha256(wording.text.encode("utf-8")).hexdigest()
    assert len({each.sha256 for each in CATALOG}) == len(CATALOG)


def test_the_catalog_hash_is_the_same_in_a_new_process() -> None:
    """No order, seed or cache of one process enters the hash."""
    code = "from unswayed.wording import catalog_sha256; print(catalog_sha256())"
    fresh = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert fresh == texts.catalog_sha256()
    assert re.fullmatch(r"[0-9a-f]{64}", fresh)


def test_the_catalog_hash_covers_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """One changed character in any file of a plan gives another hash; a judge's prompt does not."""
    shipped = dict(texts._shipped())
    plan_files = [name for name in shipped if not name.startswith(("judges/", "training/"))]
    whole = texts.catalog_sha256()
    hashes = {whole}
    for name in plan_files:
        changed = {**shipped, name: shipped[name] + " "}
        monkeypatch.setattr(texts, "_shipped", lambda changed=changed: changed)
        hashes.add(texts.catalog_sha256.__wrapped__())
    assert len(hashes) == len(plan_files) + 1
    monkeypatch.setattr(texts, "_shipped", lambda: {**shipped, "judges/new.txt": "text"})
    assert texts.catalog_sha256.__wrapped__() == whole


# --- a user's own files ----------------------------------------------------------------------


def shipped_text(type_: str) -> str:
    """Gives the content of a shipped pressure file."""
    path = files("unswayed").joinpath("wording", "pressures", f"{type_}.toml")
    return path.read_text(encoding="utf-8")


def test_own_files_are_read_from_a_folder_or_a_file(tmp_path: Path) -> None:
    """A folder gives the families of all its TOML files, a file gives its own."""
    for type_ in ("citation", "emotional"):
        text = shipped_text(type_).replace(f'"{type_}-', f'"my_{type_}-')
        (tmp_path / f"{type_}.toml").write_text(text, encoding="utf-8")
    folder = texts.load_pressures(tmp_path)
    assert {family.type for family in folder} == {"citation", "emotional"}
    assert folder[0].id == "my_citation-01"
    assert len(texts.load_pressures(str(tmp_path / "emotional.toml"))) == 9


def test_a_copy_of_a_shipped_file_is_accepted(tmp_path: Path) -> None:
    """The same id with the same texts means the same thing."""
    (tmp_path / "copy.toml").write_text(shipped_text("assertion"), encoding="utf-8")
    assert texts.load_pressures(tmp_path) == texts.pressures("assertion")


def test_a_shipped_id_with_other_texts_is_refused(tmp_path: Path) -> None:
    """One id never means two things."""
    changed = shipped_text("assertion").replace("a feeling", "an inkling")
    (tmp_path / "copy.toml").write_text(changed, encoding="utf-8")
    with pytest.raises(WordingError, match=r"wording 'assertion-01', field 'id'"):
        texts.load_pressures(tmp_path)


def test_a_broken_own_file_names_file_id_and_field(tmp_path: Path) -> None:
    """The message leads to the line that has to be changed."""
    path = tmp_path / "mine.toml"
    path.write_text(shipped_text("authority").replace("{claim}", "{target}", 1), encoding="utf-8")
    with pytest.raises(WordingError) as caught:
        texts.load_pressures(tmp_path)
    first = str(caught.value).splitlines()[0]
    assert str(path) in first
    assert "'authority-01'" in first
    assert "'named.mild'" in first
    assert "{claim}" in caught.value.allowed


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    """An empty folder and a missing file are named, not read as no families."""
    for path in (tmp_path, tmp_path / "missing.toml"):
        with pytest.raises(WordingError, match="no pressure file"):
            texts.load_pressures(path)


def test_a_file_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 give a wording error with the path."""
    (tmp_path / "mine.toml").write_bytes(b'type = "\xff"')
    with pytest.raises(WordingError, match="cannot be read as text"):
        texts.load_pressures(tmp_path)


# --- the module ------------------------------------------------------------------------------


def test_the_public_names_exist_and_are_sorted() -> None:
    """What the module promises it has."""
    assert all(hasattr(texts, name) for name in texts.__all__)
    assert len(set(texts.__all__)) == len(texts.__all__)


def test_the_module_wins_over_the_data_folder() -> None:
    """The folder beside the module holds data alone and shadows nothing."""
    assert texts.__file__.endswith("wording.py")
    folder = Path(texts.__file__).with_suffix("")
    assert not list(folder.rglob("*.py"))


def test_speakers_differ_in_their_name_alone() -> None:
    """The same four sentences for each, names of 36 to 38 characters, also without an answer."""
    names = {}
    for who in VOICES:
        for kind in ("", "_unnamed"):
            lines = texts.lines(f"said_{who}{kind}")
            assert len(lines) == 4
            name = lines[0].text.partition(" answered")[0].casefold()
            assert names.setdefault(who, name) == name
            assert 36 <= len(name) <= 38
            bare = [line.text.casefold().replace(name, "(name)") for line in lines]
            assert bare == [
                line.text.casefold().replace("i, the person who is asking you now,", "(name)")
                for line in texts.lines(f"said_asker{kind}")
            ]
    for named, unnamed in zip(
        texts.lines("said_tool"), texts.lines("said_tool_unnamed"), strict=True
    ):
        assert abs(len(named.fill(claim="x" * 8)) - len(unnamed.text)) <= 6
