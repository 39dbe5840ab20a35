"""How large a difference is, and how widely it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.samples import mean_where_there, samples
from fuzzytruth.stats.rows import Rows, cells, per_query, per_subject
from fuzzytruth.stats.worlds import world_means

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


def means_of_pairs(scores: Scores, measure: int, rows: Rows) -> tuple[Floats, Floats]:
    """Means of both systems of each pair, over the values that both have: (rows,) each."""
    values = scores.values[:, measure]  # (systems, subjects, queries)
    there = ~np.isnan(values)
    assert rows.second is not None
    if (there == there[:1]).all():
        means = mean_where_there(mean_where_there(values, axis=1), axis=-1)
        return means[rows.first], means[rows.second]
    lots = [_paired_means(scores, measure, lot) for lot in rows.parts(values[0].size)]
    first, second = (np.concatenate(side) for side in zip(*lots, strict=True))
    return first, second


def _paired_means(scores: Scores, measure: int, rows: Rows) -> tuple[Floats, Floats]:
    both = ~np.isnan(cells(scores, measure, rows))  # (rows, queries, subjects)
    sides = []
    for places in (rows.first, rows.second):
        values = np.where(both, cells(scores, measure, Rows(np.asarray(places))), np.nan)
        sides.append(mean_where_there(mean_where_there(values, axis=-1), axis=-1))
    return sides[0], sides[1]


def effects(scores: Scores, measure: int, rows: Rows) -> dict[str, Any]:
    """Columns of effect sizes, from per-query differences; wins are of the first system.

    d_z is the mean difference over the standard deviation of the per-query differences;
    p_improvement the share of queries on which the first system is better, ties counting ½.
    """
    differences = per_query(scores, measure, rows)  # (rows, queries)
    found = samples(differences.T)
    d_z = np.where(found.mean == 0, 0.0, np.copysign(np.inf, found.mean))
    np.divide(found.mean, found.std, out=d_z, where=found.std > 0)
    d_z[np.isnan(found.std)] = np.nan
    signed = differences if scores.higher_is_better[measure] else -differences
    wins, ties, losses = ((signed > 0), (signed == 0), (signed < 0))
    count = [part.sum(axis=1) for part in (wins, ties, losses)]
    share = np.full(len(rows), np.nan)
    np.divide(count[0] + count[1] / 2, found.n, out=share, where=found.n > 0)
    return {
        "d_z": d_z,
        "p_improvement": share,
        "wins": count[0],
        "ties": count[1],
        "losses": count[2],
    }


def agreement(scores: Scores, measure: int, rows: Rows, value: Floats) -> dict[str, Any]:
    """Shares of subjects and of worlds whose difference has the sign of the whole one.

    NaN where there are no subjects who are the same person in all queries, or no worlds, or where
    the whole difference is 0.
    """
    out = {
        "share_subjects": np.full(len(rows), np.nan),
        "subjects_agree": np.zeros(len(rows), dtype=np.int64),
        "share_worlds": np.full(len(rows), np.nan),
    }
    signs = np.sign(value)[:, None]
    known = ~np.isnan(value) & (value != 0)
    if scores.subjects is not None and scores.design == "crossed":
        each = per_subject(scores, measure, rows)
        there = (~np.isnan(each)).sum(axis=1)
        same = ((np.sign(each) == signs) & known[:, None]).sum(axis=1)
        out["subjects_agree"] = same
        np.divide(same, there, out=out["share_subjects"], where=known & (there > 0))
    elif scores.uncertainty is not None and scores.subjects is None:
        means = world_means(scores.uncertainty, measure, rows)
        same = (np.sign(means) == signs) @ scores.uncertainty.weight
        out["share_worlds"] = np.where(known, np.minimum(same, 1.0), np.nan)
    return out
