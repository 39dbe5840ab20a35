"""Result of `santini`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.analysis.analyse import ends_by_subject
from fuzzytruth.analysis.analysis_report import schemes, strong_truth
from fuzzytruth.analysis.data_check import Reason, left_out
from fuzzytruth.annotators.structure.communities import Communities
from fuzzytruth.annotators.structure.structure import Structure
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.comparison.verdicts import named_p, truths_part
from fuzzytruth.core import validation
from fuzzytruth.core.validation import place_of, places_of, whole_number
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.plurality import Plurality, rules_sentence
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import UndefinedMeasureWarning, counted, first_few, is_among, require
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.lists.by_rank import Cloud, by_rank
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, number_text
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.settings import Over, in_words

#: columns that `Santini.to_frame` has by default
SHORT = ("system", "measure", "one_truth", "memberships", "world_low", "world_high", "people")
_MOST_ROWS, _MOST_MEANS = 4, 16  # of items and verdicts, and of means
_MOST_PEOPLE = 40  # whose differences are listed
_PARTED = ["query", "lowest", "highest", "n_a", "n_b"]  # columns of `Santini.parting`
_PARTING = 0.2  # difference of two people from which they part on a query


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Santini(Result):
    """Votes for categories and systems that rank the items, analysed as Santini's paper does.

    Parameters
    ----------
    votes : Assignments
    runs : Runs
    membership : Membership
        p(category | item), sizes and agreement (section 4).
    k : int
        Rank of precision and recall.
    level : float
        Of all intervals.
    ties : {"trec", "order", "expected"}
        Order of items with equal scores.
    n_lists, n_decided : int
        Lists, and those of them whose first k items depend on how ties are ordered.
    strong : Plurality
        One category of each item, which the paper argues against (section 3).
    strong_scores : Scores
        Precision and recall at k under it: what a benchmark with one truth prints.
    scores : Scores
        Expected precision and recall over independent worlds, with their distributions.
    people : Scores or None
        Precision and recall by each subject's own categories; None where there are not several.
    displaced : Scores or None
        Weighted displacement from each subject's own list (section 5), where lists were given.
    over : tuple of str
        Those of "query" and "subject" that `comparison` is over: of which there are two or more.
    comparison : Comparison or None
        By the subjects' own categories, or else expected values; None where there is nothing to do.
    displaced_comparison : Comparison or None
        The same by displacement: scheme (4), in which numbers are aggregated.
    structure : Structure or None
        Whether memberships say what a person gets; `copies` without pairs within a group of
        `communities`.
    communities : Communities or None
        Groups of people.
    reasons : tuple of (tuple of str, str)
        For which sections of the page there is nothing, and why.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Assignments.from_columns(
    ...     list("stu") * 4, [*"aaabbbcccddd"],
    ...     ["cat", "cat", "dog", "cat", "dog", "cat", "dog", "dog", "dog", "cat", "cat", "cat"])
    >>> runs = {"x": {"a": ["b", "d", "c"], "b": ["a", "d", "c"]},
    ...         "y": {"a": ["c", "b", "d"], "b": ["c", "a", "d"]}}
    >>> found = ft.santini(votes, runs, k=1, n_permutations=19, n_resamples=99)
    >>> found
    Santini(2 systems, 2 queries, 3 subjects, P@1 and R@1)
    >>> found.pairs("a").round(3)[["measure", "better", "equal", "worse"]].values.tolist()[0]
    ['P@1', 0.444, 0.333, 0.222]
    """

    votes: Assignments
    runs: Runs
    membership: Membership
    k: int
    level: float
    ties: Ties
    n_lists: int
    n_decided: int
    strong: Plurality
    strong_scores: Scores
    scores: Scores
    people: Scores | None
    displaced: Scores | None
    over: Over
    comparison: Comparison | None
    displaced_comparison: Comparison | None
    structure: Structure | None
    communities: Communities | None
    reasons: tuple[Reason, ...]

    @property
    def left_out(self) -> tuple[str, ...]:
        """What the votes do not allow, and why."""
        return left_out(self.reasons)

    def distribution(
        self, system: str, query: str, measure: str = "P", *, category: str | None = None
    ) -> Distribution:
        """Distribution of precision ("P") or recall ("R") at k of one query.

        Mixed over the categories that the query may have (eqs. 13 and 14), or given one of them
        (eqs. 10 to 12).

        Raises
        ------
        OptionError
            There is no such system, query, measure or category.
        """
        name = self.measure_at_k(measure)
        return self._given(query, category, (name,)).distribution(system, query, name)

    def _given(self, query: str, category: str | None, measures: tuple[str, ...]) -> Scores:
        """Scores of a query that has this category; None for any that it may have."""
        if category is None:
            return self.scores
        place_of(self.scores.queries, query, "query")
        truth = self.votes.by_example([query], category=category)
        with warnings.catch_warnings():  # all queries together have warned
            warnings.simplefilter("ignore", UndefinedMeasureWarning)
            return evaluate(truth, self.runs, measures, ties=self.ties, worlds="independent")

    def cloud(self, system: str, query: str, *, depth: int | None = None) -> Cloud:
        """Precision and recall at every rank of a list, over worlds.

        Items with equal scores have one random order, which a cloud needs.

        Parameters
        ----------
        system, query : str
        depth : int, optional
            The last rank; by default twice `k`, and at least 20.

        Raises
        ------
        OptionError
            There is no such system or query, or `depth` is no rank.
        """
        scores = self.scores
        name = scores.systems[place_of(scores.systems, system, "system")]
        example = scores.queries[place_of(scores.queries, query, "query")]
        lists = Runs({name: self.runs[name]}).to_frame().query("query == @example")
        mixed = lists.sample(frac=1.0, random_state=0)
        one = Runs.from_frame(mixed.sort_values("score", ascending=False, kind="stable"))
        most = len(self.membership.items)
        depth = max(2 * self.k, 20) if depth is None else whole_number("depth", depth, 1, most)
        ranks = by_rank(self.votes.by_example([example]), one, depth=depth, ties="order")
        return ranks.cloud(name, example)

    def measure_at_k(self, measure: str) -> str:
        """Precision ("P") or recall ("R") at k, as the scores call it."""
        name = measure if is_among(measure, self.scores.measures) else f"{measure}@{self.k}"
        known = name in self.scores.measures
        require("measure", measure, known, "must be 'P' or 'R', precision or recall at k")
        return name

    def __repr__(self) -> str:
        sizes = [counted(len(self.scores.systems), "system")]
        sizes.append(counted(len(self.scores.queries), "query"))
        if self.votes.subjects is not None:
            sizes.append(counted(len(self.votes.subjects), "subject"))
        return f"Santini({', '.join(sizes)}, {' and '.join(self.scores.measures)})"

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each system and measure.

        Columns: system, measure, one_truth (mean over queries under the strong truth), memberships
        (expected over independent worlds), world_low and world_high (central interval of the
        mean over worlds), people (mean over the subjects' own truths; NaN where there are none).

        With ``full=True`` also lowest and highest (by one person's own truth), std (over worlds),
        exact (whether the mean is), query_gap and query_std (means over queries of the absolute
        difference of one truth and memberships on a query, and of its standard deviation over
        worlds), lower and upper (interval of `people`, or else of `memberships`, over what `over`
        names; NaN where nothing is random), over, n_queries, n_subjects.
        """
        frame = self._means
        return (frame if validation.option_flag("full", full) else frame[list(SHORT)]).copy()

    @cached_property
    def _means(self) -> pd.DataFrame:
        """All columns of `to_frame`."""
        scores, people = self.scores, self.people
        systems, measures = list(scores.systems), list(scores.measures)
        strong, expected, spread = self._by_query()
        keys = pd.MultiIndex.from_product([systems, measures], names=["system", "measure"])
        lowest, highest = ends_by_subject(scores if people is None else people)
        mean = lowest if people is None else people.mean().loc[systems, measures].to_numpy()
        laws = [scores.mean_distribution(*key) for key in keys]
        ends = np.array([law.interval(self.level) for law in laws]).reshape(-1, 2)
        drawn = scores.uncertainty
        frame = keys.to_frame(index=False).assign(
            one_truth=strong.mean(axis=-1).ravel(),
            memberships=expected.mean(axis=-1).ravel(),
            world_low=ends[:, 0],
            world_high=ends[:, 1],
            people=mean.ravel(),
            lowest=lowest.ravel(),
            highest=highest.ravel(),
            std=[law.std() for law in laws],
            exact=True if drawn is None else drawn.exact.all(axis=-1).ravel(),
            query_gap=np.abs(strong - expected).mean(axis=-1).ravel(),
            query_std=spread.mean(axis=-1).ravel(),
            lower=np.nan,
            upper=np.nan,
            over=in_words(self.over),
            n_queries=len(scores.queries),
            n_subjects=0 if people is None else len(people.subjects or ()),
        )
        if self.over:
            table = (scores if people is None else people).summary(over=self.over, level=self.level)
            frame[["lower", "upper"]] = table[["lower", "upper"]].to_numpy()
        return frame

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
        subjects), category (of the strong truth), share (of the votes, for it), tied (categories as
        good), reading (the category in words).
        """
        return self._items.copy()

    @cached_property
    def _items(self) -> pd.DataFrame:
        m = self.membership
        frame = m.entropy().to_frame().join(m.agreement()).reset_index()
        frame = frame.merge(self.strong.to_frame(), on="item", how="left", sort=False)
        order = np.lexsort((frame["share"], -frame["entropy"].round(12)))
        return frame.iloc[order].reset_index(drop=True)

    def distributions(
        self, queries: Iterable[str] | str | None = None, *, level: float | None = None
    ) -> pd.DataFrame:
        """Distributions of precision and recall at k, mixed and given each category of the query.

        Parameters
        ----------
        queries : ids, optional
            By default all; each takes a while in large collections.
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
        scores, strong = self.scores, self.strong_scores
        level = self.level if level is None else validation.between_zero_and_one("level", level)
        rows = []
        for q in places_of(scores.queries, queries, "query"):
            query = scores.queries[q]
            named = self.membership.direct(query).items()
            shares = {"": 1.0, **{name: p for name, p in named if isinstance(name, str)}}
            of = {name: self._given(query, name or None, scores.measures) for name in shares}
            for s, system in enumerate(scores.systems):
                for m, measure in enumerate(scores.measures):
                    printed = float(strong.values[s, m, q])
                    for category, share in shares.items():
                        law = of[category].distribution(system, query, measure)
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
        for scores in (self.people, self.displaced):
            if scores is None:
                continue
            means = scores.mean(by="subject").reset_index()
            table = means.melt(["system", "subject"], var_name="measure", value_name="value")
            parts.append(table.dropna(subset="value"))
        columns = ["system", "subject", "measure", "value"]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)

    def parting(self, system_a: str, system_b: str, measure: str = "P") -> pd.DataFrame:
        """Queries on which people's own truths prefer different systems, the most divided first.

        Columns: query, lowest and highest (difference of the systems by one person), n_a and n_b
        (people by whose truth the first is better, and the second). No rows without people.
        """
        if self.people is None:
            return pd.DataFrame(columns=_PARTED)
        people, m = self.people, self.people.measures.index(self.measure_at_k(measure))
        a, b = (place_of(people.systems, each, "system") for each in (system_a, system_b))
        table: Any = people.cells.dense(people.values[a, m] - people.values[b, m])
        known = ~np.isnan(table).all(-1)
        low, high = np.fmin.reduce(table, -1), np.fmax.reduce(table, -1)
        values = people.queries, low, high, (table > 0).sum(-1), (table < 0).sum(-1)
        frame = pd.DataFrame(dict(zip(_PARTED, values, strict=True)))
        both = np.minimum(high, -low)
        order = np.lexsort((-(high - low), -both.round(12)))
        return frame.iloc[[j for j in order if known[j] and both[j] > 0]].reset_index(drop=True)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        query: str | None = None,
        measure: str = "P",
        title: Title = True,
    ) -> Axes:
        """Draw the two schemes: people averaged first, as a distribution, or last, one by one.

        Other figures: ``plots.strong_truth(found, system=, measure=, queries=)`` (what one truth
        hides), ``found.cloud(system, query).plot()``, ``found.membership.plot(item=)``.

        Parameters
        ----------
        ax, title
            As in `plots.two_schemes`.
        query : str, optional
            By default the means over queries.
        measure : {"P", "R"}

        Raises
        ------
        OptionError
            There is no such query or measure.
        """
        from fuzzytruth.plots import two_schemes

        return two_schemes(self, ax, query=query, measure=measure, title=title)

    def report(self, path: str | Path, *, title: str | None = None, command: str = "") -> Path:
        """Write a page with all of it, which opens in any browser and needs no network.

        Parameters
        ----------
        path : path
            Ending in .html.
        title : str, optional
            Heading of the page.
        command : str
            What computes it again, to be shown.

        Returns
        -------
        Path

        Raises
        ------
        OptionError
            The name does not end in .html.
        """
        from fuzzytruth.analysis.analysis_report import santini_page
        from fuzzytruth.comparison.comparison_report import write_page

        return write_page(lambda: santini_page(self, title, command), path)

    _figures: ClassVar[tuple[str, ...]] = ("two_schemes", "strong_truth")

    def _plot_data(self, figure: str, measure: str = "P", **given: Any) -> PlotData:
        """Frames of the figures."""
        draw = schemes if figure == "two_schemes" else strong_truth
        return draw(self, self.measure_at_k(measure), **given)

    # What `print` shows.

    def _title(self) -> str:
        scores, names = self.scores, self.votes.subject_names
        who = "people without names" if names is None else counted(len(names), "person", "people")
        return (
            f"{counted(len(scores.systems), 'system')} by the votes of {who} on "
            f"{counted(len(self.membership.items), 'item')}: {' and '.join(scores.measures)} over "
            f"{counted(len(scores.queries), 'query')}"
        )

    _more: ClassVar[str] = ".report('santini.html'), .plot(), .to_frame(), .individuals()"

    def _parts(self) -> Parts:
        """Verdicts, means, people, votes, and what is left out."""
        if self.comparison is not None:
            yield replace(self.comparison._verdict_lines(_MOST_ROWS), kind="lead")
            yield Sentences.of(*self._directions_lines())
        yield self._means_table([self._first])
        yield self._meaning()
        if self.structure is not None:
            asked = f"Is disagreement structural? {self.structure.verdict()}"
            yield Sentences.of(asked, *self.structure.sentences(), *self._permuted())
        if self.communities is not None:
            yield Sentences.of(f"Do people form communities? {self.communities.verdict()}")
            yield from list(self.communities._parts())[1:]
        yield self._people_table()
        yield Sentences.of(self._parting_line(), *self._votes_lines, self._ties_line())
        if self.displaced_comparison is not None:
            lines = self.displaced_comparison._verdict_lines(_MOST_ROWS).lines
            yield Sentences.of("By the people's own ranked lists:", *lines)
        yield Sentences.of(*self.left_out)

    def _means_table(self, measures: Sequence[str] | None = None) -> Table:
        """Means by one truth, by memberships, and by people's own truths; best first."""
        measures = self.scores.measures if measures is None else measures
        frame = pd.concat([self._best_first(measure) for measure in measures])
        columns: dict[Any, Any] = {
            "system": "system",
            "measure": "measure" if len(measures) > 1 else None,
            "one_truth": ("one truth", ".3f"),
            "memberships": ("memberships", ".3f"),
            ("world_low", "world_high"): (f"{level_text(self.level)} of worlds", ".3f"),
        }
        if self.people is not None:
            columns |= {
                "people": ("own truths", ".3f"),
                ("lowest", "highest"): ("lowest, highest", "{:.3f}, {:.3f}".format),
            }
        title = f"{', '.join(measures)}: means over {counted(len(self.scores.queries), 'query')}"
        return printed_table(frame, columns, title=title, limit=_MOST_MEANS)

    def _meaning(self) -> Sentences:
        """What the columns of the means are."""
        own = (
            "Own truths: by each person's categories alone, averaged. Lowest, highest: one person."
        )
        return Sentences.of(
            f"One truth: one category of each item, the strong truth{self._tied_text()}. "
            "Memberships: every item takes one of its votes at random, which makes a world; the "
            "mean over worlds.",
            f"Brackets: the middle {level_text(self.level)} of worlds, not of other queries.",
            f"{own}{self._missing_text()}" if self.people is not None else "",
            kind="note",
        )

    def _tied_text(self) -> str:
        """For how many items the strong truth depends on the order of categories, to follow."""
        n_tied, n = int((self.strong.tied > 1).sum()), counted(len(self._items), "item")
        first = "the first of equally good categories, in the order of the tree"
        return f": for {n_tied:,} of {n} {first}" if n_tied else ""

    def _missing_text(self) -> str:
        """How missing votes count, ready to follow; "" where there are none."""
        made = None if self.people is None else self.people.provenance
        if made is None or not made.n_missing:
            return ""
        how = {"exclude": "left out of that person's lists", "nonrelevant": "not relevant"}
        count = counted(made.n_missing, "vote is", "votes are")
        return f" {count} missing: {how.get(str(made.missing), f'missing={made.missing!r}')}."

    def _permuted(self) -> list[str]:
        """Where own truths differ from those of exchanged votes."""
        structure, measure = self.structure, self._first
        if structure is None or structure.means is None or not structure.shown:
            return []
        found = structure.means
        adjusted = found["p_own_adjusted"]
        rows = found[(found["measure"] == measure) & significant(adjusted.to_numpy(), self.level)]
        would = [f"{row.permuted:.3f} for {row.system}" for row in rows.itertuples()]
        if not would:
            return []
        p = number_text(adjusted[rows.index].max(), 3)
        return [
            f"With each item's votes exchanged between people, the mean {measure} by own truths "
            f"would be {first_few(would, _MOST_ROWS)} (adjusted p = {p} or less, "
            f"{structure.n_scored:,} permutations)."
        ]

    @property
    def _first(self) -> str:
        return self.measure_at_k("P")

    def best_two(self, measure: str = "P") -> tuple[str, str] | None:
        """The two systems with the best means; None with one system."""
        names = self._best_first(self.measure_at_k(measure))["system"].head(2).tolist()
        return (names[0], names[1]) if len(names) == 2 else None

    def _best_first(self, measure: str) -> pd.DataFrame:
        """Systems by their means by one measure, all columns."""
        by = "memberships" if self.people is None else "people"
        rows = self._means[self._means["measure"] == measure]
        return rows.sort_values(by, ascending=False, kind="stable")

    def _people_table(self) -> Table | None:
        """The best two systems by each person's own truth, and their difference."""
        if self.people is None:
            return None
        own = self.people.mean(by="subject")[self._first].unstack("system")
        pair = list(self.best_two() or self.people.systems)
        places = [*"ab"[: len(pair)]]  # a system may be called as another column is
        frame = own[pair].set_axis(places, axis=1).reset_index()
        headings = {place: (system, ".3f") for place, system in zip(places, pair, strict=True)}
        columns: dict[Any, Any] = {"subject": "person", **headings}
        if len(pair) > 1:
            frame["difference"] = frame["a"] - frame["b"]
            columns["difference"] = ("difference", "+.3f")
        title = f"{self._first} by each person's own truth"
        return printed_table(frame, columns, title=title, limit=_MOST_PEOPLE)

    def _directions_lines(self) -> list[str]:
        """By at least how many people's own truths each of the best two systems is better."""
        pair = self.best_two()
        if self.people is None or self.comparison is None or pair is None:
            return []
        found = self.comparison.directions()
        found = found[found["measure"] == self._first]
        row = found[found[["system_a", "system_b"]].isin(pair).all(axis=1)].iloc[0]
        conditions = self.comparison.conditions
        if truths_part(row, conditions) and len(self.comparison.table) <= _MOST_ROWS:
            return []  # the verdict says all of this
        n = {row["system_a"]: row["at_least_a"], row["system_b"]: row["at_least_b"]}
        ahead, behind = sorted(pair, key=lambda name: -n[name])
        people = counted(len(self.people.subjects or ()), "person", "people")
        if not n[ahead]:
            said = f"neither {ahead} nor {behind} is shown to be better for anybody"
        else:
            said = f"{ahead} is better for at least {n[ahead]:,} of {people}"
            of_behind = f", {behind} for at least {n[behind]:,}"
            said += of_behind if n[behind] else f"; {behind} is not shown to be better for any"
        level = f"simultaneous {level_text(self.level)}"
        lines = [f"By people's own truths ({self._first}), {said} ({level})."]
        if n_permutations := conditions.n_permutations:  # else chance is not known
            shown = "is more than" if significant(row["p_differs"], self.level) else "may be"
            lines.append(
                f"The spread of the difference on {self._first} over people (sd "
                f"{row['sd_subjects']:.3f}, by chance {row['sd_chance']:.3f}) {shown} chance; "
                f"{named_p('p', row['p_differs'])}, {n_permutations:,} permutations."
            )
        return lines

    @cached_property
    def _parted(self) -> pd.DataFrame:
        """`parting` of the best two systems; no rows with one system."""
        pair = self.best_two()
        return pd.DataFrame(columns=_PARTED) if pair is None else self.parting(*pair)

    def _parting_line(self) -> str:
        """On how many queries people part, and on which most."""
        pair, found = self.best_two(), self._parted
        if self.people is None or pair is None:
            return ""
        wide = found[(found["highest"] > _PARTING) & (found["lowest"] < -_PARTING)]
        if not len(wide):
            return (
                f"On no query do own truths differ by more than {_PARTING:g} in both directions "
                f"({self._first})."
            )
        first = wide.iloc[0]
        return (
            f"On {counted(len(wide), 'query')} own truths prefer different systems, by more than "
            f"{_PARTING:g} each way ({self._first}): for example on {first['query']}, {pair[0]} is "
            f"better for {first['n_a']} of the people, {pair[1]} for {first['n_b']}."
        )

    @cached_property
    def _votes_lines(self) -> list[str]:
        """How far the votes agree, and what one truth makes of them."""
        items = self._items
        n, unanimous = len(items), int((items["entropy"] == 0).sum())
        most = items["item"].head(min(_MOST_ROWS, n - unanimous)).tolist()
        disputed = f"; most disputed: {first_few(most)}" if most else ""
        agreed = f"All votes agree on {unanimous:,} of {counted(n, 'item')}{disputed}."
        return [agreed, rules_sentence(self.votes, self.strong.rule)]

    def _ties_line(self) -> str:
        """How many lists depend on the order of ties."""
        if not self.n_decided:
            return ""
        how = {"expected": "the mean over all orders is taken", "trec": "the id decides"}
        share = f"{self.n_decided:,} of {counted(self.n_lists, 'list')}"
        done = how.get(self.ties, "the order given decides")
        return f"Ties decide which items are the first {self.k} in {share}; {done}."
