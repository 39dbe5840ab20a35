"""One query's scores, looked at again: its worlds drawn as before, or its exact law."""

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
    number, queries = _block_of(setting, query)
    only = (setting.measures[measure],)
    found = run_block(replace(setting, keep=True, measures=only, systems=systems), number, queries)
    assert found.kept is not None
    assert found.kept_noise is not None
    at = query - queries.start
    kept, noise = found.kept[:, :, 0, at], found.kept_noise[:, :, 0, at]
    return without_noise(kept, noise, setting.meeting.weight)


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
    if len(setting.meeting.weight) > 1:
        return None
    number, queries = _block_of(setting, query)
    mixture = setting.meeting.block(number, queries).chances(slice(0, 1)).mixture(system)
    return None if mixture is None else mixture.of_query(query - queries.start)


def _block_of(setting: Setting, query: int) -> tuple[int, slice]:
    """The block of queries that holds one of them, and its number."""
    for number, queries in enumerate(setting.meeting.blocks()):
        if queries.start <= query < queries.stop:
            return number, queries
    raise IndexError(query)
