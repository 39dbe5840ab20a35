"""Scores by one truth, or by each subject's own.

These are crisp, but where a subject's missing judgments are drawn from those of the other subjects,
or where it judged items several times: then a value is an expectation over worlds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.errors import MeasureError, OptionError, TieWarning, counted, first_few, warn
from fuzzytruth.evaluation import validation
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.validation import few_measures
from fuzzytruth.evaluation.worlds import setting as shared
from fuzzytruth.evaluation.worlds.setting import Joinable, Progress, Sampling, Setting
from fuzzytruth.evaluation.worlds.simulation import chances_of_none, run_outer
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty, WorldValues
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked, checked_bounds, scored, scored_each
from fuzzytruth.measures.registry import MODULE_OF, without_bounds
from fuzzytruth.truth import AlignedTruth, Missing
from fuzzytruth.truth.inputs import TiedLists, both_orders
from fuzzytruth.truth.vote_weights import as_given, single_subjects

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
class SubjectValues(Joinable):
    """Values by each subject's truth.

    Parameters
    ----------
    values : (systems, measures, cells) float
        NaN where they have not been computed.
    without : (measures, cells) bool
        Which cells have no relevant item, of measures that need some.
    lower, upper : (systems, measures, cells) float or None
        What judging more items could give, where that was asked for.
    moved : (2, systems, measures) float or None
        How relevant items first, and last, in each tie move sums over queries, of a single truth;
        see `moves`.
    """

    values: Floats
    without: Bools
    lower: Floats | None = None
    upper: Floats | None = None
    moved: Floats | None = None

    _summed: ClassVar[tuple[str, ...]] = ("moved",)
    _by_cell: ClassVar[bool] = True


def scores_of(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    values: Floats,
    cells: Cells,
    **others: Any,
) -> Scores:
    """Scores of all systems; `others` are bounds or how values vary."""
    return Scores(
        systems=aligned.facts.systems,
        queries=aligned.facts.queries,
        measures=tuple(map(str, measures)),
        values=values,
        cells=cells,
        subjects=None if cells.subject is None else aligned.facts.subjects,
        design=aligned.facts.design,
        higher_is_better=tuple(m.higher_is_better for m in measures),
        **others,
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
    found = SubjectValues.whole(work, setting, sampling)
    values, lower, upper = found.values, found.lower, found.upper
    facts = aligned.facts
    without = dict(zip(map(str, measures), found.without, strict=True))
    validation.report_undefined_cells(without, facts.cells, facts.queries, exclude=exclude)
    if exclude:
        values[:, found.without] = np.nan
    for ends in (lower, upper):
        if ends is not None:
            # An end that only rounding keeps from the value is the value.
            same = np.isnan(values) | np.isclose(ends, values, rtol=ROUNDING, atol=ROUNDING)
            ends[same] = values[same]
    scores = scores_of(aligned, measures, values, facts.cells, lower=lower, upper=upper)
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
    by_kernel = [m for m, measure in enumerate(measures) if not measure.compares_lists]
    n_systems, offsets = len(aligned.facts.systems), aligned.facts.cells.offsets
    shape = (n_systems, len(measures), len(aligned.facts.cells))
    values, without = np.full(shape, np.nan), np.zeros(shape[1:], dtype=bool)
    blocks = aligned.blocks("subject") if by_kernel else []
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
        for m, measure in enumerate(measures):
            if measure.needs_relevant:
                without[m, cells] = batch.n_relevant(measure.threshold).ravel()[truths.index] == 0
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


# Expected scores, where a subject's truth is not one crisp truth.


@dataclass(frozen=True, slots=True, eq=False)
class _Pooled(Joinable):
    """Expected values of all cells.

    Parameters
    ----------
    values, variance : (systems, measures, cells) float
        And the variance of each as a Monte Carlo estimate.
    exact : (systems, measures, cells) bool
        Whether no world was drawn for a value; equal values in all drawn worlds do not show that.
    chance_of_none : (measures, cells) float
        Probability that a cell has no relevant item (0 for measures that need none).
    """

    values: Floats
    variance: Floats
    exact: Bools
    chance_of_none: Floats
    _by_cell: ClassVar[bool] = True


def score_pooled(
    aligned: AlignedTruth,
    measures: tuple[Measure, ...],
    *,
    sampling: Sampling,
    exclude: bool,
    missing: Missing = "pooled",
) -> tuple[Scores, int]:
    """Each subject's expected scores; those by one crisp truth are as `score_subjects` gives them.

    With them, the `n_worlds` that gives them again.
    """
    if missing == "nonrelevant":
        aligned, missing = _filled(aligned), "error"
    elif missing == "exclude":
        _check_exclude(aligned)
    setting = Setting(
        aligned, "subject", as_given(), measures, 1, entropy_of(sampling.rng), exclude, keep=True
    )
    work, facts, cells = partial(_pooled, missing=missing), aligned.facts, aligned.facts.cells

    def draw(number: int) -> tuple[_Pooled, Floats, Floats]:
        pooled = _Pooled.whole(work, replace(setting, n_inner=number), sampling)
        return pooled, cells.mean_by_query(pooled.values), _error_of_means(pooled.variance, cells)

    pooled, number = sampling.until_enough(draw, facts.systems, measures)
    chance = cells.mean_by_query(pooled.chance_of_none)
    by_measure = dict(zip(map(str, measures), chance, strict=True))
    validation.report_undefined_worlds(by_measure, facts.queries, exclude=exclude)
    spread = Uncertainty(
        worlds="subject",
        exact=pooled.exact,
        mc_error=np.sqrt(pooled.variance),
        weight=np.zeros(0),
        inflation=1.0,
        drawn=False,
        n_worlds=len(facts.subjects or ()),
        entropy=setting.entropy,
        spread=Lazy.of(None),
        in_worlds=Lazy.of(WorldValues(np.zeros((0, *pooled.values.shape[:2])))),
    )
    return scores_of(aligned, measures, pooled.values, cells, uncertainty=spread), number


def _filled(aligned: AlignedTruth) -> AlignedTruth:
    """The same with missing judgments as grade 0."""
    if not aligned.facts.n_missing:
        return aligned
    complete = aligned.filled()
    if isinstance(complete, str):
        raise OptionError(f"missing='nonrelevant': {complete}; use missing='pooled'")
    return complete


def _check_exclude(aligned: AlignedTruth) -> None:
    """Lists without a subject's missing items are known for one crisp truth only."""
    both = aligned.facts.uncertain & (aligned.facts.missing > 0)
    if both.any():
        raise OptionError(
            "missing='exclude': cannot be told for subjects who judged items several times with "
            f"different grades and left out others, as in {counted(int(both.sum()), 'case')} of a "
            "query and a subject; use missing='nonrelevant' or missing='pooled'"
        )


