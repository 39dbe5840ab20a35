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
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.plurality import rules_sentence
from fuzzytruth.errors import OptionError, counted, is_among, shown
from fuzzytruth.evaluation.lists.by_rank import RankDistributions
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import number_text
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
    found = votes.plurality()
    return StrongTruth(found.votes, found.to_frame().drop(columns="reading"))


# The report.


#: columns that `SantiniReport.to_frame` has by default
SHORT = ("system", "measure", "strong", "mean", "std", "people", "lower", "upper")
_MOST_ROWS = 4  # of items, categories, pairs and verdicts
_MOST_PAIRS = 12  # of which differences are shown
_MOST_MEANS = 16


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
        scores, people = self.scores, self.people
        systems, measures = list(scores.systems), list(scores.measures)
        strong, expected, spread = self._by_query()
        keys = pd.MultiIndex.from_product([systems, measures], names=["system", "measure"])
        alone = None if people is None else people.mean().loc[systems, measures].to_numpy().ravel()
        drawn = scores.uncertainty
        frame = keys.to_frame(index=False).assign(
            strong=strong.mean(axis=-1).ravel(),
            mean=expected.mean(axis=-1).ravel(),
            std=[scores.mean_distribution(*key).std() for key in keys],
            people=np.nan if alone is None else alone,
            lower=np.nan,
            upper=np.nan,
            exact=True if drawn is None else drawn.exact.all(axis=-1).ravel(),
            query_gap=np.abs(strong - expected).mean(axis=-1).ravel(),
            query_std=spread.mean(axis=-1).ravel(),
            over=in_words(self.over),
            n_queries=len(scores.queries),
            n_subjects=0 if people is None else len(people.subjects or ()),
        )
        if self.over:
            table = (scores if people is None else people).summary(over=self.over, level=self.level)
            frame[["lower", "upper"]] = table[["lower", "upper"]].to_numpy()
        return frame if option_flag("full", full) else frame[list(SHORT)]

    def _by_query(self) -> tuple[Floats, Floats, Floats]:
        """Strong value, expected value and deviation: (systems, measures, queries)."""
        scores, strong = self.scores, self.strong_scores
        fixed = strong.cells.mean_by_query(strong.values)
        expected = scores.cells.mean_by_query(scores.values)
        spread = np.zeros_like(expected)
        if scores.uncertainty is not None and scores.uncertainty.std is not None:
            spread = scores.cells.mean_by_query(scores.uncertainty.std)
        return fixed, expected, spread

    def categories(self) -> pd.DataFrame:
        """One row a category.

        Columns: category, level (longest path from the root), size (expected number of items, (9)),
        strong_size (items whose majority category lies in its subtree), agreement (specific
        agreement, see `Membership.category_agreement`; NaN where it is unknown).
        """
        tree, m = self.votes.taxonomy, self.membership
        strong = self.strong.votes.membership().sizes()
        return pd.DataFrame(
            {
                "category": list(tree.nodes),
                "level": tree.level,
                "size": m.sizes().to_numpy(),
                "strong_size": strong.to_numpy().round().astype(np.int64),
                "agreement": m.category_agreement().to_numpy(),
            }
        )

    def items(self) -> pd.DataFrame:
        """One row an item, the most disputed first.

        Columns: item, entropy (bits, of its direct shares), agreement (share of pairs of its
        subjects), category (of most votes), share (of the votes, for it), tied (categories with as
        many votes).
        """
        m = self.membership
        frame = m.entropy().to_frame().join(m.agreement()).reset_index()
        frame = frame.merge(self.strong.items, on="item", how="left", sort=False)
        order = np.lexsort((frame["share"], -frame["entropy"].round(12)))
        return frame.iloc[order].reset_index(drop=True)

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
        return self._distributions(self.scores.systems, queries, level)

    def _distributions(
        self,
        systems: tuple[str, ...],
        queries: Iterable[str] | str | None = None,
        level: float | None = None,
    ) -> pd.DataFrame:
        """See `distributions`."""
        scores, strong = self.scores, self.strong_scores
        level = self.level if level is None else between_zero_and_one("level", level)
        rows = []
        for q in places_of(scores.queries, queries, "query"):
            query = scores.queries[q]
            for system in systems:
                s = scores.systems.index(system)
                names = ("", *self.ranks.categories(system, query))
                weights = (weight for weight, _, _ in self.ranks.components(system, query))
                shares = dict(zip(names, (1.0, *weights), strict=True))
                for m, measure in enumerate(scores.measures):
                    printed = float(strong.values[s, m, q])
                    for category, share in shares.items():
                        law = self.distribution(system, query, measure, category=category or None)
                        key = (system, measure, query, category, share, printed)
                        at = float(law.pmf(printed))
                        below = max(0.0, float(law.cdf(printed)) - at)
                        rows.append((*key, law.mean(), law.std(), *law.interval(level), at, below))
        columns = ["system", "measure", "query", "category", "share", "strong", "mean", "std"]
        return pd.DataFrame(rows, columns=[*columns, "lower", "upper", "p_strong", "p_below"])

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
        scores = self.scores
        place = None if query is None else place_of(scores.queries, str(query), "query")
        strong, expected, _ = self._by_query()
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
                gaps = strong[a, m] - strong[b, m], expected[a, m] - expected[b, m]
                error = float(np.sqrt(shares * (1 - shares) / n).max())
                rows.append((measure, *names, *gaps, law.std(), *shares, law.exact, error))
        columns = ["measure", "system_a", "system_b", "strong", "difference", "std"]
        return pd.DataFrame(
            rows, columns=[*columns, "better", "equal", "worse", "exact", "mc_error"]
        )

    def individuals(self) -> pd.DataFrame:
        """Individual comparison: one row for each system, subject and measure.

        Columns: system, subject, measure, value (mean over the subject's queries). Precision and
        recall by the subject's own categories; where lists were given, displacement from the
        subject's own lists. No rows where nobody is named.
        """
        parts = []
        for scores in self._of_people():
            means = scores.mean(by="subject").reset_index()
            table = means.melt(["system", "subject"], var_name="measure", value_name="value")
            parts.append(table.dropna(subset="value"))
        columns = ["system", "subject", "measure", "value"]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)

    def _of_people(self) -> list[Scores]:
        """Scores by each subject's own categories and lists, as far as there are any."""
        return [scores for scores in (self.people, self.displaced) if scores is not None]

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
        frame = self._distributions((name,), queries)
        mine = frame[(frame["measure"] == chosen) & (frame["category"] == "")]
        n = counted(len(mine), "query")
        return PlotData(mine, f"{chosen} of {name}, {n}, over independent worlds")

    # What `print` shows, in the paper's order.

    def _title(self) -> str:
        scores = self.scores
        return (
            f"Santini's analysis: {counted(len(self.votes), 'vote')} on "
            f"{counted(len(self.membership.items), 'item')}; "
            f"{counted(len(scores.systems), 'system')}, "
            f"{counted(len(scores.queries), 'query')}, rank {self.k}"
        )

    def _parts(self) -> Parts:
        """Votes, means, pairs of systems and individual comparison."""
        items, categories, means = self.items(), self.categories(), self.to_frame(full=True)
        below = categories[categories["level"] > 0]
        below = below.sort_values("size", ascending=False, kind="stable")
        interval = (f"{percent(self.level)} interval", ".3f")
        of_means: FrameColumns = {
            "system": "system",
            "measure": "measure",
            "strong": ("strong", ".3f"),
            "mean": ("expected", ".3f"),
            "std": ("± worlds", ".3f", "extra"),
            "people": None if self.people is None else ("people", ".3f"),
            ("lower", "upper"): interval if self.over else None,
        }
        n_queries = counted(len(self.scores.queries), "query")
        spread = ""
        if self.scores.uncertainty is not None:
            spread = "± worlds: standard deviation of the mean over worlds."
        together = "Both systems in the same worlds, means over queries"
        chance = "P: probability over worlds. ± MC: its Monte Carlo standard error."
        yield self._agreement(items)
        yield _first(items, _ITEMS, "Most disputed items")
        yield _first(below, _CATEGORIES, "Largest categories below the root")
        yield _first(means, of_means, f"Means over {n_queries}", _MOST_MEANS, spread)
        yield self._of_means(means)
        yield _first(self.pairs(), _PAIRS, together, extras=chance)
        whose = "expected values" if self.people is None else "by the people's own categories"
        yield from _compared(self.comparison, whose)
        yield self._of_individuals()
        yield from _compared(self.displaced_comparison, "from the people's own lists")

    def _agreement(self, items: pd.DataFrame) -> Sentences:
        """How much subjects agree, and what the strong ground truth makes of it."""
        n, unanimous = len(items), int((items["entropy"] == 0).sum())
        share = items["agreement"].mean()
        pairs = f"Two subjects agree on {percent(share)} of the items, on average"
        return Sentences.of(
            f"{pairs}; all votes agree on {unanimous:,} of {n:,}." if not np.isnan(share) else "",
            f"{rules_sentence(self.votes)} For {self.strong.n_tied:,}, categories tie, and the "
            "first in the taxonomy is taken.",
        )

    def _of_means(self, means: pd.DataFrame) -> Sentences:
        """What the columns of the means are."""
        kind = "exact" if means["exact"].all() else "exact where known, else simulated"
        gap, hidden = means["query_gap"].mean(), means["query_std"].mean()
        people, of = "", "expected"
        if self.people is not None:
            people = "; people: mean over the subjects' own categories"
            people, of = people + self.people._unjudged_text, "people"
        level, over = percent(self.level), in_words(self.over)
        return Sentences.of(
            f"strong: one truth, the majority category; expected: over worlds in which every item "
            f"takes one of its votes at random ({kind}){people}.",
            f"Interval: of {of}, {level}, over {over}." if self.over else "",
            f"Of a single query, strong and expected differ by {gap:.3f} on average, and the value "
            f"has a standard deviation of {hidden:.3f} over worlds, which strong does not show."
            if self.scores.uncertainty is not None
            else "",
        )

    def _of_individuals(self) -> Table | None:
        """A row for each system and measure: its range over subjects, and for how many best."""
        parts = []
        for scores in self._of_people():
            for m, measure in enumerate(scores.measures):
                table = scores.mean(by="subject")[measure].unstack("system")[list(scores.systems)]
                best = table.max(axis=1) if scores.higher_is_better[m] else table.min(axis=1)
                firsts = table.eq(best, axis=0).sum()
                ends = {"measure": measure, "low": table.min(), "high": table.max()}
                parts.append(pd.DataFrame(ends | {"firsts": firsts, "of": len(table)}))
        if not parts:
            return None
        frame = pd.concat(parts).rename_axis("system").reset_index()
        title = "Means by one person alone (.individuals() has all)"
        return _first(frame, _INDIVIDUALS, title, _MOST_MEANS)


