"""Measures along the ranking: cumulated gain at every rank, precision against recall."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Array, Bools, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.segments import segment_of
from fuzzytruth.core.validation import MOST, whole_number
from fuzzytruth.data.conversion import as_runs
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import OptionError, choice, counted
from fuzzytruth.evaluation.mean_curves import MeanCurves, curves_answer
from fuzzytruth.evaluation.undefined import Undefined, report_undefined_cells
from fuzzytruth.evaluation.validation import as_truth, check_truth
from fuzzytruth.measures import Measure, nCG, nDCG, parse_measure
from fuzzytruth.measures.gain import counts_by_gain, cumulative_discount, discounts
from fuzzytruth.measures.guards import lists_of
from fuzzytruth.show.answer import Printed, Result
from fuzzytruth.truth import AlignedTruth, Missing, align
from fuzzytruth.truth.batch import Batch

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("CG", "DCG", "nCG", "nDCG", "PR", "IPR", "CG-recall", "DCG-recall")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curves(MeanCurves, Result):
    """One curve for each system, query and subject.

    Parameters
    ----------
    kind : str
        The kind of curve, as passed to `curves`.
    systems, queries : tuple of str
    subjects : tuple of str or None
    columns : mapping from name to array
        The coordinates of the points, each (systems, cells, points), or (points,) where all curves
        share them.
    exists : (systems, cells, points) bool
        Which points exist.
    cells : Cells
        The query and the subject of each curve.
    design : {"crossed", "nested"}
        Whether a subject's name is the same person in all queries.
    """

    def __repr__(self) -> str:
        return (
            f"Curves({self.kind}: {counted(len(self.systems), 'system')}, "
            f"{counted(len(self.queries), 'query')}; "
            f"columns {', '.join(self.columns)})"
        )

    def _answer(self) -> Printed:
        return curves_answer(repr(self), self.mean(), self._people)

    def to_frame(self) -> pd.DataFrame:
        """One row a point: system, query, [subject,] and the coordinates."""
        import pandas as pd

        cells = self.cells
        # by subject first; without subjects cells are in order, and nothing is copied
        order: Any = slice(None)
        if self.subjects is not None:
            order = np.lexsort((cells.query, cells.subject_codes))
        keep = self.exists[:, order]
        system, row, _ = np.nonzero(keep)
        out: dict[str, Any] = {
            "system": np.array(self.systems, dtype=object)[system],
            "query": np.array(self.queries, dtype=object)[cells.query[order]][row],
        }
        if self.subjects is not None:
            out["subject"] = np.array(self.subjects, dtype=object)[cells.subject_codes[order]][row]
        for name, values in self.columns.items():
            own = values if values.ndim == 1 else values[:, order]
            out[name] = np.broadcast_to(own, keep.shape)[keep]
        return pd.DataFrame(out)


def curves(
    truth: Judgments | Any,
    runs: Runs | Any,
    kind: str | Measure = "PR",
    *,
    depth: int | None = None,
    worlds: Literal["crisp", "subject"] | None = None,
    ties: Ties = "trec",
    missing: Missing = "error",
    undefined: Undefined = "zero",
) -> Curves:
    """Follow a measure along the ranking.

    Parameters
    ----------
    truth, runs
        As for `evaluate`.
    kind : str or Measure
        ``"CG"``, ``"DCG"``, ``"nCG"``, ``"nDCG"``, with parameters such as
        ``"nDCG(dcg=jarvelin)"``: the value at every rank.
        ``"PR"``: recall and precision at every rank; ``"PR(rel=2)"`` at another threshold.
        ``"IPR"``: interpolated precision at recall 0, .1, ..., 1; ``"IPR(interp=exact)"``.
        ``"DCG-recall"``, ``"CG-recall"``: (discounted) cumulated gain at each relevant item,
        against the recall at its rank (SHREC 2006).
    depth : int, optional
        Last rank; by default that of the longest list.
    worlds, ties, missing, undefined
        As for `evaluate`; ties cannot be "expected".

    Returns
    -------
    Curves
        ``.to_frame()`` has one row a point; ``.mean()`` the mean curve of each system.

    Raises
    ------
    OptionError
        `kind` is not a curve, or `depth` is not a whole number from 1.

    References
    ----------
    Järvelin & Kekäläinen 2002 (gain); SHREC 2006; trec_eval (interpolation).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_dict({"q1": {"a": 2, "b": 1}})
    >>> runs = ft.Runs.from_dict({"sys": {"q1": {"b": 3, "x": 2, "a": 1}}})
    >>> ft.curves(truth, runs, "CG").to_frame()["value"].tolist()
    [1.0, 1.0, 3.0]
    """
    if depth is not None:
        whole_number("depth", depth, 1, MOST)
    choice("ties", ties, get_args(Ties))
    if ties == "expected":
        raise OptionError("ties='expected': a curve needs an order; use 'trec' or 'order'")
    choice("missing", missing, get_args(Missing))
    choice("undefined", undefined, get_args(Undefined))
    drawer, measure = _parse(str(kind))
    aligned = align(as_truth(truth), as_runs(runs), ties=ties)
    kind_of_worlds = check_truth(
        aligned, (measure,), worlds=worlds, ties=ties, missing=missing, several="subject"
    )
    if kind_of_worlds not in ("crisp", "subject") or missing == "pooled":
        raise OptionError(
            f"worlds={kind_of_worlds!r}, missing={missing!r}: curves are drawn for crisp truths "
            "only, that is worlds='crisp' or 'subject' without missing='pooled'"
        )
    if aligned.uncertain.any():
        raise OptionError(
            "curves: subjects judged items several times, with different grades, and curves are "
            "drawn for crisp truths only; keep one repeat of each subject, or merge them with "
            "truth.aggregate('mean' | 'median' | 'majority' | 'max' | 'min')"
        )
    truths = aligned.subject_truths(slice(0, len(aligned.queries)), missing)
    batches = [lists_of(measure, truths.batch(s).end_to_end()) for s in range(len(aligned.systems))]
    ranks = depth or max(1, max(int(b.length.max(initial=0)) for b in batches))
    drawn = [_of_cells(drawer(batch, measure, ranks), truths.index) for batch in batches]
    columns = {
        name: first if first.ndim == 1 else np.stack([one[name] for one, _ in drawn])
        for name, first in drawn[0][0].items()
    }
    exists = np.stack([points for _, points in drawn])
    if measure.needs_relevant or drawer in (_precision_recall, _gain_against_recall):
        without = batches[0].n_relevant(measure.threshold).ravel()[truths.index] == 0
        exclude = undefined == "exclude"
        empty = {str(kind): without}
        report_undefined_cells(empty, aligned.cells, aligned.queries, exclude=exclude)
        if exclude:
            return _curves(str(kind), aligned, columns, exists, ~without)
    return _curves(str(kind), aligned, columns, exists, np.ones(len(aligned.cells), dtype=bool))


def _curves(
    kind: str, aligned: AlignedTruth, columns: dict[str, Array], exists: Bools, keep: Bools
) -> Curves:
    """The curves of the cells that are kept."""
    cells = aligned.cells
    if not keep.all():
        subject = None if cells.subject is None else cells.subject[keep]
        cells = Cells(cells.query[keep], subject, cells.n_queries, cells.n_subjects)
        columns = {n: v if v.ndim == 1 else v[:, keep] for n, v in columns.items()}
        exists = exists[:, keep]
    return Curves(
        kind,
        aligned.systems,
        aligned.queries,
        aligned.subjects,
        columns,
        exists,
        cells,
        aligned.design,
    )


Drawing = tuple[dict[str, Array], Bools]
Drawer = Callable[[Batch, Any, int], Drawing]


def _parse(kind: str) -> tuple[Drawer, Measure]:
    """How to draw a kind of curve, and the measure that holds its parameters."""
    match = re.fullmatch(r"\s*(\w+)\s*(\(.*\))?\s*(-recall)?\s*", kind)
    name, parameters, against = match.groups(default="") if match else ("", "", "")
    if name == "PR" and not against:
        return _precision_recall, parse_measure(f"P{parameters}")
    if name == "IPR" and not against:
        return _interpolated, parse_measure(f"IPrec{parameters}@0")
    if name in ("CG", "DCG") and against:
        return _gain_against_recall, parse_measure(name + parameters)
    if name in ("CG", "DCG", "nCG", "nDCG") and not against:
        return _gain, parse_measure(name + parameters)
    raise OptionError(f"curve {kind!r}: must be one of {', '.join(KINDS)}")


def _of_cells(drawing: Drawing, index: Ints) -> Drawing:
    """Curves (worlds, queries, points) as curves of cells, (cells, points)."""
    columns, exists = drawing
    n_points = exists.shape[-1]
    by_cell = {
        name: values if values.ndim == 1 else values.reshape(-1, n_points)[index]
        for name, values in columns.items()
    }
    return by_cell, exists.reshape(-1, n_points)[index]


def _at_ranks(batch: Batch, value: Array, ranks: int) -> Array:
    """Each hit's value at its rank, 0 elsewhere: (worlds, hits) → (worlds, queries, ranks)."""
    out = np.zeros((batch.n_worlds, batch.n_queries, ranks))
    inside = batch.first <= ranks
    query = segment_of(batch.offsets)[inside]
    out[:, query, batch.first[inside] - 1] = value[:, inside]
    return out


