"""Result of `santini_report`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.validation import between_zero_and_one, option_flag, place_of, places_of
from fuzzytruth.data.assignments import Assignments, most_voted
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.membership import Membership
from fuzzytruth.errors import OptionError, UnjudgedItemWarning, counted, is_among, shown, warn
from fuzzytruth.evaluation.lists.by_rank import RankDistributions
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table, first_rows
from fuzzytruth.stats.settings import Over, in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The strong ground truth: every item has the category that most subjects gave it.


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StrongTruth:
    """One category an item, as a benchmark with a single truth has it.

    Parameters
    ----------
    votes : Assignments
        A single vote an item, for its majority category.
    items : DataFrame
        One row an item: item, category, share (of the item's votes that name it) and tied (how many
        categories have as many votes; the first of the taxonomy is taken).
    """

    votes: Assignments
    items: pd.DataFrame

    @property
    def n_tied(self) -> int:
        """Items whose majority category is one of several."""
        return int((self.items["tied"] > 1).sum())


def strong_truth(votes: Assignments) -> StrongTruth:
    """The majority category of each item, which the paper's section 3 calls a strong ground truth.

    Warns
    -----
    UnjudgedItemWarning
        Nobody gave an item a category; it is left out.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Assignments.from_columns(list("stu"), ["i"] * 3, ["cat", "dog", "cat"])
    >>> strong_truth(votes).items.values.tolist()
    [['i', 'cat', 0.6666666666666666, 1]]
    """
    best = most_voted(votes)
    lacking = len(votes.items) - len(best.item)
    if lacking:
        warn(
            f"strong ground truth: left out: {counted(lacking, 'item')} to which nobody gave a "
            "category",
            UnjudgedItemWarning,
        )
    names = np.array(votes.items.to_pylist(), dtype=object)[best.item]
    categories = np.array(votes.taxonomy.nodes, dtype=object)[best.category]
    items = pd.DataFrame(
        {"item": names, "category": categories, "share": best.share, "tied": best.tied}
    )
    single = Assignments.from_columns(
        ["majority"] * len(items), names, categories, taxonomy=votes.taxonomy
    )
    return StrongTruth(single, items)


# Tables of a `SantiniReport`.


#: columns that `SantiniReport.to_frame` has by default
SHORT = ("system", "measure", "strong", "mean", "std", "people", "lower", "upper")


def of_systems(report: SantiniReport) -> pd.DataFrame:
    """See `SantiniReport.to_frame`."""
    scores, people = report.scores, report.people
    strong, expected, spread = _by_query(report)
    rows = []
    ends = _intervals(report)
    for s, system in enumerate(scores.systems):
        for m, measure in enumerate(scores.measures):
            mean = scores.mean_distribution(system, measure)
            rows.append(
                {
                    "system": system,
                    "measure": measure,
                    "strong": strong[s, m].mean(),
                    "mean": expected[s, m].mean(),
                    "std": mean.std(),
                    "people": np.nan if people is None else people.mean().loc[system, measure],
                    "lower": ends[s, m, 0],
                    "upper": ends[s, m, 1],
                    "exact": _is_exact(scores, s, m),
                    "query_gap": np.abs(strong[s, m] - expected[s, m]).mean(),
                    "query_std": spread[s, m].mean(),
                    "over": in_words(report.over),
                    "n_queries": len(scores.queries),
                    "n_subjects": 0 if people is None else len(people.subjects or ()),
                }
            )
    return pd.DataFrame(rows)


def of_categories(report: SantiniReport) -> pd.DataFrame:
    """See `SantiniReport.categories`."""
    tree, m = report.votes.taxonomy, report.membership
    strong = report.strong.votes.membership().sizes()
    return pd.DataFrame(
        {
            "category": list(tree.nodes),
            "level": tree.level,
            "size": m.sizes().to_numpy(),
            "strong_size": strong.to_numpy().round().astype(np.int64),
            "agreement": m.category_agreement().to_numpy(),
        }
    )


def of_items(report: SantiniReport) -> pd.DataFrame:
    """See `SantiniReport.items`."""
    m = report.membership
    frame = m.entropy().to_frame().join(m.agreement()).reset_index()
    frame = frame.merge(report.strong.items, on="item", how="left", sort=False)
    order = np.lexsort((frame["share"], -frame["entropy"].round(12)))
    return frame.iloc[order].reset_index(drop=True)


def of_distributions(
    report: SantiniReport,
    queries: Iterable[str] | str | None,
    level: float | None,
    systems: tuple[str, ...] | None = None,
) -> pd.DataFrame:
    """See `SantiniReport.distributions`."""
    scores = report.scores
    level = report.level if level is None else between_zero_and_one("level", level)
    strong = report.strong_scores
    rows = []
    for q in places_of(scores.queries, queries, "query"):
        query = scores.queries[q]
        for system in scores.systems if systems is None else systems:
            s = scores.systems.index(system)
            components = report.ranks.components(system, query)
            names = report.ranks.categories(system, query)
            shares = dict(zip(names, (weight for weight, _, _ in components), strict=True))
            for m, measure in enumerate(scores.measures):
                printed = float(strong.values[s, m, q])
                for category, share in ({"": 1.0} | shares).items():
                    law = report.distribution(system, query, measure, category=category or None)
                    key = (system, measure, query, category, share, printed)
                    rows.append((*key, *_statistics(law, printed, level)))
    columns = ["system", "measure", "query", "category", "share", "strong", "mean", "std"]
    return pd.DataFrame(rows, columns=[*columns, "lower", "upper", "p_strong", "p_below"])


def _statistics(law: Distribution, printed: float, level: float) -> tuple[float, ...]:
    """Mean, deviation and interval, and the probabilities of a value and of smaller ones."""
    at = float(law.pmf(printed))
    below = max(0.0, float(law.cdf(printed)) - at)
    return (law.mean(), law.std(), *law.interval(level), at, below)


def of_pairs(report: SantiniReport, query: str | None) -> pd.DataFrame:
    """See `SantiniReport.pairs`."""
    scores = report.scores
    place = None if query is None else place_of(scores.queries, str(query), "query")
    strong, expected, _ = _by_query(report)
    if place is None:
        strong, expected = strong.mean(axis=-1), expected.mean(axis=-1)
    else:
        strong, expected = strong[..., place], expected[..., place]
    rows = []
    for m, measure in enumerate(scores.measures):
        for a, b in combinations(range(len(scores.systems)), 2):
            names = scores.systems[a], scores.systems[b]
            law = scores.difference(*names, measure, query=query)
            equal, better = float(law.pmf(0.0)), float(law.sf(0.0))
            shares = np.array([better, equal, max(0.0, 1 - better - equal)])
            n = law.n_samples if law.n_samples and not law.exact else np.inf
            rows.append(
                (
                    measure,
                    *names,
                    strong[a, m] - strong[b, m],
                    expected[a, m] - expected[b, m],
                    law.std(),
                    *shares,
                    law.exact,
                    float(np.sqrt(shares * (1 - shares) / n).max()),
                )
            )
    columns = ["measure", "system_a", "system_b", "strong", "difference", "std"]
    return pd.DataFrame(rows, columns=[*columns, "better", "equal", "worse", "exact", "mc_error"])


def of_individuals(report: SantiniReport) -> pd.DataFrame:
    """See `SantiniReport.individuals`."""
    parts = []
    for scores in (report.people, report.displaced):
        if scores is not None:
            means = scores.mean(by="subject").reset_index()
            table = means.melt(["system", "subject"], var_name="measure", value_name="value")
            parts.append(table.dropna(subset="value"))
    columns = ["system", "subject", "measure", "value"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _by_query(report: SantiniReport) -> tuple[Floats, Floats, Floats]:
    """Value under the strong truth, expected value and deviation: (systems, measures, queries)."""
    scores, strong = report.scores, report.strong_scores
    fixed = strong.cells.mean_by_query(strong.values)
    expected = scores.cells.mean_by_query(scores.values)
    spread = np.zeros_like(expected)
    if scores.uncertainty is not None and scores.uncertainty.std is not None:
        spread = scores.cells.mean_by_query(scores.uncertainty.std)
    return fixed, expected, spread


def _is_exact(scores: Scores, system: int, measure: int) -> bool:
    return scores.uncertainty is None or bool(scores.uncertainty.exact[system, measure].all())


def _intervals(report: SantiniReport) -> Floats:
    """Ends of the intervals of means: (systems, measures, 2); NaN where nothing is random."""
    scores = report.scores if report.people is None else report.people
    shape = (len(scores.systems), len(scores.measures), 2)
    if not report.over:
        return np.full(shape, np.nan)
    table = scores.summary(over=report.over, level=report.level)
    ends: Floats = table[["lower", "upper"]].to_numpy().reshape(shape)
    return ends


# What `print` shows of a `SantiniReport`.


_MOST_ROWS = 4  # of items, categories, pairs and verdicts
_MOST_PAIRS = 12  # of which differences are shown
_MOST_MEANS = 16


def printed(report: SantiniReport) -> Printed:
    """Votes, means, pairs of systems and individual comparison, in the paper's order."""
    votes, scores = report.votes, report.scores
    title = (
        f"Santini's analysis: {counted(len(votes), 'vote')} on "
        f"{counted(len(report.membership.items), 'item')}; "
        f"{counted(len(scores.systems), 'system')}, "
        f"{counted(len(scores.queries), 'query')}, rank {report.k}"
    )
    return Printed.of(
        title,
        _agreement(report),
        _cut(_items(of_items(report)), "Most disputed items"),
        _cut(_categories(of_categories(report)), "Largest categories below the root"),
        _cut(
            _means(report),
            f"Means over {counted(len(scores.queries), 'query')}",
            _MOST_MEANS,
            "± worlds: standard deviation of the mean over worlds."
            * (scores.uncertainty is not None),
        ),
        _of_means(report),
        _cut(
            _pairs(report),
            "Both systems in the same worlds, means over queries",
            extras="P: probability over worlds. ± MC: its Monte Carlo standard error.",
        ),
        *_compared(report.comparison, _whose(report)),
        _of_individuals(report),
        *_compared(report.displaced_comparison, "from the people's own lists"),
    )


