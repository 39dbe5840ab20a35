"""Similarity of two votes: equal, alike in a taxonomy, or as a function says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.model_judges.matched_votes import MatchedVotes
from fuzzytruth.core.vote_alignment import Similarity
from fuzzytruth.errors import DataError, OptionError, shown

Metric = Literal["accuracy", "rmse", "taxonomy"] | Callable[[Any, Any], float]

_NAMES = ("accuracy", "rmse", "taxonomy")


def check_metric(metric: object) -> str:
    """The name of a metric.

    Raises
    ------
    OptionError
        It is neither a name nor a function.
    """
    if callable(metric):
        return str(getattr(metric, "__name__", "function"))
    if isinstance(metric, str) and metric in _NAMES:
        return metric
    listed = ", ".join(map(repr, _NAMES))
    raise OptionError(
        f"metric={shown(metric)}: must be one of {listed}, or a function of two votes"
    )


def value_similarity(votes: MatchedVotes, metric: Metric) -> Similarity | Literal["rmse"] | None:
    """The similarity of values by their codes; None for equality.

    Raises
    ------
    DataError
        The votes have no grades or no taxonomy, as the metric needs.
    """
    if metric == "accuracy":
        return None
    if metric == "rmse":
        if votes.grades is None:
            raise DataError(
                "metric='rmse': these votes are categories, which have no differences; take "
                "'accuracy' or 'taxonomy'"
            )
        return "rmse"
    if metric == "taxonomy":
        return _of_taxonomy(votes)
    assert callable(metric)
    values = votes.names if votes.grades is None else votes.grades.tolist()
    return _of_function(metric, values)


def _of_taxonomy(votes: MatchedVotes) -> Similarity:
    """Path similarity of single categories."""
    if votes.grades is not None or votes.taxonomy is None:
        raise DataError(
            "metric='taxonomy': these votes are grades, of which there is no taxonomy; take "
            "'accuracy' or 'rmse'"
        )
    number = {name: code for code, name in enumerate(votes.taxonomy.nodes)}
    unknown = [name for name in votes.names if name not in number]
    if unknown:
        raise DataError(
            f"metric='taxonomy': {shown(unknown[0])} is no single category of the people's "
            "taxonomy; take 'accuracy', or a function of two votes"
        )
    node = np.array([number[name] for name in votes.names])
    table = votes.taxonomy.similarities()[np.ix_(node, node)]
    return lambda a, b: np.asarray(table[a, b])


def _of_function(function: Callable[[Any, Any], float], values: Any) -> Similarity:
    """A function of two votes, asked once for each pair of values that occurs."""

    def similarity(a: Ints, b: Ints) -> Floats:
        pairs, which = np.unique(a * len(values) + b, return_inverse=True)
        out = np.empty(len(pairs))
        for place, pair in enumerate(pairs.tolist()):
            first, second = values[pair // len(values)], values[pair % len(values)]
            try:
                out[place] = function(first, second)
            except (TypeError, ValueError) as error:
                raise DataError(
                    f"metric({shown(first)}, {shown(second)}): gives no number ({error})"
                ) from error
            if not np.isfinite(out[place]):
                raise DataError(
                    f"metric({shown(first)}, {shown(second)}) = {out[place]:g}: must be finite"
                )
        return np.asarray(out[which.reshape(-1)])

    return similarity