def percent(share: float) -> str:
    """A share in percent, such as 95 %."""
    return f"{100 * share:.0f} %"


def _hundred_times(share: float) -> str:
    return number_text(100 * share, 0)


_ITEMS: FrameColumns = {
    "item": "item",
    "category": ("most votes for", lambda name: "–" if name != name else str(name), "label"),
    "share": ("share, %", _hundred_times),
    "agreement": ("agree, %", _hundred_times),
    "entropy": ("entropy, bits", ".2f"),
}
_CATEGORIES: FrameColumns = {
    "category": "category",
    "size": ("size", ".1f"),
    "strong_size": ("strong", "d"),
    "agreement": ("agreement, %", _hundred_times),
}
_PAIRS: FrameColumns = {
    ("system_a", "system_b"): ("a, b", "{}, {}".format, "label"),
    "measure": "measure",
    "difference": ("a - b", "+.3f"),
    "better": ("P(a > b)", ".3f"),
    "equal": ("P(=)", ".3f"),
    "worse": ("P(a < b)", ".3f"),
    "mc_error": ("± MC", ".3f", "extra"),
}
_INDIVIDUALS: FrameColumns = {
    "system": "system",
    "measure": "measure",
    "low": ("lowest", ".3f"),
    "high": ("highest", ".3f"),
    ("firsts", "of"): ("best for", "{} of {}".format),
}


def _first(
    frame: pd.DataFrame, columns: FrameColumns, title: str, most: int = _MOST_ROWS, extras: str = ""
) -> Table:
    """The first rows as a table, whose title says how many there are."""
    title += f" ({most} of {len(frame):,})" if len(frame) > most else ""
    return printed_table(frame.head(most), columns, title=title, extras=extras)


def _compared(comparison: Comparison | None, whose: str) -> Parts:
    """Verdicts, differences while they are few, and what they rest on."""
    if comparison is None:
        return
    yield f"{comparison._title()}, {whose}."
    yield comparison._verdict_lines(_MOST_ROWS)
    if len(comparison.table) <= _MOST_PAIRS:
        yield from comparison._difference_tables()
        yield comparison._legend()
    else:
        yield comparison._basis()
