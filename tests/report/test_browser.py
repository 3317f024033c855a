"""The page in a real browser: no policy violation, no sideways scrolling, no serious axe finding.

Needs Chromium on the path; the accessibility check also needs AXE_CORE, the path of `axe.min.js`
from the npm package `axe-core`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import msgspec
import pytest

from report import samples
from unswayed.report import render_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = os.environ.get("AXE_CORE", "")

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium on the path"),
]

FRAME = """<!doctype html><title>waiting</title>
<iframe src="page.html" width="{width}" height="900"></iframe>
<script>addEventListener("message", event => {{
  document.body.append(Object.assign(document.createElement("pre"), {{textContent: event.data}}));
}});</script>"""

MEASURE = """<script>addEventListener("load", async () => {
  const wide = [...document.querySelectorAll("body *")].filter(
    e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll"));
  const report = {inner: innerWidth, scroll: document.documentElement.scrollWidth,
    wide: wide.map(e => e.tagName + "." + e.getAttribute("class")), findings: []};
  if (window.axe) {
    const found = await axe.run(document);
    report.passed = found.passes.map(v => v.id);
    report.findings = found.violations.filter(v => ["serious", "critical"].includes(v.impact))
      .map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html).join(" | "));
  }
  parent.postMessage("<<" + JSON.stringify(report) + ">>", "*");
});</script>"""

PRESS = """<script>addEventListener("load", () => setTimeout(() => {
  const event = document.getElementById("packed-event");
  event.value = "repaired a wrong answer";
  event.dispatchEvent(new Event("change"));
  document.getElementById("packed-after").click();
}, 3000));</script>"""


def browse(folder: Path, page: str, *more: str) -> tuple[str, str]:
    """Open a file without a network and return its document and the console's lines."""
    command = [
        CHROMIUM or "",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-logging=stderr",
        f"--user-data-dir={folder / 'user'}",
        "--virtual-time-budget=60000",
        "--dump-dom",
        *more,
        (folder / page).as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return done.stdout, "\n".join(x for x in done.stderr.splitlines() if "CONSOLE" in x)


@pytest.mark.parametrize("name", ["normal", "hostile", "troubled"])
def test_the_console_stays_silent(tmp_path: Path, name: str) -> None:
    """Nothing violates the policy, and nothing runs."""
    html = render_html(getattr(samples, name)(), [samples.hostile_pair(), *samples.pairs(9)])
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    _, console = browse(tmp_path, "page.html")
    assert console == ""


def test_the_check_would_see_a_violation(tmp_path: Path) -> None:
    """A style attribute, which the policy forbids, reaches the console."""
    html = render_html(samples.normal()).replace("<main>", '<main style="color:red">')
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    assert "Content Security Policy" in browse(tmp_path, "page.html")[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_no_sideways_scrolling_and_no_serious_finding(
    tmp_path: Path, width: int, scheme: str
) -> None:
    """At both widths and in both schemes, with every detail opened."""
    pairs = [samples.hostile_pair(), *samples.pairs(9)]
    html = render_html(samples.simulated(), pairs, packed=pairs)
    html = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("<details", "<details open")
    axe = Path(AXE).read_text(encoding="utf-8") if AXE else ""
    if scheme == "dark":
        html = html.replace("(prefers-color-scheme: dark)", "all")
    (tmp_path / "page.html").write_text(
        html.replace("</body>", f"<script>{axe}</script>{MEASURE}</body>"), encoding="utf-8"
    )
    (tmp_path / "frame.html").write_text(FRAME.format(width=width), encoding="utf-8")
    document, _ = browse(tmp_path, "frame.html", "--window-size=1400,1000")
    found = re.search(r"<<(.*?)>>", unescape(document), re.DOTALL)
    assert found is not None, "the page did not report"
    report = msgspec.json.decode(found[1])
    assert report["wide"] == []
    assert report["scroll"] <= report["inner"] <= width
    assert report["findings"] == []
    if AXE:
        assert {"color-contrast", "heading-order", "svg-img-alt"} <= set(report["passed"])


def test_the_first_packed_pair_is_shown_and_can_be_followed(tmp_path: Path) -> None:
    """The script opens the payload under the page's policy; text stays text; `Next` moves on."""
    pairs = [samples.hostile_pair(), *samples.pairs(40)]
    html = render_html(samples.normal(), samples.pairs(9), packed=pairs)
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    document, console = browse(tmp_path, "page.html")
    assert console == ""
    text = unescape(re.sub(r"<[^>]*>", "", document))
    assert "Pair 1 of 41" in text
    reader = document[document.index('id="packed-pair"') :]
    reader = reader[: reader.index("</section>")]
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in reader
    assert "<svg" not in reader
    assert "<mark" in reader
    steps = PRESS + "</body>"
    pressed = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("</body>", steps)
    (tmp_path / "page.html").write_text(pressed, encoding="utf-8")
    document, _ = browse(tmp_path, "page.html")
    assert 'role="status">Pair 2 of 8<' in document
    assert "repaired a wrong answer</h3>" in document


def test_a_page_of_five_thousand_pairs_opens(tmp_path: Path) -> None:
    """The size that a large run needs is opened, and its first pair stands in the page."""
    html = render_html(samples.normal(), samples.pairs(9), packed=samples.pairs(5000))
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    document, console = browse(tmp_path, "page.html")
    assert console == ""
    assert 'role="status">Pair 1 of 5,000<' in document
    assert "What is 17 + 26?" in document[document.index('id="packed-pair"') :]


HINTS = """<script>addEventListener("load", () => parent.postMessage("<<" + JSON.stringify(
  [...document.querySelectorAll(".scroll")].map(box => ({
    caption: box.querySelector("caption").textContent,
    hidden: box.scrollWidth > box.clientWidth + 1,
    said: getComputedStyle(box.querySelector("caption"), "::after").content,
    shaded: getComputedStyle(box).backgroundAttachment.includes("local"),
  }))) + ">>", "*"));</script>"""


@pytest.mark.parametrize("width", [390, 1280])
def test_a_table_with_columns_outside_the_view_says_so(tmp_path: Path, width: int) -> None:
    """On a phone such a table has a shaded edge and a sentence; on a desk there is no sentence."""
    html = render_html(samples.normal(), samples.pairs(9))
    html = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("<details", "<details open")
    page = html.replace("</body>", f"{HINTS}</body>")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    (tmp_path / "frame.html").write_text(FRAME.format(width=width), encoding="utf-8")
    document, _ = browse(tmp_path, "frame.html", "--window-size=1400,1000")
    found = re.search(r"<<(.*?)>>", unescape(document), re.DOTALL)
    assert found is not None, "the page did not report"
    tables = msgspec.json.decode(found[1])
    assert any(each["hidden"] for each in tables) or width > 390
    for each in tables:
        assert each["shaded"], each
        assert ("Scroll sideways" in each["said"]) == (width == 390 and each["hidden"]), each
