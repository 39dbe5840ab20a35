"""Distributions of scores over worlds: of one query, of the mean, of a difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.lists.poisson_binomial import pmf
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.evaluation.worlds.setting import Setting, Source, Sources
from fuzzytruth.evaluation.worlds.simulation import certain_values, run_block, without_noise
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_distribution, seen_by
from fuzzytruth.truth.item_probabilities import ItemProbabilities
from fuzzytruth.truth.protocol import Mixture

# Scores of one query: its worlds drawn again from the seed, or its exact distribution.


NO_WORLDS = (
    "these scores were loaded from a file, which holds no worlds of single queries, or unpickled "
    "where their measures or truth are unknown; evaluate again, or save what "
    "evaluate(..., keep_worlds=True) gives"
)


def query_values(sources: Sources, systems: tuple[int, ...], measure: int, query: int) -> Array:
    """Values of one query in all worlds, drawn as before: (worlds, systems).

    Raises
    ------
    OptionError
        There is no setting to draw them with.
    """
    found = [sources.find(system, measure, query) for system in systems]
    known = [source for source in found if source is not None]
    if len(known) < len(systems):
        raise OptionError(NO_WORLDS)
    one = known[0]
    if all(source._replace(run=one.run) == one for source in known):  # one drawing serves all
        return _drawn_again(one, tuple(source.run for source in known))
    return np.concatenate([_drawn_again(source, (source.run,)) for source in known], axis=1)


def _drawn_again(source: Source, runs: tuple[int, ...]) -> Array:
    """Values of some runs of a setting: (worlds, runs)."""
    setting = source.setting
    queries = _block_of(setting, source.query)
    only = (setting.measures[source.measure],)
    block = run_block(replace(setting, keep=True, measures=only, systems=runs), queries)
    assert block.kept is not None
    assert block.kept_noise is not None
    index = source.query - queries.start
    kept, noise = block.kept[:, :, 0, index], block.kept_noise[:, :, 0, index]
    return without_noise(kept, noise, setting.votes.weight)


def exact_values(
    sources: Sources, system: int, measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values of one query and their probabilities, where items are independent."""
    source = sources.find(system, measure, query)
    if source is None:
        return None
    measured = source.setting.measures[source.measure]
    if source.setting.exclude and measured.needs_relevant:
        return None
    certain = _certain(source)
    if certain is not None:
        return certain
    values, chances = [], []
    for weight, probabilities in _components(source) or ():
        distribution = checked_distribution(measured, probabilities)
        if distribution is None:
            return None
        values.append(distribution[0])
        chances.append(weight * distribution[1])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def exact_difference(
    sources: Sources, systems: tuple[int, int], measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values and probabilities of the difference of two systems that share their truth.

    Known where both values add the same weight for each relevant item: an item that both systems
    list cancels, and the others leave two independent Poisson-binomial counts. Also where a
    component makes all grades certain.
    """
    found = [sources.find(system, measure, query) for system in systems]
    if found[0] is None or found[1] is None:
        return None
    first, second = _certain(found[0]), _certain(found[1])
    if first is not None and second is not None:
        return first[0] - second[0], first[1]
    ours, theirs = (_components(source) for source in found if source is not None)
    measured = found[0].setting.measures[found[0].measure]
    if ours is None or theirs is None:
        return None
    values, chances = [], []
    for (weight, one), (_, other) in zip(ours, theirs, strict=True):
        distribution = _difference(measured, one, other)
        if distribution is None:
            return None
        values.append(distribution[0])
        chances.append(weight * distribution[1])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def _difference(
    measure: Measure, one: ItemProbabilities, other: ItemProbabilities
) -> tuple[Array, Array] | None:
    """Distribution of the difference, given the component."""
    first, second = seen_by(measure, one), seen_by(measure, other)
    if first is None or second is None:
        return None
    one, other = first, second
    sums = [measure.hit_weights(one), measure.hit_weights(other)]
    if sums[0] is None or sums[1] is None:
        return None
    entry, index = np.unique(np.concatenate((one.entry, other.entry)), return_inverse=True)
    weight, chance = np.zeros(len(entry)), np.zeros(len(entry))
    n_ours = len(one.entry)
    for (rel, each), probabilities, at, sign in (
        (sums[0], one, index[:n_ours], 1),
        (sums[1], other, index[n_ours:], -1),
    ):
        weight[at] += sign * each
        chance[at] = probabilities.hits.at_least(rel).reshape(len(at))
    unit = np.abs(weight).max(initial=0.0)
    if not np.isin(np.abs(weight), (0.0, unit)).all():
        return None
    gained, lost = pmf(chance[weight > 0]), pmf(chance[weight < 0])
    values = unit * np.arange(1 - len(lost), len(gained))
    return values, np.convolve(gained, lost[::-1])


def _certain(source: Source) -> tuple[Array, Array] | None:
    """Values and probabilities of one query's components, if these make all grades certain."""
    measure = source.setting.measures[source.measure]
    if source.setting.exclude and measure.needs_relevant:
        return None
    mixture, query = _mixture(source)
    if mixture is None or mixture.certain is None or not mixture.is_ranked(query):
        return None
    assert mixture.offsets is not None
    assert mixture.weight is not None
    own = slice(int(mixture.offsets[query]), int(mixture.offsets[query + 1]))
    return certain_values(measure, mixture.certain)[own], mixture.weight[0, own]


def _components(source: Source) -> list[tuple[float, ItemProbabilities]] | None:
    """One query's components and their probabilities; None where items are not independent."""
    mixture, query = _mixture(source)
    if mixture is None or not mixture.is_ranked(query):
        return None
    return mixture.of_query(query)


def _mixture(source: Source) -> tuple[Mixture | None, int]:
    """Lists of a query's block, if items are independent given a component, and its place there."""
    setting = source.setting
    queries = _block_of(setting, source.query)
    place = source.query - queries.start
    if len(setting.votes) > 1:
        return None, place
    depth = setting.measures[source.measure].depth
    mixture = setting.aligned.outcomes(queries, setting.votes).probabilities(source.run, depth)
    return None if isinstance(mixture, str) else mixture, place


def _block_of(setting: Setting, query: int) -> slice:
    """The block of queries that holds one of them."""
    return next(block for block in setting.blocks if block.start <= query < block.stop)


#: system, measure, query (None: the mean over queries)
Cell = tuple[int, int, int | None]


def of_query(scores: ScoreArrays, cell: Cell) -> Distribution:
    """Distribution of the score of one query."""
    system, measure, query = cell
    assert query is not None
    spread = scores.uncertainty
    if spread is not None and spread.sources is not None:
        exact = exact_values(spread.sources, system, measure, query)
        if exact is not None:
            return Distribution.from_atoms(*exact)
    return _of_worlds(scores, cell)


def of_mean(scores: ScoreArrays, cell: Cell) -> Distribution:
    """Distribution of the mean over queries."""
    return _of_worlds(scores, cell)


def _of_worlds(scores: ScoreArrays, cell: Cell) -> Distribution:
    system, measure, query = cell
    values, weight = _values(scores, (system,), measure, query)
    return _distribution(scores, cell, values[:, 0], weight)


def of_difference(scores: ScoreArrays, cell: Cell, other: Cell) -> Distribution:
    """Distribution of a difference of two systems, in the same worlds."""
    spread = scores.uncertainty
    if spread is not None and spread.sources is not None and cell[2] is not None:
        exact = exact_difference(spread.sources, (cell[0], other[0]), cell[1], cell[2])
        if exact is not None:
            return Distribution.from_atoms(*exact)
    both, weight = _values(scores, (cell[0], other[0]), cell[1], cell[2])
    values, others = both.T
    gap = values - others
    # Equal scores are equal, whatever rounding makes of their difference.
    gap[np.abs(gap) <= NEAR * np.maximum(np.abs(values), np.abs(others))] = 0.0
    drawn = [c for c in (cell, other) if not _is_exact(scores, c)]
    return _distribution(scores, drawn[0] if drawn else cell, gap, weight)


def _values(
    scores: ScoreArrays, systems: tuple[int, ...], measure: int, query: int | None
) -> tuple[Floats, Floats]:
    """Values in all worlds (or of all subjects), (worlds, systems), and each world's weight."""
    spread = scores.uncertainty
    if spread is None or scores.subjects is not None:
        values = _by_subject(scores, systems, measure, query)
        return values, np.full(len(values), 1 / len(values))
    if query is None:
        return spread.joint_means()[:, systems, measure], spread.weight
    if spread.kept is not None:
        return spread.kept[:, systems, measure, query], spread.weight
    if spread.sources is None:
        raise OptionError(NO_WORLDS)
    return query_values(spread.sources, systems, measure, query), spread.weight


def _by_subject(
    scores: ScoreArrays, systems: tuple[int, ...], measure: int, query: int | None
) -> Floats:
    """Values of each subject: (subjects, systems); NaN where a subject has none."""
    values, cells = scores.values[systems, measure], scores.cells
    if query is not None:
        some = slice(*cells.offsets[query : query + 2])
        out = np.full((cells.n_subjects, len(systems)), np.nan)
        out[cells.subject_codes[some]] = values[:, some].T
        return out
    if scores.subjects is not None and scores.design == "nested":
        raise OptionError(
            "the subjects are nested in queries: a name is another person in another query, and "
            "has no mean over queries"
        )
    return cells.mean_by_subject(values).T


def _is_exact(scores: ScoreArrays, cell: Cell) -> bool:
    """Whether the value of each world is exact (worlds may be drawn all the same)."""
    system, measure, query = cell
    spread = scores.uncertainty
    if spread is None:
        return True
    cells = slice(None) if query is None else slice(*scores.cells.offsets[query : query + 2])
    if scores.subjects is not None:
        return not np.nan_to_num(spread.mc_error[system, measure, cells]).any()
    return bool(spread.exact[system, measure, cells].all())


def _distribution(scores: ScoreArrays, cell: Cell, values: Floats, weight: Floats) -> Distribution:
    """Of the worlds that have a value; where worlds are drawn, it is a sample."""
    defined = ~np.isnan(values)
    if not defined.any():
        raise OptionError(
            "this score is undefined in every world drawn, so that it has no distribution"
        )
    values, weight = values[defined], weight[defined]
    weight = weight / weight.sum()
    spread = scores.uncertainty
    if spread is not None and spread.drawn and scores.subjects is None:
        return Distribution.from_samples(values)
    if spread is None or _is_exact(scores, cell):
        return Distribution.from_atoms(values, weight)
    return Distribution(values, weight, spread.n_worlds, _error(scores, spread.mc_error, cell))


def _error(scores: ScoreArrays, mc_error: Floats, cell: Cell) -> float:
    """Monte Carlo standard error of a mean of values, each estimated by itself."""
    system, measure, query = cell
    squares = mc_error[system, measure] ** 2
    n = scores.cells.sum_by_query((~np.isnan(squares)).astype(np.float64))
    of_query = scores.cells.sum_by_query(np.nan_to_num(squares)) / np.maximum(n, 1) ** 2
    if query is not None:
        return float(np.sqrt(of_query[query]))
    return float(np.sqrt(of_query[n > 0].sum()) / max(1, (n > 0).sum()))
