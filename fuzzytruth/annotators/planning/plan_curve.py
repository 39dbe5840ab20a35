"""What many designs would give, with the uncertainty that the pilot leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.annotators.planning.planned_designs import Design, Estimator
from fuzzytruth.errors import counted
from fuzzytruth.io.number_text import level_text
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.annotators.planning.plan_result import Plan

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


def planning_figure(plan: Plan, quantity: str, subjects: Iterable[int] | None) -> PlotData:
    """The curves of one quantity, the target and the chosen design."""
    curve = plan.curve(subjects=subjects, full=True)
    frame = curve.rename(
        columns={
            quantity: "value",
            f"{quantity}_lower": "lower",
            f"{quantity}_upper": "upper",
        }
    )
    several = bool((frame["replicates"] != 1).any())
    columns = ["queries", "subjects", *(["replicates"] if several else []), "value"]
    best = plan.best
    beside = None
    if best is not None:
        at = plan.predict(best.queries, best.subjects, best.replicates)[quantity]
        beside = frame.iloc[:1].assign(
            queries=best.queries, subjects=best.subjects, replicates=best.replicates, value=at
        )[columns]
    return PlotData(frame[[*columns, "lower", "upper"]], _title(plan, quantity), beside)


def target_of(plan: Plan, quantity: str) -> float | None:
    """What was asked for of a quantity."""
    targets = plan.targets
    wanted = {
        "half_width": targets.half_width,
        "power": targets.power if targets.difference is not None else None,
        "coefficient": targets.coefficient,
    }
    return wanted[quantity]


def _title(plan: Plan, quantity: str) -> str:
    of = "the mean of one system" if plan.estimator.of_all else "the difference of two systems"
    what = {
        "half_width": f"half-width of {level_text(plan.level)} intervals of {of}",
        "power": f"power to find a difference of {plan.targets.difference or 0:g}",
        "coefficient": "generalizability coefficient",
    }[quantity]
    measure = "" if plan.measure is None else f"{plan.measure}: "
    family = "" if plan.n_comparisons == 1 else f", {counted(plan.n_comparisons, 'comparison')}"
    over = " and ".join(
        "queries" if axis == "query" else "subjects" for axis in plan.estimator.over
    )
    return f"{measure}{what}\nover {over}{family}"
