"""Truth and runs in, scores out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.alignment import Ties, make_pool, place
from fuzzytruth.errors import (
    DataError,
    MeasureError,
    MissingQueryWarning,
    OptionError,
    UndefinedMeasureWarning,
    UnjudgedQueryWarning,
    choice,
)
from fuzzytruth.judgments import Judgments
from fuzzytruth.measures import Measure, parse_measures
from fuzzytruth.runs import Runs
from fuzzytruth.scores import Scores
from fuzzytruth.views import Truths, Unseen, make_truths

Worlds = Literal["crisp", "subject"]
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
    progress: Any = None,
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
    choice("ties", ties, get_args(Ties))
    choice("undefined", undefined, get_args(Undefined))
    choice("unseen", unseen, get_args(Unseen))
    wanted = parse_measures(measures)
    truth, runs = _as_judgments(truth), _as_runs(runs)
    _check_worlds(truth, worlds)
    if ties == "expected":
        _check_expected(wanted)
    truths = make_truths(make_pool(truth))
    _check_holes(truths, unseen)
    _check_thresholds(truths, wanted)
    _report_coverage(truths.pool.queries, runs)
    shape = truths.shape
    values = np.empty((len(runs), len(wanted), *shape))
    for s, (system, ranking) in enumerate(runs.items()):
        placement = place(truths.pool, ranking, ties=ties)
        batch = truths.batches(placement, unseen=unseen)
        for m, measure in enumerate(wanted):
            values[s, m] = _checked(measure, measure.score(batch), shape)
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
        design=truth.design,
        higher_is_better=tuple(m.higher_is_better for m in wanted),
    )


def _as_judgments(truth: Any) -> Judgments:
    if isinstance(truth, Judgments):
        return truth
    if isinstance(truth, dict):
        return Judgments.from_dict(truth)
    if hasattr(truth, "columns"):
        return Judgments.from_frame(truth)
    from fuzzytruth.io.reading import read_judgments

    return read_judgments(truth)


def _as_runs(runs: Any) -> Runs:
    if isinstance(runs, Runs):
        return runs
    if hasattr(runs, "columns"):
        return Runs.from_frame(runs)
    if isinstance(runs, dict) and any(isinstance(v, dict) for v in runs.values()):
        return Runs.from_dict(runs)
    from fuzzytruth.io.reading import read_runs

    return read_runs(runs)


def _check_worlds(truth: Judgments, worlds: str | None) -> None:
    if worlds is None:
        return
    choice("worlds", worlds, get_args(Worlds))
    subjects = truth.subjects
    if worlds == "subject" and subjects is None:
        raise OptionError(
            "worlds='subject': these judgments have no subjects; leave worlds out, or read them "
            "with a column that names who judged"
        )
    if worlds == "crisp" and subjects is not None and len(subjects) > 1:
        raise OptionError(
            f"worlds='crisp': these judgments have {len(subjects)} subjects; merge them with "
            "truth.aggregate('mean' | 'median' | 'majority' | 'max' | 'min'), or use "
            "worlds='subject'"
        )


def _check_expected(measures: tuple[Measure, ...]) -> None:
    without = [str(m) for m in measures if not m.expects_ties]
    if without:
        raise MeasureError(
            f"ties='expected': no expectation over orders of ties is known for "
            f"{', '.join(without)}; use ties='trec' or 'order' for it"
        )


def _check_holes(truths: Truths, unseen: str) -> None:
    if not truths.holes or unseen != "error":
        return
    raise DataError(
        f"{truths.holes:,} judgments are missing: subjects judged only some of a query's items; "
        "say what the others count as: unseen='nonrelevant', or unseen='exclude' to take them out "
        "of that subject's view of the lists"
    )


def _check_thresholds(truths: Truths, measures: tuple[Measure, ...]) -> None:
    """Grades of, say, 0.2 to 0.8 make every item non-relevant at a threshold of 1."""
    top = float(truths.levels.grade.max())
    for measure in measures:
        rel = measure.threshold
        if rel is not None and 0 < top < rel:
            raise MeasureError(
                f"{measure}: an item is relevant from grade {rel:g}, but the largest grade is "
                f"{top:g}, so none is; set the threshold, such as "
                f"{measure.name}(rel={top / 2:g})"
            )


def _report_coverage(judged: tuple[str, ...], runs: Runs) -> None:
    known = set(judged)
    missing: dict[str, list[str]] = {}
    extra: dict[str, list[str]] = {}
    for system, ranking in runs.items():
        answered = set(ranking.queries)
        if known.isdisjoint(answered):
            raise DataError(
                f"run {system!r} and the judgments have no query in common: the run has "
                f"{_some(ranking.queries)}, the judgments {_some(judged)}; check the ids"
            )
        if not known <= answered:
            missing[system] = [q for q in judged if q not in answered]
        if not answered <= known:
            extra[system] = [q for q in ranking.queries if q not in known]
    if missing:
        message = f"judged queries are missing from {_listed(missing)}; they count as empty lists"
        warnings.warn(message, MissingQueryWarning, stacklevel=3)
    if extra:
        message = f"queries without judgments are left out of {_listed(extra)}"
        warnings.warn(message, UnjudgedQueryWarning, stacklevel=3)


def _listed(queries: dict[str, list[str]]) -> str:
    """Name up to three systems, with how many queries and which."""
    shown = [f"{system} ({len(q):,}: {_some(q)})" for system, q in list(queries.items())[:3]]
    rest = len(queries) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more runs" if rest else "")


def _some(names: Iterable[str], limit: int = 5) -> str:
    listed = list(names)
    return ", ".join(listed[:limit]) + (", ..." if len(listed) > limit else "")


def _checked(measure: Measure, values: Any, shape: tuple[int, int]) -> Values:
    """A kernel's values in the shape of the truths; a registered kernel may have got it wrong."""
    out = np.asarray(values, dtype=np.float64)
    if out.size != shape[0] * shape[1]:
        raise MeasureError(
            f"{measure}: its kernel gave an array of shape {out.shape}; it must give one number "
            f"for each world and query"
        )
    if np.isnan(out).any():
        raise MeasureError(f"{measure}: its kernel gave NaN for some queries; it must not")
    return out.reshape(shape)


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
        names = _some(truths.pool.queries[j] for j in at)
        notes.setdefault(f"{_cells(empty)} ({names})", []).append(str(measure))
    if notes:
        consequence = "count 0" if undefined == "zero" else "are left out"
        text = "; ".join(f"{', '.join(m)}: {where}" for where, m in notes.items())
        message = f"no relevant item, so that these are undefined and {consequence}: {text}"
        warnings.warn(message, UndefinedMeasureWarning, stacklevel=3)


def _cells(empty: NDArray[np.bool_]) -> str:
    if len(empty) == 1:
        return f"{int(empty.sum()):,} of {empty.shape[1]:,} queries"
    return f"{int(empty.sum()):,} of {empty.size:,} subject–query pairs"
