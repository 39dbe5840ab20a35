"""How far the order of tied items moves means over queries, and the warning that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.rounding import ROUNDING
from fuzzytruth.errors import TieWarning, counted, first_few, warn
from fuzzytruth.evaluation.measure_names import few_measures
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import scored
from fuzzytruth.measures.library import MODULE_OF
from fuzzytruth.truth.tie_orders import TiedLists, both_orders

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
