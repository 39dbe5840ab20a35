"""Drawn worlds: each item has the whole set of one vote, and its largest grade."""

import numpy as np
import pytest
from support.intents_by_hand import ranked, sets_of, value, votes_by_intent

import fuzzytruth as ft
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.measures import parse_measures
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given

MEASURES = parse_measures(["alpha_nDCG@3", "ERR_IA(alpha=0.3)@5", "nNRBP", "AP_IA", "P_IA@2"])


@pytest.mark.parametrize("seed", range(3))
def test_worlds_take_whole_sets(seed: int) -> None:
    votes, runs = votes_by_intent(seed, n_items=5)
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    (block,) = aligned.blocks("independent")
    drawn = aligned.outcomes(block, as_given()).draw(slice(0, 40), entropy_of(seed))
    worlds, pool = drawn.intents, aligned.pool
    entries = worlds.table
    relevant = np.where(worlds.relevant(-1.0), 1, 0)  # judged at all, or not
    item_of = pool.item.to_pylist()
    by_id = np.lexsort((pool.place_of_item, pool.query_of))
    names = [
        intent
        for q in aligned.facts.queries
        for intent in sorted(set(votes.loc[votes["query"] == q, "intent"]))
    ]
    grades = np.take_along_axis(entries.grade, worlds.option[entries.item].astype(np.int64), axis=1)
    for j, q in enumerate(aligned.facts.queries):
        options = sets_of(votes[votes["query"] == q])
        truths: list[dict] = [{d: {} for d in options} for _ in range(40)]
        for e in np.flatnonzero(pool.query_of[by_id[entries.item]] == j):
            item = item_of[by_id[entries.item[e]]]
            for w in np.flatnonzero(relevant[e]):
                truths[w][item][names[entries.intent[e]]] = grades[e, w]
        for truth in truths:
            assert all(judged in options[d].values() for d, judged in truth.items())
        for d, voted in options.items():  # a set has a chance of 1/3 or more in a world
            drawn_sets = [truth[d] for truth in truths]
            assert all(judged in drawn_sets for judged in voted.values())
        assert len({str(truth) for truth in truths}) > 10
        for s, system in enumerate(aligned.facts.systems):
            lists = ranked(runs[system][q])
            for measure in MEASURES:
                got = measure.score(drawn.batch(s))[:, j]
                want = [value(measure, lists, truth) for truth in truths]
                np.testing.assert_allclose(got, want, atol=1e-12, err_msg=str(measure))
