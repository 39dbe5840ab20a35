"""Tables of what changes without each subject: scores, verdicts, and what each was left out for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, tie_groups, without_rounding
from fuzzytruth.core.cells import Cells, grouped_sum
from fuzzytruth.errors import DataError, OptionError, require, shown
from fuzzytruth.evaluation.validation import check_members
from fuzzytruth.stats.multiplicity import RESAMPLED, Family, significant
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.world_estimates import estimate

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


# Whom to leave out of scores: each subject, or groups of subjects whole.


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Units that are left out in turn.

    Parameters
    ----------
    names : tuple of str
    of_subject : (subjects,) int
        The unit of each subject.
    grouped : bool
        Whether groups were given.
    """

    names: tuple[str, ...]
    of_subject: Ints
    grouped: bool

    def __len__(self) -> int:
        return len(self.names)

    @property
    def sizes(self) -> Ints:
        """Subjects of each unit: (units,)."""
        return np.bincount(self.of_subject, minlength=len(self))


def people_apart(scores: Scores) -> Scores:
    """Scores in which a subject is one person: of nested ones, each pair of a query and a name.

    Raises
    ------
    DataError
        There are no subjects.
    """
    if scores.subjects is None:
        raise DataError(
            "subject_influence: these scores have no subjects; evaluate votes that name who "
            "judged with worlds='subject'"
        )
    if scores.design == "crossed":
        return scores
    cells = scores.cells
    pairs = zip(cells.query.tolist(), cells.subject_codes.tolist(), strict=True)
    names = tuple(f"{scores.subjects[s]} ({scores.queries[q]})" for q, s in pairs)
    n = len(cells)
    apart = Cells(cells.query, np.arange(n), cells.n_queries, n)
    return replace(scores, subjects=names, cells=apart)


def left_out(subjects: tuple[str, ...], groups: Mapping[Any, Any] | None) -> LeftOut:
    """The units that a mapping makes of the subjects; without one, each subject.

    Parameters
    ----------
    subjects : tuple of str
    groups : mapping of subject to group, or of group to subjects, or None
        Subjects in no group are units of their own.

    Raises
    ------
    OptionError
        It is no mapping, a name is of no subject, a subject is in two groups, or a group has the
        name of a subject that is in none.
    DataError
        There is a single unit.
    """
    if groups is None:
        found = LeftOut(subjects, np.arange(len(subjects)), grouped=False)
    else:
        require(
            "groups",
            groups,
            isinstance(groups, Mapping),
            "must be {subject: group} or {group: [subject, ...]}",
        )
        found = _grouped(subjects, _group_of(subjects, groups))
    if len(found) < 2:
        what = "they all are in one group" if len(subjects) > 1 else "there is a single one"
        raise DataError(
            f"subject_influence: leaving out a subject takes others that stay, and {what}, "
            f"{shown(found.names[0])}"
        )
    return found


def _group_of(subjects: tuple[str, ...], groups: Mapping[Any, Any]) -> dict[str, str]:
    """The group of each subject that has one."""
    out: dict[str, str] = {}
    for key, value in groups.items():
        several = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        members = [str(name) for name in value] if several else [str(key)]
        group = str(key) if several else str(value)
        for name in members:
            if out.setdefault(name, group) != group:
                raise OptionError(
                    f"groups: {shown(name)} is in {shown(out[name])} and in {shown(group)}; a "
                    "subject is in one group"
                )
    check_members(out, subjects)
    return out


def _grouped(subjects: tuple[str, ...], group_of: dict[str, str]) -> LeftOut:
    """Groups in the order of their first subject."""
    alone = [name for name in subjects if name not in group_of]
    both = set(group_of.values()).intersection(alone)
    if both:
        raise OptionError(
            f"groups: {shown(sorted(both)[0])} is the name of a group and of a subject in no "
            "group; give the group another name"
        )
    units = [group_of.get(name, name) for name in subjects]
    names = tuple(dict.fromkeys(units))
    code = {name: place for place, name in enumerate(names)}
    return LeftOut(names, np.array([code[unit] for unit in units]), grouped=True)


# Verdicts about pairs of systems, without each subject or group of them in turn.


#: how a verdict changes, by number
CHANGES = ("", "lost", "gained", "reversed", "undefined")


