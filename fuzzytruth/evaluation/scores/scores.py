"""Scores: one number for each system, measure, query and subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.data.judgments import Design
from fuzzytruth.errors import choice, counted, first_few, require
from fuzzytruth.evaluation.scores.score_arrays import IMAGE, ScoreArrays, check_over
from fuzzytruth.evaluation.scores.scores_over_worlds import ScoresOverWorlds
from fuzzytruth.io.files import as_path
from fuzzytruth.show.answer import Parts, Result, Sentences
from fuzzytruth.show.latex import check_paper_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.evaluation.scores.replicates import Declared
    from fuzzytruth.evaluation.scores.summary import Grouping
    from fuzzytruth.plots.frames import PlotData, Title
    from fuzzytruth.stats.intervals import IntervalMethod
    from fuzzytruth.stats.observations import Pooling

_MOST_SYSTEMS = 20
_MOST_MEASURES = 6
#: values of a world, in words
_OF_WORLDS = {
    "independent": "worlds (possible truths) in which each item takes one of its votes at random",
    "community": "worlds (possible truths) in which a random group of subjects votes, and each "
    "item takes one of its votes at random",
    "population": "worlds in which the subjects are resampled",
    "subject": "truths in which missing judgments are drawn from the other subjects'",
}


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
    replicates : Replicates or None
        Of systems with several runs, over which all values are means: the scores of the runs.

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

    def _title(self) -> str:
        parts = [counted(len(self.systems), "system"), counted(len(self.queries), "query")]
        if self.subjects is not None:
            parts.append(counted(self._n_people, "subject"))
        return f"Scores of {', '.join(parts)}: {first_few(self.measures, _MOST_MEASURES)}"

    def _parts(self) -> Parts:
        from fuzzytruth.evaluation.scores.score_rows import best_first, score_rows

        rows, order, cut = score_rows(self), None, []
        if len(self.systems) > _MOST_SYSTEMS:
            order = best_first(rows.values[:, 0], higher_is_better=self.higher_is_better[0])
            order = order[:_MOST_SYSTEMS]
            best = f"the best {_MOST_SYSTEMS} of {len(self.systems):,} systems"
            cut.append(f"{best} by {self.measures[0]}")
        if len(self.measures) > _MOST_MEASURES:
            cut.append(f"{_MOST_MEASURES} of {len(self.measures):,} measures")
        rest = f"Shown: {' and '.join(cut)}; all: .summary()." if cut else ""
        yield rows.table(order, _MOST_MEASURES)
        yield Sentences.of(*rows.legend(), self._structure_line, rest)
        crossed = self.subjects is not None and self.design == "crossed"
        more = "More: .to_frame(), .summary(over=...)"
        more += ", .mean(by='subject')" if crossed else ""
        more += ", fuzzytruth.compare" if len(self.systems) > 1 else ""
        if names := ", ".join(name for name in self.query_attributes if name != IMAGE):
            more += f". Queries that share {names} may vary together: .summary(clusters=...)"
        yield more

    @property
    def _missing_line(self) -> str:
        """What means are over if values are missing, so that they may be of other queries."""
        nan = np.isnan(self.values)
        if IMAGE in self.query_attributes:  # a measure of one direction has no value in the other
            nan &= ~nan.all(axis=0)
        missing = int(nan.sum())
        if not missing:
            return ""
        return (
            f"{counted(missing, 'value is', 'values are')} missing: each mean is over the values "
            "that the system has."
        )

    @property
    def _structure_line(self) -> str:
        """Whether it matters who gave which vote, where that was asked for."""
        made = self.provenance
        return "" if made is None else made.structure or ""

    @property
    def _runs_line(self) -> str:
        """That values are means over the runs of a system."""
        return "" if self.replicates is None else f"Values are means over {self.replicates.words}."

    @property
    def _values_line(self) -> str:
        """What the values are over subjects or worlds."""
        spread = self._spread
        if self.subjects is not None:
            of = counted(self._n_people, "subject")
            line = f"Each query's value is the mean over the truths of {of} (those who judged it)"
            return f"{line}{self._unjudged_text}."
        return "" if spread is None else f"Values are expected over {_OF_WORLDS[spread.worlds]}."

    @property
    def _unjudged_text(self) -> str:
        """That missing judgments count as not relevant, ready to follow; "" where they do not."""
        made = self.provenance
        if made is None or made.missing != "nonrelevant":
            return ""
        number = "" if made.n_missing is None else f" ({made.n_missing:,})"
        return f"; items that a subject left unjudged{number} count as not relevant"

    @property
    def _direction_line(self) -> str:
        """Measures of which less is better."""
        lower = [m for m, up in zip(self.measures, self.higher_is_better, strict=True) if not up]
        return f"Lower is better for {', '.join(lower)}." if lower else ""

    @classmethod
    def _of(cls, arrays: ScoreArrays) -> Self:
        """Scores with these numbers."""
        return cls(*(getattr(arrays, field.name) for field in fields(arrays)))

    @classmethod
    def _joined(
        cls, arrays: ScoreArrays, found: Declared | None, replicate_of: Any, deterministic: Any
    ) -> Self:
        """Scores with these numbers, means over runs of systems if any are declared."""
        runs: Any = cls._of(arrays)
        of_systems: Any = runs if found is None else found.of(runs)
        return cast(Self, of_systems).with_replicates(replicate_of, deterministic=deterministic)

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
        replicates: str | None = None,
        replicate_of: Mapping[str, Any] | None = None,
        deterministic: Iterable[str] | str | None = None,
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
        replicates : str, optional
            Column that tells the runs of a system apart: trainings, seeds, samplings. Values are
            then means over the runs of each system, and comparisons over queries and runs. By
            default `seed`, where a system has several on one query.
        replicate_of : mapping of run to system, optional
            The same where runs have names of their own: ``{"ance.1": "ance", "ance.2": "ance"}``.
        deterministic : str or sequence of str, optional
            Systems of which another run would give the same.

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

        options = {"higher_is_better": higher_is_better, "design": design, "measure": measure}
        named = clusters, columns, drop, systems, replicates
        read = scores_from_frame(frame, *named, **options)
        return cls._joined(*read, replicate_of, deterministic)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        clusters: Iterable[str] | str | None = None,
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
        systems: Iterable[Any] | str = (),
        replicates: str | None = None,
        replicate_of: Mapping[str, Any] | None = None,
        deterministic: Iterable[str] | str | None = None,
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
        columns, drop, systems, replicates, replicate_of, deterministic
            Of a table; see `from_frame`. What `save` wrote has kept its runs.

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
        from fuzzytruth.evaluation.scores.scores_file import read_scores
        from fuzzytruth.evaluation.scores.scores_from_frame import score_request

        request = score_request(columns, clusters, drop, systems, replicates)
        read = read_scores(as_path("path", path), request, replicates)
        return cls._joined(*read, replicate_of, deterministic)

    def with_replicates(
        self,
        replicate_of: Mapping[str, Any] | None = None,
        *,
        deterministic: Iterable[str] | str | None = None,
        variance: Pooling | None = None,
    ) -> Self:
        """Means over the runs of each system, or the same with other settings of its runs.

        Parameters
        ----------
        replicate_of : mapping of run to system, optional
            ``{"ance.1": "ance", "ance.2": "ance"}``; or the runs of each system. Runs that are not
            named are systems of their own.
        deterministic : str or sequence of str, optional
            Systems of which another run would give the same.
        variance : {"moderated", "separate", "pooled"}, optional
            How the variance over runs is estimated; see `compare`.

        Raises
        ------
        OptionError
            A run or system is unknown, a run is in two systems, no system has two runs, or these
            scores name their runs already.
        DataError
            The runs of a system have no value in common.

        Warns
        -----
        MissingCellWarning
            Some runs of a system lack values, which are left out of all of them.
        LeftOutWarning
            Worlds are left out.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> runs = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": ["a.1", "a.2", "b"], "query": "q", "value": [0.2, 0.4, 0.5]}))
        >>> scores = runs.with_replicates({"a.1": "a", "a.2": "a"}, deterministic="b")
        >>> scores.mean()["value"].round(3).to_dict()
        {'a': 0.3, 'b': 0.5}
        >>> scores.select(replicates="a.2").systems
        ('a',)
        """
        from fuzzytruth.evaluation.scores.replicates import declared

        read: Self = cast(Any, declared)(self, replicate_of, deterministic, variance)
        return read

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
        from fuzzytruth.evaluation.scores.scores_file import write_scores

        write_scores(self, as_path("path", path))

    def summary(
        self,
        *,
        over: Iterable[str] | str | None = None,
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
        over : {"query", "subject", "world", "replicate"} or several
            What is random, a sample from a population; the rest is fixed. By default queries, and
            runs ("replicate") where systems have several. Nested subjects are
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
            delete-one-cluster jackknife's, over queries and subjects that of its pseudo-values of
            each subject's mean. Queries without a cluster are clusters of their own.
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
        from fuzzytruth.evaluation.scores.summary import interval_columns, interval_table
        from fuzzytruth.stats.observations import each_system
        from fuzzytruth.stats.settings import Resampling

        each = each_system(len(self.systems))
        columns = interval_columns(
            self,
            each,
            over=over,
            level=level,
            method=method,
            statistic=statistic,
            resampling=Resampling(n_resamples, rng, n_jobs),
            clusters=clusters,
            strata=strata,
        )
        return interval_table(self, each, columns, full=full)

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
        over : {"query", "subject", "world", "replicate"} or several, optional
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

        places = 0 if digits is None else digits
        check_paper_options(digits=places, caption=caption, bold=bold, label=label)
        rows = score_rows(self, over=over, level=level)
        return rows.to_latex(caption=caption, label=label, digits=digits, bold=bold)

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

        places = 0 if digits is None else digits
        check_paper_options(digits=places, caption=caption, bold=bold)
        rows = score_rows(self, over=over, level=level)
        return rows.to_markdown(caption=caption, digits=digits, bold=bold)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: Iterable[str] | str | None = None,
        over: Iterable[str] | str | None = None,
        by: Literal["subject", "replicate"] | None = None,
        level: float = 0.95,
        title: Title = True,
    ) -> Axes:
        """Draw the mean of each system with its interval, the best on top.

        Under ``unjudged="bounds"`` also the range that judging the unjudged items could give. See
        `plots.means`.

        Parameters
        ----------
        ax, title
            As in `plots.means`.
        measure : str or sequence of str, optional
            By default the first. Several differ in colour and marker.
        over : {"query", "subject", "world", "replicate"} or several, optional
            What intervals are over, as in `summary`; by default queries, if there are two or more.
        by : {"subject", "replicate"}, optional
            Draw each subject's mean, too, or each run's; of systems with several runs these are
            drawn by default, of a single measure.
        level : float
            Of the intervals.

        Raises
        ------
        OptionError
            There is no such measure, the scores lack an axis, or subjects are asked for where
            there are none or with several measures.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> ax = ft.evaluate({"q": {"a": 1}}, runs, ["AP"]).plot()
        >>> ax.lines[0].get_xdata().tolist()
        [1.0, 0.5]
        """
        from fuzzytruth.plots import means

        return means(self, ax, measure=measure, over=over, by=by, level=level, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(
        self,
        figure: str,
        *,
        measure: Iterable[str] | str | None = None,
        over: Iterable[str] | str | None = None,
        by: str | None = None,
        level: float = 0.95,
    ) -> PlotData:
        """Frames of `plots.means`."""
        from fuzzytruth.evaluation.scores.score_rows import score_rows

        choice("by", by, (None, "subject", "replicate"))
        given = self.measures[:1] if measure is None else measure
        require("measure", given, isinstance(given, Iterable), "must be a name, or several")
        names = [given] if isinstance(given, str) else list(given)
        require("measure", given, bool(names), "name at least one measure")
        places = [self.measure_place(name) for name in names]
        if over is None and len(self.queries) > 1:
            over = check_over(None, self)
        rows = score_rows(self, over=over, level=level)
        if over is None:
            rows = replace(rows, lower=None, upper=None)
        if by is None and self.replicates is not None and len(places) == 1:
            by = "replicate"
        drawn = rows.plot_data(places, by=by)
        if self.lower is not None:
            bounds = score_rows(self)
            for name, ends in (("lowest", bounds.lower), ("highest", bounds.upper)):
                assert ends is not None
                drawn.frame[name] = ends[:, places].T.ravel()
        return drawn
