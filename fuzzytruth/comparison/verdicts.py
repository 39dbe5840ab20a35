"""Comparisons in words: verdicts, and their assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.errors import counted, printable
from fuzzytruth.stats.axes import in_words
from fuzzytruth.stats.corrections import CORRECTIONS

if TYPE_CHECKING:
    import pandas as pd

_INTERVALS = {
    "simultaneous": "simultaneous, consistent with the adjusted p",
    "single": "of a single comparison, consistent with its p",
    "unadjusted": "unadjusted, consistent with p and not with the adjusted p",
}


def units_of(conditions: Conditions) -> str:
    """Numbers of queries and subjects."""
    queries = counted(conditions.n_queries, "query")
    if conditions.n_subjects is None:
        return queries
    return f"{queries} and {counted(conditions.n_subjects, 'subject')}"


def p_text(value: float) -> str:
    """A p-value in four digits, and never as 0.

    Examples
    --------
    >>> p_text(0.01234567), p_text(3e-9)
    ('0.01235', '< 0.0001')
    """
    return "< 0.0001" if value < 0.0001 else f"{value:.4g}"


def procedure(conditions: Conditions) -> str:
    """Name of the test, with its number of comparisons."""
    tests = conditions.tests
    pairs = counted(tests, "comparison")
    drawn = counted(conditions.n_resamples, "resample")
    single = "t test"
    if conditions.over == ("world",) and conditions.worlds != "population":
        single = "share of worlds"
    names = {
        "max-t": f"studentised max-T by centred sign flips over {pairs} ({drawn})",
        "permuted labels": f"permuted labels over {pairs} ({drawn}; complete null)",
        "none": f"{single}, not adjusted" if tests > 1 else f"{single}, a single comparison",
    }
    default = f"{single}, adjusted by {conditions.correction} over {pairs}"
    return names.get(conditions.correction, default)


def verdicts(table: pd.DataFrame, beside: pd.DataFrame | None, conditions: Conditions) -> list[str]:
    """See `Comparison.verdicts`."""
    better: dict[Any, bool] = dict(
        zip(conditions.measures, conditions.higher_is_better, strict=True)
    )
    both: dict[Any, Any] = {}
    other = ""
    if beside is not None and conditions.over == ("query",):
        other = "worlds" if conditions.n_subjects is None else "subjects"
        crossed_rows = beside[beside["over"] == f"queries and {other}"]
        both = {
            (row.measure, row.system_a, row.system_b): row
            for row in crossed_rows.itertuples(index=False)
        }
    out = []
    for row in table.itertuples(index=False):
        crossed = both.get((row.measure, row.system_a, row.system_b))
        out.append(printable(_verdict(row, better[row.measure], conditions, crossed, other)))
    return out


def _verdict(row: Any, up: bool, conditions: Conditions, crossed: Any, other: str) -> str:
    """Sentence about one pair."""
    if np.isnan(row.difference):
        return f"{row.system_a} and {row.system_b} have no value of {row.measure} in common"
    if row.wins + row.losses == 0:
        return (
            f"{row.system_a} and {row.system_b} have the same {row.measure} on all "
            f"{counted(row.n_queries, 'query')}"
        )
    if not row.significant:
        size = _size(row, 1, conditions)
        systems = f"{row.system_a} and {row.system_b}"
        return f"no significant difference between {systems} on {row.measure}: {size}"
    a_wins = (row.difference > 0) == up
    first, second = (row.system_a, row.system_b) if a_wins else (row.system_b, row.system_a)
    size = _size(row, 1 if row.difference > 0 else -1, conditions, "" if up else " less")
    parts = [f"{first} beats {second} on {row.measure} by {size}"]
    if not np.isnan(row.share_subjects):
        parts.append(
            f"same direction for {row.subjects_agree} of {counted(row.n_subjects, 'subject')}"
        )
    if not np.isnan(row.share_worlds):
        parts.append(f"same direction in {row.share_worlds:.0%} of the worlds")
    if crossed is not None and not np.isfinite(crossed.upper):
        parts.append(f"significance over both queries and {other} unknown")
    elif crossed is not None:
        agrees = crossed.significant and (crossed.difference > 0) == (row.difference > 0)
        parts.append(f"{'also' if agrees else 'not'} significant over both queries and {other}")
    return "; ".join(parts)


def _size(row: Any, sign: int, conditions: Conditions, unit: str = "") -> str:
    """Difference, interval and p of a row; signs are reversed if `sign` is -1."""
    lower, upper = sorted((sign * row.lower, sign * row.upper))
    name = "p" if conditions.correction == "none" else "adjusted p"
    p = p_text(row.p_adjusted)
    named = " unadjusted" if conditions.interval == "unadjusted" else ""
    return (
        f"{sign * row.difference:.4g}{unit} [{lower:.4g}, {upper:.4g}]{named}, "
        f"{name} {p if p.startswith('<') else '= ' + p}"
    )


def assumptions(conditions: Conditions) -> str:
    """See `Comparison.assumptions`."""
    over = in_words(conditions.over)
    lines = [
        f"Estimated: the mean difference of each pair, over {units_of(conditions)}.",
        f"Random: {over}, a sample from a population; all else is fixed.",
        _null(conditions),
        f"Test: {procedure(conditions)}"
        + (", all measures being one family." if conditions.across_measures else "."),
        f"Intervals: level {conditions.level:g}, {_INTERVALS[conditions.interval]}.",
    ]
    lines += _caveats(conditions)
    return "\n".join(map(printable, lines))


def _null(conditions: Conditions) -> str:
    if conditions.correction == "permuted labels":
        return "Null hypothesis: within each query all systems are exchangeable."
    return "Null hypothesis of each comparison: the mean difference is 0."


def _caveats(conditions: Conditions) -> list[str]:
    """Caveats of the conclusions."""
    out = []
    if conditions.correction in CORRECTIONS:
        out.append(f"It controls: {CORRECTIONS[conditions.correction]}.")
    if conditions.correction == "max-t":
        out.append(
            "It controls the family-wise error whichever systems differ, for independent queries; "
            "with few queries and skewed differences only approximately."
        )
    if conditions.correction == "permuted labels":
        out.append("It controls the family-wise error only if no system differs from any other.")
    if conditions.nested and conditions.n_subjects is not None:
        out.append("Subjects are nested in queries and are sampled with them.")
    elif conditions.over == ("query",) and conditions.n_subjects is not None:
        out.append("Other subjects might judge otherwise: see over=('query', 'subject').")
    if conditions.worlds is not None:
        out.append(f"Values are expectations over {conditions.worlds} worlds.")
    if conditions.rope is not None:
        widths = ", ".join(f"{width:g} ({name})" for name, width in conditions.rope.items())
        out.append(
            f"Posterior: prior p(mu, sigma) ~ 1/sigma; practically the same within {widths}; "
            "not adjusted for the number of comparisons."
        )
    return out
