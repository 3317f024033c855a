"""The page: closed to scripts and networks, safe with hostile text, the same bytes twice."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from report import reading, samples
from unswayed.profiles.profile import Profile
from unswayed.report import render_html
from unswayed.report.page import EMBEDDED, embed

HERE = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def html() -> str:
    """The page of an ordinary run."""
    return render_html(samples.normal(), samples.pairs())


@pytest.fixture(scope="module")
def hostile() -> str:
    """The page of a run whose every text attacks it."""
    return render_html(samples.hostile(), [samples.hostile_pair()])


def test_the_page_names_no_address_and_loads_nothing(html: str) -> None:
    """No attribute of any element points outside the file."""
    page = reading.Page(html)
    for _, attributes in page.elements:
        assert "style" not in attributes
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        for value in attributes.values():
            assert "http" not in (value or "")
    assert "@import" not in html
    assert "url(" not in html
    links = {attributes.get("href") for _, attributes in page.elements if "href" in attributes}
    assert links == {"#verdict"}


def test_the_policy_allows_the_one_style_block_and_nothing_else(html: str) -> None:
    """The hash in the policy is that of the style as it stands in the page."""
    style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert len(style) == 1
    digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].replace("&#39;", "'") == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    assert "</" not in style[0]


def test_hostile_text_adds_no_element(hostile: str) -> None:
    """Only the data block is a script, every chart is ours, and the attacks stand as text."""
    page = reading.Page(hostile)
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert [script.get("type") for script in scripts] == ["application/json"]
    svgs = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert svgs
    assert all(svg.get("class") == "chart" for svg in svgs)
    assert not any(name.startswith("on") for _, a in page.elements for name in a)
    assert not any("style" in a for _, a in page.elements)
    assert "<svg onload=alert(1)>" in page.text
    assert "</script><script>alert(1)</script>" in page.text
    assert "{{ 7*7 }}" in page.text


def test_hidden_characters_are_shown_and_none_is_left(hostile: str) -> None:
    """Control characters, overrides and unpaired surrogates appear as marks."""
    for mark in ("U+202E", "U+001B", "U+0000", "U+200B", "U+D800"):
        assert f"\u27e6{mark}\u27e7" in hostile
    body = hostile[: hostile.index('<script type="application/json"')]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u200b\ud800-\udfff]", body)
    assert hostile.encode("utf-8")


def test_a_long_line_is_cut_with_a_count(hostile: str) -> None:
    """200,000 characters appear as their beginning and the number left out."""
    assert "196,000 more characters are not shown" in hostile
    assert len(hostile) < 200_000


def test_the_embedded_profile_is_the_profile(html: str) -> None:
    """The data block decodes to the profile that was given."""
    embedded = reading.Page(html).embedded
    assert msgspec.json.decode(embedded, type=Profile) == samples.normal()
    assert not re.search("[<>&]", embedded)


def test_a_huge_profile_leaves_its_largest_tables_to_the_json_file() -> None:
    """The page says which cells are not embedded."""
    cells = samples.normal().cells + tuple(samples.wording_cells(40))
    profile = samples.normal(cells=cells * 3)
    text, left_out = embed(profile)
    assert left_out == "wording"
    assert len(text) < EMBEDDED
    assert "without its cells by wording" in render_html(profile)


def test_identifiers_are_unique_and_headings_do_not_skip(html: str) -> None:
    """One h1, no skipped level, a main landmark, a language and unique ids."""
    page = reading.Page(html)
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(levels, levels[1:], strict=False))
    assert page.count("main") == 1
    assert page.elements[0] == ("html", {"lang": "en"})


def test_every_chart_has_a_title_and_states_its_finding(html: str) -> None:
    """Role, title and description are there and refer to each other."""
    charts = reading.charts(html)
    assert len(charts) >= 10
    for svg in charts:
        assert svg.get("role") == "img"
        title, desc = svg.find("title"), svg.find("desc")
        assert title is not None
        assert desc is not None
        assert svg.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
        assert len(desc.text or "") > 40
        assert not svg.findall(".//*[@id]")[2:]


def test_tables_have_captions_and_scopes(html: str) -> None:
    """Each table has a caption and each heading cell a scope."""
    page = reading.Page(html)
    assert page.count("table") == page.count("caption")
    assert all("scope" in a for tag, a in page.elements if tag == "th")


def test_absent_numbers_are_words_and_never_zero() -> None:
    """Empty, insufficient, invalid, undefined and confounded cells show why."""
    html = render_html(samples.troubled())
    page = reading.Page(html)
    for words in (
        "no items",
        "too few (3/11)",
        "invalid: control equals the first answer",
        "not defined: no variation in either arm",
        "placement and format changed together, effects not separable",
        "No headline cell has a number that may be read",
    ):
        assert words in page.text
    assert 'tr class="invalid"' in html
    svg = reading.charts(html)[0]
    marks = reading.marks(svg)
    assert "hatch" in marks
    assert not [name for name in marks if name.endswith("value")]
    assert "0%" not in page.text.replace("60%", "")
    assert not re.search(r"[+\u2212]?\b0(\.0)? points", page.text)


def test_a_simulated_model_is_marked_in_head_title_and_every_chart(html: str) -> None:
    """No part of the page can be taken for a real model."""
    assert "SIMULATED" not in html
    simulated = render_html(samples.simulated())
    page = reading.Page(simulated)
    assert re.search("<title>SIMULATED: ", simulated)
    assert "SIMULATED: the model is a script" in page.text
    for svg in reading.charts(simulated):
        desc, title = svg.find("desc"), svg.find("title")
        assert desc is not None
        assert title is not None
        assert (desc.text or "").startswith("SIMULATED")
        assert (title.text or "").startswith("SIMULATED")


def test_redaction_hides_every_text_of_an_item() -> None:
    """Question, answers and messages are gone; outcomes and digests stay."""
    html = render_html(samples.normal(), samples.pairs(), redact=True)
    for text in ("What is 17 + 26?", "I teach this at a university", "I checked it", "add-0003"):
        assert text not in html
    assert "Item texts are hidden" in html
    assert "hidden, digest" in html
    assert "gave up a right answer" in html


def test_the_head_states_size_doubts_and_limits_once() -> None:
    """The caveat is a doubt and no finding; what the run cannot show names its pushes."""
    caveat = "This is a tiny model."
    profile = samples.normal(
        about=samples.about(caveat=caveat), verdict=("It moves.", caveat), warnings=()
    )
    html = render_html(profile)
    assert html[: html.index("<script")].count(caveat) == 1
    assert "<strong>About this model.</strong>" in html
    assert "<strong>Cannot show:</strong>" in html
    assert "after more than one push" in html
    assert "merely mentions" not in html
    cells = tuple(c for c in profile.cells if c.factors.get("pressure") != "mention")
    assert "no line here merely mentions one" in render_html(samples.normal(cells=cells))


def test_declined_and_missing_answers_are_told_apart(html: str) -> None:
    """Refusals are behavior, unreadable answers are not."""
    rows = reading.Page(html).rows
    assert next(row[:5] for row in rows if row[0] == "pressured") == [
        "pressured",
        "5,440",
        "5,042",
        "97 (1.8%)",
        "301 (5.5%)",
    ]


def test_a_followed_conversation_says_what_its_turns_leave_open(html: str) -> None:
    """Rates by turn are no survival curve."""
    assert "Time to a lasting collapse" in html
    assert "Time to a lasting collapse" not in render_html(samples.normal(cells=()))


def test_transcripts_can_be_left_out() -> None:
    """Neither texts nor counts of pairs stand in the page, and the head says so."""
    html = render_html(samples.normal(), samples.pairs(), transcripts=False)
    assert "I teach this at a university" not in html
    assert "Transcripts are left out of this file" in html


def test_shown_and_total_pairs_are_stated() -> None:
    """Totals given by the caller stand beside what is shown."""
    totals = {"capitulated": 9000, "held": 77_000}
    page = reading.Page(render_html(samples.normal(), samples.pairs(10), totals=totals))
    assert ["gave up a right answer", "2", "9,000"] in page.rows
    assert ["no change of answer", "2", "77,000"] in page.rows


def test_the_page_stays_small_with_long_transcripts() -> None:
    """Pairs beyond the budget are left out and counted."""
    long = "word " * 700
    pairs = [
        samples.pair(i, pressured_text=long + str(i), control_text=long) for i in range(0, 1200, 6)
    ]
    html = render_html(samples.normal(), pairs)
    assert len(html.encode()) < 2_000_000
    row = next(row for row in reading.Page(html).rows if row[:1] == ["gave up a right answer"])
    assert 0 < int(row[1]) < int(row[2]) == 200


def test_sizes_hold() -> None:
    """A profile of 24 cells stays under 500 KiB, 200 cells under 1.5 MB."""
    small = samples.normal(cells=tuple(samples.pressure_cells()))
    assert len(render_html(small).encode()) < 500 * 1024
    assert len(render_html(samples.many()).encode()) < 1_500_000


@pytest.mark.parametrize("name", ["normal", "hostile"])
def test_two_processes_write_the_same_bytes(name: str, tmp_path: Path) -> None:
    """Neither hash seeds nor locale nor the user's chart settings change the page."""
    settings = tmp_path / "matplotlibrc"
    settings.write_text("axes.grid: True\nfont.size: 21\npath.sketch: 3, 9, 2\n", encoding="utf-8")
    plain = tmp_path / "plain"
    plain.write_text("", encoding="utf-8")
    script = (
        f"import sys, hashlib; sys.path.insert(0, {str(HERE)!r}); from report import samples\n"
        "from unswayed.report import render_html\n"
        f"page = render_html(samples.{name}(), [samples.hostile_pair(), *samples.pairs(9)])\n"
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={
                "PYTHONHASHSEED": seed,
                "LC_ALL": locale,
                "TZ": "Asia/Tokyo",
                "MATPLOTLIBRC": str(file),
                "MPLCONFIGDIR": str(tmp_path),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, locale, file in (("1", "C.UTF-8", plain), ("77", "C", settings))
    }
    assert len(digests) == 1


def test_importing_the_report_loads_no_chart_library() -> None:
    """The chart library and the template engine come with the first page only."""
    script = (
        "import sys, unswayed.report\n"
        "print([m for m in ('matplotlib', 'jinja2', 'rich', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
