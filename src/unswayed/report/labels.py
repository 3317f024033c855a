"""Where labels of a chart go so that no two of them overlap."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from unswayed.report.drawing import CHARACTER

STEP = 15.0
"""Distance in pixels by which a label moves to make room."""


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A rectangle in pixels from the upper left corner."""

    left: float
    """Left edge."""
    top: float
    """Upper edge."""
    width: float
    """Width."""
    height: float = STEP - 1
    """Height."""

    def overlaps(self, other: Box) -> bool:
        """Say whether two rectangles share any area."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )


def measure(text: str, size: float = 12) -> float:
    """Return the width in pixels that a text may take."""
    return len(text) * CHARACTER * size


def place_labels(
    marks: Sequence[tuple[float, float, str]], frame: Box, taken: Sequence[Box]
) -> list[Box]:
    """Place one label beside each mark, pushed up or down until it is free.

    Args:
        marks: Place of each mark and its label, in pixels.
        frame: The area in which labels must stay.
        taken: Places of fixed labels.

    Returns:
        One rectangle per mark, in the order given. A label that finds no free place stands
        below the frame, in rows.
    """
    placed: dict[int, Box] = {}
    for index in sorted(range(len(marks)), key=lambda i: (marks[i][1], marks[i][0], i)):
        x, y, text = marks[index]
        occupied = [*taken, *placed.values()]
        placed[index] = _first_free(x, y, measure(text), frame, occupied)
    return [placed[index] for index in range(len(marks))]


def _first_free(x: float, y: float, width: float, frame: Box, occupied: Sequence[Box]) -> Box:
    right, bottom = frame.left + frame.width, frame.top + frame.height
    for step in range(2 * int(frame.height / STEP) + 2):
        shift = step // 2 * STEP + 10
        top = y - STEP / 2 + (shift if step % 2 else -shift)
        for left in (x + 10, x - 10 - width):
            box = Box(left=left, top=top, width=width)
            inside = left >= frame.left and left + width <= right
            inside = inside and frame.top <= top and top + box.height <= bottom
            if inside and not any(box.overlaps(other) for other in occupied):
                return box
    box = Box(left=frame.left, top=bottom + 4, width=width)
    while any(box.overlaps(other) for other in occupied):
        box = Box(left=box.left, top=box.top + STEP, width=width)
    return box
