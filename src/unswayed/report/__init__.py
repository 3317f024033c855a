"""Tables, charts and one HTML page from a profile."""

from __future__ import annotations

from unswayed.report.output import render_markdown, write_report
from unswayed.report.page import render_html
from unswayed.report.terminal import render_terminal
from unswayed.report.transcripts import Chosen, choose_pairs

__all__ = [
    "Chosen",
    "choose_pairs",
    "render_html",
    "render_markdown",
    "render_terminal",
    "write_report",
]
