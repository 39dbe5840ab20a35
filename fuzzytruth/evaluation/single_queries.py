"""Scores of one query: its worlds drawn again from the seed, or its exact distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.poisson_binomial import pmf
from fuzzytruth.evaluation.simulation import Setting, run_block, without_noise
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_distribution
from fuzzytruth.truth.item_probabilities import ItemProbabilities


def query_values(setting: Setting, systems: tuple[int, ...], measure: int, query: int) -> Array:
    """Values of one query in all worlds, drawn as before: (worlds, systems)."""
    queries = _block_of(setting, query)
    only = (setting.measures[measure],)
    block = run_block(replace(setting, keep=True, measures=only, systems=systems), queries)
    assert block.kept is not None
    assert block.kept_noise is not None
    place = query - queries.start
    kept, noise = block.kept[:, :, 0, place], block.kept_noise[:, :, 0, place]
    return without_noise(kept, noise, setting.votes.weight)


def exact_values(
    setting: Setting, system: int, measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values of one query and their probabilities, where items are independent."""
    if setting.exclude and setting.measures[measure].needs_relevant:
        return None
    values, chances = [], []
    for weight, probabilities in _components(setting, system, query) or ():
        law = checked_distribution(setting.measures[measure], probabilities)
        if law is None:
            return None
        values.append(law[0])
        chances.append(weight * law[1])
    return (np.concatenate(values), np.concatenate(chances)) if values else None


def exact_difference(
    setting: Setting, systems: tuple[int, int], measure: int, query: int
) -> tuple[Array, Array] | None:
    """Exact values and probabilities of the difference of two systems that share their truth.

    Known where both values add the same weight for each relevant item: an item that both systems
    list cancels, and the others leave two independent Poisson-binomial counts.
    """
    ours, theirs = (_components(setting, system, query) for system in systems)
    values, chances = [], []
    for (weight, one), (_, other) in zip(ours or (), theirs or (), strict=True):
        law = _difference(setting.measures[measure], one, other)
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
    setting: Setting, system: int, query: int
) -> list[tuple[float, ItemProbabilities]] | None:
    """One query's components and their probabilities; None where items are not independent."""
    if len(setting.votes) > 1:
        return None
    queries = _block_of(setting, query)
    mixture = setting.aligned.outcomes(queries, setting.votes).probabilities(system)
    return None if isinstance(mixture, str) else mixture.of_query(query - queries.start)


def _block_of(setting: Setting, query: int) -> slice:
    """The block of queries that holds one of them."""
    return next(block for block in setting.blocks if block.start <= query < block.stop)
