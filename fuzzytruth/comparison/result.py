"""`Comparison`: the result of `compare`, as tables, text and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import ascii_lowercase
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.comparison import by_subject, exhibits, few_subjects, inference, verdicts
from fuzzytruth.comparison.comparison_report import comparison_page, means_table, write_page
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.exhibits import What, math_cell, paper_table, raised, superscript
from fuzzytruth.comparison.opening import MOST_SENTENCES
from fuzzytruth.core.lazy import Lazy, Memo
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import choice, counted, first_few, require
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show import answer, latex, markdown
from fuzzytruth.show.answer import Parts, Result, Sentences, Table
from fuzzytruth.stats.multiplicity import Family

Kind = Literal["forest", "matrix", "tiers", "collections"]
MOST_DIFFERENCES = 12
MOST_PAIRS = 40  # of a forest plot, unless it is asked for
_MOST_SYSTEMS = 20
_D_Z = "d_z: the mean difference divided by the standard deviation of the queries' differences."
_D_Z_OF_STRATA = (
    "d_z: the mean of the queries' differences, all queries weighing the same, divided by their "
    "standard deviation."
)
_AT_LEAST = (
    "new: interval of the true difference on another one. at least: on how many of these it has "
    "its direction."
)
_WINS = "w/t/l: queries on which the first system is better, equal, worse."


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result):
    """Differences of systems, each with its interval, p-values and effect sizes.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    means : DataFrame
        Systems × measures, over the values that all systems have (`conditions.shared`).
    lazy_beside : Lazy of DataFrame or None
        See `beside`.
    conditions : Conditions
    family : Family
        The values compared and how; `by_subject` takes them.
    scores : Scores
        Whose systems are compared.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["a"] * 8 + ["b"] * 8 + ["c"] * 8, "query": [*range(8)] * 3,
    ...     "value": [.1, .4, .3, .5, .2, .6, .3, .4, .3, .5, .5, .6, .5, .9, .5, .5,
    ...               .2, .3, .5, .4, .2, .6, .4, .5]})))
    >>> result
    Comparison(3 pairs, 1 measure, over queries, max-t, level 0.95: 2 significant)
    >>> print(result)  # doctest: +ELLIPSIS
    3 systems compared on value: 3 differences over 8 queries
    <BLANKLINE>
    b is significantly better than a on value over queries
    ...
    >>> result.superscripts()["value"].to_dict()
    {'a': '', 'b': 'ac', 'c': ''}
    """

    table: pd.DataFrame
    means: pd.DataFrame
    lazy_beside: Lazy[pd.DataFrame | None]
    conditions: Conditions
    family: Family
    scores: Scores
    known: Memo = field(default_factory=Memo, init=False)

    @property
    def beside(self) -> pd.DataFrame | None:
        """The same differences over queries, over subjects (or worlds), and over both, together.

        Likewise over runs of systems. Each is adjusted by Bonferroni; None where scores have
        neither crossed subjects nor worlds nor runs, or queries are in clusters or strata. Computed
        when first asked for.
        """
        return self.lazy_beside.value

    def rows_of(self, measure: str) -> pd.DataFrame:
        """The rows of `table` by one measure."""
        return self.table[self.table["measure"] == self.conditions.measure_of(measure)]

    # What `print` shows.

    def _title(self) -> str:
        conditions = self.conditions
        return (
            f"{counted(len(conditions.systems), 'system')} compared on "
            f"{first_few(conditions.measures, 4)}: {counted(len(self.table), 'difference')} over "
            f"{conditions.units()}"
        )

    def _parts(self) -> Parts:
        """Verdicts, differences or means, and what they rest on: short, however many systems."""
        conditions = self.conditions
        yield self._verdict_lines(MOST_SENTENCES)
        if all(few_subjects.too_few(self, measure) for measure in conditions.measures):
            yield from self._difference_tables(MOST_DIFFERENCES)
        elif len(self.table) <= MOST_DIFFERENCES or conditions.baselines:
            yield from self._difference_tables(MOST_DIFFERENCES)
            if len(self.table) == 1 and conditions.groups == "collections":
                yield exhibits.collections_table(self)
            yield self._legend()
        else:
            yield means_table(self, _MOST_SYSTEMS)
            shared = (*conditions.shared_lines, *self._shares())
            yield Sentences.of(*shared, *self._basis().lines, conditions.no_sample)
        notes = conditions.expectations, conditions.shared_items, conditions.few_collections
        yield Sentences.of(
            *notes, few_subjects.assumed_of_runs(self), few_subjects.too_few_runs(self)
        )
        each = ", .by_subject()" if conditions.n_subjects and not conditions.nested else ""
        each += ", .directions()" if conditions.has_directions else ""
        each += ", .by_collection(), .predict()" if conditions.groups == "collections" else ""
        yield (
            f'More: .to_frame(full=True), .assumptions, .verdicts(){each}, .report("report.html")'
        )

    def _row_verdicts(self) -> list[verdicts.Verdict]:
        """What was found about each row."""
        say_how_many = self.family.over == ("query",) and self.table["significant"].any()
        return verdicts.verdicts(
            self.table,
            self.beside,
            by_subject.significant_alone(self) if say_how_many else None,
            self._directions(),
            self.conditions,
            few_subjects.these_runs(self.beside, self.conditions),
        )

    def _directions(self) -> pd.DataFrame | None:
        """See `directions`; None without crossed subjects."""
        found = by_subject.directions_of(self)
        return None if found is None else found[0]

    def _parted(self, measure: str) -> list[tuple[str, str]]:
        """The pairs on which subjects' truths part by a measure."""
        rows = verdicts.direction_rows(self.table, self._directions())
        parted = (row for row in rows if verdicts.truths_part(row, self.conditions))
        return [(row.system_a, row.system_b) for row in parted if row.measure == measure]

    def _verdict_lines(self, limit: int) -> Sentences:
        """A sentence for each row, or some for each measure if there are more than `limit` rows."""
        measures = self.conditions.measures
        unable = {name: few_subjects.cannot_tell(self, name) for name in measures}
        if len(self.table) <= limit:
            rows = zip(self.table["measure"], self._row_verdicts(), strict=True)
            lines = [
                line
                for name, verdict in rows
                for line in ([unable[name], verdict.before] if unable[name] else [verdict.short])
            ]
            return Sentences(tuple(filter(None, dict.fromkeys(lines))))
        return Sentences.of(
            *(
                line
                for name in measures
                for line in ([unable[name]] if unable[name] else verdicts.count_lines(self, name))
                + verdicts.parting_lines(self, name)
            )
        )

    def _difference_tables(self, limit: int | None = None) -> list[Table]:
        """A table of the differences by each measure, or of the first of them."""
        measures = self.conditions.measures
        titles = measures if len(measures) > 1 else ("",)
        tables = [
            few_subjects.queries_table(self, measure, title, limit)
            if few_subjects.too_few(self, measure)
            else self._differences(self.rows_of(measure), title, limit)
            for measure, title in zip(measures, titles, strict=True)
        ]
        return [*(replace(one, extras="") for one in tables[:-1]), tables[-1]]

    def _largest_differences(self, limit: int) -> Table:
        """The `limit` largest differences by the first measure, whatever their sign."""
        measure = self.conditions.measures[0]
        table = self.rows_of(measure)
        sizes = table["difference"].abs().sort_values(ascending=False, kind="stable")
        title = f"The {limit} largest of {counted(len(table), 'difference')} by {measure}"
        chosen = table.loc[sizes.index[:limit]]
        return self._differences(chosen, title if len(table) > limit else measure)

    def _differences(self, table: pd.DataFrame, title: str, limit: int | None = None) -> Table:
        conditions = self.conditions
        table = inference.turned(table, conditions)
        is_single = len(conditions.baselines) == 1
        if is_single:
            title = f"{title + ': ' if title else ''}system minus {conditions.baselines[0]}"
        if limit is not None and len(table) > limit:
            title += f"{'. ' if title else ''}The first {limit} of {len(table)} differences."
        shares = ("posterior_better", "posterior_rope", "posterior_worse")
        posterior = ("better / same / worse", "{:.2f} / {:.2f} / {:.2f}".format)
        of_collections = conditions.groups == "collections"
        columns: answer.FrameColumns = {
            "system_a": "system",
            "system_b": None if is_single else "minus",
            **verdicts.difference_columns(table, conditions),
            "d_z": None if of_collections else ("d_z", "+.2f", "extra"),
            ("wins", "ties", "losses"): None
            if of_collections
            else ("w/t/l", "{}/{}/{}".format, "extra"),
            shares: None if conditions.rope is None else posterior,
        }
        d_z = _D_Z_OF_STRATA if conditions.groups == "strata" else _D_Z
        extras = _AT_LEAST if of_collections else f"{d_z} {_WINS}"
        return answer.printed_table(table, columns, title=title, limit=limit, cut="", extras=extras)

    def _legend(self) -> Sentences:
        """What the brackets and stars of a table of differences are."""
        conditions = self.conditions
        cut = conditions.cut_line(self.table)
        return Sentences.of(conditions.brackets, cut, *self._shares(), *self._basis().lines)

    def _shares(self) -> list[str]:
        """How much of the variance comes from subjects, where they are random, too."""
        measures = self.conditions.measures
        units: str = self.conditions.groups or "queries"
        of = "runs" if "replicate" in self.conditions.over else "subjects"
        few = few_subjects.few_runs(self.conditions)
        if self.conditions.over == ("query", "subject", "replicate"):
            units = "" if few else "queries or subjects"
        rows = [self.rows_of(measure) for measure in measures]
        lines = [few_subjects.share_line(each, units, of, few) for each in rows]
        many = len(measures) > 1
        return [
            f"{measure}: {line}" if many else line
            for measure, line in zip(measures, lines, strict=True)
            if line and not few_subjects.too_few(self, measure)
        ]

    def _basis(self) -> Sentences:
        """What decides whether a difference is significant."""
        conditions = self.conditions
        few = conditions.too_few_worlds(self.table)
        return Sentences.of(
            f"{conditions.star}.", f"{few}." if few else "", conditions.lower_is_better
        )

    # Tables, and verdicts.

    def __repr__(self) -> str:
        conditions = self.conditions
        measures = counted(len(conditions.measures), "measure")
        pairs = counted(len(self.table) // len(conditions.measures), "pair")
        return (
            f"Comparison({pairs}, {measures}, over {conditions.random}, {conditions.correction}, "
            f"level {conditions.level:g}: {int(self.table['significant'].sum()):,} significant)"
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each pair and measure.

        Columns: measure, system_a, system_b, difference (a - b), lower, upper, p_adjusted.

        With ``full=True`` also mean_a, mean_b (over the values that both have), std_error, df (of
        std_error; over queries and subjects the interval is no t), p (not adjusted), p_permutation
        (two-sided sign flips, over queries only), significant (p_adjusted is 1 - level or less),
        min_detectable (the true difference that such intervals find with a power of 80 %; that
        Bonferroni intervals find where the correction has none), n_apart and borrowed (by max-t: on
        how many queries or clusters the difference is not the pair's commonest one, and whether
        these are so few that the interval borrows the other pairs' variance), d_z (difference over
        the standard deviation of per-query differences), p_improvement (share of queries on which a
        is better, ties ½), wins, ties, losses (of a), n_queries, n_subjects, share_subjects and
        share_worlds (whose difference has the same sign; NaN without any, and of worlds under
        strata), subjects_agree and subjects_tied (how many); over queries and subjects prior_df and
        variance_from_subjects (degrees of freedom by which pairs steady each other, 0 for none, and
        the share of the variance that comes from subjects); over queries and runs
        prior_df_of_runs and variance_from_runs likewise; over collections n_collections,
        at_least, new_lower, new_upper, sd_collections, sd_lower, sd_upper (see `predict`),
        alone_lower and alone_upper (of the mean over these alone, as with ``strata``); with
        ``bayesian=True`` posterior_better, posterior_rope, posterior_worse.
        """
        return (
            self.table.copy() if option_flag("full", full) else self.table[inference.SHORT].copy()
        )

    def verdicts(self) -> list[str]:
        """One sentence for each row of `to_frame`.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.4, 0.8, 0.9, 0.6]}))
        >>> ft.compare(scores).verdicts()
        ['no difference between a and b is shown on value over queries (difference 0.05
        [-0.16, 0.26], p = 0.50; a true difference of 0.27 would have been found with
        80 % power)']
        """
        return [verdict.sentence for verdict in self._row_verdicts()]

    def by_subject(self) -> by_subject.SubjectComparisons:
        """The same comparison with each subject's judgments as the truth, over queries.

        Each subject's comparisons are a family of their own; subjects must be crossed with queries.

        Raises
        ------
        OptionError
            There are no subjects, or they are nested in queries.

        Warns
        -----
        DegenerateWarning
            The spread of a subject's differences is zero or unknown.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": ["a"] * 6 + ["b"] * 6, "query": [1, 2, 3] * 4,
        ...     "subject": (["ann"] * 3 + ["bob"] * 3) * 2,
        ...     "value": [.5, .7, .9, .4, .6, .7, .3, .6, .6, .5, .5, .9]}))
        >>> each = ft.compare(scores).by_subject().to_frame()
        >>> each[["subject", "difference", "p_adjusted"]].round(3).values.tolist()
        [['ann', 0.2, 0.074], ['bob', -0.067, 0.529]]
        """
        return by_subject.by_subject(self)

    def by_collection(self) -> pd.DataFrame:
        """The difference of each pair on each collection alone, by t over its queries.

        Returns
        -------
        DataFrame
            One row for each measure, pair and collection: measure, system_a, system_b, collection,
            difference (NaN where they have no query in common), lower, upper, std_error, df, p,
            significant (none of them adjusted), n_queries. Squares of std_error are the sampling
            variances that packages for meta-analysis take.

        Raises
        ------
        OptionError
            The comparison is not over collections.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": ["a"] * 6 + ["b"] * 6, "query": [*range(6)] * 2,
        ...     "collection": ["nq", "nq", "nq", "fiqa", "fiqa", "fiqa"] * 2,
        ...     "value": [.5, .7, .9, .4, .6, .7, .3, .6, .6, .3, .5, .5]}), clusters="collection")
        >>> each = ft.compare(scores, over="collection").by_collection()
        >>> each[["collection", "difference", "p"]].round(3).values.tolist()
        [['nq', 0.2, 0.074], ['fiqa', 0.133, 0.057]]
        """
        exhibits.check_collections(self.conditions, "by_collection")
        return inference.each_collection(self.family, self.conditions)

    def predict(self) -> pd.DataFrame:
        """The difference of each pair on another collection, and how much collections differ.

        Returns
        -------
        DataFrame
            One row for each measure and pair: measure, system_a, system_b, difference; new_lower
            and new_upper (prediction interval of the true difference on another collection, by a
            generalised pivotal quantity); sd_collections, sd_lower and sd_upper (standard deviation
            of the true differences between collections, and its interval, wide with few); at_least
            (a lower confidence bound of the number of these collections on which the true
            difference has the direction of the mean, or of `alternative`; by Holm's method,
            whatever the dependence of collections); n_collections. All have the level of the
            comparison's intervals: simultaneous ones hold for all pairs together.

        Raises
        ------
        OptionError
            The comparison is not over collections.

        References
        ----------
        Higgins, Thompson & Spiegelhalter 2009; Nagashima, Noma & Furukawa 2019 (prediction);
        Benjamini & Heller 2008; Dror et al. 2017 (replicability).

        Examples
        --------
        >>> import numpy as np, pandas as pd, fuzzytruth as ft
        >>> rng = np.random.default_rng(1)
        >>> frame = pd.DataFrame({"system": ["a", "b"] * 120, "query": np.arange(240) // 2})
        >>> frame["collection"] = (frame["query"] // 20).astype(str)
        >>> frame["value"] = 0.05 * (frame["system"] == "a") + rng.normal(0.5, 0.1, 240)
        >>> scores = ft.Scores.from_frame(frame, clusters="collection")
        >>> new = ft.compare(scores, over="collection").predict()
        >>> new[["difference", "new_lower", "new_upper", "at_least"]].round(2).values.tolist()
        [[...]]
        """
        return exhibits.prediction(self)

    def directions(self) -> pd.DataFrame:
        """For how many subjects' own truths either system is better, over queries.

        Subjects are fixed, queries a sample, whatever the comparison is over. Subjects who judged a
        single query (or cluster) show nothing and are not counted.

        Returns
        -------
        DataFrame
            One row for each measure and pair: measure, system_a, system_b; n_a and n_b (subjects by
            whose judgments alone a, and b, is better with a two-sided p of 1 - level or less, by t
            over queries, not adjusted); at_least_a and at_least_b (the same by Holm's method over
            both directions of all subjects: simultaneous lower bounds, for each pair, of how many
            there are in truth); p_both_ways (that there are both, by the range test, adjusted by
            Holm over the pairs); p_differs (that differences vary over subjects by more than
            chance, by F, adjusted likewise); sd_subjects and sd_chance (standard deviation of the
            subjects' mean differences, and the one expected by chance; subjects are adjusted for
            the queries that each judged). p_differs and sd_chance are NaN where one vote serves
            several queries, as by example, for which `structure` permutes votes; under clusters or
            strata; and where nothing tells chance from the rest.

        Raises
        ------
        OptionError
            There are fewer than two subjects, or they are nested in queries.

        References
        ----------
        Holm 1979; Piantadosi & Gail 1993 (range test); Berger 1982.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": ["a"] * 8 + ["b"] * 8, "query": [1, 2, 3, 4] * 4,
        ...     "subject": (["ann"] * 4 + ["bob"] * 4) * 2,
        ...     "value": [.5, .7, .9, .8, .4, .6, .3, .4, .2, .3, .6, .5, .7, .8, .7, .8]}))
        >>> found = ft.compare(scores).directions()
        >>> found[["n_a", "n_b", "at_least_a", "at_least_b"]].values.tolist()
        [[1, 1, 1, 1]]
        """
        by_subject.crossed_subjects(self.conditions, "directions", 2)
        found = self._directions()
        assert found is not None
        return found.copy()

    def tiers(self) -> pd.DataFrame:
        """Rank sets, systems among the best, and tiers, from which systems differ significantly.

        Returns
        -------
        DataFrame
            One row a measure and system, best first: measure, system, mean, tier (1 + the longest
            chain of systems of which each is significantly better than the next), among_best
            (no system is significantly better), rank_lower and rank_upper (1 + the systems that are
            significantly better, and all but those that are significantly worse: together the sets
            hold all true ranks with the level's confidence). A system without a mean is better or
            worse than none: its set holds all ranks.

        Raises
        ------
        OptionError
            Not all pairs were compared, or in one direction only, or the correction does not
            control the family-wise error.

        References
        ----------
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks, Review of Economic Studies 91.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> result.tiers()[["system", "tier", "rank_lower", "rank_upper"]].values.tolist()
        [['a', 1, 1, 1], ['b', 2, 2, 2]]
        """
        return inference.rank_sets(self.table, self.means, self.conditions)

    def superscripts(self) -> pd.DataFrame:
        """For each system and measure, the letters of the systems that it beats.

        Letters follow the systems' order: a to z, then aa, ab and so on, separated by commas if
        there are more than 26 systems.
        """
        conditions, label = self.conditions, inference.letters(len(self.means))
        separator = "," if len(label) > len(ascii_lowercase) else ""
        out = self.means.astype(object)
        for measure in conditions.measures:
            above = inference.better_than(self.table, conditions, measure)
            out[measure] = [
                separator.join(label[loser] for loser in np.flatnonzero(losers)) for losers in above
            ]
        return out

    @property
    def assumptions(self) -> str:
        """Estimand, null hypothesis, test and caveats, as text."""
        n_subjects = self.conditions.n_subjects or self.conditions.n_resampled
        steadied = few_subjects.assumed(self.table, n_subjects)
        lines = self.conditions.assumptions, steadied, few_subjects.assumed_of_runs(self)
        return "\n".join(filter(None, lines))

    def to_latex(
        self,
        what: What = "means",
        *,
        digits: int = 4,
        caption: str | None = None,
        label: str = "tab:comparison",
        bold: bool = True,
    ) -> str:
        r"""A table with caption; needs ``\usepackage{booktabs}``.

        Parameters
        ----------
        what : {"means", "differences"}
            Means with the letters of the systems beaten, or a row a pair with difference, interval
            and p.
        digits : int
            Decimals.
        caption : str, optional
            By default what the numbers are, the test, its level and what is random.
        label : str
            What ``\ref`` names.
        bold : bool
            Whether the best mean by each measure is bold.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> print(result.to_latex(digits=2, caption="Means."))  # doctest: +ELLIPSIS
        \begin{table}[t]
        ...
        a & a & \textbf{0.73$^{b}$} \\
        ...
        """
        latex.check_paper_options(digits=digits, caption=caption, bold=bold, label=label)
        choice("what", what, get_args(What))
        of_pairs = what == "differences"
        code, align = (math_cell, "r") if of_pairs else (superscript, "l")
        table, caption = paper_table(self, what, digits, caption, bold=bold)
        return latex.of_table(table, caption=caption, label=label, code=code, align=align)

    def to_markdown(
        self,
        what: What = "means",
        *,
        digits: int = 4,
        caption: str | None = None,
        bold: bool = True,
    ) -> str:
        """A Markdown table, and a line that explains it; parameters as of `to_latex`."""
        latex.check_paper_options(digits=digits, caption=caption, bold=bold)
        choice("what", what, get_args(What))
        code = markdown.escape if what == "differences" else raised
        table, caption = paper_table(self, what, digits, caption, bold=bold)
        return markdown.of_table(table, caption, code=code, right=False)

    def report(
        self, path: str | Path, *, title: str | None = None, groups: Mapping[str, Any] | None = None
    ) -> Path:
        """Write a page with what is known of the comparison, in one file that needs no network.

        The answer in a sentence; systems with their differences from a baseline, which readers
        choose as they do the measure and whose judgments count; tables of pairs, queries and
        subjects that they can sort; a paragraph on methods with references. `analyse` has a fuller
        one, with data checks and agreement. The same comparison gives the same bytes.

        Parameters
        ----------
        path : str or Path
            The file, such as report.html. An existing one is replaced.
        title : str, optional
            By default what was compared.
        groups : mapping of subject to group, or Communities, optional
            Whose judgments readers can choose, too.

        Returns
        -------
        Path

        Raises
        ------
        DataError
            The file cannot be written.
        OptionError
            `path` is no path, or the path has another ending than .html or .htm,
            or the title is no text, or `groups` are not of these subjects.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> from tempfile import TemporaryDirectory
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> with TemporaryDirectory() as folder:
        ...     page = result.report(f"{folder}/report.html").read_text(encoding="utf-8")
        >>> "a is best on value: significantly better than b over queries" in page
        True
        """
        return write_page(lambda: comparison_page(self, title, groups), path)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: Kind | None = None,
        measure: str | None = None,
        pair: tuple[str, str] | None = None,
        **options: Any,
    ) -> Axes:
        """Draw the differences by one measure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        kind : {"forest", "matrix", "tiers", "collections"}, optional
            Every difference with its interval (`plots.forest`), systems × systems
            (`plots.pairwise_matrix`), means with bars that join systems without significant
            differences (`plots.tiers`), or of a comparison over collections a forest plot of one
            difference by collection. By default a forest plot (of a single difference by
            collection), but the matrix if there are more than 40 pairs and no single baseline.
        measure : str, optional
            By default the first.
        pair : (str, str), optional
            Systems of the difference by collection; by default the first pair.
        **options
            Of the function that draws.

        Raises
        ------
        OptionError
            The measure or the pair is not among those compared, or the comparison has no tiers
            (see `tiers`) or is not over collections.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> result.plot().get_xlabel()
        'difference of value'
        """
        from fuzzytruth import plots

        kind = self._usual_kind if kind is None else kind
        choice("kind", kind, get_args(Kind))
        if kind == "collections":
            data = exhibits.collection_forest(self, measure, pair)
            return plots.forest(data, ax, **{"order": "given"} | options)
        require("pair", pair, pair is None, "is of kind='collections'")
        if kind == "forest":
            return plots.forest(self, ax, measure=measure, **options)
        draw = plots.pairwise_matrix if kind == "matrix" else plots.tiers
        return draw(self, ax, measure=measure, **options)

    _figures: ClassVar[tuple[str, ...]] = ("forest", "pairwise_matrix", "tiers")

    @property
    def _usual_kind(self) -> Kind:
        """The figure that is legible for so many pairs."""
        n_pairs = len(self.table) // len(self.conditions.measures)
        if self.conditions.groups == "collections" and n_pairs == 1:
            return "collections"
        few = n_pairs <= MOST_PAIRS
        return "forest" if few or len(self.conditions.baselines) == 1 else "matrix"

    def _plot_data(self, figure: str, measure: str | None = None) -> PlotData:
        """Frames of `plots.forest`, `plots.pairwise_matrix` or `plots.tiers`."""
        return exhibits.figure_data(self, figure, self.conditions.measure_of(measure))
