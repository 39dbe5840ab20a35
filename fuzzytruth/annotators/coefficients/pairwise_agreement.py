"""`pairwise_agreement`: how far each two subjects agree, who is the outlier, who is a copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import default_axis, n_queries
from fuzzytruth.annotators.coefficients.pair_distances import Metric, nominal_table, value_distances
from fuzzytruth.annotators.coefficients.pairwise_result import PairwiseAgreement, sure_agreement
from fuzzytruth.annotators.ratings import Ratings, ratings_of, report_rating_scales
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.core.votes.value_distances import PairDesign, n_pairs_of_votes
from fuzzytruth.data.grading import groups_of
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MissingCellWarning,
    OptionError,
    choice,
    counted,
    warn,
)
from fuzzytruth.io.columns import hash_ids
from fuzzytruth.stats.agreement import (
    chance_corrected_intervals,
    correlation_intervals,
    mean_intervals,
    percent_intervals,
)
from fuzzytruth.stats.pair_agreement import (
    Coefficient,
    PairCoefficients,
    PairCounts,
    Spread,
    agreement_of,
    effective_number,
    pair_counts,
    spread_of,
    tau_b_of,
)

# Votes and options of `pairwise_agreement`, checked.


_MOST_VOTES = 1_000_000_000  # pairs of votes on a unit
_MOST_COUNTS = 100_000_000  # numbers in the counts of all pairs


def named_subjects(ratings: Ratings) -> tuple[str, ...]:
    """Names of the subjects, two or more who are the same people everywhere."""
    names = ratings.named("pairwise_agreement")
    if ratings.nested:
        raise DataError(
            "pairwise_agreement: subjects are nested: a name stands for other people in each "
            "query, so that pairs have few units in common; if names stand for the same people, "
            "make the judgments with design='crossed'"
        )
    if len(names) < 2:
        raise DataError("pairwise_agreement: there is one subject; pairs take two or more")
    return names


def option_distances(ratings: Ratings, coefficient: Coefficient, metric: Metric) -> Floats:
    """Distances of values, the options being fit for each other."""
    distance = value_distances(ratings, metric, by_rank=coefficient == "alpha")
    if metric != "nominal" and coefficient not in ("kappa", "alpha"):
        raise OptionError(f"metric={metric!r}: is for coefficient='kappa' or 'alpha'")
    if coefficient == "tau_b" and ratings.grades is None:
        raise OptionError(
            "coefficient='tau_b': is for grades, but these votes are categories; use 'kappa'"
        )
    return distance


def interval_axis(ratings: Ratings, over: Any) -> Literal["item", "query"]:
    """What intervals are over."""
    if over is None:
        return default_axis(ratings)
    count = n_queries(ratings)
    choice("over", over, ("item", "query"))
    if over == "query" and count < 2:
        raise OptionError(
            "over='query': intervals over queries take two or more queries, but there "
            f"{'is one' if count else 'are none'}; use over='item'"
        )
    return "query" if over == "query" else "item"


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
    work = n_pairs_of_votes(ratings.unit)
    advice = "compare fewer subjects (of Judgments: votes.select(subjects=...))"
    if work > _MOST_VOTES:
        raise DataError(
            f"pairwise_agreement: {ratings.n_subjects:,} subjects gave {work:,} pairs of votes on "
            f"a unit, more than {_MOST_VOTES:,}; {advice}"
        )
    cluster = _clusters(ratings, over)
    design = PairDesign.of(
        ratings.unit,
        ratings.subject,
        ratings.value,
        ratings.weight,
        cluster,
        ratings.n_subjects,
        len(ratings.names),  # some of which nobody gave, if votes are chosen by subject
    )
    each = design.n_values ** (2 if coefficient == "tau_b" else 1)
    if design.n_pairs * each > _MOST_COUNTS:
        raise DataError(
            f"pairwise_agreement: {design.n_pairs:,} pairs of subjects with "
            f"{design.n_values:,} different values are too many; {advice}"
        )
    return design


def check_shared(design: PairDesign, counts: PairCounts) -> None:
    """Raise if no pair shares a unit, and warn of pairs that do not."""
    shared = int((counts.n > 0).sum())
    if not shared:
        raise DataError("pairwise_agreement: no two subjects judged the same unit")
    lost = design.n_subjects * (design.n_subjects - 1) // 2 - shared
    if lost:
        warn(
            f"{counted(lost, 'pair')} of subjects judged no item in common and "
            f"{'has' if lost == 1 else 'have'} no agreement",
            MissingCellWarning,
        )


def pairwise_agreement(
    votes: Any,
    *,
    coefficient: Coefficient = "kappa",
    metric: Metric = "nominal",
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

    The effective number of subjects is explained in docs/guide/pairs_of_subjects.md.

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
    distance = option_distances(ratings, coefficient, metric)
    over = interval_axis(ratings, over)
    design = pair_design(ratings, over, coefficient)
    counts = pair_counts(design, distance)
    check_shared(design, counts)
    if coefficient == "tau_b":
        found = tau_b_of(design)
    else:
        found = agreement_of(counts, distance, coefficient)
    spread = spread_of(design, counts, found, distance)
    by_cluster = bool(design.cluster.max() + 1 < ratings.n_units)
    ends = _intervals(coefficient, found, spread, counts, level, by_cluster=by_cluster)
    _report(found, spread, counts, *ends)
    effective = effective_number(design, distance, level)
    nominal, expected = counts, effective.expected
    if metric != "nominal":  # copies are equal, not near
        equal = nominal_table(design.n_values)
        nominal = pair_counts(design, equal)
        expected = effective_number(design, equal, level).expected
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


def _intervals(
    coefficient: Coefficient,
    found: PairCoefficients,
    spread: Spread,
    counts: PairCounts,
    level: float,
    *,
    by_cluster: bool,
) -> tuple[Floats, Floats]:
    """Ends of the intervals of all pairs."""
    value, std_error, clusters = found.value, spread.std_error, spread.clusters
    if coefficient == "percent":
        return percent_intervals(value, std_error, counts.n, clusters, level, by_cluster=by_cluster)
    if coefficient == "tau_b":
        return correlation_intervals(value, std_error, clusters, level)
    return chance_corrected_intervals(value, std_error, found.chance, clusters, level)


def _report(
    found: PairCoefficients, spread: Spread, counts: PairCounts, lower: Floats, upper: Floats
) -> None:
    """Warn of coefficients that are undefined or of unknown spread."""
    undefined = (counts.n > 0) & np.isnan(found.value)
    if undefined.any():
        n = counted(int(undefined.sum()), "pair")
        warn(f"{n} of subjects gave too few different values: agreement is NaN", DegenerateWarning)
    single = ~np.isnan(found.value) & (spread.clusters < 2)
    if single.any():
        n = counted(int(single.sum()), "pair")
        warn(f"{n} of subjects share a single item or query: no interval", DegenerateWarning)
    constant = ~np.isnan(found.value) & np.isnan(lower) & np.isnan(upper)
    if constant.any():
        n = counted(int(constant.sum()), "pair")
        warn(
            f"{n} of subjects have an agreement that no single unit changes (one of the two gave a "
            "single value, or they share hardly any unit): no interval",
            DegenerateWarning,
        )


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
    chance = agreement_of(nominal, nominal_table(design.n_values), "kappa").chance
    kappa, excess = sure_agreement(nominal.disagreement, nominal.n, chance, expected, level)
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
    lower, upper = mean_intervals(
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