def verdicts_of(family: Family) -> Floats:
    """Pairs' differences, adjusted p, significant sign, and whether known: (measures, 4, pairs).

    Each measure is adjusted by itself. Differences are NaN where a pair has no query in common, and
    known if they have a standard error.
    """
    parts = []
    for single in family.split():
        found = estimate(single.observed[0], single.pairs, single.over)
        if single.correction in RESAMPLED:
            p = single.adjusted([found])[0].p
        else:  # without intervals, which take longer
            (p,) = single.p_adjusted([found])
        sign = np.nan_to_num(np.where(significant(p, single.level), np.sign(found.value), 0.0))
        parts.append([found.value, p, sign, ~np.isnan(found.value) & ~np.isnan(found.std_error)])
    return np.array(parts, dtype=np.float64)


def verdicts_without(
    family: Family, units: LeftOut, progress: Callable[[float], object] | None
) -> Floats:
    """Verdicts without each unit, by the same test and correction: (units, measures, 4, pairs)."""
    parts = []
    for unit in range(len(units)):
        stays = units.of_subject != unit
        observed = tuple(_without(one, stays) for one in family.observed)
        parts.append(verdicts_of(replace(family, observed=observed)))
        if progress is not None:
            progress((unit + 1) / len(units))
    return np.array(parts)


def _without(observed: Observations, stays: NDArray[np.bool_]) -> Observations:
    """The values of some subjects (subjects,), and of the queries that they judged."""
    kept = observed.of_cells(stays[observed.cells.subject_codes])
    return replace(kept, cells=kept.cells.compressed())


# Means without each subject or group.


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """Means with all cells, and without those of each unit.

    Parameters
    ----------
    mean : (...) float
        NaN without any value.
    without : (..., units) float
        NaN where no value is left.
    n_cells : (units,) int
        Cells of each unit.
    n_lost : (units,) int
        Queries that have no cell of another unit.
    """

    mean: Floats
    without: Floats
    n_cells: Ints
    n_lost: Ints


def leave_one_out(values: Floats, cells: Cells, unit: Ints, n_units: int) -> LeaveOneOut:
    """Means over queries of means over the cells that remain.

    Sums minus parts: the work is proportional to the number of cells, not to cells × units.

    Parameters
    ----------
    values : (..., cells) float
        NaN is missing.
    cells : Cells
    unit : (cells,) int
        What each cell is left out with: its subject, or a group of subjects.
    n_units : int

    Examples
    --------
    >>> import numpy as np
    >>> cells = Cells.complete(2, 2)
    >>> left = leave_one_out(np.array([1.0, 3.0, 5.0, 9.0]), cells, cells.subject_codes, 2)
    >>> left.mean.item(), left.without.tolist()
    (4.5, [6.0, 3.0])
    """
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    total, count = cells.sum_by_query(filled), cells.sum_by_query(present)  # (..., queries)
    known = count > 0
    by_query = divide(total, count)
    n_queries = known.sum(axis=-1)
    # a part is what one unit has in one query: often a single cell
    part, which = np.unique(cells.query * n_units + unit, return_inverse=True)
    which = which.reshape(-1)
    query, of_unit = part // n_units, part % n_units
    left = count[..., query] - grouped_sum(present, which, len(part))  # (..., parts)
    rest = total[..., query] - grouped_sum(filled, which, len(part))
    left = np.rint(left)
    change = divide(rest, left) - by_query[..., query]  # all of it where nothing is left
    gone = known[..., query] & (left == 0)
    sums = by_query.sum(axis=-1)[..., None] + grouped_sum(change, of_unit, n_units)
    sizes = n_queries[..., None] - grouped_sum(gone, of_unit, n_units)
    n_parts = np.bincount(query, minlength=cells.n_queries)
    return LeaveOneOut(
        divide(by_query.sum(axis=-1), n_queries, fill=np.nan),
        divide(sums, np.rint(sizes), fill=np.nan),
        np.bincount(unit, minlength=n_units),
        np.bincount(of_unit[n_parts[query] == 1], minlength=n_units),
    )


