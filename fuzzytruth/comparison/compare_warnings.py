"""Warnings of `compare`: missing values, spread that is zero or unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.too_few_worlds import family_size, worlds_needed
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning, counted, shown, warn
from fuzzytruth.stats.multiplicity import MAX_T, SIGN_FLIPS
from fuzzytruth.stats.sign_flips import MIN_DIFFERENCES

if TYPE_CHECKING:
    import pandas as pd


def warn_of_missing(
    values: Sequence[Floats], named: Callable[[int, int], tuple[str, str]] | None = None
) -> None:
    """Warn of values that another system has; a table (systems, cells) for each measure.

    `named` gives the system and the query of a cell, for the message.
    """
    missing, first = 0, ""
    for table in values:
        present = ~np.isnan(table)
        cells = np.argwhere(present.any(axis=0) & ~present)
        if len(cells) and not missing and named is not None:
            system, query = named(*cells[0].tolist())
            first = f" (the first: system {shown(system)}, query {shown(query)})"
        missing += len(cells)
    if missing:
        warn(
            f"{counted(missing, 'value is', 'values are')} missing where another system "
            f"has one{first}; each pair of systems is compared on what both have",
            MissingCellWarning,
        )


def warn_of_degenerate(table: pd.DataFrame, conditions: Conditions, where: str = "") -> None:
    """Warn of comparisons whose spread is zero or unknown, or whose interval is infinite.

    `where` says which comparisons they are, such as " between groups".
    """
    value, error = table["difference"], table["std_error"]
    cases = {
        "have no value in common": value.isna(),
        "rest on a single unit, or on units that nothing connects, so that their spread is "
        "unknown: intervals are (-inf, inf), standard errors NaN": value.notna() & error.isna(),
        "have the same difference everywhere, so that there is no t; no p is below that of all "
        "signs being equal": (error == 0) & (value != 0) & (not conditions.of_worlds),
    }
    comparisons = f"of {counted(len(table), 'comparison')}"
    for what, which in cases.items():
        if which.any():
            n = int(which.sum())
            _warn(f"{n:,} {comparisons}{where} over {conditions.random} {_agreeing(what, n)}")
    open_end = table["lower"] if conditions.alternative == "greater" else table["upper"]
    unbounded = np.isinf(open_end) & (error > 0)
    if conditions.correction == SIGN_FLIPS:
        few = unbounded & (table["n_queries"] < MIN_DIFFERENCES)
        n_few = int(few.sum())
        if few.any() and not few.all():
            _warn(
                f"{n_few:,} {comparisons} {_agreeing('rest', n_few)} on fewer than "
                f"{MIN_DIFFERENCES} common queries, too few for sign flips, and intervals "
                "(-inf, inf) follow"
            )
            unbounded &= ~few
    if unbounded.any():
        _warn_of_unbounded(int(unbounded.sum()), table, conditions)


def _agreeing(what: str, n: int) -> str:
    """A verb in the plural and what follows it, in the singular if `n` is 1."""
    verb, _, rest = what.partition(" ")
    singular = {"have": "has", "rest": "rests"}[verb]
    return f"{singular if n == 1 else verb} {rest}".strip()


def _warn_of_unbounded(unbounded: int, table: pd.DataFrame, conditions: Conditions) -> None:
    """Warn of intervals (-∞, ∞) although the spread is known, and say what to do."""
    level = (
        f"{conditions.level:g}: {counted(unbounded, 'interval is', 'intervals are')} (-inf, inf)"
    )
    if conditions.of_worlds:
        tests = counted(family_size(table, conditions), "comparison")
        _warn(
            f"the worlds are too few for {tests} at the level {level}; evaluate with "
            f"n_worlds={worlds_needed(table, conditions):,} or more"
        )
        return
    resampled = conditions.correction in (MAX_T, SIGN_FLIPS)
    hint = "; correction='bonferroni' gives t intervals" if resampled else ""
    _warn(
        f"{counted(conditions.n_queries, 'query')} and "
        f"{counted(conditions.n_resamples, 'resample')} "
        "are too few for "
        f"the level {level}{hint}"
    )


def _warn(text: str) -> None:
    warn(text, DegenerateWarning)
