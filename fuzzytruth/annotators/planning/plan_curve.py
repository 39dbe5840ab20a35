"""What many designs would give, with the uncertainty that the pilot leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.annotators.planning.plan_answer import Planned
from fuzzytruth.annotators.planning.planned_designs import Design, Estimator, Targets
from fuzzytruth.errors import counted
from fuzzytruth.io.number_text import level_text
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    import pandas as pd


_POINTS = 16  # numbers of queries in a curve
QUANTITIES = ("half_width", "power", "coefficient")


def points(queries: Sequence[int], needed: pd.Series[Any]) -> list[int]:
    """Numbers of queries about evenly spaced by their logarithm."""
    most = min(2 * int(needed.max()), 2 * queries[-1]) if len(needed) else queries[-1]
    first = max(2, queries[0])
    spaced = np.geomspace(first, max(most, first + 1), _POINTS)
    return sorted({round(float(n)) for n in spaced})


def ends(
    estimator: Estimator, design: Design, difference: float | None, level: float
) -> dict[str, float]:
    """Ends of half-width, power and coefficient at the ends of the components' interval.

    NaN where components were assumed, or the quantity is unknown.
    """
    out = {f"{name}_{end}": float("nan") for name in QUANTITIES for end in ("lower", "upper")}
    if estimator.components.draws is None:
        return out
    errors = estimator.errors(design)
    for end, side in (("lower", -1), ("upper", 1)):
        ratio = estimator.ratio(design, side, level) ** 0.5
        out[f"half_width_{end}"] = errors.half_width * ratio
        if difference is not None:
            other = "upper" if end == "lower" else "lower"
            out[f"power_{other}"] = errors.power(difference / ratio if ratio > 0 else np.inf)
        if estimator.knows_systems:
            out[f"coefficient_{end}"] = estimator.coefficient_limit(design, side, level)
    return out


def planning_figure(
    curve: pd.DataFrame, quantity: str, best: Design | None, at: float, title: str
) -> PlotData:
    """The curves of one quantity with their bands, and the chosen design and its value."""
    names = {quantity: "value", f"{quantity}_lower": "lower", f"{quantity}_upper": "upper"}
    several = bool((curve["replicates"] != 1).any())
    columns = ["queries", "subjects", *(["replicates"] if several else []), "value"]
    frame = curve.rename(columns=names)[[*columns, "lower", "upper"]]
    beside = None
    if best is not None:
        row = {"queries": best.queries, "subjects": best.subjects, "value": at}
        row |= {"replicates": best.replicates} if several else {}
        beside = frame.iloc[:1][columns].assign(**row)
    return PlotData(frame, title, beside)


def planning_title(plan: Planned, quantity: str) -> str:
    """What is drawn, of what, and over what."""
    of = "the mean of one system" if plan.estimator.of_all else "the difference of two systems"
    what = {
        "half_width": f"half-width of {level_text(plan.level)} intervals of {of}",
        "power": f"power to find a difference of {plan.targets.difference or 0:g}",
        "coefficient": "generalizability coefficient",
    }[quantity]
    measure = "" if plan.measure is None else f"{plan.measure}: "
    family = "" if plan.n_comparisons == 1 else f", {counted(plan.n_comparisons, 'comparison')}"
    band = "Planned from assumed variance components"
    if plan.pilot:
        band = (
            f"Band: {level_text(plan.level)} interval of the variance components of the pilot "
            f"({plan.pilot})"
        )
    return f"{measure}{what}, over {in_words(plan.estimator.over)}{family}\n{band}"


def target_of(targets: Targets, quantity: str) -> float | None:
    """What was asked for of a quantity."""
    wanted = {
        "half_width": targets.half_width,
        "power": targets.power if targets.difference is not None else None,
        "coefficient": targets.coefficient,
    }
    return wanted[quantity]
