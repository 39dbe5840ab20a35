"""Tables of what changes without each subject: scores, verdicts, and what each was left out for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.influences.left_out import LeftOut
from fuzzytruth.annotators.influences.verdicts_without import CHANGES, Verdicts
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.leave_one_out import LeaveOneOut
from fuzzytruth.core.rounding import tie_groups, without_rounding

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.stats.multiplicity import Family

#: columns of the table of verdicts without systems to compare
PAIR_COLUMNS = [
    *("measure", "system_a", "system_b", "left_out", "change", "difference", "p_adjusted"),
    *("verdict", "difference_without", "p_without", "verdict_without"),
]


def influence_tables(
    scores: Scores,
    units: LeftOut,
    means: LeaveOneOut,
    std_error: Floats,
    family: Family | None,
    before: Verdicts | None,
    after: Verdicts | None,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Tables of systems, of pairs and of what was left out; see `SubjectInfluence`."""
    import pandas as pd

    scale = np.fmax.reduce(np.abs(scores.values), axis=-1, initial=0.0)  # (systems, measures)
    change = without_rounding(means.without - means.mean[..., None], scale[..., None])
    standard = divide(change, std_error[..., None], fill=np.nan)
    standard[change == 0] = 0.0  # also where nothing varies
    up = np.where(scores.higher_is_better, 1.0, -1.0)
    largest = scale.max(axis=0)
    rank = ranks(up * means.mean, largest)  # (systems, measures)
    rank_without = np.stack(
        [ranks(up * means.without[..., u], largest) for u in range(len(units))], axis=-1
    )
    systems = _of_systems(scores, units, means, change, standard, rank, rank_without)
    moved = (rank_without != rank[..., None]) & ~np.isnan(rank_without)
    if family is None or before is None or after is None:
        kinds = np.zeros((len(units), len(scores.measures), 0), dtype=np.int64)
        pairs = pd.DataFrame(columns=PAIR_COLUMNS)
    else:
        kinds = before.changes(after)
        pairs = _of_pairs(scores.systems, units, family, before, after, kinds)
    return systems, pairs, _of_units(scores, units, means, (change, standard), moved, kinds)


def ranks(values: Floats, scale: Floats) -> Floats:
    """Ranks of systems by each measure, 1 for the largest; ties share the mean of theirs.

    Values (systems, measures), scale (measures,). NaN where a system has no value.

    Examples
    --------
    >>> ranks(np.array([[0.5], [0.3 + 0.2], [0.9], [np.nan]]), np.array([1.0])).ravel().tolist()
    [2.5, 2.5, 1.0, nan]
    """
    groups = tie_groups(values.T, scale)  # (measures, systems)
    known = ~np.isnan(values.T)
    above = ((groups[:, None, :] > groups[:, :, None]) & known[:, None, :]).sum(axis=-1)
    tied = ((groups[:, None, :] == groups[:, :, None]) & known[:, None, :]).sum(axis=-1)
    return np.where(known, above + (tied + 1) / 2, np.nan).T


def _of_systems(
    scores: Scores,
    units: LeftOut,
    means: LeaveOneOut,
    change: Floats,
    standard: Floats,
    rank: Floats,
    rank_without: Floats,
) -> pd.DataFrame:
    """One row a measure, system and unit; arrays are (systems, measures, units)."""
    import pandas as pd

    shape = means.without.swapaxes(0, 1).shape  # (measures, systems, units)

    def column(values: Any) -> Any:
        full = values if values.ndim == 3 else values[..., None]
        return np.broadcast_to(full.swapaxes(0, 1), shape).ravel()

    measure, system, unit = (axis.ravel() for axis in np.indices(shape))
    return pd.DataFrame(
        {
            "measure": np.array(scores.measures, dtype=object)[measure],
            "system": np.array(scores.systems, dtype=object)[system],
            "left_out": np.array(units.names, dtype=object)[unit],
            "mean": column(means.mean),
            "without": column(means.without),
            "change": column(change),
            "std_change": column(standard),
            "rank": column(rank),
            "new_rank": column(rank_without),
        }
    ).astype({"measure": str, "system": str, "left_out": str})


def _of_pairs(
    systems: tuple[str, ...],
    units: LeftOut,
    family: Family,
    before: Verdicts,
    after: Verdicts,
    kinds: Ints,
) -> pd.DataFrame:
    """One row a measure, pair and unit; arrays are (units, measures, pairs)."""
    import pandas as pd

    assert family.pairs.second is not None
    names = np.array(systems, dtype=object)
    shape = np.moveaxis(kinds, 0, -1).shape  # (measures, pairs, units)

    def column(values: Any) -> Any:
        full = np.moveaxis(values, 0, -1) if values.ndim == 3 else values[..., None]
        return np.broadcast_to(full, shape).ravel()

    measure, pair, unit = (axis.ravel() for axis in np.indices(shape))
    return pd.DataFrame(
        {
            "measure": np.array(family.measures, dtype=object)[measure],
            "system_a": names[np.asarray(family.pairs.first)[pair]],
            "system_b": names[np.asarray(family.pairs.second)[pair]],
            "left_out": np.array(units.names, dtype=object)[unit],
            "change": np.array(CHANGES, dtype=object)[column(kinds)],
            "difference": column(before.difference),
            "p_adjusted": column(before.p_adjusted),
            "verdict": column(before.verdict),
            "difference_without": column(after.difference),
            "p_without": column(after.p_adjusted),
            "verdict_without": column(after.verdict),
        }
    ).astype(dict.fromkeys(["measure", "system_a", "system_b", "left_out", "change"], str))


def _of_units(
    scores: Scores,
    units: LeftOut,
    means: LeaveOneOut,
    changes: tuple[Floats, Floats],
    moved: Any,
    kinds: Ints,
) -> pd.DataFrame:
    """One row a unit; `changes` in units of the measure, and in standard errors."""
    import pandas as pd

    n = len(units)
    plain, flat = (one.reshape(-1, n) for one in changes)  # (systems × measures, units)
    by = np.where(np.isnan(flat).all(axis=0), plain, flat)  # where no standard error is known
    where = np.where(np.isnan(by), -1.0, np.abs(by)).argmax(axis=0)
    system, measure = np.divmod(where, len(scores.measures))
    counts = {
        name: (kinds == number).sum(axis=(1, 2)) for number, name in enumerate(CHANGES) if name
    }
    return pd.DataFrame(
        {
            "left_out": np.array(units.names, dtype=object),
            "largest": flat[where, np.arange(n)],
            "system": np.array(scores.systems, dtype=object)[system],
            "measure": np.array(scores.measures, dtype=object)[measure],
            "rank_changes": moved.sum(axis=(0, 1)),
            **counts,
            "n_subjects": units.sizes,
            "n_scores": means.n_cells,
            "n_queries_lost": means.n_lost,
        }
    ).astype({"left_out": str, "system": str, "measure": str})
