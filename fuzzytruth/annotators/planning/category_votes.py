"""What more votes on categories of items would tell; a vote serves all queries it matters to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.planning import vote_posterior
from fuzzytruth.annotators.ratings import ShareEstimates, ratings_of
from fuzzytruth.core.arithmetic import divide, offsets_of, ragged, segment_of
from fuzzytruth.data.by_example import ByExample, ByItem
from fuzzytruth.data.ranking import Ties, of_rows
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.validation import check_truth
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting
from fuzzytruth.evaluation.worlds.simulation import simulate
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import find_items, hash_ids, take
from fuzzytruth.measures import Measure
from fuzzytruth.truth import align
from fuzzytruth.truth.example.aligned import AlignedExample
from fuzzytruth.truth.example.collection import Collection
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.pairs.pool import JudgedPairs
from fuzzytruth.truth.vote_weights import as_given

#: estimates of items, whose options are label sets, and what their votes would tell
Found = tuple[ShareEstimates, vote_posterior.TruthEffects]


def named_ratings(votes: Votes) -> Ratings:
    """Votes for categories, of several joined by " + "; units are the items.

    Raises
    ------
    DataError
        Nobody's votes: probabilities; or answers about some categories only.
    """
    if votes.asked is not None or (votes.subjects is None and not votes.are_counts):
        what = "probabilities" if votes.asked is None else "answers about some categories only"
        raise DataError(f"votes: these are {what}; give votes for the categories that people named")
    return ratings_of(votes)


def shares_of_items(ratings: Ratings, prior: Any) -> ShareEstimates:
    """Estimated shares of label sets, in the order of items and sets; one base rate for all."""
    counts = np.zeros((ratings.n_units, len(ratings.names)))
    np.add.at(counts, (ratings.unit, ratings.value), ratings.weight)
    is_given = isinstance(prior, Mapping)
    every = counts.sum(axis=0) + 1 / counts.shape[1]
    if is_given:
        every = np.array([prior[name] for name in ratings.names])
    rate = np.broadcast_to(every / every.sum(), counts.shape)
    worth = float(every.sum()) if is_given else prior
    concentration = worth if is_given else vote_posterior.concentration_of(counts, rate)
    return ShareEstimates(
        counts=counts, rate=rate, worth=worth, concentration=concentration, is_given=is_given
    )


def each_option(votes: Votes, chance: Floats) -> Votes:
    """Every label set with its probability, (items, sets), in the place of votes on each item."""
    n_items, n_sets = chance.shape
    return replace(
        votes,
        subjects=None,
        item=np.repeat(np.arange(n_items), n_sets),
        subject=np.zeros(chance.size, dtype=np.int64),
        label_set=np.tile(np.arange(n_sets), n_items),
        weight=chance.ravel(),
        repeats=None,
        are_counts=False,
    )


def _found(
    shares: ShareEstimates,
    worth: Floats,
    noise: Floats,
    difference: Floats,
    variance: float | None = None,
) -> Found:
    """The estimates, and the variance that each item explains by itself.

    How much of it is within items is by what their own votes are worth, not by their number.

    Parameters
    ----------
    worth : (items, sets) float
        Expected differences given each label set, added over queries, and but for a constant of
        each item.
    noise : (2, items) float
        Variance that `worth` has as an estimate, over expected votes and over next votes.
    difference : (queries,) float
        Expected difference under the estimated shares.
    variance : float or None
        Of the sum over queries, over worlds of next votes; None: items add up.
    """
    chances = shares.expected_vote, shares.next_vote
    both = np.stack([vote_posterior.variance_of(chance, worth) for chance in chances])
    expected, own = both - noise
    total = own.sum() if variance is None else variance
    n = shares.n_votes
    several = n > 1
    if several.any() and not shares.is_given:
        given = divide(shares.counts, n[:, None])
        within = (divide(n, n - 1) * vote_posterior.variance_of(given, worth))[several].sum()
        part = float(np.clip(divide(within, both[0, several].sum()), 1e-6, 1 - 1e-6))
        shares = replace(shares, concentration=part / (1 - part))
    noise = noise[0]  # whatever its directions, as if all of it were along the worth
    error = np.sqrt(4 * np.maximum(expected, 0.0) * noise + 2 * noise**2)
    effect = vote_posterior.positive(expected, np.array([0, len(expected)]))
    rest = np.array([total]), np.array([total - own.sum()])
    return shares, vote_posterior.TruthEffects(difference, *rest, effect, error)


def effects_of_items(
    truth: ByItem, runs: Runs, measure: Measure, shares: ShareEstimates, ties: Ties
) -> Found:
    """Of votes on items whose categories are retrieved: given one, the difference is certain."""
    n_items, n_sets = shares.counts.shape
    alone = each_option(truth.votes, np.ones(shares.counts.shape))
    people = string_array([str(j) for j in range(n_sets)])  # each says one thing of all items
    crisp = replace(truth, votes=replace(alone, subjects=people, subject=alone.label_set))
    values = evaluate(crisp, runs, measure, worlds="subject", ties=ties).values[:, 0]
    worth = np.nan_to_num(values[0] - values[1]).reshape(n_items, n_sets)
    difference = (shares.estimate * worth).sum(axis=1)
    return _found(shares, worth, np.zeros((2, n_items)), difference)


# Query by example: an item is a query, and one of the items in the lists of others.
#
# Given the category that a query asks for, items are independent. Each query and category is
# therefore a query of judged pairs, whose effects are known; an item's category decides on the
# grade of all of its pairs, and on the category that it asks for itself.


def effects_of_examples(
    truth: ByExample, runs: Runs, measure: Measure, shares: ShareEstimates, ties: Ties, drawn: Any
) -> Found:
    """Of votes on items that are queries and retrieved."""
    votes = truth.votes
    aligned = align(replace(truth, votes=each_option(votes, shares.next_vote)), runs, ties=ties)
    assert isinstance(aligned, AlignedExample)
    check_truth(aligned.facts, (measure,), worlds="independent", ties=ties, missing="error")
    held = aligned.collection
    order = find_items(held.items, votes.items)
    shares_held = replace(shares, counts=shares.counts[order], rate=shares.rate[order])
    of_held, noise_held, difference = _worths(aligned, runs, measure, shares_held, drawn)
    worth, noise = np.zeros(shares.counts.shape), np.zeros((2, len(votes.items)))
    worth[order], noise[:, order] = of_held, noise_held
    placed = aligned if measure.depth is None else aligned.top(measure.depth)
    number, entropy = drawn["n_worlds"], drawn["entropy"]
    setting = Setting(placed, "independent", as_given(), (measure,), number, entropy)
    total = simulate(setting, Sampling(number)).total.value[:, :, 0]
    variance = float((total[:, 0] - total[:, 1]).var(ddof=1))
    return _found(shares, worth, noise, difference, variance)


_PAIRS = 1 << 21  # of a component and an item, in memory at once


def _worths(
    aligned: AlignedExample, runs: Runs, measure: Measure, shares: ShareEstimates, drawn: Any
) -> tuple[Floats, Floats, Floats]:
    """See `worth`, `noise` and `difference` of `_found`: pairs of all components, added by item."""
    held, chances = aligned.collection, np.stack((shares.expected_vote, shares.next_vote))
    queries, rows, weights = _components(held, shares.estimate)
    worth, difference = np.zeros(shares.counts.shape), np.zeros(len(held.queries))
    noise = np.zeros((len(worth), 2))
    n_parts = 1 + len(rows) * len(worth) // _PAIRS
    for part in np.array_split(np.arange(len(rows)), n_parts):
        query, row, weight = queries[part], rows[part], weights[part]
        posterior, component, item, code = _pairs(aligned, (query, row), shares, runs, measure)
        of_pairs = np.stack((posterior.expected_vote, posterior.next_vote))
        for of in vote_posterior.block_effects(posterior, measure, weight > 0, **drawn):
            some = query[of.queries]
            np.add.at(difference, some, weight[of.queries] * of.difference)
            if held.given is None:  # the category of the item that is the query
                own = held.query_item[some], row[of.queries]
                worth[own] += of.difference
                p = chances[:, *own]
                np.add.at(noise, own[0], (p * (1 - p) * of.noise).T)
            where, far = item[of.pairs], weight[component[of.pairs]]
            given = np.take_along_axis(of.worth, code[row[component[of.pairs]]], axis=1)
            np.add.at(worth, where, far[:, None] * given)
            spread = of.noise_under(of_pairs[:, of.pairs])
            np.add.at(noise, where, (far**2 * spread).T)
    return worth, noise.T, difference


def _components(held: Collection, share: Floats) -> tuple[Ints, Ints, Floats]:
    """Query, row of grades and probability of each component, those that have one first."""
    if held.given is None:
        n_queries, n_rows = len(held.queries), share.shape[1]
        query, row = np.repeat(np.arange(n_queries), n_rows), np.tile(np.arange(n_rows), n_queries)
        weight = share[held.query_item].ravel()
    else:
        query, choice = np.nonzero(held.given.row >= 0)
        row, weight = held.given.row[query, choice], held.given.share[query, choice]
    order = np.argsort(weight == 0, kind="stable")
    return query[order], row[order], weight[order]


def _pairs(
    aligned: AlignedExample,
    components: tuple[Ints, Ints],
    shares: ShareEstimates,
    runs: Runs,
    measure: Measure,
) -> tuple[vote_posterior.VotePosterior, Ints, Ints, Ints]:
    """What votes say of the pairs of each component and an item; of which they are; grade codes.

    Of measures that add up items, the pairs that are retrieved; else of the whole collection.
    """
    (query, row), held, places = components, aligned.collection, aligned.placements
    n_queries, n_items = len(held.queries), len(held.items)
    inside = np.zeros((n_queries, n_items), dtype=bool)
    if measure.linear:
        places = tuple(placement.top(measure.depth) for placement in places)
    else:
        inside[:, : held.n_items] = True
        inside[np.arange(n_queries), held.left_out] &= held.left_out < 0
    for placement in places:
        inside[segment_of(placement.offsets), placement.entry] = True
    of_query, item = np.nonzero(inside)
    component, place = ragged(offsets_of(np.bincount(of_query, minlength=n_queries)), query)
    item = item[place]
    grades = np.unique(np.append(held.grade, 0.0))
    code = np.searchsorted(grades, held.grade)  # (rows, sets)

    def of_grades(table: Floats) -> Floats:
        by_row = np.stack([(code == g) @ table.T for g in range(len(grades))], axis=-1)
        return np.asarray(by_row[row[component], item])

    def placed(placement: Placement) -> Placement:
        of, hit = ragged(placement.offsets, query)
        pair = np.searchsorted(component * n_items + item, of * n_items + placement.entry[hit])
        offsets = offsets_of(np.bincount(of, minlength=len(query)))
        first, last = placement.first[hit], placement.last[hit]
        ties = of_rows(placement.ties, hit)
        return Placement(placement.length[query], offsets, pair, first, last, ties)

    counts, rate = of_grades(shares.counts), of_grades(shares.rate)
    if held.keep_query and held.given is None:  # its own category is that of the component
        own = np.flatnonzero(held.query_item[query[component]] == item)
        counts[own], rate[own] = 0.0, np.eye(len(grades))[code[row, row][component[own]]]
    names = held.row_names[row] + "\n" + np.array(held.queries, dtype=object)[query]
    hashes = hash_ids(held.items)[item]
    posterior = vote_posterior.VotePosterior(
        counts=counts,
        rate=rate,
        worth=shares.worth,
        concentration=shares.concentration,
        is_given=shares.is_given,
        runs=runs,
        pairs=JudgedPairs.of(tuple(names), component, take(held.items, item), hashes),
        grades=grades,
        rank=np.zeros((2, len(item)), dtype=np.int64),
        placements=tuple(map(placed, places)),
    )
    return posterior, component, item, code