def _ideal_gain(batch: Batch, measure: Any, ranks: int) -> Array:
    """Cumulated gain, at each rank, of the best order of all judged items."""
    cumulative = cumulative_discount(measure.dcg, ranks, measure.base)
    total = np.zeros((batch.n_worlds, batch.n_queries, ranks))
    rank = np.arange(1, ranks + 1)
    for gain, *counts in counts_by_gain(batch.judged, measure.gain_of_grades()):
        before, up_to = (cumulative[np.minimum(number[..., None], rank)] for number in counts)
        total += gain * (up_to - before)
    return total


def _cumulated(batch: Batch, measure: Any, ranks: int) -> Array:
    weight = discounts(measure.dcg, np.arange(1, ranks + 1), measure.base)
    gain = _at_ranks(batch, measure.gain_of_grades()(batch.gain), ranks)
    return np.cumsum(gain * weight, axis=-1)


def _gain(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """(n)CG and (n)DCG at every rank; a list that has ended stays where it is."""
    value = _cumulated(batch, measure, ranks)
    if isinstance(measure, (nCG, nDCG)):
        value = divide(value, _ideal_gain(batch, measure, ranks))
    return {"rank": np.arange(1, ranks + 1), "value": value}, np.ones(value.shape, dtype=bool)


def _gain_against_recall(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """Cumulated gain at each item with a gain, against the share retrieved."""
    value = measure.gain_of_grades()
    relevant = _at_ranks(batch, value(batch.gain) > 0, ranks)
    total = batch.judged.n_where(lambda grade: value(grade) > 0)
    recall = divide(np.cumsum(relevant, axis=-1), total[..., None])
    columns = {
        "rank": np.arange(1, ranks + 1),
        "recall": recall,
        "value": _cumulated(batch, measure, ranks),
    }
    return columns, relevant > 0


def _precision_recall(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """Recall and precision at every rank of the list."""
    rank = np.arange(1, ranks + 1)
    hits = np.cumsum(_at_ranks(batch, batch.relevant(measure.rel), ranks), axis=-1)
    recall = divide(hits, batch.n_relevant(measure.rel)[..., None])
    exists = np.broadcast_to(rank <= batch.length[:, None], hits.shape)
    return {"rank": rank, "recall": recall, "precision": hits / rank}, exists


def _interpolated(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """Interpolated precision at eleven levels of recall; `ranks` is not used."""
    level = np.arange(11) / 10
    precision = np.stack([(measure @ at).score(batch) for at in level.tolist()], axis=-1)
    return {"recall": level, "precision": precision}, np.ones(precision.shape, dtype=bool)
