"""Scores under crisp truths: a single one, or each subject's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING
from fuzzytruth.errors import MeasureError, TieWarning, counted, first_few, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.undefined import few_measures, report_undefined_cells
from fuzzytruth.evaluation.worlds.parts import cells_side_by_side, whole
from fuzzytruth.evaluation.worlds.setting import Progress, Sampling, Setting
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked, checked_bounds, scored, scored_each
from fuzzytruth.measures.registry import MODULE_OF, without_bounds
from fuzzytruth.truth import AlignedTruth, Missing
from fuzzytruth.truth.unjudged import TiedLists, both_orders
from fuzzytruth.truth.vote_weights import as_given

# How far the order of tied items moves means over queries, and the warning that says so.


_LEAST = 0.01  # a move of a mean that is worth a warning; of means above 1, a share
_SHOWN = 3
SAMPLE = 300  # queries of a system that stand for all in a block, at most
HITS = 1 << 17  # of lists that are ordered at a time, about
#: where relevant items first and last in each tie may not give the largest and smallest value
_WITHOUT = ("BPM", "G", "NumNonRelJudgedRet", "bpref", "infAP")


@dataclass(frozen=True, slots=True, eq=False)
class ScoredLists:
    """One system's lists with resolved ties, and its values by measure: (queries,) each."""

    system: int
    lists: TiedLists
    values: Mapping[int, Array]


def moves(held: Sequence[ScoredLists], measures: Sequence[Measure]) -> Floats:
    """How relevant items first, or last, in each tie move sums over queries.

    (2, systems, measures); for measures whose ends these orders may not give, the number of queries
    with ties of items of different grades. Of many queries that change, a random sample stands for
    all, so that this takes little time.
    """
    out = np.zeros((2, len(held), len(measures)))
    changing = [one.lists.changing() for one in held]
    some = [_sample(every) for every in changing]
    number, size = (np.array([*map(len, each)]) for each in (changing, some))
    if not size.any():
        return out
    batch = both_orders([one.lists for one in held], some)
    owner = np.repeat(np.arange(len(held)), size)
    for m, measure in enumerate(measures):
        out[:, :, m] = number
        if has_ends(measure):
            before = [one.values[m][few] for one, few in zip(held, some, strict=True)]
            sums = [one.values[m][every].sum() for one, every in zip(held, changing, strict=True)]
            for end, value in enumerate(scored(measure, batch).reshape(2, -1)):
                mean, spread = _by_system(value, owner, size)
                step, spread_of_steps = _by_system(value - np.concatenate(before), owner, size)
                whole = np.where(spread < spread_of_steps, mean * number - sums, step * number)
                out[end, :, m] = np.where(size < number, whole, step * number)
    return out


def _sample(queries: Ints) -> Ints:
    """Some of many queries, ascending; at random, since every n-th may be of a kind."""
    if len(queries) <= SAMPLE:
        return queries
    return np.sort(np.random.default_rng(0).choice(queries, SAMPLE, replace=False))


def _by_system(values: Array, owner: Ints, size: Ints) -> tuple[Floats, Floats]:
    """Mean and variance of each system's values."""
    count = np.maximum(size, 1)
    mean = np.bincount(owner, values, len(size)) / count
    return mean, np.bincount(owner, values**2, len(size)) / count - mean**2


def has_ends(measure: Measure) -> bool:
    """Whether relevant items first and last in each tie are known to give the ends."""
    shares = measure.cutoff is not None and getattr(measure, "norm", "") == "retrieved"
    return (
        measure.name in MODULE_OF
        and measure.name not in _WITHOUT
        and not measure.compares_lists
        and getattr(measure, "gains", None) is None
        and not measure.needs_intents
        and not (measure.name == "AP" and shares)
    )


