"""Reads pages and charts back for the report's tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

WIDTH = 0.6
"""Width of one character in units of the font size."""


class Page(HTMLParser):
    """The elements, attributes and tables of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.rows: list[list[str]] = []
        self.embedded = ""
        self._inside: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element and open a row or cell."""
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self._inside.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Keep text where it stands."""
        if "script" in self._inside:
            self.embedded += data
        elif "style" not in self._inside:
            self.texts.append(data)
        if self._inside and ("td" in self._inside or "th" in self._inside):
            self.rows[-1][-1] += data

    def count(self, tag: str) -> int:
        """Return how many elements of a kind there are."""
        return sum(name == tag for name, _ in self.elements)

    @property
    def text(self) -> str:
        """All visible text."""
        return "".join(self.texts)


def charts(html: str) -> list[ElementTree.Element]:
    """Return the page's charts, each parsed as XML."""
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def written(text: ElementTree.Element) -> str:
    """Return what a text element shows."""
    title = text.find("title")
    return (title.tail if title is not None else text.text) or ""


def scale(svg: ElementTree.Element, axis: str = "x") -> tuple[float, float]:
    """Return offset and pixels per point of an axis, from its tick labels."""
    ticks: dict[float, tuple[float, float]] = {}
    for text in svg.iter("text"):
        words = written(text).replace("\u2212", "-")
        anchored = text.get("text-anchor") == ("middle" if axis == "x" else "end")
        if anchored and re.fullmatch(r"[+-]?\d+", words):
            ticks[float(words)] = (float(text.get("x", "")), float(text.get("y", "")))
    index = 0 if axis == "x" else 1
    low, high = min(ticks), max(ticks)
    per_point = (ticks[high][index] - ticks[low][index]) / (high - low)
    return ticks[low][index] - low * per_point, per_point


def marks(svg: ElementTree.Element) -> dict[str, list[tuple[float, float]]]:
    """Return the points of every named mark in pixels."""
    found: dict[str, list[tuple[float, float]]] = {}
    for group in svg.iter("g"):
        for path in group.iter("path"):
            moved = re.match(r"translate\((\S+) (\S+)\)", path.get("transform", ""))
            if moved:
                points = [(float(moved[1]), float(moved[2]))]
            else:
                numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", path.get("d", ""))]
                points = list(zip(numbers[::2], numbers[1::2], strict=True))
            found.setdefault(group.get("data-mark", ""), []).extend(points)
    return found


def boxes(svg: ElementTree.Element) -> list[tuple[str, float, float, float, float]]:
    """Return words and rectangle of every label, at .6 em per character."""
    found = []
    for text in svg.iter("text"):
        words, size = written(text), float(text.get("font-size", "12px").removesuffix("px"))
        width = len(words) * WIDTH * size
        x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        shift = {"middle": width / 2, "end": width}.get(text.get("text-anchor", "start"), 0.0)
        if "rotate(-90" in text.get("transform", ""):
            found.append((words, x - size * 0.8, y - width + shift, x, y + shift))
        else:
            found.append((words, x - shift, y - size * 0.8, x - shift + width, y))
    return found


def overlaps(svg: ElementTree.Element) -> list[tuple[str, str]]:
    """Return the pairs of labels that share any area."""
    every = boxes(svg)
    return [
        (a[0], b[0])
        for i, a in enumerate(every)
        for b in every[i + 1 :]
        if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]
    ]


def uprights(svg: ElementTree.Element) -> Iterator[tuple[float, float, float]]:
    """Yield place, upper and lower end of every upright stretch of a line of the scale."""
    for path in svg.iter("path"):
        if path.get("stroke") not in ("#1a1a1a", "#dddddd"):
            continue
        for part in path.get("d", "").split("M"):
            numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", part)]
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
            for (x, y), (z, w) in pairwise(points):
                if x == z and y != w:
                    yield x, min(y, w), max(y, w)
