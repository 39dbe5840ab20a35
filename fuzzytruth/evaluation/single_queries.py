"""Scores of one query: its worlds drawn again from the seed, or its exact distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.poisson_binomial import pmf
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.simulation import Setting, run_block, without_noise
from fuzzytruth.evaluation.sources import Sources
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_distribution
from fuzzytruth.truth.item_probabilities import ItemProbabilities

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
    found = [sources.find(system, measure) for system in systems]
    places = [place for place in found if place is not None]
    if len(places) < len(systems):
        raise OptionError(NO_WORLDS)
    number = int(sources.query[query])
    setting, _, of = places[0]
    if all(other is setting and m == of for other, _, m in places):  # one drawing serves all
        return _drawn_again(setting, tuple(run for _, run, _ in places), of, number)
    parts = [_drawn_again(other, (run,), m, number) for other, run, m in places]
    return np.concatenate(parts, axis=1)


def _drawn_again(setting: Setting, runs: tuple[int, ...], measure: int, query: int) -> Array:
    """Values of some runs for one query, all numbered as in the setting: (worlds, runs)."""
    queries = _block_of(setting, query)
    only = (setting.measures[measure],)
    block = run_block(replace(setting, keep=True, measures=only, systems=runs), queries)
    assert block.kept is not None
    assert block.kept_noise is not None
    place = query - queries.start
    kept, noise = block.kept[:, :, 0, place], block.kept_noise[:, :, 0, place]
    return without_noise(kept, noise, setting.votes.weight)


def exact_values(
    sources: Sources, system: int, measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values of one query and their probabilities, where items are independent."""
    place = sources.find(system, measure)
    if place is None:
        return None
    setting, run, of = place
    if setting.exclude and setting.measures[of].needs_relevant:
        return None
    values, chances = [], []
    for weight, probabilities in _components(setting, run, int(sources.query[query])) or ():
        law = checked_distribution(setting.measures[of], probabilities)
        if law is None:
            return None
        values.append(law[0])
        chances.append(weight * law[1])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def exact_difference(
    sources: Sources, systems: tuple[int, int], measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values and probabilities of the difference of two systems that share their truth.

    Known where both values add the same weight for each relevant item: an item that both systems
    list cancels, and the others leave two independent Poisson-binomial counts.
    """
    places = [sources.find(system, measure) for system in systems]
    if places[0] is None or places[1] is None:
        return None
    number = int(sources.query[query])
    ours, theirs = (_components(p[0], p[1], number) for p in places if p is not None)
    setting, _, of = places[0]
    values, chances = [], []
    for (weight, one), (_, other) in zip(ours or (), theirs or (), strict=True):
        law = _difference(setting.measures[of], one, other)
        if law is None:
            return None
        values.append(law[0])
        chances.append(weight * law[1])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def _difference(
    measure: Measure, one: ItemProbabilities, other: ItemProbabilities
) -> tuple[Array, Array] | None:
    """Law of the difference, given the component."""
    sums = [measure.hit_weights(one), measure.hit_weights(other)]
    if sums[0] is None or sums[1] is None:
        return None
    entry, place = np.unique(np.concatenate((one.entry, other.entry)), return_inverse=True)
    weight, chance = np.zeros(len(entry)), np.zeros(len(entry))
    n_ours = len(one.entry)
    for (rel, each), probabilities, at, sign in (
        (sums[0], one, place[:n_ours], 1),
        (sums[1], other, place[n_ours:], -1),
    ):
        weight[at] += sign * each
        chance[at] = probabilities.hits.at_least(rel).reshape(-1, len(at))[0]
    unit = np.abs(weight).max(initial=0.0)
    if not np.isin(np.abs(weight), (0.0, unit)).all():
        return None
    gained, lost = pmf(chance[weight > 0]), pmf(chance[weight < 0])
    values = unit * np.arange(1 - len(lost), len(gained))
    return values, np.convolve(gained, lost[::-1])


def _components(
    setting: Setting, run: int, query: int
) -> list[tuple[float, ItemProbabilities]] | None:
    """One query's components and their probabilities; None where items are not independent."""
    if len(setting.votes) > 1:
        return None
    queries = _block_of(setting, query)
    mixture = setting.aligned.outcomes(queries, setting.votes).probabilities(run)
    return None if isinstance(mixture, str) else mixture.of_query(query - queries.start)


def _block_of(setting: Setting, query: int) -> slice:
    """The block of queries that holds one of them."""
    return next(block for block in setting.blocks if block.start <= query < block.stop)