def report_ties(scores: Scores, measures: Sequence[Measure], moved: Floats) -> None:
    """Warn of means over queries, and of comparisons, that the order of tied items decides.

    Parameters
    ----------
    scores : Scores
        Of one truth.
    measures : sequence of Measure
    moved : (2, systems, measures) float
        See `moves`.
    """
    said = _with_ends(scores, measures, moved)
    tied = np.flatnonzero(moved[0].max(axis=0) > _LEAST * len(scores.queries)).tolist()
    unknown = [str(measures[m]) for m in tied if not has_ends(measures[m])]
    if unknown:
        said.append(f"may move means of {few_measures(unknown)} (no ends known)")
    without = [str(one) for one in measures if not one.expects_ties]
    but = f" (not known for {few_measures(without)})" if without else ""
    advice = f"ties='expected' gives the mean over all orders{but}"
    if len(without) == len(measures):
        advice = "the mean over all orders is not known"
    if said:
        warn(f"the order of items with equal scores {'; it '.join(said)}; {advice}", TieWarning)


def _with_ends(scores: Scores, measures: Sequence[Measure], moved: Floats) -> list[str]:
    """Which means ties move far, the worst first, and which comparisons they can reverse.

    `Judged` beside other measures is left out: it tells of the data.
    """
    left_out = "Judged" if {one.name for one in measures} != {"Judged"} else ""
    few = [m for m, one in enumerate(measures) if has_ends(one) and one.name != left_out]
    names, systems = [scores.measures[m] for m in few], scores.systems
    known = ~np.isnan(scores.values[:, few])
    number = np.maximum(known.sum(axis=-1), 1)
    mean = np.where(known, scores.values[:, few], 0.0).sum(axis=-1) / number
    share = moved[..., few] / number
    far = np.abs(share / np.maximum(1.0, np.abs(mean))).max(axis=0)  # (systems, measures)
    low, high = np.reshape([measures[m].range for m in few], (-1, 2)).T
    ends = np.clip(mean + share, low, high)
    worst = np.argsort(-np.abs(share[0] - share[1]), axis=None, kind="stable")
    digits, about = (2, "about ") if len(scores.queries) > SAMPLE else (3, "")
    means = [
        f"{names[m]} of {systems[s]} {about}{ends[1, s, m]:.{digits}f} to "
        f"{ends[0, s, m]:.{digits}f} (here {mean[s, m]:.{digits}f})"
        for s, m in (divmod(int(at), len(few)) for at in worst if far.flat[at] > _LEAST)
    ]
    pairs = _reversible(ends, mean) if means else np.empty((0, 3), int)
    named = first_few(
        pairs, _SHOWN, show=lambda at: f"{names[at[0]]} of {systems[at[1]]} and {systems[at[2]]}"
    )
    said = {
        f"moves {len(means):,} of {counted(mean.size, 'mean')} over queries by more than "
        f"{_LEAST:g} (relevant items last to relevant items first)": first_few(means, _SHOWN),
        f"can reverse {about}{counted(len(pairs), 'comparison')} of systems": named,
    }
    return [f"{what}: {which}" for what, which in said.items() if which]


def _reversible(ends: Floats, mean: Floats) -> Ints:
    """Pairs of systems whose means, not the same, may be in either order.

    (pairs, 3): measure and both systems.
    """
    least, most = np.sort(ends, axis=0).swapaxes(1, 2)  # (measures, systems)
    above = most[:, :, None] > (least + ROUNDING * np.abs(least))[:, None, :]
    apart = ~np.isclose(mean.T[:, :, None], mean.T[:, None, :], rtol=ROUNDING, atol=0)
    return np.argwhere(np.triu(apart & above & above.swapaxes(1, 2), 1))


@dataclass(frozen=True, slots=True, eq=False)
class SubjectValues:
    """Values by each subject's truth.

    Parameters
    ----------
    values : (systems, measures, cells) float
        NaN where they have not been computed.
    without : dict of measure to (cells,) bool
        Which cells have no relevant item, of measures that need some.
    lower, upper : (systems, measures, cells) float or None
        What judging more items could give, where that was asked for.
    moved : (2, systems, measures) float or None
        How relevant items first, and last, in each tie move sums over queries, of a single truth;
        see `moves`.
    """

    values: Floats
    without: dict[str, Bools]
    lower: Floats | None = None
    upper: Floats | None = None
    moved: Floats | None = None

    @classmethod
    def of_parts(cls, aligned: AlignedTruth, parts: Sequence[SubjectValues]) -> SubjectValues:
        """Those of a truth in parts."""

        def joined(arrays: Sequence[Any]) -> Any:
            return None if arrays[0] is None else cells_side_by_side(aligned, arrays)

        moved = [part.moved for part in parts if part.moved is not None]
        return cls(
            joined([part.values for part in parts]),
            {name: joined([part.without[name] for part in parts]) for name in parts[0].without},
            joined([part.lower for part in parts]),
            joined([part.upper for part in parts]),
            np.sum(moved, axis=0) if len(moved) == len(parts) else None,
        )


