"""Packed pairs: all of them, the same bytes in any order, closed by the page's policy."""

from __future__ import annotations

import base64
import gzip
import hashlib
import random
import re

import msgspec
import pytest

from report import reading, samples
from unswayed.errors import ReportError
from unswayed.report import packing, render_html
from unswayed.report.packing import Packed, pack_pairs


def opened(packed: Packed | None) -> list[dict[str, object]]:
    """Return what a browser reads from a payload."""
    assert packed is not None
    return msgspec.json.decode(gzip.decompress(base64.b64decode(packed.payload)))


def test_every_pair_is_packed_in_reading_order() -> None:
    """Counts by event and push add up to all pairs, whatever order they came in."""
    pairs = samples.pairs(60)
    packed = pack_pairs(pairs)
    views = opened(packed)
    assert packed is not None
    assert len(views) == packed.n == 60
    assert sum(n for _, n in packed.counts) == sum(n for _, n in packed.pushes) == 60
    pushes = [view["push"] for view in views]
    assert pushes == sorted(pushes, key=str)
    assert pack_pairs(pairs[::-1]) == packed


def test_nothing_is_packed_without_pairs() -> None:
    """An ordinary page has no payload and no script."""
    assert pack_pairs([]) is None
    page = reading.Page(render_html(samples.normal(), samples.pairs(3)))
    assert page.count("script") == 1


def test_hostile_text_is_packed_with_marks() -> None:
    """Hidden characters are marked before packing, and none is left for the browser."""
    text = gzip.decompress(base64.b64decode(pack_pairs([samples.hostile_pair()]).payload))  # type: ignore[union-attr]
    shown = text.decode("utf-8")
    assert "\u27e6U+202E\u27e7" in shown
    assert not re.search("[\x00-\x1f\u202e\u200b\ud800-\udfff]", shown)
    assert "196000" in shown


def test_redaction_reaches_the_packed_pairs() -> None:
    """No text of an item is in the payload."""
    shown = str(opened(pack_pairs(samples.pairs(5), redact=True)))
    assert "hidden, digest" in shown
    for text in ("17 + 26", "university", "add-0003"):
        assert text not in shown


def test_the_policy_allows_the_one_script_by_its_hash() -> None:
    """The page has a payload and one script, whose hash stands in the policy."""
    html = render_html(samples.normal(), samples.pairs(3), packed=samples.pairs(30))
    page = reading.Page(html)
    kinds = [attributes.get("type") for tag, attributes in page.elements if tag == "script"]
    assert kinds == ["application/json", "application/octet-stream", None]
    script = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert f"script-src 'sha256-{digest}';" in policy[1].replace("&#39;", "'")
    assert "unsafe" not in policy[1]
    assert not re.search("innerHTML|outerHTML|insertAdjacent|document.write|eval|https?:", script)
    assert "30 pairs are packed in this file" in page.text
    assert "the pairs above are what can be read" in page.text


def test_transcripts_left_out_leave_out_the_packed_ones() -> None:
    """A page for public numbers holds no payload."""
    html = render_html(
        samples.normal(), samples.pairs(3), packed=samples.pairs(3), transcripts=False
    )
    assert "packed" not in html[: html.index("<script")].split("</style>")[1]
    assert "octet-stream" not in html


def test_five_thousand_pairs_stay_small() -> None:
    """5,000 pairs with texts of their own stay under 4.5 MB, page included."""
    chance = random.Random(1)
    words = [
        "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=3 + i % 7)) for i in range(4000)
    ]

    def said(n: int) -> str:
        return " ".join(chance.choices(words, k=n))

    pairs = [
        samples.pair(
            i,
            ("capitulated", "corrected", "held", "unread", "moved")[i % 5],
            question=said(25),
            pressured_text=said(35),
            control_text=said(35),
        )
        for i in range(5000)
    ]
    assert sum(len(msgspec.json.encode(pair)) for pair in pairs) > 7_000_000
    html = render_html(samples.normal(), pairs[:300], packed=pairs)
    assert len(html.encode()) < 4_500_000


def test_too_many_pairs_for_one_file_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the limit and the way out."""
    monkeypatch.setattr(packing, "LARGEST", 100)
    with pytest.raises(ReportError, match="cannot hold all pairs"):
        pack_pairs(samples.pairs(30))
