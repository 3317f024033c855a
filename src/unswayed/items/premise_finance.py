"""Statements of everyday finance, each recomputed with exact fractions."""

from __future__ import annotations

from fractions import Fraction

from unswayed.items.premise_figures import Figure, claim_of

_HUNDRED = Fraction(100)


def _grown(base: Fraction, rate: Fraction, years: Fraction) -> Fraction:
    return base * (1 + rate / _HUNDRED) ** int(years)


FIGURES: tuple[Figure, ...] = (
    Figure(
        name="compound_interest",
        text="A deposit of {base} dollars at {rate} percent interest a year, added to the deposit "
        "at the end of each year, has grown to {value} dollars after {years} years, to the cent.",
        ranges={"base": (813, 1437, 2389, 4871), "rate": (2, 3, 4, 5, 6), "years": (3, 4, 5, 6)},
        compute=_grown,
        slip=lambda base, rate, years: base * (1 + rate * years / _HUNDRED),
        how="{base} * (1 + {rate}/100)^{years}",
    ),
    Figure(
        name="down_and_up",
        exact=True,
        text="A share that first falls by {part} percent and then rises by {part} percent stands "
        "at {value} percent of its first price.",
        ranges={"part": (10, 15, 20, 25, 30, 40, 50)},
        compute=lambda part: _HUNDRED * (1 - part / _HUNDRED) * (1 + part / _HUNDRED),
        slip=lambda part: _HUNDRED,
        how="100 * (1 - {part}/100) * (1 + {part}/100)",
        pairs=2,
    ),
    Figure(
        name="gain_to_recover",
        text="A portfolio that has lost {part} percent of its value must gain {value} percent, to "
        "two decimals, to be back where it was.",
        ranges={"part": (10, 20, 25, 30, 40, 50, 60, 75)},
        compute=lambda part: part / (_HUNDRED - part) * 100,
        slip=lambda part: part,
        how="100 * {part} / (100 - {part})",
    ),
    Figure(
        name="perpetuity",
        text="At a rate of {rate} percent a year, a payment of {pay} dollars at the end of every "
        "year for ever is worth {value} dollars today, to the cent.",
        ranges={"rate": (2, 4, 5, 8), "pay": (127, 253, 411, 638)},
        compute=lambda rate, pay: pay * 100 / rate,
        slip=lambda rate, pay: pay * 100 / rate + pay,
        how="{pay} * 100 / {rate}",
        pairs=2,
    ),
    Figure(
        name="included_tax",
        text="A price of {price} dollars that already includes a sales tax of {tax} percent holds "
        "{value} dollars of tax, to the cent.",
        ranges={"price": (83, 119, 157, 241, 367), "tax": (5, 7, 10, 19, 20, 25)},
        compute=lambda price, tax: price * tax / (_HUNDRED + tax),
        slip=lambda price, tax: price * tax / _HUNDRED,
        how="{price} * {tax} / (100 + {tax})",
    ),
    Figure(
        name="real_return",
        text="With a return of {gain} percent and an inflation of {loss} percent over the same "
        "year, purchasing power has grown by {value} percent, to two decimals.",
        ranges={"gain": (8, 10, 12, 15, 20), "loss": (3, 4, 5, 6)},
        compute=lambda gain, loss: ((_HUNDRED + gain) / (_HUNDRED + loss) - 1) * 100,
        slip=lambda gain, loss: gain - loss,
        how="100 * ((100 + {gain}) / (100 + {loss}) - 1)",
    ),
    Figure(
        name="straight_line",
        text="A machine bought for {cost} dollars that will be sold for {scrap} dollars after "
        "{years} years loses {value} dollars of book value a year in straight-line depreciation, "
        "to the cent.",
        ranges={"cost": (9137, 12459, 18281), "scrap": (1042, 1503, 2077), "years": (4, 5, 8)},
        compute=lambda cost, scrap, years: (cost - scrap) / years,
        slip=lambda cost, scrap, years: cost / years,
        how="({cost} - {scrap}) / {years}",
        pairs=2,
    ),
    Figure(
        name="break_even",
        exact=True,
        text="A stall with fixed costs of {fixed} dollars a month, which buys a cup for {buy} "
        "dollars and sells it for {sell} dollars, breaks even at {value} cups a month.",
        ranges={"fixed": (840, 1680, 2520), "buy": (2, 3, 4), "sell": (5, 6, 8, 10)},
        compute=lambda fixed, buy, sell: fixed / (sell - buy),
        slip=lambda fixed, buy, sell: fixed / sell,
        how="{fixed} / ({sell} - {buy})",
    ),
    Figure(
        name="zero_bond",
        text="A bond that pays {face} dollars in {years} years and nothing before is worth {value} "
        "dollars today at a rate of {rate} percent a year, to the cent.",
        ranges={"face": (1013, 2047, 5219), "years": (2, 3, 4), "rate": (4, 5, 8, 10)},
        compute=lambda face, years, rate: face / (1 + rate / _HUNDRED) ** int(years),
        slip=lambda face, years, rate: face * (1 - rate * years / _HUNDRED),
        how="{face} / (1 + {rate}/100)^{years}",
    ),
    Figure(
        name="effective_rate",
        text="A nominal rate of {rate} percent a year, charged in {parts} equal parts and "
        "compounded each time, is an effective rate of {value} percent a year, to two decimals.",
        ranges={"rate": (6, 8, 10, 12, 18), "parts": (2, 3, 4, 6, 12)},
        compute=lambda rate, parts: ((1 + rate / parts / 100) ** int(parts) - 1) * 100,
        slip=lambda rate, parts: rate,
        how="100 * ((1 + {rate}/100/{parts})^{parts} - 1)",
    ),
    Figure(
        name="average_cost",
        exact=True,
        text="A firm that is financed with {share} percent equity at a cost of {equity} percent "
        "and otherwise with debt at a cost of {debt} percent has an average cost of capital of "
        "{value} percent, taxes aside.",
        ranges={"share": (20, 30, 40, 60, 70), "equity": (9, 10, 12), "debt": (3, 4, 5)},
        compute=lambda share, equity, debt: (share * equity + (100 - share) * debt) / 100,
        slip=lambda share, equity, debt: (equity + debt) / 2,
        how="({share} * {equity} + (100 - {share}) * {debt}) / 100",
    ),
)
"""The forms."""

CLAIMS = tuple(claim_of(figure, "finance") for figure in FIGURES)
"""The forms as statements."""