def _agreement(report: SantiniReport) -> Sentences:
    """How much subjects agree, and what the strong ground truth makes of it."""
    items = of_items(report)
    n, unanimous = len(items), int((items["entropy"] == 0).sum())
    share = items["agreement"].mean()
    pairs = f"Two subjects agree on {percent(share)} of the items, on average"
    majority = int((items["share"] > 0.5).sum())
    return Sentences.of(
        f"{pairs}; all votes agree on {unanimous:,} of {n:,}." if not np.isnan(share) else "",
        f"Strong ground truth: the category with most votes, which has more than half of them for "
        f"{majority:,} of {n:,} items; for {report.strong.n_tied:,}, categories tie, and the first "
        "in the taxonomy is taken.",
    )


def _whose(report: SantiniReport) -> str:
    """What the comparison of the systems is by."""
    return "expected values" if report.people is None else "by the people's own categories"


def _cut(
    columns: tuple[Column, ...], title: str, most: int = _MOST_ROWS, extras: str = ""
) -> Table:
    kept, more = first_rows(columns, most)
    return Table(kept, title + (f" ({most} of {more + most:,})" if more else ""), extras)


def _items(frame: pd.DataFrame) -> tuple[Column, ...]:
    return (
        Column.label("item", frame["item"]),
        Column.label("most votes for", frame["category"].fillna("–")),
        _numbers("share, %", 100 * frame["share"], ".0f"),
        _numbers("agree, %", 100 * frame["agreement"], ".0f"),
        _numbers("entropy, bits", frame["entropy"], ".2f"),
    )


