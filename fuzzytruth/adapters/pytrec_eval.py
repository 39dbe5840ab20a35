"""pytrec_eval's interface: `RelevanceEvaluator`, `parse_run`, `parse_qrel`, without its C code.

A program that uses pytrec_eval runs with one line changed::

    from fuzzytruth.adapters import pytrec_eval

Values are equal to pytrec_eval's, and grades need not be whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.validation import option_number
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import DataError, MeasureError, nearest, require, shown
from fuzzytruth.evaluation.subject_scores import subject_values
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.trec import QRELS, RUN, LineError, LineFormat, parse_lines
from fuzzytruth.measures import Measure, other_tools, parse_measure
from fuzzytruth.truth import align

_DECIMALS = ("iprec_at_recall", "Rprec_mult")  # whose parameters are printed as 0.10
#: with one parameter of several numbers, which their columns do not name
_UNNAMED = ("11pt_avg", "set_F", "utility", "G", "Rndcg", "ndcg", "ndcg_rel")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of results.

    Parameters
    ----------
    name : str
        As trec_eval prints it.
    measures : tuple of Measure
    value : callable
        Their values, (queries,) each → (queries,).
    """

    name: str
    measures: tuple[Measure, ...]
    value: Callable[..., Floats]

    def judged_only(self) -> Column:
        """The same of lists without items that are not judged."""
        measures = (replace(measure, judged_only=True) for measure in self.measures)
        return replace(self, measures=tuple(measures))


def _same(values: Floats) -> Floats:
    return values


def _logarithm(values: Floats) -> Floats:
    """Of which trec_eval's geometric means are the mean; values below 1e-5 count as 1e-5."""
    return np.asarray(np.log(np.maximum(values, 1e-5)))


def _if_relevant(value: Floats, relevant: Floats) -> Floats:
    """0 without an item of the relevance level, which the value itself does not know."""
    return value * (relevant > 0)


#: columns that are computed from other measures
_DERIVED: dict[str, tuple[tuple[str, ...], Callable[..., Floats]]] = {
    "gm_bpref": (("bpref",), _logarithm),
    "gm_map": (("map",), _logarithm),
    "num_q": (("num_ret",), np.ones_like),
    "Rndcg": (("Rndcg", "num_rel"), _if_relevant),
}
#: trec_eval's names of sets of measures, all of which have an equal here
supported_nicknames: Mapping[str, frozenset[str]] = {
    name: frozenset(members) for name, members in other_tools.NICKNAMES.items()
}
#: names of trec_eval's measures that have an equal here
supported_measures: frozenset[str] = supported_nicknames["all_trec"]
_WITH_PARAMETERS = re.compile(r"(.+?)[._](-?[\d.]+(?:=-?[\d.]+)?(?:,-?[\d.]+(?:=-?[\d.]+)?)*)")


def columns(names: Iterable[str], level: float, *, judged_only: bool = False) -> tuple[Column, ...]:
    """The columns of measures with trec_eval's names; items are relevant from grade `level` on.

    Raises
    ------
    MeasureError
        A name has no equal here, or takes no (or no such) parameters.

    Examples
    --------
    >>> [column.name for column in columns(["map", "ndcg_cut.10,5", "success"], 1)]
    ['map', 'ndcg_cut_5', 'ndcg_cut_10', 'success_1', 'success_5', 'success_10']
    """
    given: dict[str, list[str]] = {}
    for text in names:
        for name in other_tools.NICKNAMES.get(text, (text,)):
            base, parameters = _split(name)
            given.setdefault(base, []).extend(parameters)
    out: dict[str, Column] = {}
    for name, values in given.items():
        out |= {column.name: column for column in _columns_of(name, values, level)}
    return tuple(c.judged_only() if judged_only else c for c in out.values())


def _split(text: str) -> tuple[str, list[str]]:
    """A name and its parameters, ``ndcg_cut.5,10`` or ``ndcg_cut_5,10``."""
    if text in supported_measures:
        return text, []
    match = _WITH_PARAMETERS.fullmatch(text) if isinstance(text, str) else None
    name = text if match is None else match[1]
    if name not in supported_measures:
        known = sorted(supported_measures)
        raise MeasureError(
            f"measures: {shown(text)} has no equal here{nearest(str(name), known)}; those that "
            f"have one are {', '.join(known)}"
        )
    if match is None or name not in (*other_tools.FAMILIES, *_UNNAMED):
        raise MeasureError(f"measures: {shown(text)}: {name} takes no parameters")
    return name, match[2].split(",")


def _columns_of(name: str, given: list[str], level: float) -> list[Column]:
    """The columns of one name, with its parameters in ascending order."""
    if name in other_tools.FAMILIES:
        parameters = sorted(set(given), key=float) or other_tools.FAMILIES[name]
        return [
            Column(f"{name}_{_printed(name, p)}", (_measure(f"{name}_{p}", level),), _same)
            for p in parameters
        ]
    if name == "set_F" and len(given) > 1:
        raise MeasureError(f"measures: set_F takes one parameter, not {', '.join(given)}")
    parts, value = _DERIVED.get(name, ((name,), _same))
    suffix = f"_{','.join(given)}" if given else ""
    measures = tuple(_measure(part + (suffix if part == name else ""), level) for part in parts)
    return [Column(name, measures, value)]


def _printed(name: str, parameter: str) -> str:
    """A parameter as trec_eval prints it."""
    return f"{float(parameter):.2f}" if name in _DECIMALS else parameter


def _measure(text: str, level: float) -> Measure:
    """Our measure; the level is its threshold where it has one."""
    measure = parse_measure(text)
    if not hasattr(measure, "rel"):
        return measure
    relevant_from: Any = {"rel": level}
    return replace(measure, **relevant_from)


__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]


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


# Values of one system by one crisp truth, from and to the dictionaries of other libraries.

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
