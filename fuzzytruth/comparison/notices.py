"""Warnings of `compare`: what is missing, and what the data cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.errors import DegenerateWarning, MissingCellWarning, warn
from fuzzytruth.stats.axes import in_words
from fuzzytruth.stats.families import MAX_T, Family
from fuzzytruth.stats.flips import FEWEST

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import Scores


def warn_missing(scores: Scores, places: tuple[int, ...]) -> None:
    """Count values that are missing where another system has one."""
    there = ~np.isnan(scores.values[:, list(places)])
    missing = int((there.any(axis=0, keepdims=True) & ~there).sum())
    if missing:
        values = f"{missing:,} value{' is' if missing == 1 else 's are'} missing"
        warn(
            f"{values} where another system has one; each pair of systems is compared on what "
            "both have",
            MissingCellWarning,
        )


def warn_degenerate(table: pd.DataFrame, family: Family) -> None:
    """Count what the data cannot tell."""
    value, error = table["difference"], table["std_error"]
    cases = {
        "have no value in common": value.isna(),
        "rest on a single unit, or on units that nothing connects, so that their spread is "
        "unknown: intervals are (-inf, inf), standard errors NaN": value.notna() & error.isna(),
        "have the same difference everywhere, so that intervals have no width": (error == 0)
        & (value != 0),
    }
    for what, which in cases.items():
        count = int(which.sum())
        if count:
            _warn(f"{count:,} of {len(table):,} comparisons over {in_words(family.over)} {what}")
    open_ended = np.isinf(table["upper"]) & (error > 0)
    few = open_ended & (table["n_queries"] < FEWEST) if family.correction == MAX_T else open_ended
    if family.correction == MAX_T and few.any() and not few.all():
        _warn(
            f"{int(few.sum()):,} of {len(table):,} comparisons rest on fewer than {FEWEST} common "
            "queries, too few for flips of signs: their intervals are (-inf, inf)"
        )
        open_ended &= ~few
    if open_ended.any() and family.over == ("world",):
        needed = int(np.ceil(2 * len(table) / (1 - family.level))) - 1
        _warn(
            f"the worlds are too few for {len(table):,} comparisons at the level "
            f"{family.level:g}: {int(open_ended.sum()):,} intervals are (-inf, inf); evaluate with "
            f"n_worlds={needed:,} or more"
        )
    elif open_ended.any():
        hint = "; correction='bonferroni' gives t intervals" if family.correction == MAX_T else ""
        _warn(
            f"{len(family.scores.queries)} queries and {family.using.n_resamples:,} resamples are "
            f"too few for the level {family.level:g}: {int(open_ended.sum()):,} intervals are "
            f"(-inf, inf){hint}"
        )


def _warn(text: str) -> None:
    warn(text, DegenerateWarning)
