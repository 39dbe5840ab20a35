"""The system that an analysis finds best, if there is one."""

from __future__ import annotations

import numpy as np

from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.rank_sets import better_than
from fuzzytruth.errors import first_few
from fuzzytruth.evaluation.measure_names import measures_in_words
from fuzzytruth.evaluation.score_rows import best_systems


def winner(analysis: Analysed) -> str:
    """A sentence on the system with the best mean on every measure; "" if there is none.

    There is none, either, unless it is significantly better than all others on a measure, or where
    not all pairs were tested in both directions, or p is not adjusted.
    """
    comparison = analysis.comparison
    if comparison is None:
        return ""
    conditions = comparison.conditions
    is_plain = conditions.is_adjusted and conditions.alternative == "two-sided"
    if conditions.of_worlds or conditions.baselines or not is_plain:
        return ""
    best = best_systems(comparison.means.to_numpy(dtype=float), conditions.higher_is_better)
    (first,) = np.nonzero(best.all(axis=1))
    if len(first) != 1 or not (best.sum(axis=0) == 1).all():
        return ""
    return _sentence(comparison, int(first[0]))


def _sentence(comparison: Compared, best: int) -> str:
    """On which measures the best system beats all others, and whom it does not beat on the rest."""
    conditions = comparison.conditions
    names, measures = conditions.systems, conditions.measures
    over_all, rest = [], []
    for measure in measures:
        above = better_than(comparison.table, conditions, measure)
        unbeaten = [name for j, name in enumerate(names) if j != best and not above[best, j]]
        if unbeaten:
            rest.append(f"not shown to be better than {first_few(unbeaten, 3)} on {measure}")
        else:
            over_all.append(measure)
    if not over_all:
        return ""
    others = names[1 - best] if len(names) == 2 else "all others"
    where = {1: measures[0], 2: "both measures"}.get(len(measures), f"all {len(measures)} measures")
    on = f" on {measures_in_words(over_all)}" if rest else ""
    shown = f"significantly better than {others}{on} over {conditions.random}"
    return f"{names[best]} is best on {where}: {'; '.join([shown, *rest])}."
