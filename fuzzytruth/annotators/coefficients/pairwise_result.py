"""What `pairwise_agreement` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.coefficients.pair_distances import Metric
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.validation import option_flag, option_number
from fuzzytruth.errors import DataError, counted, first_few, require
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table, first_rows
from fuzzytruth.show.number_text import interval_text, level_text, number_text, with_interval
from fuzzytruth.stats.pair_agreement import Coefficient
from fuzzytruth.stats.proportions import wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What is printed of the agreement of pairs.


_MOST_PAIRS = 10  # that are all shown
_MOST_SUBJECTS = 8
_MOST_CLUSTERS = 3
_SAME = 1e-12  # means that differ by rounding
_MOST_MEMBERS = 4
COEFFICIENTS = {
    "percent": "share of equal values",
    "kappa": "Cohen's kappa",
    "alpha": "Krippendorff's alpha",
    "tau_b": "Kendall's tau_b",
}


def _extremes(pairs: pd.DataFrame, lowest: float) -> list[str]:
    """The pairs that agree most and least, of those with an interval if there are any."""
    if pairs.empty:
        return ["The coefficient is undefined for every pair."]
    if len(pairs) == 1:
        return [f"Their agreement: {_pair(pairs, 0)}."]
    known = pairs[(pairs["lower"] > lowest) | (pairs["upper"] < 1)]
    pairs = pairs if known.empty else known
    if len(pairs) > 1 and pairs["value"].nunique() == 1:
        return [f"All {len(pairs):,} pairs agree alike: {number_text(pairs['value'].iloc[0], 3)}."]
    return [f"Most alike: {_pair(pairs, 0)}.", f"Least alike: {_pair(pairs, -1)}."]


def _pair(pairs: pd.DataFrame, at: int) -> str:
    row = pairs.iloc[at]
    return (
        f"{row['subject_a']} and {row['subject_b']}, "
        f"{with_interval(row['value'], row['lower'], row['upper'])}"
    )


def _outlier(result: PairwiseAgreement) -> str:
    """Who agrees least with all others."""
    means = result.means.dropna(subset="value")
    if len(means) < 3 or means["value"].max() - means["value"].min() < _SAME:
        return ""
    low, high = means.iloc[0], means.iloc[-1]
    return (
        f"With the others, {low['subject']} agrees least on average "
        f"({number_text(low['value'], 3)}) and {high['subject']} most "
        f"({number_text(high['value'], 3)})."
    )


def _duplicates(result: PairwiseAgreement) -> str:
    """Clusters of near-duplicates."""
    found = result.duplicates()
    unsure = _equal_but_unsure(result, found)
    if found.empty:
        if unsure:
            return f"Near-duplicates: none certain, but {unsure}."
        return "Near-duplicates: none shown; that takes some 150 items in common or more."
    clusters = []
    for _, rows in found.groupby("cluster"):
        names = first_few(rows["subject"], _MOST_MEMBERS)
        clusters.append(f"{names} (equal on at least {100 * rows['percent'].min():.1f} %)")
    listed = first_few(clusters, _MOST_CLUSTERS, unit="cluster", separator="; ")
    out = f"Near-duplicates, {counted(len(clusters), 'cluster')}: {listed}."
    return f"{out} Besides, {unsure}." if unsure else out


def _equal_but_unsure(result: PairwiseAgreement, found: pd.DataFrame) -> str:
    """Pairs that never differed, and are no near-duplicates; "" if there is none."""
    cluster = dict(zip(found["subject"], found["cluster"], strict=True))
    equal = result.pairs[(result.pairs["percent"] == 1) & result.pairs["value"].notna()]
    ends = zip(equal["subject_a"], equal["subject_b"], strict=True)
    n = sum(a not in cluster or cluster[a] != cluster.get(b) for a, b in ends)
    if not n:
        return ""
    return f"{counted(n, 'pair')} never differed, on too few items to call them copies"


def _effective(result: PairwiseAgreement) -> str:
    """The effective number in words."""
    if result.n_effective_unknown:
        return f"Effective number of subjects: unknown; {result.n_effective_unknown}."
    number = with_interval(
        result.n_effective, result.n_effective_lower, result.n_effective_upper, 1
    )
    return (
        f"Effective number of subjects: {number}; beyond what all have in common, these "
        f"{len(result.subjects):,} are as diverse as that many independent subjects."
    )


def _pair_table(result: PairwiseAgreement, pairs: pd.DataFrame) -> Table:
    """All pairs, those that agree most first; undefined ones last."""
    rows = pd.concat([pairs, result.pairs[result.pairs["value"].isna()]])
    return Table(
        (
            Column.label("subject", rows["subject_a"]),
            Column.label("and", rows["subject_b"]),
            Column("items", tuple(f"{n:,}" for n in rows["n_units"])),
            *_numbers(result, rows),
        )
    )


def _subject_table(result: PairwiseAgreement) -> Table:
    """Subjects, those who agree least with the others first."""
    columns = (
        Column.label("subject", result.means["subject"]),
        Column("others", tuple(f"{n:,}" for n in result.means["n_others"])),
        *_numbers(result, result.means),
    )
    kept, left_out = first_rows(columns, _MOST_SUBJECTS)
    title = "Mean agreement with the others"
    rest = f", the lowest {_MOST_SUBJECTS} of {len(result.means):,}" if left_out else ""
    return Table(kept, title + rest)


def _numbers(result: PairwiseAgreement, rows: pd.DataFrame) -> tuple[Column, Column]:
    """Values with their intervals."""
    ends = zip(rows["lower"], rows["upper"], strict=True)
    return (
        Column(result.coefficient, tuple(number_text(value, 3) for value in rows["value"])),
        Column(level_text(result.level), tuple(interval_text(*end, 3) for end in ends)),
    )


def _legend(result: PairwiseAgreement) -> Sentences:
    """What brackets and near-duplicates are."""
    over = "queries, whose items vary together" if result.over == "query" else "items"
    return Sentences.of(
        f"Brackets: {level_text(result.level)} confidence intervals over {over}, for these "
        "subjects; they are not adjusted for the number of pairs.",
        "Near-duplicates: subjects shown to differ on less than 5 % of the items on which they "
        "would by chance, and would if they erred independently.",
    )


# What the figure of the agreement of pairs is drawn from.


def pairwise_figure(found: PairwiseAgreement, threshold: float) -> PlotData:
    """The coefficient of each pair, clusters of near-duplicates, and a title."""
    metric = f" ({found.metric})" if found.metric != "nominal" else ""
    name = COEFFICIENTS[found.coefficient] + metric
    clusters = found.duplicates(threshold)
    copies = "No near-duplicates"
    if len(clusters):
        subjects = counted(len(clusters), "near-duplicate")
        copies = f"Outlined: {subjects} in {counted(clusters['cluster'].nunique(), 'cluster')}"
    units = counted(found.n_units, "item" if found.over == "item" else "judged item")
    return PlotData(
        found.pairs[["subject_a", "subject_b", "value"]].assign(coefficient=name),
        f"{name} of pairs of {counted(len(found.subjects), 'subject')} on {units}\n"
        f"{copies} at a threshold of {threshold:g}",
        clusters,
    )


# Clusters of subjects who agree more than two different people plausibly would.


def sure_agreement(
    disagreement: Floats, n: Floats, chance: Floats, expected: Floats | None, level: float
) -> tuple[Floats, Floats]:
    """Least agreement of pairs beyond chance, and beyond that of the panel: (pairs,) each.

    Both are 1 - D / E with the upper end, one-sided with confidence `level`, of Wilson's interval
    for the share D of units on which the two differ. E is the disagreement expected by chance,
    from the shares of values that each of them gave, or (`expected`) if both erred independently
    beside what the panel has in common. NaN where the two share no unit, or E is unknown.
    """
    one_sided = max(2 * level - 1, 1e-9)
    known = n > 0
    some = np.where(known, n, 1.0)
    differ = np.minimum(np.where(known, disagreement, 0.0), some)
    most = np.asarray(wilson(differ, some, level=one_sided)[1])
    most = np.where(known, most, np.nan)
    by_chance = 1 - divide(most, chance, fill=np.nan)
    if expected is None:
        return by_chance, np.full(len(n), np.nan)
    return by_chance, 1 - divide(most, expected, fill=np.nan)


def duplicate_clusters(first: Ints, second: Ints, alike: Floats, threshold: float) -> list[Ints]:
    """Clusters of subjects in which every pair is alike, the largest first, by complete linkage.

    Parameters
    ----------
    first, second : (pairs,) int
    alike : (pairs,) float
        Of those pairs; NaN counts as not alike.
    threshold : float
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    close = np.nan_to_num(alike, nan=-np.inf) >= threshold
    if not close.any():
        return []
    some = np.unique(np.concatenate((first[close], second[close])))
    a, b = np.searchsorted(some, first[close]), np.searchsorted(some, second[close])
    far = 2.0
    table = np.full((len(some), len(some)), far)
    table[a, b] = table[b, a] = 1 - alike[close]
    tree = linkage(table[np.triu_indices(len(some), 1)], "complete")
    number = fcluster(tree, (far + 1 - threshold) / 2, "distance")
    clusters = [some[number == one] for one in np.unique(number)]
    clusters = [one for one in clusters if len(one) > 1]
    return sorted(clusters, key=lambda one: (-len(one), one[0]))


