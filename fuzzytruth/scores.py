"""Scores: one number for each system, query, measure and subject, and the means over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.checks import as_path
from fuzzytruth.core.means import group_means, known_mean
from fuzzytruth.errors import OptionError, choice, require
from fuzzytruth.judgments import Design
from fuzzytruth.score_tables import by_two
from fuzzytruth.uncertainty import Uncertainty

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.distribution import Distribution

Values = NDArray[np.float64]
By = Literal["subject", "group"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores:
    """What `evaluate` found.

    Parameters
    ----------
    systems, queries, measures : tuple of str
    values : (systems, measures, subjects, queries) float
        NaN where a subject judged nothing for the query, and where the measure is undefined and
        ``undefined="exclude"`` was asked for.
    judged : (subjects, queries) bool
        Where there are judgments, and hence values.
    subjects : tuple of str or None
        Whose truth was the measure of things; None where the truth has no subjects (the axis has
        then length 1).
    design : {"crossed", "nested"}
        Whether a subject's name is the same person in all queries.
    higher_is_better : tuple of bool
        For each measure.
    lower, upper : arrays like `values`, or None
        Lowest and highest value if items without judgment are relevant or not.
    uncertainty : Uncertainty or None
        How the values vary over worlds; None where each is a plain number.

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

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    values: Values
    judged: NDArray[np.bool_]
    subjects: tuple[str, ...] | None = None
    design: Design = "crossed"
    higher_is_better: tuple[bool, ...] = ()
    lower: Values | None = None
    upper: Values | None = None
    uncertainty: Uncertainty | None = None

    def __repr__(self) -> str:
        sizes = [
            _count(self.systems, "system"),
            _count(self.queries, "query", "queries"),
            _count(self.measures, "measure"),
        ]
        if self.subjects is not None:
            sizes.append(_count(self.subjects, "subject"))
        if self.uncertainty is not None:
            sizes.append(f"{self.uncertainty.n_worlds:,} {self.uncertainty.worlds} worlds")
        return f"Scores({', '.join(sizes)})"

    def to_frame(self) -> pd.DataFrame:
        """One row a number: system, query, measure, [subject,] value[, ...].

        Rows are ordered by system, query, measure and subject, each in the order in which it
        came. A query that a subject did not judge has no row for that subject. Under worlds,
        `value` is the expected value, `std` the standard deviation over worlds, `exact` whether
        the value is exact, and `mc_error` its Monte Carlo standard error, 0 if it is (the last two
        also for subjects whose holes are filled). `lower` and
        `upper` are there if ``unjudged="bounds"`` was asked for.
        """
        import pandas as pd

        values = self.values.transpose(0, 3, 1, 2)  # (systems, queries, measures, subjects)
        keep = np.broadcast_to(self.judged.T[:, None, :], values.shape)
        at = np.nonzero(keep)
        names: dict[str, tuple[str, ...]] = {
            "system": self.systems,
            "query": self.queries,
            "measure": self.measures,
            "subject": self.subjects or ("",),
        }
        columns: dict[str, Any] = {
            axis: pd.Categorical.from_codes(codes, pd.Index(label)).astype(str)
            for (axis, label), codes in zip(names.items(), at, strict=True)
        }
        if self.subjects is None:
            del columns["subject"]
        columns["value"] = values[keep]
        for name, ends in (("lower", self.lower), ("upper", self.upper)):
            if ends is not None:
                columns[name] = ends.transpose(0, 3, 1, 2)[keep]
        if self.uncertainty is not None and self.subjects is None:
            system, query, measure, _ = at
            columns["std"] = self.uncertainty.std[system, measure, query]
            columns["exact"] = self.uncertainty.exact[system, measure, query]
            columns["mc_error"] = self.uncertainty.mc_error[system, measure, query]
        elif self.uncertainty is not None and self.uncertainty.subject_error is not None:
            error = self.uncertainty.subject_error.transpose(0, 3, 1, 2)[keep]
            columns["exact"], columns["mc_error"] = error == 0, error
        return pd.DataFrame(columns)

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
        import pandas as pd

        if by is not None:
            choice("by", by, ("subject", "group"))
        if by == "subject":
            if self.subjects is None:
                raise OptionError("by='subject': these scores have no subjects")
            if self.design == "nested":
                raise OptionError(
                    "by='subject': the subjects are nested in queries, a name being another person "
                    "in another query; average them within queries: mean()"
                )
            table = self._over_queries(self.values, groups)  # (systems, measures, subjects)
            return by_two(table, self.systems, ("subject", self.subjects), self.measures)
        per_query = known_mean(self.values, axis=2)  # (systems, measures, queries)
        if by == "group":
            if groups is None:
                raise OptionError("by='group': give groups={query: group, ...}")
            members, labels = self._groups(groups)
            return by_two(
                group_means(per_query, members), self.systems, ("group", labels), self.measures
            )
        return pd.DataFrame(
            self._over_queries(per_query, groups),
            index=pd.Index(self.systems, name="system"),
            columns=pd.Index(self.measures, name="measure"),
        )

    def _over_queries(self, values: Values, groups: Mapping[str, str] | None) -> Values:
        """Mean over the last axis, or over groups of it."""
        if groups is None:
            return known_mean(values, axis=-1)
        members, _ = self._groups(groups)
        return known_mean(group_means(values, members), axis=-1)

    def _groups(self, groups: Mapping[str, str]) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
        """Which queries (columns) belong to which group (rows), and the groups' names."""
        require("groups", groups, isinstance(groups, Mapping), "must be {query: group}")
        groups = {str(query): group for query, group in groups.items()}
        lost = [q for q in self.queries if q not in groups]
        if lost:
            raise OptionError(
                f"groups: {len(lost):,} queries have no group, the first is {lost[0]!r}"
            )
        of_query = [str(groups[q]) for q in self.queries]
        labels = tuple(dict.fromkeys(of_query))
        return np.array(of_query)[None, :] == np.array(labels)[:, None], labels

    def distribution(self, system: str, query: str, measure: str) -> Distribution:
        """Distribution of one score over worlds; a single atom where the truth is crisp.

        Exact where the measure knows how under independent items; else of the worlds drawn, which
        are drawn again from the seed. Over subjects, each who judged the query counts alike. Under
        ``worlds="population"`` it is the distribution of the resamples: its variance is not
        multiplied by S / (S - 1), as `std` in `to_frame` is, and for few subjects its quantiles
        are no interval for the score (they are too near each other).

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
        from fuzzytruth.worlds_of_scores import of_query

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
            There is no such system or measure; or subjects are nested in queries, so that no one
            person's mean exists.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q", "r"], ["a", "a"], [1, 0])
        >>> scores = ft.evaluate(truth, {"sys": {"q": {"a": 1}, "r": {"a": 1}}}, ["P@1"], rng=0)
        >>> scores.mean_distribution("sys", "P@1").support()
        (0.5, 0.5)
        """
        from fuzzytruth.worlds_of_scores import of_mean

        return of_mean(self, (*self._index(system, measure), None))

    def difference(
        self, system: str, other: str, measure: str, *, query: str | None = None
    ) -> Distribution:
        """Distribution of the score of `system` minus that of `other`, in the same worlds.

        Items that both systems list have one truth in a world, so that this is not the difference
        of the two distributions. The share of worlds in which `system` has the larger score is
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
        from fuzzytruth.worlds_of_scores import of_difference

        place = None if query is None else self._query(query)
        first = (*self._index(system, measure), place)
        return of_difference(self, first, (*self._index(other, measure), place))

    def _query(self, query: str) -> int:
        return _place(self.queries, str(query), "query")

    def _index(self, system: str, measure: str) -> tuple[int, int]:
        """Places of a system, and of a measure in any spelling."""
        from fuzzytruth.measures import parse_measure

        name = measure if measure in self.measures else str(parse_measure(measure))
        return (_place(self.systems, system, "system"), _place(self.measures, name, "measure"))

    def save(self, path: str | Path) -> None:
        """Write all numbers to a Parquet file; `Scores.load` reads it.

        Other programs see one row a number: system, query, measure, subject, judged, value. The
        truth and the runs are not written, so that loaded scores have distributions of means and
        of their differences, but of single queries only after ``evaluate(..., keep="worlds")``,
        and then those of the worlds drawn, where the scores that were saved may know exact ones.

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
        from fuzzytruth.io.scores_file import write_scores

        write_scores(self, as_path("path", path))

    @classmethod
    def load(cls, path: str | Path) -> Scores:
        """Read what `save` wrote; see there for what it keeps, and an example.

        Parameters
        ----------
        path : path

        Returns
        -------
        Scores

        Raises
        ------
        DataError
            The file cannot be read or holds something else.
        """
        from fuzzytruth.io.scores_file import read_scores

        return read_scores(as_path("path", path))


def _place(names: tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        listed = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
        raise OptionError(f"{what} {name!r} is not among these scores; there are {listed}")
    return names.index(name)


def _count(names: tuple[str, ...], one: str, many: str | None = None) -> str:
    return f"{len(names):,} {one if len(names) == 1 else many or one + 's'}"
