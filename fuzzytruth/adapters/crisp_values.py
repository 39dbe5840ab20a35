"""Values of one system by one crisp truth, from and to the dictionaries of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import DataError, shown
from fuzzytruth.evaluation.subject_scores import subject_values
from fuzzytruth.measures import Measure
from fuzzytruth.truth import align

#: {query: {item: grade or score}}
Nested = Mapping[str, Mapping[str, float]]


def by_text(nested: Mapping[Any, Mapping[Any, Any]]) -> dict[str, Mapping[Any, Any]]:
    """The queries that have any items, under their ids as text."""
    return {str(query): items for query, items in nested.items() if len(items)}


def nested(rows: Iterable[tuple[Any, Any, Any]], where: str) -> dict[str, dict[str, Any]]:
    """Rows of query, item and number as ``{query: {item: number}}``.

    Raises
    ------
    DataError
        An item occurs twice for a query.
    """
    out: dict[str, dict[str, Any]] = {}
    for query, item, number in rows:
        known = out.setdefault(str(query), {})
        if str(item) in known:
            raise DataError(
                f"{where}: item {shown(str(item))} occurs twice for query {shown(str(query))}; one "
                "truth and one run have it once, so remove one"
            )
        known[str(item)] = number
    return out


class CrispTruth:
    """Grades by query and item, against which runs are scored.

    Queries that only the grades or only a run has get no value, without a warning: that is how
    the libraries do it whose interfaces these adapters offer.

    Parameters
    ----------
    grades : dict of str to mapping
        ``{query: {item: grade}}``.

    Raises
    ------
    DataError
        There are no grades, or one is not a finite number.
    """

    def __init__(self, grades: Mapping[str, Mapping[Any, Any]]) -> None:
        self.grades = grades
        self._judgments = Judgments.from_dict(grades)

    def values(
        self, run: Mapping[str, Mapping[Any, Any]], measures: tuple[Measure, ...]
    ) -> tuple[tuple[str, ...], Floats]:
        """The judged queries of a run, and its values: (measures, queries)."""
        shared = {query: items for query, items in run.items() if query in self.grades}
        if not shared or not measures:
            return tuple(shared), np.empty((len(measures), len(shared)))
        truth = self._judgments
        if len(shared) < len(self.grades):
            truth = Judgments.from_dict({query: self.grades[query] for query in shared})
        if not any(map(len, shared.values())):  # runs need a row: here of a query nobody judged
            shared = {**shared, f"{max(self.grades)}~": {"none": 0.0}}
        aligned = align(truth, Runs.from_dict({"run": shared}), ties="trec")
        return aligned.facts.queries, subject_values(aligned, measures, "error").values[0]