_SHORT = ["subject_a", "subject_b", "n_units", "value", "lower", "upper"]
_BY_SUBJECT = ["subject", "n_others", "value", "lower", "upper"]
_MOST_CELLS = 25_000_000  # of a matrix


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairwiseAgreement(Result):
    """Agreement of each pair of subjects.

    Parameters
    ----------
    subjects : tuple of str
    pairs : DataFrame
        One row a pair: subject_a, subject_b; n_units, which both judged; value, lower and upper of
        the coefficient (NaN where it is undefined); std_error; n_clusters, items or queries that
        intervals are over; percent, the share of units with the same value; sure_kappa and
        sure_excess, the least agreement beyond chance and beyond the panel (see `duplicates`).
        Pairs that share no unit are left out where there are more than a million pairs.
    means : DataFrame
        One row a subject, the lowest first: see `by_subject`.
    n_effective, n_effective_lower, n_effective_upper : float
        How many independent subjects these are worth, with its interval; NaN if unknown.
    n_effective_unknown : str
        Why it is unknown; "" if it is not.
    coefficient, metric : str
    over : {"item", "query"}
        What intervals are over.
    level : float
    n_units, n_clusters : int
        Units that were judged, and items or queries.
    """

    subjects: tuple[str, ...]
    pairs: pd.DataFrame
    means: pd.DataFrame
    n_effective: float
    n_effective_lower: float
    n_effective_upper: float
    n_effective_unknown: str
    coefficient: Coefficient
    metric: Metric
    over: str
    level: float
    n_units: int
    n_clusters: int

    _more: ClassVar[str] = ".to_frame(), .by_subject(), .matrix(), .duplicates(), .n_effective"

    def _title(self) -> str:
        of = f" ({self.metric})" if self.metric != "nominal" else ""
        units = counted(self.n_units, "item" if self.over == "item" else "judged item")
        queries = f" of {counted(self.n_clusters, 'query')}" if self.over == "query" else ""
        return (
            f"Agreement of {counted(len(self.subjects), 'subject')} in pairs: "
            f"{COEFFICIENTS[self.coefficient]}{of} on {units}{queries}"
        )

    def _parts(self) -> Parts:
        by_value = self.pairs.sort_values("value", ascending=False, kind="stable")
        pairs = by_value.dropna(subset="value")
        lowest = 0.0 if self.coefficient == "percent" else -1.0
        yield Sentences.of(
            *_extremes(pairs, lowest), _outlier(self), _duplicates(self), _effective(self)
        )
        yield _pair_table(self, pairs) if len(self.pairs) <= _MOST_PAIRS else None
        yield _subject_table(self) if len(self.subjects) > 2 else None
        yield _legend(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a pair: subject_a, subject_b, n_units, value, lower, upper; `full`: all columns.

        A copy.
        """
        return self.pairs.copy() if option_flag("full", full) else self.pairs[_SHORT].copy()

    def by_subject(self, *, full: bool = False) -> pd.DataFrame:
        """Mean agreement of each subject with all others, the lowest first: who is the outlier.

        Columns subject, n_others (with whom the coefficient is defined), value, lower, upper, and
        if `full` std_error and n_clusters. Intervals are over items or queries, for these subjects;
        they do not say how others would agree with the subject.
        """
        return self.means.copy() if option_flag("full", full) else self.means[_BY_SUBJECT].copy()

    def matrix(self) -> pd.DataFrame:
        """The coefficient of each two subjects: (subjects, subjects), symmetric.

        1 on the diagonal; NaN where it is undefined or no unit is shared.

        Raises
        ------
        DataError
            There are more than 5,000 subjects.
        """
        s = len(self.subjects)
        if s * s > _MOST_CELLS:
            raise DataError(
                f"matrix: {s:,} subjects make {s * s:,} cells; to_frame() has the pairs that "
                "share units"
            )
        first, second = self._ends()
        table = np.full((s, s), np.nan)
        table[first, second] = table[second, first] = self.pairs["value"].to_numpy()
        np.fill_diagonal(table, 1.0)
        return pd.DataFrame(table, index=list(self.subjects), columns=list(self.subjects))

    def _ends(self) -> tuple[Ints, Ints]:
        """Places of the two subjects of each pair."""
        place = {name: at for at, name in enumerate(self.subjects)}
        first, second = (self.pairs[name].map(place).to_numpy() for name in _SHORT[:2])
        return np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)

    def plot(self, ax: Axes | None = None, *, threshold: float = 0.95) -> Axes:
        """Draw the coefficient of each two subjects, near-duplicates outlined.

        See `plots.agreement_matrix`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        threshold : float
            Of near-duplicates, see `duplicates`.

        Raises
        ------
        OptionError
            The threshold is out of its range.
        DataError
            There are more than 200 subjects, or no pair has a value.
        """
        from fuzzytruth.plots import agreement_matrix

        return agreement_matrix(self, ax, threshold=threshold)

    _figures: ClassVar[tuple[str, ...]] = ("agreement_matrix",)

    def _plot_data(self, figure: str, *, threshold: float = 0.95) -> PlotData:
        return pairwise_figure(self, threshold)

    def duplicates(self, threshold: float = 0.95) -> pd.DataFrame:
        """Clusters of near-duplicates: subjects who agree more than different people would.

        Two subjects are near-duplicates if two kinds of agreement surely reach the threshold, at
        the one-sided confidence `level`, over items. Both are 1 - D / E, D being the share of units
        to which the two gave different values:

        - beyond chance (`sure_kappa`): E is expected from the shares of the values that each gave,
          so that 99 % zeros are no sign of a copy;
        - beyond the panel (`sure_excess`): E is expected if both erred independently of each other
          beside what the whole panel has in common, so that experts who are nearly always right are
          no copies. It takes four subjects, up to 500; beyond these, only the first kind counts.

        Clusters are by complete linkage: every two members are near-duplicates, where single
        linkage would chain subjects that are not.

        Parameters
        ----------
        threshold : float
            Above 0, at most 1. By default two subjects must surely differ on less than a twentieth
            of the units on which independent subjects would.

        Returns
        -------
        DataFrame
            One row a subject that is in a cluster: cluster (from 1, the largest first), subject,
            percent (lowest share of equal values with another member), value (the lowest
            coefficient with another member).

        Raises
        ------
        OptionError
            The threshold is out of its range.

        Notes
        -----
        To be sure of copies that never differ takes some 54 / E units by default (E is in the list
        above): 110 where others would differ on half of the units, 540 where on one in ten. With
        fewer, lower the threshold.

        Copies of one subject beside a single other one look like excellent subjects beside a poor
        one; if they differ now and then, they are not found. The other way round, a few flawless
        subjects among very poor ones can look like copies.
        """
        threshold = option_number("threshold", threshold)
        require("threshold", threshold, 0 < threshold <= 1, "must be above 0, and at most 1")
        first, second = self._ends()
        kappa, excess = (self.pairs[name].to_numpy() for name in ("sure_kappa", "sure_excess"))
        alike = np.fmin(kappa, excess)
        alike = np.where(np.isnan(kappa), np.nan, alike)
        rows: list[tuple[int, str, float, float]] = []
        for number, members in enumerate(duplicate_clusters(first, second, alike, threshold), 1):
            within = np.isin(first, members) & np.isin(second, members)
            for member in members.tolist():
                own = self.pairs[within & ((first == member) | (second == member))]
                least = (own["percent"].min(), own["value"].min())
                rows.append((number, self.subjects[member], *least))
        return pd.DataFrame(rows, columns=["cluster", "subject", "percent", "value"])
