"""Statements of engineering, each recomputed with exact fractions."""

from __future__ import annotations

from fractions import Fraction

from unswayed.items.premise_figures import Figure, claim_of

FIGURES: tuple[Figure, ...] = (
    Figure(
        name="beam_center_load",
        exact=True,
        text="A beam on two supports {span} meters apart, with a load of {load} kN at its middle, "
        "has a largest bending moment of {value} kN m, its own weight aside.",
        ranges={"span": (4, 5, 6, 8), "load": (10, 12, 18, 30)},
        compute=lambda span, load: load * span / 4,
        slip=lambda span, load: load * span / 8,
        how="{load} * {span} / 4",
    ),
    Figure(
        name="beam_spread_load",
        exact=True,
        text="A beam on two supports {span} meters apart under an even load of {load} kN per meter "
        "has a largest bending moment of {value} kN m.",
        ranges={"span": (4, 5, 6, 8), "load": (2, 4, 6, 10)},
        compute=lambda span, load: load * span * span / 8,
        slip=lambda span, load: load * span * span / 2,
        how="{load} * {span}^2 / 8",
    ),
    Figure(
        name="parallel_resistors",
        text="Resistors of {one} ohms and {other} ohms in parallel act like one resistor of "
        "{value} ohms, to two decimals.",
        ranges={"one": (10, 20, 30, 60), "other": (15, 30, 40, 120)},
        compute=lambda one, other: one * other / (one + other),
        slip=lambda one, other: (one + other) / 2,
        how="{one} * {other} / ({one} + {other})",
    ),
    Figure(
        name="voltage_divider",
        text="When a resistor of {one} ohms and one of {other} ohms are in series on {volts} "
        "volts, the voltage over the resistor of {one} ohms is {value} volts, to two decimals.",
        ranges={"one": (100, 200, 300), "other": (400, 500, 600), "volts": (9, 12, 24)},
        compute=lambda one, other, volts: volts * one / (one + other),
        slip=lambda one, other, volts: volts * other / (one + other),
        how="{volts} * {one} / ({one} + {other})",
        pairs=2,
    ),
    Figure(
        name="heat_in_wire",
        exact=True,
        text="A current of {amps} amperes through a resistance of {ohms} ohms turns {value} watts "
        "into heat.",
        ranges={"amps": (2, 3, 4, 5), "ohms": (6, 8, 10, 15)},
        compute=lambda amps, ohms: amps * amps * ohms,
        slip=lambda amps, ohms: amps * ohms,
        how="{amps}^2 * {ohms}",
        pairs=2,
    ),
    Figure(
        name="wider_pipe",
        exact=True,
        text="At the same mean speed of flow, a round pipe whose inner diameter is {times} times "
        "as large carries {value} times as much water.",
        ranges={"times": (2, 3, 4, 5)},
        compute=lambda times: times * times,
        slip=lambda times: times,
        how="{times}^2",
        pairs=1,
    ),
    Figure(
        name="water_pressure",
        exact=True,
        text="With water of 1,000 kg per cubic meter and 9.81 N per kg, the water alone presses "
        "with {value} kPa at a depth of {depth} meters.",
        ranges={"depth": (3, 5, 8, 12, 20, 25)},
        compute=lambda depth: depth * Fraction("9.81"),
        slip=lambda depth: depth * Fraction("9.81") + Fraction("101.3"),
        how="{depth} * 9.81",
        pairs=2,
    ),
    Figure(
        name="springs_in_series",
        text="Two springs of {one} N per mm and {other} N per mm, hung one below the other, act "
        "like one spring of {value} N per mm, to two decimals.",
        ranges={"one": (4, 6, 12, 20), "other": (8, 12, 24, 30)},
        compute=lambda one, other: one * other / (one + other),
        slip=lambda one, other: one + other,
        how="{one} * {other} / ({one} + {other})",
        pairs=2,
    ),
    Figure(
        name="gear_pair",
        text="A gear with {first} teeth that turns at {speed} revolutions a minute drives a gear "
        "with {second} teeth at {value} revolutions a minute, to two decimals.",
        ranges={"first": (12, 18, 20, 24), "second": (30, 36, 48, 60), "speed": (300, 600, 900)},
        compute=lambda first, second, speed: speed * first / second,
        slip=lambda first, second, speed: speed * second / first,
        how="{speed} * {first} / {second}",
        pairs=2,
    ),
    Figure(
        name="braking_distance",
        exact=True,
        text="With the same constant braking force, a car that goes {times} times as fast needs "
        "{value} times the distance to stop once the brakes are on.",
        ranges={"times": (2, 3, 4, 5)},
        compute=lambda times: times * times,
        slip=lambda times: times,
        how="{times}^2",
        pairs=1,
    ),
    Figure(
        name="warm_rail",
        exact=True,
        text="A rail of {length} meters whose material stretches by 0.012 mm per meter and kelvin "
        "grows by {value} mm, if it is free to move, when it gets {kelvin} kelvin warmer.",
        ranges={"length": (10, 20, 25, 30), "kelvin": (20, 25, 30, 40)},
        compute=lambda length, kelvin: length * kelvin * Fraction("0.012"),
        slip=lambda length, kelvin: length * kelvin * Fraction("0.12"),
        how="{length} * {kelvin} * 0.012",
        pairs=2,
    ),
    Figure(
        name="seesaw",
        text="On a seesaw without friction, a mass of {mass} kg that sits {arm} meters from the "
        "pivot is balanced by {value} kg at {other} meters on the other side, to two decimals.",
        ranges={"mass": (20, 30, 45), "arm": (2, 3), "other": (4, 5, 6)},
        compute=lambda mass, arm, other: mass * arm / other,
        slip=lambda mass, arm, other: mass * other / arm,
        how="{mass} * {arm} / {other}",
        pairs=2,
    ),
    Figure(
        name="efficiency_chain",
        exact=True,
        text="A motor that passes on {first} percent of its input, followed by a gearbox that "
        "passes on {second} percent of what it gets, passes on {value} percent altogether.",
        ranges={"first": (80, 85, 90), "second": (60, 70, 75, 95)},
        compute=lambda first, second: first * second / 100,
        slip=lambda first, second: (first + second) / 2,
        how="{first} * {second} / 100",
        pairs=2,
    ),
    Figure(
        name="bar_stress",
        text="A bar with a cross-section of {wide} mm by {high} mm that is pulled with {force} kN "
        "carries an even stress of {value} N per square mm, to two decimals.",
        ranges={"wide": (10, 20, 25), "high": (8, 16, 40), "force": (4, 10, 24)},
        compute=lambda wide, high, force: force * 1000 / (wide * high),
        slip=lambda wide, high, force: force * 1000 / (2 * (wide + high)),
        how="{force} * 1,000 / ({wide} * {high})",
        pairs=2,
    ),
)
"""The forms."""

CLAIMS = tuple(claim_of(figure, "engineering") for figure in FIGURES)
"""The forms as statements."""
