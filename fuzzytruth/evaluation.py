"""Truth and runs in, scores out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.alignment import Ties, place
from fuzzytruth.batch import Batch
from fuzzytruth.errors import MeasureError, choice
from fuzzytruth.judgments import Judgments
from fuzzytruth.measures import Measure, parse_measures
from fuzzytruth.preparation import Worlds, prepare
from fuzzytruth.runs import Runs
from fuzzytruth.scores import Scores
from fuzzytruth.undefined import Undefined, report_undefined
from fuzzytruth.views import Unseen

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
    needing = {str(m): m.threshold for m in wanted if m.needs_relevant}
    for name, without in report_undefined(truths, needing, undefined).items():
        if undefined == "exclude":
            values[:, [str(m) == name for m in wanted], without] = np.nan
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
