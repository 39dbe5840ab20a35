"""`pairwise_agreement`: who agrees with whom, who is the outlier, who is a copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import n_queries
from fuzzytruth.annotators.ratings import (
    COLUMNS,
    interval_axis,
    ratings_of,
    report_rating_scales,
    with_others,
)
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.core.validation import between_zero_and_one, option_flag, option_number
from fuzzytruth.core.votes import value_distances
from fuzzytruth.core.votes.value_distances import PairDesign
from fuzzytruth.data.grading import groups_of
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.errors import choice, counted, first_few, require, warn
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import level_text, number_text, with_interval
from fuzzytruth.stats import agreement, pair_agreement
from fuzzytruth.stats.pair_agreement import Coefficient, PairCoefficients, PairCounts, Spread

PairMetric = Literal["nominal", "ordinal", "linear", "interval"]


def distances_of(ratings: Ratings, coefficient: Coefficient, metric: PairMetric) -> Floats:
    """Distances of all values to each other (values, values), from 0 to 1.

    Of alpha, "ordinal" ones are those of the mid-ranks of all votes. Raises `OptionError` if the
    metric does not fit the coefficient, or the votes.
    """
    choice("metric", metric, get_args(PairMetric))
    k, place = len(ratings.names), ratings.grades
    if place is None and metric != "nominal":
        raise errors.OptionError(
            f"metric={metric!r}: is for grades, but these votes are categories; use 'nominal'"
        )
    if metric != "nominal" and coefficient not in ("kappa", "alpha"):
        raise errors.OptionError(f"metric={metric!r}: is for coefficient='kappa' or 'alpha'")
    if place is None and coefficient == "tau_b":
        raise errors.OptionError(
            "coefficient='tau_b': is for grades, but these votes are categories; use 'kappa'"
        )
    if place is None or metric == "nominal":
        return pair_agreement.nominal_table(k)
    if metric == "ordinal":
        if coefficient != "alpha":
            return value_distances.rank_gap_table(k)
        place = value_distances.mid_ranks(np.asarray(np.bincount(ratings.value, ratings.weight, k)))
    apart = np.abs(place[:, None] - place[None, :])
    apart = apart / max(apart.max(initial=0.0), np.finfo(float).tiny)
    return apart if metric == "linear" else np.asarray(apart**2)


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


_PAIR = ["subject_a", "subject_b"]
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
    metric: PairMetric
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
        level = level_text(self.level)
        numbers: FrameColumns = {
            "value": (self.coefficient, ".3f"),
            ("lower", "upper"): (level, ".3f"),
        }
        ids: FrameColumns = {"subject_a": "subject", "subject_b": "and", "n_units": ("items", ",")}
        yield Sentences.of(
            *_extremes(
                by_value.dropna(subset="value"), 0.0 if self.coefficient == "percent" else -1.0
            ),
            self._outlier(),
            self._near_duplicates(),
            self._effective(),
        )
        if len(self.pairs) <= _MOST_PAIRS:
            yield printed_table(by_value, {**ids, **numbers})
        if len(self.subjects) > 2:
            yield printed_table(
                self.means,
                {"subject": "subject", "n_others": ("others", ","), **numbers},
                title="Mean agreement with the others",
                limit=_MOST_SUBJECTS,
                cut="the lowest {shown} of {rows:,}",
            )
        over = "queries, whose items vary together" if self.over == "query" else "items"
        yield Sentences.of(
            f"Brackets: {level} confidence intervals over {over}, for these subjects; they are not "
            "adjusted for the number of pairs.",
            "Near-duplicates: subjects shown to differ on less than 5 % of the items on which they "
            "would by chance, and would if they erred independently.",
        )

    def _outlier(self) -> str:
        """Who agrees least, and most, with the others."""
        means = self.means.dropna(subset="value")
        if len(means) < 3 or means["value"].max() - means["value"].min() < _SAME:
            return ""
        low, high = means.iloc[0], means.iloc[-1]
        return (
            f"With the others, {low['subject']} agrees least on average "
            f"({number_text(low['value'], 3)}) and {high['subject']} most "
            f"({number_text(high['value'], 3)})."
        )

    def _near_duplicates(self) -> str:
        """Clusters of near-duplicates, and pairs that never differed, on few items."""
        found = self.duplicates()
        cluster = dict(zip(found["subject"], found["cluster"], strict=True))
        equal = self.pairs[(self.pairs["percent"] == 1) & self.pairs["value"].notna()]
        ends = zip(equal["subject_a"], equal["subject_b"], strict=True)
        n = sum(a not in cluster or cluster[a] != cluster.get(b) for a, b in ends)
        unsure = f"{counted(n, 'pair')} never differed, on too few items to call them copies"
        if found.empty:
            if n:
                return f"Near-duplicates: none certain, but {unsure}."
            return "Near-duplicates: none shown; that takes some 150 items in common or more."
        clusters = []
        for _, rows in found.groupby("cluster"):
            names = first_few(rows["subject"], _MOST_MEMBERS)
            clusters.append(f"{names} (equal on at least {100 * rows['percent'].min():.1f} %)")
        listed = first_few(clusters, _MOST_CLUSTERS, unit="cluster", separator="; ")
        out = f"Near-duplicates, {counted(len(clusters), 'cluster')}: {listed}."
        return f"{out} Besides, {unsure}." if n else out

    def _effective(self) -> str:
        """How many independent subjects these are worth."""
        if self.n_effective_unknown:
            return f"Effective number of subjects: unknown; {self.n_effective_unknown}."
        ends = self.n_effective_lower, self.n_effective_upper
        return (
            f"Effective number of subjects: {with_interval(self.n_effective, *ends, 1)}; beyond "
            f"what all have in common, these {len(self.subjects):,} are as diverse as that many "
            "independent subjects."
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a pair: subject_a, subject_b, coefficient, value, lower, upper, n_units.

        With ``full=True`` then all other columns of `pairs`. A copy.
        """
        short = self.pairs.assign(coefficient=self.coefficient)[[*_PAIR, *COLUMNS]]
        return with_others(short, self.pairs) if option_flag("full", full) else short

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
            raise errors.DataError(
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
        first, second = (self.pairs[name].map(place).to_numpy() for name in _PAIR)
        return np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)

    def plot(self, ax: Axes | None = None, *, threshold: float = 0.95, title: Title = True) -> Axes:
        """Draw the coefficient of each two subjects, near-duplicates outlined.

        See `plots.agreement_matrix`.

        Parameters
        ----------
        ax, title
            As in `plots.agreement_matrix`.
        threshold : float
            Of near-duplicates, see `duplicates`.

        Raises
        ------
        OptionError
            The threshold is out of its range.
        DataError
            There are more than 200 subjects, or no pair has a value.
        """
        return plots.agreement_matrix(self, ax, threshold=threshold, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("agreement_matrix",)

    def _plot_data(self, figure: str, *, threshold: float = 0.95) -> PlotData:
        metric = f" ({self.metric})" if self.metric != "nominal" else ""
        name = COEFFICIENTS[self.coefficient] + metric
        clusters = self.duplicates(threshold)
        copies = "No near-duplicates"
        if len(clusters):
            subjects = counted(len(clusters), "near-duplicate")
            copies = f"Outlined: {subjects} in {counted(clusters['cluster'].nunique(), 'cluster')}"
        units = counted(self.n_units, "item" if self.over == "item" else "judged item")
        return PlotData(
            self.pairs[["subject_a", "subject_b", "value"]].assign(coefficient=name),
            f"{name} of pairs of {counted(len(self.subjects), 'subject')} on {units}\n"
            f"{copies} at a threshold of {threshold:g}",
            clusters,
        )

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
        clusters = pair_agreement.duplicate_clusters(first, second, alike, threshold)
        for number, members in enumerate(clusters, 1):
            within = np.isin(first, members) & np.isin(second, members)
            for member in members.tolist():
                own = self.pairs[within & ((first == member) | (second == member))]
                least = (own["percent"].min(), own["value"].min())
                rows.append((number, self.subjects[member], *least))
        return pd.DataFrame(rows, columns=["cluster", "subject", "percent", "value"])


# Votes and options of `pairwise_agreement`, checked.


_MOST_VOTES = 1_000_000_000  # pairs of votes on a unit
_MOST_COUNTS = 100_000_000  # numbers in the counts of all pairs


def named_subjects(ratings: Ratings) -> tuple[str, ...]:
    """Names of the subjects, two or more who are the same people everywhere."""
    names = ratings.named("pairwise_agreement")
    if ratings.nested:
        raise errors.DataError(
            "pairwise_agreement: subjects are nested: a name stands for other people in each "
            "query, so that pairs have few units in common; if names stand for the same people, "
            "make the judgments with design='crossed'"
        )
    if len(names) < 2:
        raise errors.DataError("pairwise_agreement: there is one subject; pairs take two or more")
    return names


def _clusters(ratings: Ratings, over: str) -> Ints:
    """Numbers of the items or queries of the units: (units,).

    In the order of the hashes of their ids, so that the groups that a jackknife leaves out do not
    depend on the order of the votes.
    """
    if over == "query":
        named = ["query"]
    else:
        named = [name for name in ("query", "item") if name in ratings.units]
    code = groups_of([ratings.units[name] for name in named])
    key = np.zeros(ratings.n_units, dtype=np.uint64)
    for name in named:
        key = pair_keys(key, hash_ids(ratings.units[name]))
    order = np.argsort(key[np.unique(code, return_index=True)[1]], kind="stable")
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return number[code]


def pair_design(ratings: Ratings, over: str, coefficient: Coefficient) -> PairDesign:
    """All votes and pairs, unless they are too many."""
    work = value_distances.n_pairs_of_votes(ratings.unit)
    advice = "compare fewer subjects (of Judgments: votes.select(subjects=...))"
    if work > _MOST_VOTES:
        raise errors.DataError(
            f"pairwise_agreement: {ratings.n_subjects:,} subjects gave {work:,} pairs of votes on "
            f"a unit, more than {_MOST_VOTES:,}; {advice}"
        )
    design = PairDesign.of(
        ratings.unit,
        ratings.subject,
        ratings.value,
        ratings.weight,
        _clusters(ratings, over),
        ratings.n_subjects,
        len(ratings.names),  # some of which nobody gave, if votes are chosen by subject
    )
    each = design.n_values ** (2 if coefficient == "tau_b" else 1)
    if design.n_pairs * each > _MOST_COUNTS:
        raise errors.DataError(
            f"pairwise_agreement: {design.n_pairs:,} pairs of subjects with "
            f"{design.n_values:,} different values are too many; {advice}"
        )
    return design


def check_shared(design: PairDesign, counts: PairCounts) -> None:
    """Raise if no pair shares a unit, and warn of pairs that do not."""
    shared = int((counts.n > 0).sum())
    if not shared:
        raise errors.DataError("pairwise_agreement: no two subjects judged the same unit")
    lost = design.n_subjects * (design.n_subjects - 1) // 2 - shared
    if lost:
        warn(
            f"{counted(lost, 'pair')} of subjects judged no item in common and "
            f"{'has' if lost == 1 else 'have'} no agreement",
            errors.MissingCellWarning,
        )


def pairwise_agreement(
    votes: Any,
    *,
    coefficient: Coefficient = "kappa",
    metric: PairMetric = "nominal",
    over: Literal["item", "query"] | None = None,
    level: float = 0.95,
    rel: float | Mapping[str, float] | None = None,
) -> PairwiseAgreement:
    """Agreement of each pair of subjects, near-duplicates, and the effective number of subjects.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Votes of named subjects. Each pair is compared on the units that both judged: a unit is an
        item for a query (and intent), or an item to which categories were assigned. Sets of several
        categories are equal or not. Repeated judgments of a subject share its vote.
    coefficient : {"kappa", "percent", "alpha", "tau_b"}
        "kappa": Cohen's, weighted if there is a metric; "percent": share of units with the same
        value, from 0 to 1; "alpha": Krippendorff's of the two alone; "tau_b": Kendall's rank
        correlation of their grades. All are 1 for perfect agreement; all but "percent" are about 0
        for chance.
    metric : {"nominal", "ordinal", "linear", "interval"}
        Distance of two grades, as in `agreement`: 1 if they differ; in "alpha" the squared
        difference of their mean ranks among all votes (Krippendorff's ordinal one, the same for
        all pairs), in "kappa" Gwet's ordinal weights; the difference (linear weights); the squared
        difference (quadratic weights).
    over : {"item", "query"}, optional
        What intervals are over: items, as if all were independent, or queries, whose items vary
        together. By default queries, if there are two or more.
    level : float
        Of the intervals.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant, one for all or each subject's own where scales differ:
        grades become 1 from there on, else 0.

    Returns
    -------
    PairwiseAgreement

    Raises
    ------
    DataError
        Nobody is named, or subjects are nested (names stand for other people in each query); there
        is one subject; no two subjects judged the same unit; or there are too many pairs.
    OptionError
        An option is out of its range, or needs grades or queries that the votes lack.

    Warns
    -----
    ScaleWarning
        Grades of some subjects keep to a shorter scale than those of the others.
    MissingCellWarning
        Pairs share no unit: NaN.
    DegenerateWarning
        The coefficient is undefined (both gave a single value throughout; "tau_b": one of them
        did), does not vary (one of them gave a single value), or its interval is unknown because
        the two share units of one item or query only.

    Notes
    -----
    "kappa" and "alpha" are 1 - D / E of observed and expected disagreement. Their standard errors
    are by linearisation (of one unit an item those of Fleiss, Cohen & Everitt, but for n - 1) and
    the jackknife over clusters; intervals are Student's for log(D / E), which near 1 hold the truth
    about as often as they say, where symmetric ones do not. Of perfect agreement, the lower end is
    that of Wilson's interval for D. "percent" has Wilson's interval, over queries with an effective
    number of items; "tau_b" Student's on the scale of atanh. No interval is adjusted for the number
    of pairs.

    The effective number of subjects is explained in docs/guide/agreement.md.

    References
    ----------
    Cohen 1960, 1968 (kappa, weights); Fleiss, Cohen & Everitt 1969 (its standard error);
    Krippendorff 1970 (alpha); Kendall 1945 (tau_b); Wilson 1927; Bretherton et al. 1999 and
    Kish 1965 (effective numbers).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> result = ft.pairwise_agreement(ft.datasets.load_llmjudge_dl23())
    >>> result.duplicates()["subject"].tolist()[:3]
    ['NISTRetrieval-instruct0', 'NISTRetrieval-instruct1', 'NISTRetrieval-instruct2']
    >>> round(result.n_effective, 1)
    14.8
    """
    choice("coefficient", coefficient, get_args(Coefficient))
    level = between_zero_and_one("level", level)
    ratings = ratings_of(votes, rel)
    subjects = named_subjects(ratings)
    report_rating_scales(ratings, metric=metric)
    distance = distances_of(ratings, coefficient, metric)
    over = interval_axis(over, n_queries(ratings))
    design = pair_design(ratings, over, coefficient)
    counts = pair_agreement.pair_counts(design, distance)
    check_shared(design, counts)
    if coefficient == "tau_b":
        found = pair_agreement.tau_b_of(design)
    else:
        found = pair_agreement.agreement_of(counts, distance, coefficient)
    spread = pair_agreement.spread_of(design, counts, found, distance)
    errors_of, clusters = (found.value, spread.std_error), spread.clusters
    if coefficient == "percent":
        by_cluster = bool(design.cluster.max() + 1 < ratings.n_units)
        ends = agreement.percent_intervals(
            *errors_of, counts.n, clusters, level, by_cluster=by_cluster
        )
    elif coefficient == "tau_b":
        ends = agreement.correlation_intervals(*errors_of, clusters, level)
    else:
        ends = agreement.chance_corrected_intervals(*errors_of, found.chance, clusters, level)
    _report(found, spread, counts.n, ends)
    effective = pair_agreement.effective_number(design, distance, level)
    nominal, expected = counts, effective.expected
    if metric != "nominal":  # copies are equal, not near
        equal = pair_agreement.nominal_table(design.n_values)
        nominal = pair_agreement.pair_counts(design, equal)
        expected = pair_agreement.effective_number(design, equal, level).expected
    return PairwiseAgreement(
        subjects,
        _pairs(subjects, design, nominal, expected, found, spread, ends, level),
        _means(subjects, spread, level, 0.0 if coefficient == "percent" else -1.0),
        effective.value,
        effective.lower,
        effective.upper,
        effective.why,
        coefficient,
        metric,
        over,
        level,
        ratings.n_units,
        int(design.cluster.max()) + 1,
    )


def _report(
    found: PairCoefficients, spread: Spread, n: Floats, ends: tuple[Floats, Floats]
) -> None:
    """Warn of coefficients that are undefined or of unknown spread."""
    defined = ~np.isnan(found.value)
    for which, problem in (
        ((n > 0) & ~defined, "gave too few different values: agreement is NaN"),
        (defined & (spread.clusters < 2), "share a single item or query: no interval"),
        (
            defined & np.isnan(ends).all(axis=0),
            "agree as much without any one unit (one of the two gave a single value, or they share "
            "hardly any unit): no interval",
        ),
    ):
        if which.any():
            pairs = counted(int(which.sum()), "pair")
            warn(f"{pairs} of subjects {problem}", errors.DegenerateWarning)


def _pairs(
    subjects: tuple[str, ...],
    design: PairDesign,
    nominal: PairCounts,
    expected: Floats | None,
    found: PairCoefficients,
    spread: Spread,
    ends: tuple[Floats, Floats],
    level: float,
) -> pd.DataFrame:
    """One row a pair."""
    equal = pair_agreement.nominal_table(design.n_values)
    chance = pair_agreement.agreement_of(nominal, equal, "kappa").chance
    kappa, excess = pair_agreement.sure_agreement(
        nominal.disagreement, nominal.n, chance, expected, level
    )
    names = np.array(subjects, dtype=object)
    return pd.DataFrame(
        {
            "subject_a": names[design.first],
            "subject_b": names[design.second],
            "n_units": np.rint(nominal.n).astype(np.int64),
            "value": found.value,
            "lower": ends[0],
            "upper": ends[1],
            "std_error": np.where(np.isnan(found.value), np.nan, spread.std_error),
            "n_clusters": spread.clusters,
            "percent": 1 - divide(nominal.disagreement, nominal.n, fill=np.nan),
            "sure_kappa": kappa,
            "sure_excess": excess,
        }
    )


def _means(subjects: tuple[str, ...], spread: Spread, level: float, least: float) -> pd.DataFrame:
    """One row a subject, the lowest mean first."""
    lower, upper = agreement.mean_intervals(
        spread.mean, spread.mean_std_error, spread.mean_clusters, level, least=least
    )
    table = pd.DataFrame(
        {
            "subject": list(subjects),
            "n_others": spread.partners,
            "value": spread.mean,
            "lower": lower,
            "upper": upper,
            "std_error": spread.mean_std_error,
            "n_clusters": spread.mean_clusters,
        }
    )
    return table.sort_values("value", kind="stable", ignore_index=True)
