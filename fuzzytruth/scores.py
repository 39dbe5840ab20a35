"""Scores: one number for each system, query, measure and subject, and the means over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.errors import OptionError, choice
from fuzzytruth.judgments import Design

if TYPE_CHECKING:
    import pandas as pd

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

    def __repr__(self) -> str:
        sizes = [
            _count(self.systems, "system"),
            _count(self.queries, "query", "queries"),
            _count(self.measures, "measure"),
        ]
        if self.subjects is not None:
            sizes.append(_count(self.subjects, "subject"))
        return f"Scores({', '.join(sizes)})"

    def to_frame(self) -> pd.DataFrame:
        """One row a number: system, query, measure, [subject,] value.

        Rows are ordered by system, query, measure and subject, each in the order in which it
        came. A query that a subject did not judge has no row for that subject.
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
        return pd.DataFrame({**columns, "value": values[keep]})

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
            return _table(table, self.systems, ("subject", self.subjects), self.measures)
        per_query = _mean(self.values, axis=2)  # (systems, measures, queries)
        if by == "group":
            if groups is None:
                raise OptionError("by='group': give groups={query: group, ...}")
            members, labels = self._groups(groups)
            return _table(
                _group_means(per_query, members), self.systems, ("group", labels), self.measures
            )
        return pd.DataFrame(
            self._over_queries(per_query, groups),
            index=pd.Index(self.systems, name="system"),
            columns=pd.Index(self.measures, name="measure"),
        )

    def _over_queries(self, values: Values, groups: Mapping[str, str] | None) -> Values:
        """Mean over the last axis, or over groups of it."""
        if groups is None:
            return _mean(values, axis=-1)
        members, _ = self._groups(groups)
        return _mean(_group_means(values, members), axis=-1)

    def _groups(self, groups: Mapping[str, str]) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
        """Which queries (columns) belong to which group (rows), and the groups' names."""
        groups = {str(query): group for query, group in groups.items()}
        lost = [q for q in self.queries if q not in groups]
        if lost:
            raise OptionError(
                f"groups: {len(lost):,} queries have no group, the first is {lost[0]!r}"
            )
        of_query = [str(groups[q]) for q in self.queries]
        labels = tuple(dict.fromkeys(of_query))
        return np.array(of_query)[None, :] == np.array(labels)[:, None], labels

    def save(self, path: str | Path) -> None:
        """Write to a Parquet file, without loss; `Scores.load` reads it.

        Other programs see one row a number: system, query, measure, subject, judged, value.
        """
        from fuzzytruth.io.scores_file import write_scores

        write_scores(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Scores:
        """Read what `save` wrote.

        Raises
        ------
        DataError
            The file cannot be read or holds something else.
        """
        from fuzzytruth.io.scores_file import read_scores

        return read_scores(Path(path))


def _count(names: tuple[str, ...], one: str, many: str | None = None) -> str:
    return f"{len(names):,} {one if len(names) == 1 else many or one + 's'}"


def _mean(values: Values, axis: int) -> Values:
    """Mean over the values there are; NaN where there are none."""
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    out: Values = np.full(total.shape, np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out


def _group_means(values: Values, members: NDArray[np.bool_]) -> Values:
    """Mean over the queries of each group: (..., queries) → (..., groups)."""
    there = ~np.isnan(values)
    weight = members.T.astype(np.float64)
    total, count = np.where(there, values, 0.0) @ weight, there @ weight
    out: Values = np.full(total.shape, np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out


def _table(
    values: Values,
    systems: tuple[str, ...],
    second: tuple[str, tuple[str, ...]],
    measures: tuple[str, ...],
) -> pd.DataFrame:
    """(systems, measures, second) as rows (system, second) and columns measures."""
    import pandas as pd

    name, labels = second
    index = pd.MultiIndex.from_product([systems, labels], names=["system", name])
    rows = values.transpose(0, 2, 1).reshape(len(index), len(measures))
    return pd.DataFrame(rows, index=index, columns=pd.Index(measures, name="measure"))
