"""Scores: one number for each system, measure, query and subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from fuzzytruth._lazy import pd
from fuzzytruth.data.judgments import Design
from fuzzytruth.evaluation.scores.scores_over_worlds import ScoresOverWorlds
from fuzzytruth.io.files import as_path
from fuzzytruth.show.answer import Printed, Result
from fuzzytruth.show.latex import check_paper_options

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from fuzzytruth.evaluation.scores.query_groups import Grouping
    from fuzzytruth.evaluation.scores.score_frame import By
    from fuzzytruth.measures import Measure
    from fuzzytruth.plots.frames import PlotData
    from fuzzytruth.stats.intervals import IntervalMethod

Names = Iterable[str] | str | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(ScoresOverWorlds, Result):
    """Values of each system by each measure, for each query and subject.

    Parameters
    ----------
    systems, queries, measures : tuple of str
    values : (systems, measures, cells) float
        NaN where a system has no value, and where the measure is undefined under
        ``undefined="exclude"``.
    cells : Cells
        Which query and subject each value is of: a cell for each subject who judged anything for
        a query, or for each query where there are no subjects. ``cells.dense(values)`` is the
        table (systems, measures, queries, subjects).
    subjects : tuple of str or None
        Whose judgments were the ground truth; None where the truth has no subjects.
    design : {"crossed", "nested"}
        Whether a subject's name is the same person in all queries.
    higher_is_better : tuple of bool
        For each measure.
    lower, upper : arrays like `values`, or None
        Lowest and highest value if items without judgment are relevant or not.
    uncertainty : Uncertainty or None
        How the values vary over worlds; None where they do not.
    provenance : Provenance or None
        Data, options and version that these scores come from; None where `evaluate` did not make
        them.
    query_attributes : mapping of str to tuple of str or None
        Attributes of the queries by name, such as their topic: one value a query, None where it
        has none. `from_frame` keeps them, and they can name clusters and strata.
    ranges : tuple of (float, float)
        The least and the largest mean of each measure, where measures are not the library's; ():
        those of the measures that `evaluate` computed are known, others are not.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_dict({"q1": {"a": 1}, "q2": {"b": 1}})
    >>> runs = ft.Runs.from_dict({"sys": {"q1": {"a": 1}, "q2": {"a": 2, "b": 1}}})
    >>> ft.evaluate(truth, runs, ["RR"]).to_frame()
      system query measure  value
    0    sys    q1      RR    1.0
    1    sys    q2      RR    0.5
    """

    def _answer(self) -> Printed:
        from fuzzytruth.evaluation.scores.scores_answer import scores_answer

        return scores_answer(self)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        higher_is_better: bool | Mapping[str, bool] | None = None,
        design: Design = "crossed",
        measure: str = "value",
        clusters: Iterable[str] | str | None = None,
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
        systems: Iterable[Any] | str = (),
    ) -> Self:
        """Scores computed elsewhere, one row a number.

        Parameters
        ----------
        frame : table
            Of any library, as `Judgments.from_frame` takes them.
            Columns system, query, value and, optionally, subject and measure, under any of their
            usual names (`run`, `qid`, `score`, `worker`, `metric`, ...). Absent rows and NaN are
            missing values.
        higher_is_better : bool or mapping of measure to bool, optional
            By default that of the registered measure of this name, else False for names of errors,
            losses and costs (`perplexity`, `brier_score`, `mse`, ...), else True.
        design : {"crossed", "nested"}
            Whether a subject's name is the same person in all queries.
        measure : str
            The measure's name where there is no such column.
        clusters : str or sequence of str, optional
            Columns to keep in `query_attributes`, by which queries can be grouped. They are then
            taken for nothing else: with ``clusters="topic"``, `topic` is not the query.
        columns : mapping, optional
            Your names of columns, {name: your column}: ``{"query": "topic_no"}``.
        drop : value or sequence of values
            Values that are none, such as "failed"; their rows are left out.
        systems : names of columns
            Columns that hold the scores of one system each. An empty cell is no score.

        Raises
        ------
        DataError
            A column is missing, a value is not a number or infinite, a cell has two values, or a
            query has two of an attribute.
        OptionError
            There is no such column to keep, or `columns` has a name that is not read here.

        Warns
        -----
        LeftOutWarning
            Rows were dropped, or cells are empty, with their number.

        Examples
        --------
        >>> import fuzzytruth as ft, pandas as pd
        >>> ft.Scores.from_frame(pd.DataFrame({
        ...     "run": ["a", "a", "b"], "qid": [1, 2, 1], "score": [0.5, 1.0, 0.25]})).mean()
        measure  value
        system
        a         0.75
        b         0.25
        """
        from fuzzytruth.evaluation.scores.scores_from_frame import scores_from_frame

        arrays = scores_from_frame(
            frame,
            higher_is_better=higher_is_better,
            design=design,
            measure=measure,
            clusters=clusters,
            columns=columns,
            drop=drop,
            systems=systems,
        )
        return cls(*(getattr(arrays, field.name) for field in fields(arrays)))

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        clusters: Iterable[str] | str | None = None,
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
        systems: Iterable[Any] | str = (),
    ) -> Self:
        """Read what `save` wrote, or a table of scores.

        Rows may be in any order: names say what a number is of. Numbers, names and options are
        compared with a checksum that `save` writes.

        Parameters
        ----------
        path : path
            A Parquet file, or `.csv`, `.tsv`, `.json`, `.jsonl` (and `.gz` of these) with the
            columns of `from_frame`.
        clusters : str or sequence of str, optional
            Columns of a table to keep, as in `from_frame`; what `save` wrote has kept them.
        columns, drop, systems
            Of a table; see `from_frame`.

        Raises
        ------
        DataError
            The file cannot be read, is damaged or of another version, or holds something else; or
            rows are missing, double or of unknown names.
        OptionError
            The saved scores keep no such column, or `columns` has a name that is not read here.

        Warns
        -----
        LeftOutWarning
            Rows of a table were dropped, or cells are empty, with their number.
        MetadataWarning
            Another program (pandas, DuckDB) rewrote what `save` wrote, and lost all but the table:
            the scores are then those of `from_frame`.
        """
        from fuzzytruth.evaluation.scores.scores_file_rows import read_scores

        arrays = read_scores(
            as_path("path", path), clusters, columns=columns, drop=drop, systems=systems
        )
        return cls(*(getattr(arrays, field.name) for field in fields(arrays)))

    def save(self, path: str | Path) -> None:
        """Write all numbers to a Parquet file; `Scores.load` reads it.

        Other programs see one row a number: system, measure, query, subject, value. Truth and runs
        are not written, but their checksums are (`provenance`). Loaded scores thus have
        distributions of means and of differences of means, but of single queries only after
        ``evaluate(..., keep_worlds=True)``, and those of the worlds drawn even where the saved
        scores had exact ones.

        Parameters
        ----------
        path : path
            Its ending must be `.parquet` or `.pq`.

        Raises
        ------
        DataError
            The path has another ending or cannot be written.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> scores = ft.evaluate({"q": {"a": 1}}, {"sys": {"q": {"a": 1}}}, ["AP"])
        >>> path = getfixture("tmp_path") / "scores.parquet"
        >>> scores.save(path)
        >>> ft.Scores.load(path)
        Scores(1 system, 1 query, 1 measure)
        """
        from fuzzytruth.evaluation.scores.scores_file_rows import write_scores

        write_scores(self, as_path("path", path))

    def select(
        self,
        *,
        systems: Names = None,
        measures: Iterable[str | Measure] | str | Measure | None = None,
        queries: Names = None,
        subjects: Names = None,
    ) -> Scores:
        """Scores of some systems, measures, queries and subjects, in the order of the names.

        When queries or subjects are selected, queries that none of these subjects judged are left
        out, and so are subjects who judged none of these queries.

        Parameters
        ----------
        systems, queries, subjects : str or sequence of str, optional
            By default all.
        measures : str, Measure or sequence of those, optional
            In any spelling.

        Returns
        -------
        Scores
            With distributions of single queries as before. Under worlds, means over some of the
            queries are known in each world after ``evaluate(..., keep_worlds=True)`` (under
            ``worlds="population"`` of measures with exact expected values).

        Raises
        ------
        OptionError
            Names are unknown or come twice, there are no subjects, or no score is left.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> scores = ft.evaluate({"q": {"a": 1}}, runs, ["AP", "P@1"])
        >>> scores.select(systems=["y", "x"], measures="map").mean()["AP"].to_dict()
        {'y': 0.5, 'x': 1.0}
        """
        from fuzzytruth.evaluation.scores.selection import select

        return select(self, systems=systems, measures=measures, queries=queries, subjects=subjects)

    @property
    def answers(self) -> tuple[str, ...]:
        """What these scores can answer, which depends on the truth and on what was saved.

        Some of "mean", "mean by subject", "summary over query", "... subject", "... query and
        subject", "... world", "... query and world", "distribution" (of single queries, and of
        differences between two systems), "mean_distribution" (and of differences of means) and
        "bounds".

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"], ["a"], [0.5])
        >>> ft.evaluate(truth, {"sys": {"q": {"a": 1}}}, ["P@1"], rng=0).answers
        ('mean', 'summary over query', 'summary over world', 'distribution', 'mean_distribution')
        """
        from fuzzytruth.evaluation.scores.scores_answer import answers_of

        return answers_of(self)

    def to_frame(self) -> pd.DataFrame:
        """One row a number: system, query, measure, [subject,] value[, ...].

        Rows are ordered by system, query, measure and subject, each in the order in which it
        came. A query that a subject did not judge has no row for that subject. Under worlds,
        `value` is the expected value, `std` the standard deviation over worlds, `exact` whether
        the value is exact, and `mc_error` its Monte Carlo standard error, 0 if it is (the last two
        also where missing judgments were imputed from other subjects). `lower` and `upper` are the
        bounds under ``unjudged="bounds"``.
        """
        from fuzzytruth.evaluation.scores.score_frame import to_frame

        return to_frame(self)

    def to_xarray(self) -> xr.Dataset:
        """Dataset of xarray with the dimensions system, query, measure[, subject].

        Its variables are the columns of numbers of `to_frame`: `value`, and `lower`, `upper`,
        `std`, `exact` and `mc_error` where there are any. NaN (`exact`: False) where a system has
        no value, and for queries that a subject did not judge. `higher_is_better` is a coordinate
        of the measures, attributes of queries are coordinates of the queries; the options of
        `evaluate` and the version are attributes.

        Raises
        ------
        MissingPackageError
            xarray is not installed.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> scores = ft.evaluate({"q": {"a": 1}}, runs, ["AP", "P@5"]).to_xarray()
        >>> scores["value"].sel(measure="AP").mean("query").to_series().to_dict()
        {'x': 1.0, 'y': 0.5}
        >>> scores.attrs["worlds"]
        'crisp'
        """
        from fuzzytruth.evaluation.scores.score_frame import to_xarray

        return to_xarray(self)

    def mean(
        self, *, by: By | None = None, groups: Mapping[str, str] | None = None
    ) -> pd.DataFrame:
        """Means over queries, systems × measures.

        Parameters
        ----------
        by : {"subject", "group"}, optional
            Keep these apart: rows are then (system, subject) or (system, group). By default a
            query's value is first averaged over the subjects who judged it.
        groups : mapping from query to group, optional
            Average within each group of queries, then over groups (macro mean), as benchmarks
            with classes of different sizes do.

        Returns
        -------
        DataFrame
            Index system (and subject or group), one column a measure. NaN where no query has a
            value.

        Raises
        ------
        OptionError
            ``by="subject"`` without subjects, ``by="group"`` without groups, or a query that has
            no group.
        """
        from fuzzytruth.evaluation.scores.score_frame import mean_table

        return mean_table(self, by, groups)

    def summary(
        self,
        *,
        over: Iterable[str] | str = ("query",),
        level: float = 0.95,
        method: IntervalMethod = "auto",
        statistic: str | Callable[..., Any] = "mean",
        clusters: Grouping = None,
        strata: Grouping = None,
        n_resamples: int = 9999,
        rng: Any = 0,
        n_jobs: int = 1,
        full: bool = False,
    ) -> pd.DataFrame:
        """Means with intervals over random queries, subjects or worlds.

        Parameters
        ----------
        over : {"query", "subject", "world"} or several
            What is random, a sample from a population; the rest is fixed. Nested subjects are
            sampled with their query, so that over queries and subjects (or worlds, which resample
            them) is over queries. Queries go with population worlds only.
        level : float
            Confidence level, between 0 and 1.
        method : {"auto", "t", "percentile", "basic", "bca", "studentized", "pigeonhole", "wilson"}
            "auto" is a t interval over queries or subjects, of their means; over both it is the
            generalised pivotal interval of crossed variance components, whose law is no t (`df` are
            Satterthwaite's, of the standard error alone). Over independent worlds it is the central
            interval that holds `level` of the worlds. Where the range of a measure is known (not
            after `from_frame`), intervals of means are cut at its ends, and over queries those of
            values that are all one of the ends (0 or 1) are Wilson's; with clusters, of the
            effective number of queries. The bootstrap methods are over queries or over subjects,
            "pigeonhole" over both. "wilson" is the score interval of a proportion (`stats.wilson`),
            for measures such as P@1 and success whose value is 0 or 1 for each query.
        statistic : {"mean", "median", "geometric_mean"} or callable
            Of per-query (or per-subject) values, in a column of its name; but for the mean by
            bootstrap. A function ``statistic(values, axis)`` must be vectorised.
        clusters : mapping of query to cluster, or name of an attribute of queries, optional
            Queries of a cluster vary together: the variance of their mean is the
            delete-one-cluster jackknife's. Queries without a cluster are clusters of their own.
        strata : mapping of query to stratum, or name of an attribute of queries, optional
            Means over fixed groups of queries, each with the same weight; the interval is Welch's.
        n_resamples, rng, n_jobs
            See `stats.Resampling`.
        full : bool
            Whether to give all columns, more than a terminal of 80 columns shows.

        Returns
        -------
        DataFrame
            One row a system and measure: system, measure, mean, lower, upper, n_queries[,
            n_subjects]; with ``full=True`` also std_error, df and method.

        Raises
        ------
        OptionError
            The scores lack an axis (the message names the ``worlds=`` that gives it), or the
            method does not go with it; or clusters or strata are not of these queries.
        DataError
            A stratum has a single query.

        Warns
        -----
        ClusterWarning
            Queries are in no cluster, or clusters are few and of different sizes.
        DegenerateWarning
            The spread of a single query or subject is unknown: `std_error` is NaN and the
            interval (-inf, inf); or independent worlds are too few for finite intervals.

        References
        ----------
        Satterthwaite 1946; Henderson 1953; Weerahandi 1993, Generalized confidence intervals; Owen
        2007, The pigeonhole bootstrap; Wilson 1927.

        Examples
        --------
        >>> import pandas as pd
        >>> scores = Scores.from_frame(pd.DataFrame({
        ...     "system": "a", "query": [1, 2, 3], "value": [0.2, 0.4, 0.6]}))
        >>> scores.summary(full=True)[["mean", "lower", "upper", "df"]].round(3).values.tolist()
        [[0.4, -0.097, 0.897, 2.0]]
        """
        from fuzzytruth.evaluation.scores.summary import interval_table
        from fuzzytruth.stats.observations import each_system
        from fuzzytruth.stats.settings import Resampling

        return interval_table(
            self,
            each_system(len(self.systems)),
            over=over,
            level=level,
            method=method,
            statistic=statistic,
            resampling=Resampling(n_resamples, rng, n_jobs),
            clusters=clusters,
            strata=strata,
            full=full,
        )

    def to_latex(
        self,
        *,
        over: Iterable[str] | str | None = None,
        level: float = 0.95,
        digits: int | None = None,
        caption: str | None = None,
        label: str = "tab:scores",
        bold: bool = True,
    ) -> str:
        r"""Means with intervals as a table with caption; needs ``\usepackage{booktabs}``.

        Parameters
        ----------
        over : {"query", "subject", "world"} or several, optional
            What intervals are over; by default queries, if there are two or more.
        level : float
            Confidence level.
        digits : int, optional
            Decimals; by default 3, or 4 without intervals, and fewer where values are 10 or more.
        caption : str, optional
            By default what the numbers and the intervals are.
        label : str
            What ``\ref`` names.
        bold : bool
            Whether the best mean by each measure is bold.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> print(ft.evaluate({"q": {"a": 1}}, runs, ["AP"]).to_latex())  # doctest: +ELLIPSIS
        \begin{table}[t]
        ...
        x & \textbf{1.0000} \\
        y & 0.5000 \\
        ...
        """
        from fuzzytruth.evaluation.scores.score_rows import score_rows
        from fuzzytruth.evaluation.scores.scores_answer import caption_of, rows_to_latex

        check_paper_options(
            digits=0 if digits is None else digits, caption=caption, bold=bold, label=label
        )
        rows = score_rows(self, over=over, level=level)
        caption = caption_of(self, rows, bold=bold) if caption is None else caption
        return rows_to_latex(rows, caption=caption, label=label, digits=digits, bold=bold)

    def to_markdown(
        self,
        *,
        over: Iterable[str] | str | None = None,
        level: float = 0.95,
        digits: int | None = None,
        caption: str | None = None,
        bold: bool = True,
    ) -> str:
        """Means with intervals as a Markdown table, and a line that says what they are.

        The parameters are those of `to_latex`.
        """
        from fuzzytruth.evaluation.scores.score_rows import score_rows
        from fuzzytruth.evaluation.scores.scores_answer import caption_of, rows_to_markdown

        places = 0 if digits is None else digits
        check_paper_options(digits=places, caption=caption, bold=bold)
        rows = score_rows(self, over=over, level=level)
        caption = caption_of(self, rows, bold=bold) if caption is None else caption
        return rows_to_markdown(rows, caption=caption, digits=digits, bold=bold)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: Iterable[str] | str | None = None,
        over: Iterable[str] | str | None = None,
        by: Literal["subject"] | None = None,
        level: float = 0.95,
    ) -> Axes:
        """Draw the mean of each system with its interval, the best on top.

        Under ``unjudged="bounds"`` also the range that judging the unjudged items could give. See
        `plots.means`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str or sequence of str, optional
            By default the first. Several differ in colour and marker.
        over : {"query", "subject", "world"} or several, optional
            What intervals are over, as in `summary`; by default queries, if there are two or more.
        by : {"subject"}, optional
            Draw each subject's mean, too.
        level : float
            Of the intervals.

        Raises
        ------
        OptionError
            There is no such measure, the scores lack an axis, or subjects are asked for where
            there are none or with several measures.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> ax = ft.evaluate({"q": {"a": 1}}, runs, ["AP"]).plot()
        >>> ax.lines[0].get_xdata().tolist()
        [1.0, 0.5]
        """
        from fuzzytruth.plots import means

        return means(self, ax, measure=measure, over=over, by=by, level=level)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames of `plots.means`."""
        from fuzzytruth.evaluation.scores.scores_answer import means_data

        return means_data(self, **options)