def _categories(frame: pd.DataFrame) -> tuple[Column, ...]:
    below = frame[frame["level"] > 0].sort_values("size", ascending=False, kind="stable")
    return (
        Column.label("category", below["category"]),
        _numbers("size", below["size"], ".1f"),
        _numbers("strong", below["strong_size"], "d"),
        _numbers("agreement, %", 100 * below["agreement"], ".0f"),
    )


def _means(report: SantiniReport) -> tuple[Column, ...]:
    frame = of_systems(report)
    columns = [
        Column.label("system", frame["system"]),
        Column.label("measure", frame["measure"]),
        _numbers("strong", frame["strong"], ".3f"),
        _numbers("expected", frame["mean"], ".3f"),
        Column("± worlds", tuple(f"{std:.3f}" for std in frame["std"]), "extra"),
    ]
    if report.people is not None:
        columns.append(_numbers("people", frame["people"], ".3f"))
    if report.over:
        ends = zip(frame["lower"], frame["upper"], strict=True)
        cells = tuple(f"[{low:.3f}, {high:.3f}]" for low, high in ends)
        columns.append(Column(f"{percent(report.level)} interval", cells))
    return tuple(columns)


def _of_means(report: SantiniReport) -> Sentences:
    """What the columns of the means are."""
    frame, scores = of_systems(report), report.scores
    kind = "exact" if frame["exact"].all() else "exact where known, else simulated"
    gap, hidden = frame["query_gap"].mean(), frame["query_std"].mean()
    whose = "people: mean over the subjects' own categories"
    whose += "" if report.people is None else report.people._unjudged_text
    interval = ""
    if report.over:
        what = "of people" if report.people is not None else "of expected"
        interval = f"Interval: {what}, {percent(report.level)}, over {in_words(report.over)}."
    return Sentences.of(
        f"strong: one truth, the majority category; expected: over worlds in which every item "
        f"takes one of its votes at random ({kind})"
        + (f"; {whose}." if report.people is not None else "."),
        interval,
        f"Of a single query, strong and expected differ by {gap:.3f} on average, and the value "
        f"has a standard deviation of {hidden:.3f} over worlds, which strong does not show."
        if scores.uncertainty is not None
        else "",
    )


