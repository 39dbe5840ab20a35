"""Scores of one query: its worlds drawn again from the seed, or its exact distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.poisson_binomial import pmf
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.exact_moments import certain_values
from fuzzytruth.evaluation.setting import Setting
from fuzzytruth.evaluation.simulation import run_block, without_noise
from fuzzytruth.evaluation.sources import Source, Sources
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_distribution, seen_by
from fuzzytruth.truth.item_probabilities import ItemProbabilities
from fuzzytruth.truth.protocol import Mixture

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
