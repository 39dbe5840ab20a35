"""Lists without the query itself, against cutting them by hand."""

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.truth.example.collection import make_collection, place_lists

TAX = ft.Taxonomy.from_children({"all": ["a", "b"]})
ITEMS = list("abcde")
VOTES = ft.Assignments.from_frame(
    pd.DataFrame({"subject": "s", "item": ITEMS, "category": ["a", "b"] * 2 + ["a"]}), taxonomy=TAX
)


@pytest.mark.parametrize("keep_query", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_ranks_close_the_gap(seed: int, keep_query: bool) -> None:
    rng = np.random.default_rng(seed)
    lists = {
        query: {str(i): float(x) for x, i in enumerate(rng.permutation([*ITEMS, "x", "y"])[:5])}
        for query in "abc"
    }
    ranking = ft.Runs.from_dict({"s": lists})["s"]
    collection = make_collection(VOTES.by_example(keep_query=keep_query), lists)
    placed = place_lists(collection, ranking, ties="order")
    unknown: list[str] = []
    for q, query in enumerate(collection.queries):
        ranked = sorted(lists[query], key=lambda item: -lists[query][item])
        ranked = [item for item in ranked if keep_query or item != query]
        hits = slice(placed.offsets[q], placed.offsets[q + 1])
        expected = [(rank, item) for rank, item in enumerate(ranked, 1) if item in ITEMS]
        items = [ITEMS[j] for j in placed.entry[hits]]
        assert list(zip(placed.first[hits].tolist(), items, strict=True)) == expected
        assert placed.length[q] == len(ranked)
        unknown += [item for item in ranked if item not in ITEMS]
    assert placed.unknown is not None
    assert sorted(placed.unknown.to_pylist()) == sorted(unknown)
    assert not placed.tied
    part = placed.of_queries(slice(1, 3))
    assert part.length.tolist() == placed.length[1:].tolist()
    assert part.entry.tolist() == placed.entry[placed.offsets[1] :].tolist()