def _pairs(report: SantiniReport) -> tuple[Column, ...]:
    frame = of_pairs(report, None)
    if not len(frame):
        return ()
    a, b = frame["system_a"], frame["system_b"]
    return (
        Column.label("a, b", (f"{one}, {other}" for one, other in zip(a, b, strict=True))),
        Column.label("measure", frame["measure"]),
        _numbers("a - b", frame["difference"], "+.3f"),
        _numbers("P(a > b)", frame["better"], ".3f"),
        _numbers("P(=)", frame["equal"], ".3f"),
        _numbers("P(a < b)", frame["worse"], ".3f"),
        Column("± MC", tuple(f"{error:.3f}" for error in frame["mc_error"]), "extra"),
    )


def _compared(comparison: Comparison | None, whose: str) -> list[Sentences | Table]:
    """Verdicts, differences while they are few, and what they rest on."""
    if comparison is None:
        return []
    title = Sentences.of(f"{comparison._title()}, {whose}.")
    shown: list[Sentences | Table] = [title, comparison._verdict_lines(_MOST_ROWS)]
    if len(comparison.table) <= _MOST_PAIRS:
        return [*shown, *comparison._difference_tables(), comparison._legend()]
    return [*shown, comparison._basis()]


def _of_individuals(report: SantiniReport) -> Table | None:
    """A row for each system and measure: its range over subjects, and for how many it is best."""
    rows: list[tuple[str, str, float, float, str]] = []
    for scores in (report.people, report.displaced):
        if scores is None:
            continue
        for m, measure in enumerate(scores.measures):
            table = scores.mean(by="subject")[measure].unstack("system")[list(scores.systems)]
            best = table.max(axis=1) if scores.higher_is_better[m] else table.min(axis=1)
            firsts = table.eq(best, axis=0).sum()
            low, high = table.min(), table.max()
            rows += [
                (name, measure, low[name], high[name], f"{firsts[name]} of {len(table)}")
                for name in scores.systems
            ]
    if not rows:
        return None
    columns = (
        Column.label("system", (row[0] for row in rows)),
        Column.label("measure", (row[1] for row in rows)),
        _numbers("lowest", (row[2] for row in rows), ".3f"),
        _numbers("highest", (row[3] for row in rows), ".3f"),
        Column("best for", tuple(row[4] for row in rows)),
    )
    return _cut(columns, "Means by one person alone (.individuals() has all)", _MOST_MEANS)


