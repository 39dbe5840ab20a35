"""A provider of ir_measures: its functions and names, our numbers.

Needs ir_measures: ``pip install 'fuzzytruth[ir-measures]'``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any

from fuzzytruth.adapters.pytrec_eval import CrispTruth, by_text, nested
from fuzzytruth.errors import MissingPackageError
from fuzzytruth.measures import parse_measure
from fuzzytruth.measures.other_tools import REQUIRED, SHARED
from fuzzytruth.measures.registry import lookup

try:
    import ir_measures
    from ir_measures import providers
    from ir_measures.providers.base import Any as Anything
    from ir_measures.providers.base import Choices
    from ir_measures.util import QrelsConverter, RunConverter
except ImportError as error:
    raise MissingPackageError(
        "the provider for ir_measures needs that package; install it with: "
        "pip install 'fuzzytruth[ir-measures]'"
    ) from error

__all__ = ["FuzzytruthProvider", "install", "provider"]


def _supported(name: str) -> Any:
    """A measure of ir_measures with the values that each parameter may have."""
    theirs = ir_measures.measures.registry[name]
    needed = REQUIRED.get(name, ("",))[0]
    return type(theirs)(
        **{
            key: Anything(required=key == needed) if key in SHARED[name] else Choices(info.default)
            for key, info in theirs.SUPPORTED_PARAMS.items()
        }
    )


def _needs_intents(name: str) -> bool:
    """Whether a measure needs judgments by intent, which crisp judgments are not."""
    known = lookup(name)
    return known is not None and known[0].needs_intents


class FuzzytruthProvider(providers.Provider):
    """Provider of ir_measures that computes with this library.

    Judgments are crisp: where `iteration` tells several judgments of an item apart, use
    `fuzzytruth.evaluate`, where it names subjects or intents of the query. Items with equal scores
    are in descending order of their ids, as in trec_eval. Values are those of ir_measures' own
    providers: of pytrec_eval, of gdeval for ERR and nDCG(dcg='exp-log2'), here also without a
    cut-off, of cwl_eval and of compat; RR@k, Judged@k and Compat, which ir_measures takes from
    tools with other rules, may differ under ties.

    Examples
    --------
    >>> import ir_measures
    >>> from ir_measures import AP, nDCG
    >>> qrels, run = {"q1": {"a": 1, "b": 0}}, {"q1": {"b": 2.0, "a": 1.0}}
    >>> values = provider.calc_aggregate([AP, nDCG @ 10], qrels, run)
    >>> {str(measure): round(value, 4) for measure, value in values.items()}
    {'AP': 0.5, 'nDCG@10': 0.6309}
    >>> list(provider.iter_calc([AP], qrels, run))
    [Metric(query_id='q1', measure=AP, value=0.5)]
    """

    NAME = "fuzzytruth"
    SUPPORTED_MEASURES = [_supported(name) for name in SHARED if not _needs_intents(name)]  # noqa: RUF012

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> FuzzytruthEvaluator:
        return FuzzytruthEvaluator(measures, qrels)


class FuzzytruthEvaluator(providers.Evaluator):
    """Evaluator of several runs by the same measures and judgments; ids are text.

    Parameters
    ----------
    measures : iterable of ir_measures' measures
    qrels
        Judgments in any form that ir_measures takes.

    Raises
    ------
    DataError
        There are no judgments, an item is judged twice for a query, or a grade is not finite.
    MeasureError
        A measure has no equal here.
    """

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        wanted = tuple(measures)
        self._ours = {measure: parse_measure(measure) for measure in wanted}
        fields = ("query_id", "doc_id", "relevance")
        grades = _nested(QrelsConverter(qrels), qrels, fields, "qrels")
        super().__init__(wanted, set(grades))
        self._truth = CrispTruth(by_text(grades))

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        scores = _nested(RunConverter(run), run, ("query_id", "doc_id", "score"), "run")
        distinct = tuple(dict.fromkeys(self._ours.values()))
        queries, values = self._truth.values(scores, distinct)
        of = dict(zip(distinct, values.tolist(), strict=True))
        for theirs, ours in self._ours.items():
            for query, value in zip(queries, of[ours], strict=True):
                yield ir_measures.Metric(query_id=query, measure=theirs, value=value)


def install() -> None:
    """Compute with this library first in ``ir_measures.calc_aggregate`` and its like.

    What it does not support goes to the other providers, as before.

    Examples
    --------
    >>> import ir_measures
    >>> before = list(ir_measures.DefaultPipeline.providers)
    >>> install()
    >>> ir_measures.calc_aggregate([ir_measures.RR], {"q": {"a": 1}}, {"q": {"a": 1.0}})
    {RR: 1.0}
    >>> ir_measures.DefaultPipeline.providers[:] = before
    """
    pipeline = ir_measures.DefaultPipeline.providers
    if provider not in pipeline:
        pipeline.insert(0, provider)


def _nested(converter: Any, given: Any, fields: tuple[str, str, str], where: str) -> Any:
    """Judgments or a run as ``{query: {item: number}}``.

    Raises
    ------
    DataError
        An item occurs twice for a query.
    """
    if isinstance(given, dict):
        return {str(query): items for query, items in given.items()}
    return nested(map(attrgetter(*fields), converter.as_namedtuple_iter()), where)


provider = FuzzytruthProvider()
