"""Scores from tables and files: the part of `Scores` that reads and saves them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from fuzzytruth.data.judgment_columns import Design
from fuzzytruth.evaluation.scores_over_worlds import ScoresOverWorlds
from fuzzytruth.io.paths import as_path


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoresOfTables(ScoresOverWorlds):
    """Scores computed elsewhere, and those that were saved."""

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
        from fuzzytruth.evaluation.scores_from_frame import scores_from_frame

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
        from fuzzytruth.evaluation.scores_file_rows import read_scores

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
        from fuzzytruth.evaluation.scores_file_rows import write_scores

        write_scores(self, as_path("path", path))
