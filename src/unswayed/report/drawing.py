"""From a matplotlib figure to inline SVG that a strict page policy accepts.

Charts are laid out in pixels: 72 dots per inch make one point one pixel. Labels enter the figure
as tokens of fixed length and are put back here, so that neither a strange name nor the fonts of
a machine can change the drawing, and no label is read as mathematics or markup.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack
from xml.etree import ElementTree

from unswayed.errors import ReportError
from unswayed.report.visible import one_line, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1a1a1a"
MUTED = "#5a5a5a"
GRID = "#dddddd"
PAPER = "#ffffff"
BLUE = "#0072b2"
VERMILION = "#d55e00"
GREEN = "#009e73"
PINK = "#cc79a7"
"""Colors as drawn; the page's style sheet replaces them by name in the dark scheme."""

CHARACTER = 0.6
"""Width of one character in units of the font size, on the safe side for common fonts."""

_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_DROPPED = {"font-family", "stroke-linejoin", "font-style", "font"}


@contextmanager
def plain_settings() -> Iterator[None]:
    """Draw with the library's own defaults, whatever the user's settings file says."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        yield


class Style(TypedDict, total=False):
    """How a label is written."""

    size: float
    """Font size in pixels, 12 when not given."""
    width: float
    """Pixels that the label may take, the chart's width when not given."""
    color: str
    """Color, ink when not given."""
    weight: str
    """`normal` or `bold`."""
    ha: Literal["left", "center", "right"]
    """Which part of the label stands at its place."""
    rotation: float
    """Degrees, counterclockwise."""


class Canvas:
    """A figure of fixed size in pixels, with labels and named marks.

    Args:
        width: Width in pixels.
        height: Height in pixels.
    """

    def __init__(self, width: float, height: float) -> None:
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self.figure: Figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        self.figure.patch.set_visible(False)
        self._labels: list[tuple[str, str]] = []

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Add axes at a place in pixels from the upper left corner, without a frame."""
        axes = self.figure.add_axes(
            (
                left / self.width,
                1 - (top + height) / self.height,
                width / self.width,
                height / self.height,
            )
        )
        axes.patch.set_visible(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.tick_params(length=0, pad=5, labelsize=12, labelcolor=MUTED)
        return axes

    def label(self, text: str, *, width: float, size: float = 12) -> str:
        """Register a label and return the token that stands for it in the figure.

        Args:
            text: The label, of any origin.
            width: Pixels that it may take; a longer label is cut and kept whole as a title.
            size: Font size in pixels.
        """
        whole = one_line(text)
        self._labels.append((shorten(whole, max(4, int(width / (CHARACTER * size)))), whole))
        return f"T{len(self._labels) - 1:05d}"

    def text(self, axes: Axes, x: float, y: float, text: str, **style: Unpack[Style]) -> None:
        """Write a label at data coordinates.

        Args:
            axes: Where to write.
            x: Horizontal place.
            y: Height of the baseline.
            text: The label, of any origin.
            **style: How to write it.
        """
        size = style.get("size", 12)
        axes.text(
            x,
            y,
            self.label(text, width=style.get("width", self.width), size=size),
            fontsize=size,
            color=style.get("color", INK),
            fontweight=style.get("weight", "normal"),
            ha=style.get("ha", "left"),
            va="baseline",
            rotation=style.get("rotation", 0.0),
            rotation_mode="anchor",
            clip_on=False,
        )

    def to_svg(self, key: str, title: str, description: str) -> str:
        """Render the figure.

        Args:
            key: Name of the chart, unique on the page.
            title: Title for readers who do not see the chart.
            description: The finding in words.

        Raises:
            ReportError: When the chart library wrote something this page cannot carry.
        """
        from matplotlib import rc_context

        stream = io.BytesIO()
        settings: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "unswayed"}
        with rc_context(settings):
            self.figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
        root = ElementTree.fromstring(stream.getvalue())
        svg = ElementTree.Element(
            "svg",
            {
                "class": "chart",
                "role": "img",
                "aria-labelledby": f"{key}-title {key}-desc",
                "viewBox": f"0 0 {self.width:g} {self.height:g}",
            },
        )
        ElementTree.SubElement(svg, "title", {"id": f"{key}-title"}).text = one_line(title)
        ElementTree.SubElement(svg, "desc", {"id": f"{key}-desc"}).text = one_line(description)
        shapes = {shape.get("id"): shape for shape in root.iter() if shape.get("id")}
        for child in root:
            self._copy(child, svg, shapes)
        return ElementTree.tostring(svg, encoding="unicode")

    def _copy(
        self,
        element: ElementTree.Element,
        parent: ElementTree.Element,
        shapes: dict[str | None, ElementTree.Element],
    ) -> None:
        tag = element.tag.rpartition("}")[2]
        if tag in ("metadata", "defs", "style"):
            return
        if tag == "g":
            group = ElementTree.SubElement(parent, "g")
            name = element.get("id", "")
            if name.startswith("mark:"):
                group.set("data-mark", name.removeprefix("mark:"))
            for child in element:
                self._copy(child, group, shapes)
            _simplify(parent, group)
        elif tag == "use":
            self._resolve(element, parent, shapes)
        elif tag == "path":
            ElementTree.SubElement(parent, "path", _attributes(element))
        elif tag == "text":
            self._write(element, parent)
        else:
            raise ReportError(
                "A chart holds an element that the page does not know",
                allowed="g, path, use and text",
                given=tag,
                next_step="install a version of matplotlib that the package declares",
            )

    def _resolve(
        self,
        element: ElementTree.Element,
        parent: ElementTree.Element,
        shapes: dict[str | None, ElementTree.Element],
    ) -> None:
        shape = shapes[element.get(_LINK, "").removeprefix("#")]
        attributes = _attributes(shape) | _attributes(element)
        x, y = attributes.pop("x"), attributes.pop("y")
        attributes["transform"] = f"translate({x} {y})"
        ElementTree.SubElement(parent, "path", attributes)

    def _write(self, element: ElementTree.Element, parent: ElementTree.Element) -> None:
        attributes = _attributes(element)
        if attributes.get("transform", "").startswith("rotate(-0"):
            del attributes["transform"]
        attributes.setdefault("fill", INK)
        written = ElementTree.SubElement(parent, "text", attributes)
        content = element.text or ""
        if re.fullmatch(r"T\d{5}", content):
            content, whole = self._labels[int(content[1:])]
            if content != whole:
                title = ElementTree.SubElement(written, "title")
                title.text, title.tail = whole, content
                return
        written.text = content


def _simplify(parent: ElementTree.Element, group: ElementTree.Element) -> None:
    """Drop a group without content, and put its content in its place when it has no name."""
    if group.attrib and len(group):
        return
    parent.remove(group)
    if not group.attrib:
        parent.extend(list(group))


def _attributes(element: ElementTree.Element) -> dict[str, str]:
    """Return the attributes that matter, style declarations among them, numbers rounded."""
    found = {
        name: value
        for name, value in element.attrib.items()
        if name in ("d", "x", "y", "transform")
    }
    for declaration in element.get("style", "").split(";"):
        name, _, value = declaration.partition(":")
        if name.strip() and name.strip() not in _DROPPED:
            found[name.strip()] = value.strip()
    return {name: _rounded(" ".join(value.split())) for name, value in sorted(found.items())}


def _rounded(text: str) -> str:
    return _NUMBER.sub(
        lambda match: f"{float(match.group()) + 0:.2f}".rstrip("0").rstrip("."), text
    )
