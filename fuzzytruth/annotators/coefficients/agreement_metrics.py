"""Distances between the values of votes, by name, as a function or as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd, sparse
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide, offsets_of, ragged
from fuzzytruth.core.shares import LabelSets
from fuzzytruth.core.validation import numbers, option_number
from fuzzytruth.core.votes import value_distances
from fuzzytruth.core.votes.unit_votes import Paired, Removed, Sums, UnitVotes, share_of_unit
from fuzzytruth.data.grading import groups_of as equal_rows
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.vote_shares import ancestor_matrix
from fuzzytruth.errors import OptionError, counted, first_few, nearest, require, shown, warn
from fuzzytruth.stats.agreement import Chance, Coefficient

Axis = Literal["item", "query", "subject"]
Over = tuple[Axis, ...]


def unit_word(ratings: Ratings) -> str:
    """What a unit is called; of intents, and where some categories were asked, no item."""
    if "intent" in ratings.units:
        return "item-intent pair"
    return "question" if ratings.sets is not None and ratings.cluster is not None else "item"


def metric_of(votes: Ratings) -> Literal["nominal", "ordinal"]:
    """How far votes differ: grades by their order, two levels and categories as equal or not."""
    graded = votes.grades is not None and len(votes.grades) > 2
    return "ordinal" if graded else "nominal"


def n_queries(ratings: Ratings) -> int:
    """Number of queries; 0 where votes have none."""
    if "query" not in ratings.units or ratings.cluster is None:
        return 0
    return int(ratings.cluster.max(initial=-1)) + 1


def default_axis(ratings: Ratings) -> Literal["item", "query"]:
    """Queries where there are several, whose items vary together; else items."""
    return "query" if n_queries(ratings) > 1 else "item"


def check_over(over: Iterable[str] | str | None, ratings: Ratings) -> Over:
    """The axes named, in one order; None: `default_axis`.

    Raises
    ------
    OptionError
        None, an unknown one, or one that the votes lack.
    DataError
        Subjects, of whom nobody is named.
    """
    if over is None:
        return (default_axis(ratings),)
    known = get_args(Axis)
    rule = "must be 'item', 'query', 'subject', or one of the first two with 'subject'"
    require("over", over, isinstance(over, (str, list, tuple, set, frozenset)), rule)
    named = (over,) if isinstance(over, str) else tuple(over)
    require("over", over, bool(named) and all(axis in known for axis in named), rule)
    if "item" in named and "query" in named:
        raise OptionError(
            "over=('item', 'query'): queries are clusters of items; 'query' resamples them whole, "
            "'item' takes items for independent"
        )
    if "query" in named and n_queries(ratings) == 0:
        raise OptionError("over='query': these votes have no queries; take over='item'")
    if "subject" in named:
        ratings.named("over='subject'")
    return tuple(axis for axis in known if axis in named)


def of_subjects(ratings: Ratings, names: Iterable[str] | str | None) -> Ratings:
    """The votes of some subjects, who are numbered in the order named.

    Raises
    ------
    OptionError
        One is not among those who voted, or named twice.
    """
    if names is None:
        return ratings
    known = ratings.named("subjects")
    require("subjects", names, isinstance(names, Iterable), "must be names of subjects")
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in known:
            near = nearest(str(name), known)
            raise OptionError(f"subject {shown(name)} is not among those who voted{near}")
    if len(set(wanted)) < len(wanted):
        raise OptionError("the name of a subject is given twice; keep one")
    place = {name: number for number, name in enumerate(wanted)}
    new = np.array([place.get(name, -1) for name in known], dtype=np.int64)
    subject = new[ratings.subject]
    rows = np.flatnonzero(subject >= 0)
    rows = rows[np.lexsort((subject[rows], ratings.unit[rows]))]
    kept = replace(
        ratings,
        unit=ratings.unit[rows],
        subject=subject[rows],
        value=ratings.value[rows],
        weight=ratings.weight[rows],
        subjects=wanted,
    )
    return _given_values(kept)


def _given_values(ratings: Ratings) -> Ratings:
    """Without the values that nobody gave."""
    given, value = np.unique(ratings.value, return_inverse=True)
    if len(given) == len(ratings.names):
        return ratings
    grades, sets = ratings.grades, ratings.sets
    if sets is not None:
        _, places = ragged(sets.offsets, given)
        sets = LabelSets(offsets_of(np.diff(sets.offsets)[given]), sets.label[places])
    return replace(
        ratings,
        value=value.reshape(-1),
        names=tuple(ratings.names[place] for place in given.tolist()),
        grades=None if grades is None else grades[given],
        sets=sets,
    )


def with_whole_grades(ratings: Ratings, scale: tuple[float, float] | None) -> Ratings:
    """With the whole numbers of the scale among the grades, though nobody gave some of them."""
    grades = ratings.grades
    if scale is None or grades is None or not np.array_equal(grades, np.round(grades)):
        return ratings
    every = np.union1d(grades, np.arange(np.ceil(scale[0]), np.floor(scale[1]) + 1))
    place = np.searchsorted(every, grades)
    names = tuple(f"{grade:g}" for grade in every.tolist())
    return replace(ratings, grades=every, names=names, value=place[ratings.value])


def unit_votes(ratings: Ratings) -> UnitVotes:
    """The votes as sparse arrays.

    Raises
    ------
    DataError
        There are no two people, or no unit with two votes.
    """
    subject = None if ratings.subjects is None else ratings.subject
    votes = UnitVotes.of(
        ratings.unit, subject, ratings.value, ratings.weight, ratings.n_units, len(ratings.names)
    )
    if subject is not None:
        people = np.unique(subject)
        if len(people) < 2:
            who = f" ({shown(ratings.named('')[people[0]])})" if len(people) else ""
            raise errors.DataError(
                f"agreement: all votes are of one subject{who}; agreement takes two or more"
            )
    if not (votes.n >= 2).any():
        raise errors.DataError(
            "agreement: no item has votes of two people, so that nobody can agree; give votes of "
            "several people on the same items"
        )
    return votes


def groups_of(ratings: Ratings, votes: UnitVotes, used: Bools, over: Over) -> list[Removed]:
    """What is left out at a time of the units (units,) that are `used`.

    Items or queries, subjects, and, where both are random, what both have in common.
    """
    unit = np.flatnonzero(used)
    # Of votes for categories, clusters are the items about which several questions were asked.
    whole, cluster = "query" in over or ratings.sets is not None, ratings.cluster
    if not whole:
        cluster = None
        if "intent" in ratings.units:
            cluster = equal_rows([ratings.units["query"], ratings.units["item"]])
    code = np.arange(len(used)) if cluster is None else cluster
    out = []
    if "item" in over or "query" in over:
        out.append(Removed(*_numbered(code[unit]), unit, None))
    if "subject" in over:
        cell = np.flatnonzero(used[votes.unit])
        who, n_who = _numbered(votes.subject[cell])
        unit = votes.unit[cell]
        out.append(Removed(who, n_who, unit, cell))
        if len(out) > 1:
            both = code[unit] * (int(who.max()) + 1) + who
            out.append(Removed(*_numbered(both), unit, cell))
    return out


def several_queries(ratings: Ratings) -> bool:
    """Whether units are of two or more queries, whose items vary together."""
    return ratings.sets is None and ratings.cluster is not None and bool(np.ptp(ratings.cluster))


def _numbered(code: Any) -> tuple[Ints, int]:
    """Codes numbered from 0, and how many there are."""
    known, number = np.unique(code, return_inverse=True)
    return number.reshape(-1), len(known)


# Grades outside their scale, and grades that a single subject gave.


MOST_NAMED = 3  # grades or subjects, in a sentence


def check_scale(scale: Any) -> tuple[float, float] | None:
    """Lowest and highest grade.

    Raises
    ------
    OptionError
        They are no two numbers, the lower first.
    """
    if scale is None:
        return None
    rule = "must be the lowest and the highest grade, such as (0, 3)"
    is_pair = not isinstance(scale, str) and hasattr(scale, "__len__") and len(scale) == 2
    require("scale", scale, is_pair, rule)
    low, high = (option_number("scale", end) for end in scale)
    require("scale", scale, low < high, rule)
    return low, high


def outside_scale(ratings: Ratings, scale: tuple[float, float] | None) -> pd.DataFrame:
    """Grades outside the scale: subject, grade, count; a warning counts them."""
    if scale is None:
        return _counts_of_grades(ratings, None)
    if ratings.grades is None:
        raise OptionError("scale: is for grades, and these votes have categories; leave it out")
    low, high = scale
    grade = ratings.grades[ratings.value]
    table = _counts_of_grades(ratings, (grade < low) | (grade > high))
    if len(table):
        rows = zip(table["grade"], table["subject"], strict=True)
        said = first_few(rows, MOST_NAMED, show=lambda row: f"{row[0]:g} by {row[1]}")
        warn(
            f"{counted(int(table['count'].sum()), 'grade')} outside the scale from {low:g} to "
            f"{high:g} {'counts as it is' if len(table) == 1 else 'count as they are'}: {said}",
            errors.ScaleWarning,
        )
    return table


def lone_grades(ratings: Ratings) -> pd.DataFrame:
    """Grades that one subject of three or more gave."""
    n = len(ratings.names)
    if ratings.grades is None or ratings.n_subjects < 3:
        return _counts_of_grades(ratings, None)
    given = np.unique(ratings.value * ratings.n_subjects + ratings.subject) // ratings.n_subjects
    alone = np.bincount(given, minlength=n) == 1
    return _counts_of_grades(ratings, alone[ratings.value])


def _counts_of_grades(ratings: Ratings, rows: Bools | None) -> pd.DataFrame:
    """How often each subject gave each grade, in some rows of the votes: subject, grade, count."""
    if ratings.grades is None or rows is None or not rows.any():
        return pd.DataFrame({"subject": [], "grade": [], "count": []})
    names = ratings.subjects
    weight = np.ones(len(rows)) if names is not None else ratings.weight
    votes = pd.DataFrame({"value": ratings.value, "who": ratings.subject, "count": weight})[rows]
    table = votes.groupby(["value", "who"], as_index=False)["count"].sum()
    return pd.DataFrame(
        {
            "subject": ["(not named)" if names is None else names[who] for who in table["who"]],
            "grade": ratings.grades[table["value"]],
            "count": np.rint(table["count"]).astype(np.int64),
        }
    )


# Metrics.


MetricName = Literal[
    "nominal", "ordinal", "interval", "ratio", "linear", "quadratic", "taxonomy", "masi"
]
Metric = MetricName | Callable[[Any, Any], float] | Any
OF_GRADES = ("ordinal", "interval", "ratio", "linear", "quadratic")
OF_SETS = ("taxonomy", "masi")
_MOST_CALLS = 2000  # values between which a function is called pair by pair


def distances_by(
    ratings: Ratings, metric: Metric, *, by_rank: bool
) -> tuple[str, value_distances.Distances | None]:
    """The name of a metric ("given" if it is the user's), and the distances between the values.

    None where they depend on the votes: ordinal ones by mid-ranks, as Krippendorff's alpha has
    them (`by_rank`). Other coefficients take Gwet's ordinal weights.

    Raises
    ------
    OptionError
        The metric is unknown, or not for such values.
    """
    if isinstance(metric, str):
        return metric, _by_name(ratings, metric, by_rank=by_rank)
    table = _called(ratings, metric) if callable(metric) else _table(ratings, metric)
    return "given", value_distances.TableDistances.of(table)


def _by_name(ratings: Ratings, name: str, *, by_rank: bool) -> value_distances.Distances | None:
    n, grades = len(ratings.names), ratings.grades
    if name == "nominal":
        return value_distances.nominal_distances(n)
    if name in OF_SETS:
        return _of_sets(ratings, name)
    if name not in OF_GRADES:
        words = ", ".join(repr(one) for one in ("nominal", *OF_GRADES, *OF_SETS))
        raise OptionError(
            f"metric={shown(name)}: must be one of {words}, a function of two values, or a matrix "
            "of distances"
        )
    if grades is None:
        raise OptionError(
            f"metric={name!r}: is for grades, and these votes have categories; take 'nominal', "
            "'taxonomy' or 'masi'"
        )
    if name == "ordinal":
        return (
            None
            if by_rank
            else value_distances.TableDistances.of(value_distances.rank_gap_table(n))
        )
    if name == "ratio":
        if grades[0] < 0:
            raise OptionError(
                f"metric='ratio': grades must be 0 or more, and there is {grades[0]:g}"
            )
        return value_distances.ratio_distances(grades)
    if name == "linear":
        return value_distances.linear_distances(grades)
    return value_distances.squared_distances(grades)


def _of_sets(ratings: Ratings, name: str) -> value_distances.Distances:
    sets, taxonomy = ratings.sets, ratings.taxonomy
    if sets is None or taxonomy is None:
        raise OptionError(f"metric={name!r}: is for votes for categories, and these are grades")
    if name == "masi":
        return value_distances.masi_distances(sets, len(taxonomy))
    closures = sets.members(len(taxonomy)) @ ancestor_matrix(taxonomy)  # (sets, categories)
    closures.data[:] = 1.0
    return value_distances.set_distances(closures)


def values_of(ratings: Ratings) -> list[Any]:
    """The values as a user's function gets them: grades, or frozen sets of categories."""
    if ratings.grades is not None:
        return [*ratings.grades.tolist()]
    assert ratings.sets is not None
    assert ratings.taxonomy is not None
    nodes, offsets = ratings.taxonomy.nodes, ratings.sets.offsets.tolist()
    label = ratings.sets.label.tolist()
    return [
        frozenset(nodes[code] for code in label[start:stop]) for start, stop in pairwise(offsets)
    ]


def _called(ratings: Ratings, metric: Callable[[Any, Any], float]) -> Floats:
    """Distances by a function, called once for each pair of different values."""
    values = values_of(ratings)
    if len(values) > _MOST_CALLS:
        raise OptionError(
            f"metric: a function is called for each pair of values, and there are "
            f"{counted(len(values), 'value')}; give a metric by name, or a matrix"
        )
    first, second = np.triu_indices(len(values), 1)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    try:
        given = [metric(values[a], values[b]) for a, b in pairs]
    except TypeError as error:
        raise OptionError(f"metric: is called with two values ({error})") from error
    table = np.zeros((len(values), len(values)))
    table[first, second] = _numbers(given)
    return _checked(table + table.T)


def _table(ratings: Ratings, metric: Any) -> Floats:
    """Distances of a frame with the names of the values, or of a matrix in their order."""
    names = list(ratings.names)
    if hasattr(metric, "reindex"):
        metric = _in_order(ratings, metric)
    table = _numbers(metric)
    if table.shape != (len(names), len(names)):
        what = "categories" if ratings.grades is None else "grades, ascending"
        raise OptionError(
            f"metric: a matrix of shape {table.shape} does not fit {counted(len(names), 'value')} "
            f"({what}); a frame with these as index and columns fits any order"
        )
    return _checked(table)


def _in_order(ratings: Ratings, frame: pd.DataFrame) -> Any:
    """The rows and columns of a frame that these values name."""
    keys = list(ratings.names) if ratings.grades is None else ratings.grades.tolist()
    missing = [k for k in keys if k not in frame.index or k not in frame.columns]
    if missing:
        raise OptionError(
            f"metric: the frame has no row or no column for the value {shown(missing[0])}; its "
            "index and columns must name all values"
        )
    return frame.loc[keys, keys].to_numpy()


def _numbers(given: Any) -> Floats:
    try:
        return numbers("metric", given, finite=True)
    except errors.DataError as error:
        raise OptionError(
            f"metric={shown(given)}: must be the name of a metric, a function of two values that "
            "gives a finite number, or a matrix of such"
        ) from error


def _checked(table: Floats) -> Floats:
    """A table of distances: symmetric, none negative, 0 from each value to itself."""
    if (table < 0).any():
        least = f"{table.min():g}"
        raise OptionError(f"metric: distances must not be negative, and one is {least}")
    if np.diagonal(table).any():
        raise OptionError("metric: the distance of a value to itself must be 0")
    if not np.allclose(table, table.T, rtol=1e-9, atol=0):
        raise OptionError("metric: the distances must be symmetric")
    return table


# Pairs of votes at a distance of squared ranks, where leaving votes out changes the ranks, too.
#
# Krippendorff's ordinal distance is the squared difference of mid-ranks among the votes at hand.
# Without some votes, the disagreement at the new ranks r + d is that at r, plus twice the product
# of both, plus that at d: the first two exactly, the third, of the second order in d, with the
# pairs of all votes.


_NUMBERS = 2**22  # doubles of a block of ranks


def without_reranked(paired: Paired, removed: Removed) -> Sums:
    """Sums without the votes of each group, at the mid-ranks of what is left.

    `paired` has the squared differences of the mid-ranks of its totals as distances.
    """
    sums = paired.without(removed)
    gone = paired.lost(removed)  # (groups, values)
    ranks = value_distances.mid_ranks(paired.totals)
    ranks = ranks - ranks.mean()
    slopes = _slopes(paired, ranks)  # (units, values)
    pairs = _column_sums(slopes)
    lost_slopes = removed.added_up(_lost_slopes(paired, removed, ranks, slopes))
    together = _coincidences(paired)
    margin = np.asarray(together.sum(axis=1)).ravel()
    gaps, squares = sums.gaps.copy(), sums.squares.copy()
    size = max(1, _NUMBERS // max(len(ranks), 1))
    for start in range(0, removed.n_groups, size):
        part = slice(start, start + size)
        left = np.maximum(paired.totals - gone[part].toarray(), 0.0)  # (groups, values)
        change = value_distances.mid_ranks(left) - value_distances.mid_ranks(paired.totals)
        change = change - change.mean(axis=-1, keepdims=True)
        slope = pairs - lost_slopes[part].toarray()
        second = 2 * (change**2 @ margin - (change * (change @ together)).sum(axis=1))
        share = sums.weight[part] / max(sums.weight.max(initial=0.0), 1e-300)
        new = gaps[part] + 4 * (change * slope).sum(axis=1) + second * share
        gaps[part] = np.where(gaps[part] == 0, 0.0, np.maximum(new, 0.0))
        place = ranks + change
        n, mean = left.sum(axis=1), (left * place).sum(axis=1)
        squares[part] = 2 * (n * (left * place**2).sum(axis=1) - mean**2)
    return replace(sums, gaps=gaps, squares=squares)


def _slopes(paired: Paired, ranks: Floats) -> Any:
    """Each unit's o∘r - O r, O being its pairs of values over n - 1: (units, values), sparse."""
    votes = paired.votes
    counts = votes.counts
    if votes.votes is None:
        own = counts @ sparse.diags_array(ranks)
    else:
        cells = len(votes.unit)
        where = votes.unit, np.arange(cells)
        add = sparse.csr_array((np.ones(cells), where), shape=(len(votes.n), cells))
        own = add @ (sparse.diags_array(votes.votes @ ranks) @ votes.votes)
    return sparse.diags_array(_inverse(votes.n)) @ (_unpaired(counts, votes.n, ranks) + own)


def _unpaired(counts: Any, n: Floats, ranks: Floats) -> Any:
    """(n - 1) c∘r - c (c·r) of each row c: the slope without the votes with themselves."""
    scaled = sparse.diags_array(n - 1) @ counts @ sparse.diags_array(ranks)
    return scaled - sparse.diags_array(counts @ ranks) @ counts


def _lost_slopes(paired: Paired, removed: Removed, ranks: Floats, slopes: Any) -> Any:
    """What each row takes away from the slopes: (rows, values), sparse."""
    before = slopes[removed.unit]
    if removed.cell is None:
        return before
    votes = paired.votes
    n = votes.n[removed.unit]
    mine, counts = votes.votes[removed.cell], votes.counts[removed.unit]
    kept = n > 2
    # own votes of all but this one: those in `before`, and its own taken away
    own = sparse.diags_array(n - 1) @ before - _unpaired(counts, n, ranks)
    own = own - sparse.diags_array(mine @ ranks) @ mine
    after = sparse.diags_array(_inverse(n - 1)) @ (_unpaired(counts - mine, n - 1, ranks) + own)
    return before - sparse.diags_array(kept.astype(np.float64)) @ after


def _coincidences(paired: Paired) -> Any:
    """Pairs of values within units, each unit's over n - 1: (values, values), sparse."""
    votes = paired.votes
    inverse = _inverse(votes.n)
    together = votes.counts.T @ (sparse.diags_array(inverse) @ votes.counts)
    if votes.votes is None:  # votes of people with themselves lie on the diagonal
        return together - sparse.diags_array(inverse @ votes.counts)
    return together - votes.votes.T @ (sparse.diags_array(inverse[votes.unit]) @ votes.votes)


def _inverse(n: Floats) -> Floats:
    """1 / (n - 1); 0 below two people."""
    pairs: Bools = n >= 2
    return np.where(pairs, 1.0 / np.where(pairs, n - 1, 1.0), 0.0)


# Pairs of votes of two subjects, each of whom has totals of its own.


@dataclass(frozen=True, slots=True, eq=False)
class TwoMargins:
    """The votes of two subjects on the units that both judged, each with totals of its own.

    Parameters
    ----------
    first, second : (units, values) sparse arrays
    distances : Distances
    gaps : (units,) float
    both : (units,) bool
        The units that both judged.
    """

    first: Any
    second: Any
    distances: value_distances.Distances
    gaps: Floats
    both: Bools

    @classmethod
    def of(
        cls, votes: UnitVotes, distances: value_distances.Distances, gaps: Floats, both: Bools
    ) -> TwoMargins:
        """From the votes of subjects 0 and 1, `both` of whom voted on some units (units,)."""
        tables = []
        for subject in (0, 1):
            cell = np.flatnonzero((votes.subject == subject) & both[votes.unit])
            where = (np.ones(len(cell)), (votes.unit[cell], np.arange(len(cell))))
            of_unit = sparse.csr_array(where, shape=(len(votes.n), len(cell)))
            tables.append(of_unit @ votes.votes[cell])
        return cls(tables[0], tables[1], distances, np.where(both, gaps, 0.0), both)

    def all(self) -> Sums:
        """Of all units: one group."""
        n = np.array([float(self.both.sum())])
        squares = np.array([self._toward(self.first) @ _column_sums(self.second)])
        return Sums(np.array([self.gaps.sum()]), n, n, squares, np.zeros(1))

    def without(self, removed: Removed) -> Sums:
        """Without the units of each group."""
        whole, unit = self.all(), removed.unit
        first, second = (removed.added_up(t[unit]).tocsr() for t in (self.first, self.second))
        squares = whole.squares + self.distances.between(first, second)
        squares = squares - first @ self._toward(self.second) - second @ self._toward(self.first)
        n = whole.weight - removed.added_up(self.both[unit].astype(np.float64))
        gaps = whole.gaps - removed.added_up(self.gaps[unit])
        gaps[np.abs(gaps) <= ROUNDING * whole.gaps] = 0.0
        squares[np.abs(squares) <= ROUNDING * whole.squares] = 0.0
        return Sums(gaps, n, n, squares, np.zeros(len(n)))

    def _toward(self, votes: Any) -> Floats:
        return self.distances.toward(_column_sums(votes))


def _column_sums(table: Any) -> Floats:
    return np.asarray(table.sum(axis=0), dtype=np.float64).ravel()


# The sums over pairs of votes that a coefficient of agreement is computed from.


@dataclass(frozen=True, slots=True, eq=False)
class AgreementSums:
    """Votes under a coefficient and a metric.

    Parameters
    ----------
    pairs : Paired or TwoMargins
    chance : Chance
    metric : str
    by_rank : bool
        Whether distances are those of the mid-ranks of the votes, and change with them.
    units : (units,) bool
        Those that count.
    mean_gaps : (units,) float
        Mean distance of the pairs of votes; NaN without pairs.
    """

    pairs: Paired | TwoMargins
    chance: Chance
    metric: str
    by_rank: bool
    units: Bools
    mean_gaps: Floats

    @classmethod
    def of(
        cls, ratings: Ratings, votes: UnitVotes, coefficient: Coefficient, metric: Metric
    ) -> AgreementSums:
        """Compute the distances, and the sums over the pairs of each unit."""
        if coefficient == "ac1" and not (isinstance(metric, str) and metric == "nominal"):
            raise OptionError(
                f"metric={shown(metric)}: AC1 has no weights; take coefficient='ac2', or "
                "metric='nominal'"
            )
        alpha = coefficient == "alpha"
        name, distances = distances_by(ratings, metric, by_rank=alpha)
        by_rank = distances is None
        if distances is None:
            totals = share_of_unit(votes.n, by_vote=True) @ votes.counts
            distances = value_distances.squared_distances(value_distances.mid_ranks(totals))
        gwet = coefficient in ("ac1", "ac2")
        spread = value_distances.nominal_distances(len(ratings.names)) if gwet else None
        all_pairs = Paired.of(votes, distances, by_vote=alpha, spread=spread)
        pairs: Paired | TwoMargins = all_pairs
        if coefficient == "cohen":
            pairs = TwoMargins.of(votes, distances, all_pairs.gaps / 2, votes.n >= 2)
        n = votes.n
        mean_gaps = divide(all_pairs.gaps, n * (n - 1), fill=np.nan)
        mean_gaps[n < 2] = np.nan
        units = n >= (2 if coefficient in ("alpha", "cohen", "percent") else 1)
        chance = _chance(coefficient, distances, len(ratings.names))
        return cls(pairs, chance, name, by_rank, units, mean_gaps)

    def values(self, removed: Removed | None = None) -> Floats:
        """The coefficient of all votes, or without the votes of each group: (groups,)."""
        if removed is None:
            return self.chance.value(self.pairs.all())
        if self.by_rank and isinstance(self.pairs, Paired):
            return self.chance.value(without_reranked(self.pairs, removed))
        return self.chance.value(self.pairs.without(removed))


def _chance(
    coefficient: Coefficient, distances: value_distances.Distances, n_values: int
) -> Chance:
    """What a coefficient takes for chance, among so many categories."""
    if coefficient in ("alpha", "fleiss", "cohen"):
        return Chance(coefficient)
    largest = distances.largest() or 1.0
    apart = float(distances.toward(np.ones(n_values)).sum())  # over all pairs of categories
    n_pairs = n_values * (n_values - 1)
    factor = (n_values**2 - apart / largest) / n_pairs if n_pairs else float("nan")
    return Chance(coefficient, largest, factor)