def long_table(keys: Mapping[str, Sequence[Any]], columns: Mapping[str, Any]) -> pd.DataFrame:
    """One row for each combination of keys, with numbers that are of all keys, or repeated."""
    rows = pd.MultiIndex.from_product([*keys.values()], names=[*keys]).to_frame(index=False)
    shape = [*map(len, keys.values())]
    numbers = {name: np.broadcast_to(one, shape).ravel() for name, one in columns.items()}
    return rows.astype({name: str for name in keys if rows[name].dtype == object}).assign(**numbers)


def influence_tables(
    scores: Scores,
    units: LeftOut,
    means: LeaveOneOut,
    std_error: Floats,
    family: Family | None,
    progress: Callable[[float], object] | None,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Tables of systems, of pairs and of what was left out; see `SubjectInfluence`."""
    scale = np.fmax.reduce(np.abs(scores.values), axis=-1, initial=0.0)  # (systems, measures)
    change = without_rounding(means.without - means.mean[..., None], scale[..., None])
    standard = divide(change, std_error[..., None], fill=np.nan)
    standard[change == 0] = 0.0  # also where nothing varies
    up = np.where(scores.higher_is_better, 1.0, -1.0)
    largest = scale.max(axis=0)
    rank = ranks(up * means.mean, largest)[..., None]  # (systems, measures, 1)
    new_rank = np.stack(
        [ranks(up * means.without[..., u], largest) for u in range(len(units))], axis=-1
    )
    columns = {
        "mean": means.mean[..., None],
        "without": means.without,
        "change": change,
        "std_change": standard,
        "rank": rank,
        "new_rank": new_rank,
    }
    systems = long_table(
        {"measure": scores.measures, "system": scores.systems, "left_out": units.names},
        {name: numbers.swapaxes(0, 1) for name, numbers in columns.items()},
    )
    pairs, kinds = _of_pairs(scores, units, family, progress)
    moved = (new_rank != rank) & ~np.isnan(new_rank)
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


def _of_pairs(
    scores: Scores,
    units: LeftOut,
    family: Family | None,
    progress: Callable[[float], object] | None,
) -> tuple[pd.DataFrame, Ints]:
    """One row a measure, pair and unit, and how verdicts change: (measures, pairs, units)."""
    names, first, second = np.array(scores.systems, dtype=object), np.arange(0), np.arange(0)
    n_measures = len(scores.measures)
    before, after = np.zeros((4, n_measures, 0, 1)), np.zeros((4, n_measures, 0, len(units)))
    if family is not None:
        assert family.pairs.second is not None
        first, second = family.pairs.first, family.pairs.second
        before = np.moveaxis(verdicts_of(family), 1, 0)[..., None]
        after = np.moveaxis(verdicts_without(family, units, progress), (2, 0), (0, -1))
    (value, p, sign, known), (new_value, new_p, new_sign, new_known) = before, after
    cases = [(known > 0) & (new_known == 0), sign == new_sign, new_sign == 0, sign == 0]
    kinds = np.select(cases, [4, 0, 1, 2], 3)
    columns = {
        "change": np.array(CHANGES, dtype=object)[kinds],
        "difference": value,
        "p_adjusted": p,
        "verdict": sign.astype(np.int8),
        "difference_without": new_value,
        "p_without": new_p,
        "verdict_without": new_sign.astype(np.int8),
    }
    keys = {"measure": scores.measures, "pair": range(len(first)), "left_out": units.names}
    table = long_table(keys, columns).astype({"change": str})
    pair = table.pop("pair").to_numpy(dtype=np.int64)
    for place, (name, side) in enumerate({"system_a": first, "system_b": second}.items(), 1):
        table.insert(place, name, names[side[pair]])
    return table.astype({"system_a": str, "system_b": str}), kinds


def _of_units(
    scores: Scores,
    units: LeftOut,
    means: LeaveOneOut,
    changes: tuple[Floats, Floats],
    moved: Any,
    kinds: Ints,
) -> pd.DataFrame:
    """One row a unit; `changes` in units of the measure, and in standard errors."""
    n = len(units)
    plain, flat = (one.reshape(-1, n) for one in changes)  # (systems × measures, units)
    by = np.where(np.isnan(flat).all(axis=0), plain, flat)  # where no standard error is known
    where = np.where(np.isnan(by), -1.0, np.abs(by)).argmax(axis=0)
    system, measure = np.divmod(where, len(scores.measures))
    counts = {
        name: (kinds == number).sum(axis=(0, 1)) for number, name in enumerate(CHANGES) if name
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
