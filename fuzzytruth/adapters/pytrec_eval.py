"""pytrec_eval's interface: `RelevanceEvaluator`, `parse_run`, `parse_qrel`, without its C code.

A program that uses pytrec_eval runs with one line changed::

    from fuzzytruth.adapters import pytrec_eval

Values are equal to pytrec_eval's, and grades need not be whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.adapters.crisp_values import CrispTruth, Nested, by_text, nested
from fuzzytruth.adapters.trec_names import NAMES, NICKNAMES, columns
from fuzzytruth.core.validation import option_number
from fuzzytruth.errors import DataError, require
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.trec import QRELS, RUN, LineError, LineFormat, parse_lines

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

#: names of trec_eval's measures that have an equal here
supported_measures: frozenset[str] = NAMES
#: trec_eval's names of sets of measures, all of which have an equal here
supported_nicknames: Mapping[str, frozenset[str]] = NICKNAMES


class RelevanceEvaluator:
    """Evaluate runs against crisp judgments, with pytrec_eval's arguments and results.

    Parameters
    ----------
    query_relevance : mapping
        ``{query: {item: grade}}``; grades may be fractions. Queries without items are left out.
    measures : iterable of str
        trec_eval's names, such as "map", "ndcg_cut_10", "P.5,10", "recall" (which expands to
        trec_eval's cut-offs) or "official"; `supported_measures` lists them.
    relevance_level : number
        Grade from which an item is relevant, 0 or more.
    judged_docs_only_flag : bool
        Whether items without a grade of 0 or more are removed from the lists.

    Raises
    ------
    MeasureError
        A measure has no equal here, or other parameters.
    DataError
        There are no judgments, or a grade is not a finite number.
    OptionError
        A level is below 0 or not a number.

    References
    ----------
    Van Gysel & de Rijke 2018, Pytrec_eval: an extremely fast Python interface to trec_eval.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"a": 1, "b": 0, "c": 2}}, {"map", "ndcg_cut.2"})
    >>> result = evaluator.evaluate({"q1": {"b": 3.0, "a": 2.0, "c": 1.0}})
    >>> round(result["q1"]["map"], 4), round(result["q1"]["ndcg_cut_2"], 4)
    (0.5833, 0.2398)
    """

    def __init__(
        self,
        query_relevance: Nested,
        measures: Iterable[str],
        relevance_level: float = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        level = option_number("relevance_level", relevance_level)
        require("relevance_level", relevance_level, level >= 0, "must be 0 or more")
        names = [measures] if isinstance(measures, str) else measures
        self._columns = columns(names, level, judged_only=bool(judged_docs_only_flag))
        self._truth = CrispTruth(by_text(query_relevance))

    def evaluate(self, scores: Nested) -> dict[str, dict[str, float]]:
        """Values of one run, by query and measure.

        As in pytrec_eval, queries that the run or the judgments lack are left out, items with equal
        scores are in descending order of their ids, and recall-like measures are 0 on a query
        without relevant items.

        Parameters
        ----------
        scores : mapping
            ``{query: {item: score}}``, larger scores first.

        Returns
        -------
        dict
            ``{query: {measure: value}}``, with trec_eval's names; gm_map and gm_bpref are
            logarithms, as `compute_aggregated_measure` expects them.

        Raises
        ------
        DataError
            A score is not a finite number.
        """
        run = {str(query): items for query, items in scores.items()}
        wanted = tuple(dict.fromkeys(m for column in self._columns for m in column.measures))
        queries, values = self._truth.values(run, wanted)
        of = dict(zip(wanted, values, strict=True))
        names = [column.name for column in self._columns]
        table = [c.value(*(of[measure] for measure in c.measures)) for c in self._columns]
        rows = np.array(table).reshape(len(names), len(queries)).T.tolist()
        return {q: dict(zip(names, row, strict=True)) for q, row in zip(queries, rows, strict=True)}


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Scores from the lines of a TREC run: query, Q0, item, rank, score, tag.

    Returns
    -------
    dict
        ``{query: {item: score}}``.

    Raises
    ------
    DataError
        A line has other fields, a score is not a number, or an item occurs twice for a query.

    Examples
    --------
    >>> parse_run(["q1 Q0 d2 1 2.5 bm25", "q1 Q0 d1 2 1.5 bm25"])
    {'q1': {'d2': 2.5, 'd1': 1.5}}
    """
    lines = _parsed(f_run, "run", RUN, ("query", "item", "score"))
    return nested(_rows(lines, lines["score"]), "run")


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, float]]:
    """Grades from the lines of TREC judgments: query, group, item, grade.

    Returns
    -------
    dict
        ``{query: {item: grade}}``; int where all grades are whole numbers.

    Raises
    ------
    DataError
        A line has other fields, a grade is not a number, or an item occurs twice for a query.

    Examples
    --------
    >>> parse_qrel(["q1 0 d1 1", "q1 0 d2 0"])
    {'q1': {'d1': 1, 'd2': 0}}
    """
    lines = _parsed(f_qrel, "judgments", QRELS, ("query", "item", "grade"))
    grade = lines["grade"]
    whole = grade.astype(np.int64) if (grade == np.floor(grade)).all() else grade
    return nested(_rows(lines, whole), "judgments")


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """One number from the values of all queries, as trec_eval has it.

    The sum of counts (``num_...``), the geometric mean (``gm_...``, from logarithms), else the
    mean.

    Raises
    ------
    DataError
        There are no values.

    Examples
    --------
    >>> compute_aggregated_measure("map", [0.5, 1.0])
    0.75
    >>> compute_aggregated_measure("num_ret", [10, 5])
    15.0
    """
    numbers = np.array(list(values), dtype=np.float64)
    if not len(numbers):
        raise DataError(f"values: there are none of {measure}; give one for each query")
    if measure.startswith("num_"):
        return float(numbers.sum())
    return float(np.exp(numbers.mean()) if measure.startswith("gm_") else numbers.mean())


def _parsed(
    lines: Iterable[str], where: str, line_format: LineFormat, names: tuple[str, ...]
) -> Columns:
    """Columns of the lines of a file.

    Raises
    ------
    DataError
        A line breaks the format.
    """
    text = "\n".join(line.rstrip("\r\n") for line in lines)
    try:
        return parse_lines(text.encode(), line_format, names)
    except LineError as error:
        raise DataError(f"{where}, line {error.line}{error}") from None


def _rows(lines: Columns, numbers: Array) -> Iterable[tuple[str, str, float]]:
    """Query, item and number of each line."""
    return zip(lines["query"].to_pylist(), lines["item"].to_pylist(), numbers.tolist(), strict=True)
