"""Truth and runs in, scores out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.alignment import Ties, place
from fuzzytruth.batch import Batch
from fuzzytruth.errors import MeasureError, UndefinedMeasureWarning, choice
from fuzzytruth.judgments import Judgments
from fuzzytruth.measures import Measure, parse_measures
from fuzzytruth.preparation import Worlds, prepare, some
from fuzzytruth.runs import Runs
from fuzzytruth.scores import Scores
from fuzzytruth.views import Truths, Unseen

Undefined = Literal["zero", "exclude"]
Values = NDArray[np.float64]


def evaluate(
    truth: Judgments | Any,
    runs: Runs | Any,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    worlds: Worlds | None = None,
    ties: Ties = "trec",
    undefined: Undefined = "zero",
    unseen: Unseen = "error",
    progress: Callable[[str], Any] | None = None,
) -> Scores:
    """Score each system on each query, by each measure.

    Parameters
    ----------
    truth : Judgments
        Or what makes them: a frame, a dict ``{query: {item: grade}}``, a path.
    runs : Runs
        Or what makes them: a frame, a dict, a path or several.
    measures : measure or sequence of measures
        In any spelling: ``"AP"``, ``"ndcg_cut_10"``, ``nDCG(dcg="jarvelin") @ 10``.
    worlds : {"crisp", "subject"}, optional
        What counts as the truth: the one there is, or each subject's in turn. By default
        "subject" where there are subjects.
    ties : {"trec", "order", "expected"}
        Order of items with equal scores: by score as a 32-bit float and then by id, descending
        (trec_eval); as given; or the mean over all orders.
    undefined : {"zero", "exclude"}
        Value of recall-like measures on a query without relevant items: 0 (trec_eval), or NaN and
        left out of means.
    unseen : {"error", "nonrelevant", "exclude"}
        What to do when a subject judged only part of a query's pool: stop, take the rest as not
        relevant, or take the rest out of that subject's view of the lists. A subject who judged
        nothing for a query has no value there.
    progress : callable, optional
        Called with each system's name when it is done.

    Returns
    -------
    Scores

    Raises
    ------
    DataError
        A system and the truth have no query in common, or subjects have holes (see `unseen`).
    MeasureError
        A measure is unknown, does not support ``ties="expected"``, or regards every item as not
        relevant although some grades are positive.

    Warns
    -----
    MissingQueryWarning
        A system lacks judged queries; they count as empty lists.
    UnjudgedQueryWarning
        A system answers queries that nobody judged; they are left out.
    UndefinedMeasureWarning
        Queries have no relevant item.

    References
    ----------
    Conventions are trec_eval's (Buckley & Voorhees); expected ties: McSherry & Najork 2008.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_dict({"q1": {"a": 1, "b": 0, "c": 1}})
    >>> runs = ft.Runs.from_dict({"sys": {"q1": {"a": 3, "b": 2, "c": 1}}})
    >>> ft.evaluate(truth, runs, ["AP", "P@2"]).mean().loc["sys", "P@2"].item()
    0.5
    """
    choice("undefined", undefined, get_args(Undefined))
    wanted = parse_measures(measures)
    truths, runs, judgments = prepare(truth, runs, wanted, worlds=worlds, ties=ties, unseen=unseen)
    shape = truths.shape
    values = np.empty((len(runs), len(wanted), *shape))
    for s, (system, ranking) in enumerate(runs.items()):
        placement = place(truths.pool, ranking, ties=ties)
        batch = truths.batches(placement, unseen=unseen)
        for m, measure in enumerate(wanted):
            values[s, m] = _checked(measure, measure.score(batch), batch).reshape(shape)
        if progress is not None:
            progress(system)
    _apply_undefined(values, truths, wanted, undefined)
    values[:, :, ~truths.judged] = np.nan
    return Scores(
        systems=runs.systems,
        queries=truths.pool.queries,
        measures=tuple(map(str, wanted)),
        values=values,
        judged=truths.judged,
        subjects=truths.pool.subjects,
        design=judgments.design,
        higher_is_better=tuple(m.higher_is_better for m in wanted),
    )


def _checked(measure: Measure, values: Any, batch: Batch) -> Values:
    """A kernel's values, (worlds, queries); a registered kernel may have got it wrong.

    One number for each query, the same in all worlds, is right too.
    """
    out = np.asarray(values, dtype=np.float64)
    shape = (batch.n_worlds, batch.n_queries)
    if out.shape not in (shape, (1, shape[1]), (shape[1],)):
        raise MeasureError(
            f"{measure}: its kernel gave an array of shape {out.shape}; it must give one number "
            f"for each world and query, {shape}"
        )
    if np.isnan(out).any():
        raise MeasureError(f"{measure}: its kernel gave NaN for some queries; it must not")
    return np.broadcast_to(out, shape)


def _apply_undefined(
    values: Values, truths: Truths, measures: tuple[Measure, ...], undefined: str
) -> None:
    """Count queries without relevant items, and take them out if asked to."""
    notes: dict[str, list[str]] = {}
    for m, measure in enumerate(measures):
        if not measure.needs_relevant:
            continue
        empty = (truths.n_relevant(measure.threshold) == 0) & truths.judged
        if not empty.any():
            continue
        if undefined == "exclude":
            values[:, m, empty] = np.nan
        at = np.flatnonzero(empty.any(axis=0))
        names = some(truths.pool.queries[j] for j in at)
        notes.setdefault(f"{_cells(empty)} ({names})", []).append(str(measure))
    if notes:
        consequence = "count as nothing found" if undefined == "zero" else "are left out"
        text = "; ".join(f"{', '.join(m)}: {where}" for where, m in notes.items())
        message = f"no relevant item, so that these are undefined and {consequence}: {text}"
        warnings.warn(message, UndefinedMeasureWarning, stacklevel=3)


def _cells(empty: NDArray[np.bool_]) -> str:
    if len(empty) == 1:
        return f"{int(empty.sum()):,} of {empty.shape[1]:,} queries"
    return f"{int(empty.sum()):,} of {empty.size:,} subject–query pairs"
