"""Labellings of a collection as measures see them, and their cache."""

import numpy as np
import pytest
from support.small_collections import TREE, make_runs, make_votes

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.example import collection as module
from fuzzytruth.truth.example.collection import Labelling, LabellingCache
from fuzzytruth.truth.vote_weights import as_given


def test_drawn_labellings_are_shared_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def draw() -> Labelling:
        drawn.append(1)
        return Labelling.of(np.array([[0, 1]]), 2)

    cache, votes, other = LabellingCache(), as_given(), as_given()
    first = cache.get(votes, (0, 5), draw)
    assert cache.get(votes, (0, 5), draw) is first
    assert cache.get(votes, (1, 5), draw) is not first
    assert cache.get(other, (0, 5), draw) is not first
    assert len(drawn) == 3
    monkeypatch.setattr(module, "_CACHED", 0)
    cache.get(votes, (2, 5), draw)
    cache.get(votes, (2, 5), draw)
    assert len(drawn) == 5


@pytest.mark.parametrize("category", [None, "people"])
def test_grades_and_levels_item_by_item(category: str | None) -> None:
    tax = ft.Taxonomy.from_children(TREE)
    votes = ft.Assignments.from_frame(make_votes(3, tax), taxonomy=tax)
    aligned = align(
        votes.by_example(category=category), ft.Runs.from_dict(make_runs(1)), ties="trec"
    )
    block = aligned.blocks("independent")[0]
    worlds = aligned.outcomes(block, as_given()).draw(slice(0, 40), (1, 2, 3, 4))
    again = aligned.outcomes(block, as_given()).draw(slice(0, 40), (1, 2, 3, 4))
    items, names = votes.items.to_pylist(), votes.set_names()
    for run in range(2):
        np.testing.assert_array_equal(worlds.batch(run).gain, again.batch(run).gain)
        batch = worlds.batch(run).end_to_end()
        for w in range(40):
            label = {i: names[o] for i, o in zip(items, worlds.option[w], strict=True)}
            for q, query in enumerate(aligned.facts.queries):
                asked = category or label[query]
                below = {asked, *tax.descendants(asked)}
                hits = slice(batch.offsets[q], batch.offsets[q + 1])
                own = aligned.placements[run].entry[hits]
                expected = [float(label[items[i]] in below) for i in own]
                assert batch.gain[w, hits].tolist() == expected
                relevant = sum(label[i] in below for i in items if i != query)
                assert batch.n_relevant(1)[w, q] == relevant
