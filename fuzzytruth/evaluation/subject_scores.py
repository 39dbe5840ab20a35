"""Scores under crisp truths: a single one, or each subject's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.rounding import ROUNDING
from fuzzytruth.errors import MeasureError
from fuzzytruth.evaluation.measure_names import few_measures
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.evaluation.undefined import report_undefined_cells
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked, checked_bounds, scored
from fuzzytruth.measures.registry import without_bounds
from fuzzytruth.truth import AlignedTruth, Missing

Progress = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class _Task:
    """What to compute.

    Parameters
    ----------
    aligned : AlignedTruth
    measures : tuple of Measure
    missing : {"error", "nonrelevant", "exclude"}
    progress : callable or None
        Progress callback, given the finished fraction.
    """

    aligned: AlignedTruth
    measures: tuple[Measure, ...]
    missing: Missing
    progress: Progress | None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of systems, measures and cells."""
        return len(self.aligned.systems), len(self.measures), len(self.aligned.cells)


def score_subjects(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    *,
    missing: Missing,
    exclude: bool,
    bounds: bool,
    progress: Progress | None = None,
) -> Scores:
    """Score every system by each subject's truth.

    Parameters
    ----------
    exclude : bool
        Whether cells without relevant items have no value, where a measure needs some.
    bounds : bool
        Whether to find the lowest and highest value that judging more items could give; missing
        judgments are then unjudged items.
    """
    task = _Task(aligned, measures, "error" if bounds else missing, progress)
    values = np.full(task.shape, np.nan)
    _score_lists(task, values)
    without = _score_batches(task, values)
    names = tuple(map(str, measures))
    report_undefined_cells(without, aligned.cells, aligned.queries, exclude=exclude)
    if exclude:
        for m, name in enumerate(names):
            if name in without:
                values[:, m, without[name]] = np.nan
    lower, upper = _bounds(task) if bounds else (None, None)
    for ends in (lower, upper):
        if ends is not None:
            # An end that only rounding keeps from the value is the value.
            same = np.isnan(values) | np.isclose(ends, values, rtol=ROUNDING, atol=ROUNDING)
            ends[same] = values[same]
    return Scores(
        systems=aligned.systems,
        queries=aligned.queries,
        measures=names,
        values=values,
        cells=aligned.cells,
        subjects=aligned.subjects,
        design=aligned.design,
        higher_is_better=tuple(m.higher_is_better for m in measures),
        lower=lower,
        upper=upper,
    )


def subject_values(
    aligned: AlignedTruth, measures: tuple[Measure, ...], missing: Missing
) -> tuple[Floats, dict[str, Bools]]:
    """Values by each subject's truth, and which cells have no relevant item, by measure.

    ``missing="error"`` leaves missing judgments unjudged.
    """
    task = _Task(aligned, measures, missing, None)
    values = np.full(task.shape, np.nan)
    return values, _score_batches(task, values)


def _score_lists(task: _Task, values: Floats) -> None:
    """Fill in the values of measures that compare lists."""
    comparing = [m for m, measure in enumerate(task.measures) if measure.compares_lists]
    if not comparing:
        return
    n_systems, _, n_cells = task.shape
    for s in range(n_systems):
        lists = task.aligned.subject_lists(s)
        assert not isinstance(lists, str)  # validation refuses truths without lists
        for m in comparing:
            measure = task.measures[m]
            values[s, m] = checked(measure, measure.compare_lists(lists), 1, n_cells)[0]
        if task.progress is not None and len(comparing) == len(task.measures):
            task.progress((s + 1) / n_systems)


def _score_batches(task: _Task, values: Floats) -> dict[str, Bools]:
    """Fill in the values of all other measures; which cells have no relevant item, by measure."""
    by_kernel = [m for m, measure in enumerate(task.measures) if not measure.compares_lists]
    n_systems, _, n_cells = task.shape
    without = {str(m): np.zeros(n_cells, dtype=bool) for m in task.measures if m.needs_relevant}
    if not by_kernel:
        return without
    blocks = task.aligned.blocks("subject")
    offsets = task.aligned.cells.offsets
    for number, block in enumerate(blocks):
        truths = task.aligned.subject_truths(block, task.missing)
        cells = slice(int(offsets[block.start]), int(offsets[block.stop]))
        for s in range(n_systems):
            batch = truths.batch(s)
            for m in by_kernel:
                measure = task.measures[m]
                values[s, m, cells] = scored(measure, batch).ravel()[truths.index]
            if task.progress is not None:
                task.progress((number * n_systems + s + 1) / (len(blocks) * n_systems))
        for measure in task.measures:
            if measure.needs_relevant:
                none = batch.n_relevant(measure.threshold).ravel()[truths.index] == 0
                without[str(measure)][cells] = none
    return without


def _bounds(task: _Task) -> tuple[Floats, Floats]:
    """Lowest and highest values: (systems, measures, cells) both."""
    aligned = task.aligned
    out = np.full((2, *task.shape), np.nan)
    offsets = aligned.cells.offsets
    for block in aligned.blocks("subject"):
        cells = slice(int(offsets[block.start]), int(offsets[block.stop]))
        for s in range(len(aligned.systems)):
            items = aligned.unjudged(s, block)
            assert not isinstance(items, str)  # validation refuses truths without
            shape = (1, cells.stop - cells.start)
            # From a threshold of 0 on, unjudged items are relevant whatever their grade.
            of = [items.as_nonrelevant() if m.threshold == 0 else items for m in task.measures]
            ends = [
                checked_bounds(m, None if m.judged_only else m.bounds(one), shape)
                for m, one in zip(task.measures, of, strict=True)
            ]
            _check_rules(task.measures, [one is None for one in ends])
            for m, pair in enumerate(ends):
                if pair is not None:
                    out[:, s, m, cells] = pair[0][0], pair[1][0]
    return out[0], out[1]


def _check_rules(measures: tuple[Measure, ...], unknown: list[bool]) -> None:
    names = [str(m) for m, none in zip(measures, unknown, strict=True) if none]
    if names:
        raise MeasureError(
            f"unjudged='bounds': no rule is known for {few_measures(names)}; leave "
            f"{'it' if len(names) == 1 else 'them'} out (measures without a rule: "
            f"{', '.join(without_bounds())})"
        )
