"""Scores: one number for each system, measure, query and subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.core.validation import place_of
from fuzzytruth.data.judgments import Design
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.io.paths import as_path

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.distribution.distribution import Distribution
    from fuzzytruth.evaluation.score_means import By
    from fuzzytruth.stats.intervals import Method as SummaryMethod


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(ScoreArrays):
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

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        higher_is_better: bool | Mapping[str, bool] | None = None,
        design: Design = "crossed",
        measure: str = "value",
    ) -> Scores:
        """Scores computed elsewhere, one row a number.

        Parameters
        ----------
        frame : DataFrame
            Columns system, query, value and, optionally, subject and measure, under any of their
            usual names (`run`, `qid`, `score`, `worker`, `metric`, ...). Absent rows and NaN are
            missing values.
        higher_is_better : bool or mapping of measure to bool, optional
            By default that of the registered measure of this name, else True.
        design : {"crossed", "nested"}
            Whether a subject's name is the same person in all queries.
        measure : str
            The measure's name where there is no such column.

        Raises
        ------
        DataError
            A column is missing, a value is not a number or infinite, or a cell has two values.

        Examples
        --------
        >>> import pandas as pd
        >>> Scores.from_frame(pd.DataFrame({
        ...     "run": ["a", "a", "b"], "qid": [1, 2, 1], "score": [0.5, 1.0, 0.25]})).mean()
        measure  value
        system
        a         0.75
        b         0.25
        """
        from fuzzytruth.evaluation.scores_from_frame import scores_from_frame

        arrays = scores_from_frame(
            frame, higher_is_better=higher_is_better, design=design, measure=measure
        )
        return cls(*(getattr(arrays, field.name) for field in fields(arrays)))

    def to_frame(self) -> pd.DataFrame:
        """One row a number: system, query, measure, [subject,] value[, ...].

        Rows are ordered by system, query, measure and subject, each in the order in which it
        came. A query that a subject did not judge has no row for that subject. Under worlds,
        `value` is the expected value, `std` the standard deviation over worlds, `exact` whether
        the value is exact, and `mc_error` its Monte Carlo standard error, 0 if it is (the last two
        also where missing judgments were imputed from other subjects). `lower` and `upper` are the
        bounds under ``unjudged="bounds"``.
        """
        from fuzzytruth.evaluation.score_frame import to_frame

        return to_frame(self)

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
        from fuzzytruth.evaluation.score_means import mean_table

        return mean_table(self, by, groups)

    def summary(
        self,
        *,
        over: Iterable[str] | str = ("query",),
        level: float = 0.95,
        method: SummaryMethod = "auto",
        statistic: str | Callable[..., Any] = "mean",
        n_resamples: int = 9999,
        rng: Any = 0,
        n_jobs: int = 1,
    ) -> pd.DataFrame:
        """Means with intervals over random queries, subjects or worlds.

        Parameters
        ----------
        over : {"query", "subject", "world"} or several
            What is random, a sample from a population; the rest is fixed. Nested subjects are
            sampled with their query, so that over queries and subjects is over queries.
        level : float
            Confidence level, between 0 and 1.
        method : {"auto", "t", "percentile", "basic", "bca", "studentized", "pigeonhole"}
            "auto" is a t interval: over queries or subjects of their means; over both from crossed
            variance components with Satterthwaite's degrees of freedom. Over independent worlds
            it is the central interval that holds `level` of the worlds. The bootstrap methods are
            over queries or over subjects, "pigeonhole" over both.
        statistic : {"mean", "median", "geometric_mean"} or callable
            Of per-query (or per-subject) values, in a column of its name; but for the mean by
            bootstrap. A function ``statistic(values, axis)`` must be vectorised.
        n_resamples, rng, n_jobs
            See `stats.Resampling`.

        Returns
        -------
        DataFrame
            One row a system and measure: system, measure, mean, lower, upper, std_error, df,
            n_queries, n_subjects, method.

        Raises
        ------
        OptionError
            The scores lack an axis (the message names the ``worlds=`` that gives it), or the
            method does not go with it.

        Warns
        -----
        DegenerateWarning
            The spread of a single query or subject is unknown: `std_error` is NaN and the
            interval (-inf, inf).

        References
        ----------
        Satterthwaite 1946; Henderson 1953; Owen 2007, The pigeonhole bootstrap.

        Examples
        --------
        >>> import pandas as pd
        >>> scores = Scores.from_frame(pd.DataFrame({
        ...     "system": "a", "query": [1, 2, 3], "value": [0.2, 0.4, 0.6]}))
        >>> scores.summary()[["mean", "lower", "upper", "df"]].round(3).values.tolist()
        [[0.4, -0.097, 0.897, 2.0]]
        """
        from fuzzytruth.evaluation.summary import interval_table
        from fuzzytruth.stats.contrasts import each_system
        from fuzzytruth.stats.settings import Resampling

        return interval_table(
            self,
            each_system(len(self.systems)),
            over=over,
            level=level,
            method=method,
            statistic=statistic,
            resampling=Resampling(n_resamples, rng, n_jobs),
        )

    def distribution(self, system: str, query: str, measure: str) -> Distribution:
        """Distribution of one score over worlds; a single atom where the truth is crisp.

        Exact where the measure has an exact distribution for independent items; else of the worlds
        drawn, which are drawn again from the seed. All subjects who judged the query have the same
        weight. Under ``worlds="population"`` it is the distribution of the resamples: its variance
        is not multiplied by S / (S - 1), as `std` in `to_frame` is, and for few subjects its
        quantiles are too narrow for an interval.

        Parameters
        ----------
        system, query : str
        measure : str
            In any spelling.

        Returns
        -------
        Distribution

        Raises
        ------
        OptionError
            There is no such system, query or measure; the score is undefined in every world; or
            these scores were loaded and the worlds of single queries were not kept.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.5, 0.5])
        >>> scores = ft.evaluate(truth, {"sys": {"q": {"a": 2, "b": 1}}}, ["P@2"], rng=0)
        >>> scores.distribution("sys", "q", "P@2").to_frame()["probability"].tolist()
        [0.25, 0.5, 0.25]
        """
        from fuzzytruth.evaluation.score_distributions import of_query

        if query is None:
            raise OptionError("query=None: name a query; mean_distribution is of their mean")
        return of_query(self, (*self._index(system, measure), self._query(query)))

    def mean_distribution(self, system: str, measure: str) -> Distribution:
        """Distribution over worlds of the mean over queries, all queries in the same worlds.

        Under ``worlds="population"`` it is that of the resamples, see `distribution`.

        Parameters
        ----------
        system : str
        measure : str
            In any spelling.

        Returns
        -------
        Distribution

        Raises
        ------
        OptionError
            There is no such system or measure; or subjects are nested in queries.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "r"], ["a", "a"], [1, 0])
        >>> scores = ft.evaluate(truth, {"sys": {"q": {"a": 1}, "r": {"a": 1}}}, ["P@1"], rng=0)
        >>> scores.mean_distribution("sys", "P@1").support()
        (0.5, 0.5)
        """
        from fuzzytruth.evaluation.score_distributions import of_mean

        return of_mean(self, (*self._index(system, measure), None))

    def difference(
        self, system: str, other: str, measure: str, *, query: str | None = None
    ) -> Distribution:
        """Distribution of the score of `system` minus that of `other`, in the same worlds.

        Both systems share the truth of each world, so that this is not the difference of two
        independent scores. The share of worlds in which `system` has the larger score is
        ``.sf(0)``. Under ``worlds="population"`` it is that of the resamples, see `distribution`.

        Parameters
        ----------
        system, other : str
        measure : str
            In any spelling.
        query : str, optional
            One query's scores; by default the means over queries.

        Returns
        -------
        Distribution

        Raises
        ------
        OptionError
            As `distribution` and `mean_distribution`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
        >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
        >>> gap = ft.evaluate(truth, runs, ["P@1"]).difference("x", "y", "P@1", query="q")
        >>> round(float(gap.sf(0)), 9)
        0.45
        """
        from fuzzytruth.evaluation.score_distributions import of_difference

        place = None if query is None else self._query(query)
        first = (*self._index(system, measure), place)
        return of_difference(self, first, (*self._index(other, measure), place))

    def _index(self, system: str, measure: str) -> tuple[int, int]:
        """Places of a system, and of a measure in any spelling."""
        return place_of(self.systems, system, "system"), self.measure_place(measure)

    def _query(self, query: str) -> int:
        """Place of a query."""
        return place_of(self.queries, str(query), "query")

    def save(self, path: str | Path) -> None:
        """Write all numbers to a Parquet file; `Scores.load` reads it.

        Other programs see one row a number: system, measure, query, subject, value. Truth and runs
        are not written, so that loaded scores have distributions of means and of differences of
        means, but of single queries only after ``evaluate(..., keep_worlds=True)``, and those of
        the worlds drawn even where the saved scores had exact ones.

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
        from fuzzytruth.evaluation.scores_file import write_scores

        write_scores(self, as_path("path", path))

    @classmethod
    def load(cls, path: str | Path) -> Scores:
        """Read what `save` wrote, or a table of scores.

        Parameters
        ----------
        path : path
            A Parquet file, or `.csv`, `.tsv`, `.json`, `.jsonl` (and `.gz` of these) with the
            columns of `from_frame`.

        Raises
        ------
        DataError
            The file cannot be read or holds something else.
        """
        from fuzzytruth.evaluation.scores_file import read_scores

        arrays = read_scores(as_path("path", path))
        return cls(*(getattr(arrays, field.name) for field in fields(arrays)))