def percent(share: float) -> str:
    """A share in percent, such as 95 %."""
    return f"{100 * share:.0f} %"


def _numbers(heading: str, values: Iterable[float], form: str) -> Column:
    """Numbers in one form; – where there is none."""
    return Column(
        heading, tuple("–" if value != value else format(value, form) for value in values)
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SantiniReport(Result):
    """Votes for categories and systems that rank the items, analysed as Santini's paper does.

    Parameters
    ----------
    votes : Assignments
    membership : Membership
        p(category | item), sizes and agreement (section 4).
    k : int
        Rank of precision and recall.
    level : float
        Of all intervals.
    strong : StrongTruth
        The majority category of each item, which the paper argues against (section 3).
    strong_scores : Scores
        Precision and recall at k under it: what a benchmark with one truth prints.
    scores : Scores
        Expected precision and recall over independent worlds, with their distributions.
    ranks : RankDistributions
        Distributions of both at each rank up to k, mixed over the query's categories or given one.
    people : Scores or None
        Precision and recall by each subject's own categories; None where nobody is named.
    displaced : Scores or None
        Weighted displacement from each subject's own list (section 5), where lists were given.
    over : tuple of str
        What the intervals of `to_frame` and `comparison` are over: of "query" and "subject", those
        of which there are two or more.
    comparison : Comparison or None
        Of the systems, by the subjects' own categories; None with a single system, or where nothing
        is random. Where nobody is named, of expected values over queries.
    displaced_comparison : Comparison or None
        The same by displacement: scheme (4), in which numbers are aggregated.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Assignments.from_columns(
    ...     list("stu") * 4, [*"aaabbbcccddd"],
    ...     ["cat", "cat", "dog", "cat", "dog", "cat", "dog", "dog", "dog", "cat", "cat", "cat"])
    >>> runs = {"x": {"a": ["b", "d", "c"], "b": ["a", "d", "c"]},
    ...         "y": {"a": ["c", "b", "d"], "b": ["c", "a", "d"]}}
    >>> report = ft.santini_report(votes, None, runs, k=1, n_resamples=99)
    >>> report
    SantiniReport(2 systems, 2 queries, 3 subjects, P@1 and R@1)
    >>> report.pairs("a").round(3)[["measure", "better", "equal", "worse"]].values.tolist()[0]
    ['P@1', 0.444, 0.333, 0.222]
    """

    votes: Assignments
    membership: Membership
    k: int
    level: float
    strong: StrongTruth
    strong_scores: Scores
    scores: Scores
    ranks: RankDistributions
    people: Scores | None
    displaced: Scores | None
    over: Over
    comparison: Comparison | None
    displaced_comparison: Comparison | None

    def distribution(
        self, system: str, query: str, measure: str = "P", *, category: str | None = None
    ) -> Distribution:
        """Distribution of precision ("P") or recall ("R") at k of one query.

        Mixed over the categories that the query may have, or given one of them.

        Raises
        ------
        OptionError
            There is no such system, query, measure or category.
        """
        which = self.scores.measures.index(self.measure_at_k(measure))
        law = (self.ranks.precision, self.ranks.recall)[which]
        return law(system, query, self.k, category=category)

    def measure_at_k(self, measure: str) -> str:
        """Precision ("P") or recall ("R") at k, as the scores call it."""
        known = is_among(measure, self.scores.measures)
        name = measure if known else f"{measure}@{self.k}"
        if name not in self.scores.measures:
            raise OptionError(
                f"measure={shown(measure)}: must be 'P' or 'R', precision or recall at k"
            )
        return name

    def __repr__(self) -> str:
        sizes = [counted(len(self.scores.systems), "system")]
        sizes.append(counted(len(self.scores.queries), "query"))
        if self.votes.subjects is not None:
            sizes.append(counted(len(self.votes.subjects), "subject"))
        return f"SantiniReport({', '.join(sizes)}, {' and '.join(self.scores.measures)})"

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each system and measure.

        Columns: system, measure, strong (mean over queries under the strong ground truth), mean
        (expected over independent worlds), std (of the mean over queries, from world to world),
        people (mean over the subjects' own truths; NaN where nobody is named), lower and upper
        (interval of `people`, or else of `mean`, over what `over` names; NaN where nothing is
        random).

        With ``full=True`` also exact (whether the mean is), query_gap and query_std (means over
        queries of the absolute difference of strong and mean of a query, and of its standard
        deviation over worlds), over, n_queries, n_subjects.
        """
        frame = of_systems(self)
        return frame if option_flag("full", full) else frame[list(SHORT)]

    def categories(self) -> pd.DataFrame:
        """One row a category.

        Columns: category, level (longest path from the root), size (expected number of items, (9)),
        strong_size (items whose majority category lies in its subtree), agreement (specific
        agreement, see `Membership.category_agreement`; NaN where it is unknown).
        """
        return of_categories(self)

    def items(self) -> pd.DataFrame:
        """One row an item, the most disputed first.

        Columns: item, entropy (bits, of its direct shares), agreement (share of pairs of its
        subjects), category (of most votes), share (of the votes, for it), tied (categories with as
        many votes).
        """
        return of_items(self)

    def distributions(
        self, queries: Iterable[str] | str | None = None, *, level: float | None = None
    ) -> pd.DataFrame:
        """Distributions of precision and recall at k, mixed and given each category of the query.

        Parameters
        ----------
        queries : ids, optional
            By default all. In large collections each query takes a while.
        level : float, optional
            Of the central intervals; by default the report's.

        Returns
        -------
        DataFrame
            One row for each system, measure, query and category: category ("" for the mixture over
            all, eqs. 13 and 14), share (its probability), strong (the value under the strong ground
            truth), mean, std, lower and upper (central interval over worlds), p_strong (the
            probability of the value `strong`) and p_below (of a smaller one).

        Raises
        ------
        OptionError
            A query is unknown.
        """
        return of_distributions(self, queries, level)

    def pairs(self, query: str | None = None) -> pd.DataFrame:
        """Each pair of systems over independent worlds, both systems in the same worlds.

        Parameters
        ----------
        query : str, optional
            By default the means over queries are compared.

        Returns
        -------
        DataFrame
            One row for each measure and pair: measure, system_a, system_b, strong (difference under
            the strong ground truth), difference (of the expected values), std (over worlds),
            better, equal and worse (probabilities that a is; joint), exact (whether they are), and
            mc_error (the largest Monte Carlo standard error of the three).
        """
        return of_pairs(self, query)

    def individuals(self) -> pd.DataFrame:
        """Individual comparison: one row for each system, subject and measure.

        Columns: system, subject, measure, value (mean over the subject's queries). Precision and
        recall by the subject's own categories; where lists were given, displacement from the
        subject's own lists. No rows where nobody is named.
        """
        return of_individuals(self)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        system: str | None = None,
        measure: str = "P",
        queries: Iterable[str] | str | None = None,
    ) -> Axes:
        """Draw what the strong ground truth prints for each query, on the distribution it hides.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        system : str, optional
            By default the first.
        measure : {"P", "R"}
        queries : ids, optional
            By default all.

        Raises
        ------
        OptionError
            There is no such system, measure or query.
        """
        from fuzzytruth.plots import strong_truth

        asked: dict[str, Any] = {"system": system, "measure": measure, "queries": queries}
        return strong_truth(self, ax, level=self.level, **asked)

    _figures: ClassVar[tuple[str, ...]] = ("strong_truth",)

    def _plot_data(
        self,
        figure: str,
        system: str | None = None,
        measure: str = "P",
        queries: Iterable[str] | str | None = None,
    ) -> PlotData:
        """Frame of `plots.strong_truth`."""
        name = self.scores.systems[0] if system is None else system
        place_of(self.scores.systems, name, "system")
        chosen = self.measure_at_k(measure)
        frame = of_distributions(self, queries, None, (name,))
        mine = frame[(frame["measure"] == chosen) & (frame["category"] == "")]
        n = counted(len(mine), "query")
        return PlotData(mine, f"{chosen} of {name}, {n}, over independent worlds")

    def _answer(self) -> Printed:
        return printed(self)
