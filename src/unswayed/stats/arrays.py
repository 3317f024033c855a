"""Checks on incoming arrays: finite numbers of the right shape, or a StatisticsError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unswayed.errors import StatisticsError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


def finite(name: str, values: ArrayLike, ndim: int = 1) -> Floats:
    """Return the values as float64 after checking that each is finite and the shape fits.

    Args:
        name: What the array is, for the message.
        values: Numbers or booleans.
        ndim: Number of dimensions that the caller needs.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(
            f"{name} cannot be read as numbers",
            allowed="an array of finite numbers",
            given=type(values).__name__,
            next_step="Leave missing entries out and count them as unread.",
        ) from error
    if array.ndim != ndim:
        raise StatisticsError(
            f"{name} has the wrong number of dimensions",
            allowed=f"{ndim}",
            given=f"{array.ndim}, shape {array.shape}",
            next_step="See the shapes in the function's docstring.",
        )
    if not np.isfinite(array).all():
        raise StatisticsError(
            f"{name} holds {int((~np.isfinite(array)).sum())} entries that are not finite",
            allowed="finite numbers only",
            given="NaN or infinity",
            next_step="Leave missing entries out and count them as unread.",
        )
    return array


def same_shape(**arrays: NDArray[Any]) -> None:
    """Refuse arrays whose shapes differ, naming each with its shape."""
    if len({array.shape for array in arrays.values()}) > 1:
        raise StatisticsError(
            f"{' and '.join(arrays)} do not have the same shape",
            allowed="one entry per item in each",
            given=", ".join(f"{name} {array.shape}" for name, array in arrays.items()),
            next_step="Line them up by item before calling.",
        )


def within(name: str, values: ArrayLike, low: float, high: float) -> None:
    """Refuse values outside the closed range from low to high."""
    array = np.asarray(values, dtype=np.float64)
    if not bool(((array >= low) & (array <= high)).all()):
        raise StatisticsError(
            f"{name} is out of range",
            allowed=f"{low} to {high}",
            given=f"{array.min() if array.ndim else float(array)}"
            f" to {array.max() if array.ndim else float(array)}",
            next_step=f"Check how {name} was computed.",
        )


def counted(name: str, *values: float) -> None:
    """Refuse counts that are negative or not whole."""
    if not all(np.isfinite(value) and value >= 0 and value == int(value) for value in values):
        raise StatisticsError(
            f"{name} must be counts",
            allowed="whole numbers, 0 or more",
            given=", ".join(str(value) for value in values),
            next_step="Count before calling; pass shares to the functions that take shares.",
        )


def some(name: str, value: float) -> None:
    """Refuse a count under 1."""
    counted(name, value)
    if value < 1:
        raise StatisticsError(
            f"{name} must be 1 or more",
            allowed="whole numbers, 1 or more",
            given=str(value),
            next_step="Leave the number out of the report where there is nothing to count.",
        )


def seeded(seed: int) -> np.random.Generator:
    """Return the SFC64 generator of a seed.

    Args:
        seed: A whole number, 0 or more.
    """
    counted("seed", seed)
    return np.random.Generator(np.random.SFC64(seed))


def probability(**values: float) -> None:
    """Refuse a number that must lie strictly between 0 and 1 and does not."""
    for name, value in values.items():
        if not 0 < value < 1:
            raise StatisticsError(
                f"{name} must lie between 0 and 1",
                allowed="more than 0 and less than 1",
                given=str(value),
                next_step="Use .95 for a level, .05 for alpha, .8 for power.",
            )


def check_events(events: Floats, at_risk: Floats) -> None:
    """Refuse counts of a life table that cannot be: negative, or more events than were at risk.

    Args:
        events: Shape (items, turns).
        at_risk: Shape (items, turns).
    """
    some("turns", events.shape[1])
    if (events < 0).any() or (events > at_risk).any():
        raise StatisticsError(
            "More conversations collapse than are at risk, or fewer than none",
            allowed="0 <= events <= at risk in every cell",
            given=f"events {events.min():g} to {events.max():g}, at risk {at_risk.min():g} up",
            next_step="Take both from `turn_totals`.",
        )