def _pooled(setting: Setting, sampling: Sampling, *, missing: Missing) -> _Pooled:
    """Expected values of all cells: those by one crisp truth, and of open cells by drawn worlds."""
    facts, is_open = setting.aligned.facts, setting.aligned.facts.uncertain
    if missing == "pooled":
        is_open, missing = is_open | (facts.missing > 0), "error"
    crisp = subject_values(setting.aligned, setting.measures, missing)
    values, without = crisp.values, crisp.without
    if setting.exclude:
        values[:, without] = np.nan
    variance, exact = np.zeros_like(values), np.ones(values.shape, dtype=bool)
    out = _Pooled(values, variance, exact, without.astype(np.float64))
    progress = shared.after(sampling.progress, shared.EXACT_PART)
    tasks, work = [(setting, block) for block in setting.blocks], partial(_open_cells, is_open)
    for cells, drawn in shared.run_blocks(work, tasks, sampling.n_jobs, progress):
        if drawn is not None:
            values[..., cells], variance[..., cells] = drawn.values, drawn.variance
            exact[..., cells], out.chance_of_none[:, cells] = drawn.exact, drawn.chance_of_none
    return out


def _open_cells(is_open: Bools, setting: Setting, block: slice) -> tuple[Ints, _Pooled | None]:
    """The open cells of a block of queries, and their expected values; None if there are none."""
    of, names = setting.aligned.facts.cells, setting.aligned.facts.subjects or ()
    rows = np.arange(of.offsets[block.start], of.offsets[block.stop])
    cells = rows[is_open[rows]]
    if not len(cells):
        return cells, None
    subjects, outer = np.unique(of.subject_codes[cells], return_inverse=True)
    # Outer worlds are the subjects of these cells.
    setting = replace(setting, votes=single_subjects(subjects, names))
    simulated = run_outer(setting, block)
    assert simulated.kept is not None
    assert simulated.kept_noise is not None
    outcomes = setting.aligned.outcomes(block, setting.votes)
    chance = chances_of_none(outcomes, setting.measures, block.stop - block.start)
    query = of.query[cells] - block.start
    # (worlds, systems, measures, queries) → (systems, measures, cells)
    values, variance = (
        np.moveaxis(each[outer, :, :, query], 0, -1)
        for each in (simulated.kept, simulated.kept_noise)
    )
    return cells, _Pooled(values, variance, simulated.exact[..., query], chance[outer, :, query].T)


def _error_of_means(variance: Floats, cells: Cells) -> Floats:
    """Monte Carlo errors of the means over queries and subjects: (systems, measures)."""
    n = cells.sum_by_query((~np.isnan(variance)).astype(np.float64))
    of_query = divide(cells.sum_by_query(np.nan_to_num(variance, posinf=np.inf)), n**2)
    return np.sqrt(divide(of_query.sum(axis=-1), (n > 0).sum(axis=-1) ** 2))