def score_subjects(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    *,
    sampling: Sampling,
    missing: Missing,
    exclude: bool,
    bounds: bool,
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
    setting = Setting(aligned, "subject", as_given(), measures, 1, (), exclude)
    work = partial(_all_values, missing="error" if bounds else missing, bounds=bounds)
    found = whole(work, SubjectValues.of_parts, setting, sampling)
    values, lower, upper = found.values, found.lower, found.upper
    names = tuple(map(str, measures))
    facts = aligned.facts
    report_undefined_cells(found.without, facts.cells, facts.queries, exclude=exclude)
    if exclude:
        for m, name in enumerate(names):
            if name in found.without:
                values[:, m, found.without[name]] = np.nan
    for ends in (lower, upper):
        if ends is not None:
            # An end that only rounding keeps from the value is the value.
            same = np.isnan(values) | np.isclose(ends, values, rtol=ROUNDING, atol=ROUNDING)
            ends[same] = values[same]
    scores = Scores(
        systems=aligned.facts.systems,
        queries=aligned.facts.queries,
        measures=names,
        values=values,
        cells=aligned.facts.cells,
        subjects=aligned.facts.subjects,
        design=aligned.facts.design,
        higher_is_better=tuple(m.higher_is_better for m in measures),
        lower=lower,
        upper=upper,
    )
    if found.moved is not None:
        report_ties(scores, measures, found.moved)
    return scores


def subject_values(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    missing: Missing,
    progress: Progress | None = None,
    moved: Floats | None = None,
) -> SubjectValues:
    """Values of measures that compare no lists.

    ``missing="error"`` leaves missing judgments unjudged. `moved`, zeros, is filled in.
    """
    shape = (len(aligned.facts.systems), len(measures), len(aligned.facts.cells))
    values = np.full(shape, np.nan)
    without = _score_batches(aligned, measures, missing, values, moved, progress)
    return SubjectValues(values, without, moved=moved)


def _all_values(
    setting: Setting, sampling: Sampling, *, missing: Missing, bounds: bool
) -> SubjectValues:
    """Values of all measures, and bounds if these are asked for."""
    aligned, measures = setting.aligned, setting.measures
    one_truth = aligned.facts.cells.n_subjects == 1
    moved = np.zeros((2, len(aligned.facts.systems), len(measures))) if one_truth else None
    found = subject_values(aligned, measures, missing, sampling.progress, moved)
    _score_lists(aligned, measures, found.values, sampling.progress)
    lower, upper = _bounds(aligned, measures) if bounds else (None, None)
    return replace(found, lower=lower, upper=upper)


def _score_lists(
    aligned: AlignedTruth, measures: tuple[Measure, ...], values: Floats, progress: Progress | None
) -> None:
    """Fill in the values of measures that compare lists."""
    comparing = [m for m, measure in enumerate(measures) if measure.compares_lists]
    if not comparing:
        return
    n_systems, _, n_cells = values.shape
    for s in range(n_systems):
        lists = aligned.subject_lists(s)
        for m in comparing:
            measure = measures[m]
            values[s, m] = checked(measure, measure.compare_lists(lists), 1, n_cells)[0]
        if progress is not None and len(comparing) == len(measures):
            progress((s + 1) / n_systems)


def _score_batches(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    missing: Missing,
    values: Floats,
    moved: Floats | None,
    progress: Progress | None,
) -> dict[str, Bools]:
    """Fill in the values of all other measures; which cells have no relevant item, by measure."""
    by_kernel = [m for m, measure in enumerate(measures) if not measure.compares_lists]
    n_systems, _, n_cells = values.shape
    without = {str(m): np.zeros(n_cells, dtype=bool) for m in measures if m.needs_relevant}
    if not by_kernel:
        return without
    blocks = aligned.blocks("subject")
    offsets = aligned.facts.cells.offsets
    for number, block in enumerate(blocks):
        truths = aligned.subject_truths(block, missing)
        cells = slice(int(offsets[block.start]), int(offsets[block.stop]))
        held: list[ScoredLists] = []
        for s in range(n_systems):
            batch = truths.batch(s)
            each = scored_each([measures[m] for m in by_kernel], batch)
            found = {m: one.ravel() for m, one in zip(by_kernel, each, strict=True)}
            for m, value in found.items():
                values[s, m, cells] = value[truths.index]
            ties = None if moved is None else truths.ties(s)
            if ties is not None:
                held.append(ScoredLists(s, TiedLists(batch, *ties), found))
            _add_moves(moved, held, measures, wait=s < n_systems - 1)
            if progress is not None:
                progress((number * n_systems + s + 1) / (len(blocks) * n_systems))
        for measure in measures:
            if measure.needs_relevant:
                none = batch.n_relevant(measure.threshold).ravel()[truths.index] == 0
                without[str(measure)][cells] = none
    return without


def _add_moves(
    moved: Floats | None, held: list[ScoredLists], measures: tuple[Measure, ...], *, wait: bool
) -> None:
    """Add what the order of ties moves, if there is enough of it or nothing to `wait` for."""
    if moved is None or not held or (wait and sum(len(one.lists.low) for one in held) < HITS):
        return
    moved[:, [one.system for one in held]] += moves(held, measures)
    held.clear()


def _bounds(aligned: AlignedTruth, measures: tuple[Measure, ...]) -> tuple[Floats, Floats]:
    """Lowest and highest values: (systems, measures, cells) both."""
    out = np.full((2, len(aligned.facts.systems), len(measures), len(aligned.facts.cells)), np.nan)
    offsets = aligned.facts.cells.offsets
    for block in aligned.blocks("subject"):
        cells = slice(int(offsets[block.start]), int(offsets[block.stop]))
        for s in range(len(aligned.facts.systems)):
            items = aligned.unjudged(s, block)
            shape = (1, cells.stop - cells.start)
            # From a threshold of 0 on, unjudged items are relevant whatever their grade.
            of = [items.as_nonrelevant() if m.threshold == 0 else items for m in measures]
            ends = [
                checked_bounds(m, None if m.judged_only else m.bounds(one), shape)
                for m, one in zip(measures, of, strict=True)
            ]
            _check_rules(measures, [one is None for one in ends])
            for m, pair in enumerate(ends):
                if pair is not None:
                    out[:, s, m, cells] = pair[0][0], pair[1][0]
    return out[0], out[1]


def _check_rules(measures: tuple[Measure, ...], unknown: list[bool]) -> None:
    """Raise if some measures have no rule, and name the parameter because of which."""
    faults: dict[str, list[str]] = {}
    for measure in (m for m, none in zip(measures, unknown, strict=True) if none):
        faults.setdefault(_without_rule(measure), []).append(str(measure))
    if not faults:
        return
    named = "; ".join(
        few_measures(names) if of == "" else f"{of}, as in {few_measures(names)}"
        for of, names in sorted(faults.items())
    )
    n = sum(map(len, faults.values()))
    raise MeasureError(
        f"unjudged='bounds': no rule is known for {named}; leave {'it' if n == 1 else 'them'} out "
        f"(measures without a rule: {', '.join(without_bounds())})"
    )


def _without_rule(measure: Measure) -> str:
    """The parameter that has no rule, or nothing where the measure itself has none."""
    if measure.name in without_bounds():
        return ""
    if measure.judged_only:
        return "judged_only"
    own = getattr(measure, "gains", None) is not None
    return "gains that are not 0 for grade 0 and largest for the top one" if own else ""
