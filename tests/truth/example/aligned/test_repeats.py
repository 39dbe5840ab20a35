"""Expected scores of subjects who judged items several times, against every world of theirs."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense
from support.small_collections import TREE, make_runs
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft

TAX = ft.Taxonomy.from_children(TREE)
MEASURES = ["P@2", "AP", "R@2", "RR", "NumRel"]
pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")


def repeated(seed: int, *, missing: bool = False) -> pd.DataFrame:
    """Votes of three subjects on three items; the last one judged nothing twice."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{subject}", item, str(rng.choice(["crowd", "people", "city"])), f"r{repeat}")
        for item in "abcd"
        for subject in range(3)
        for repeat in range(1 if subject == 2 else int(rng.integers(1, 3)))
        if not (missing and (subject, item) in ((0, "b"), (2, "c")))
    ]
    return pd.DataFrame(rows, columns=["subject", "item", "category", "repeat"])


def split(frame: pd.DataFrame) -> pd.DataFrame:
    """Each repetition as a subject of its own, with its part of one vote."""
    n = frame.groupby(["subject", "item"])["category"].transform("size")
    return frame.assign(weight=1 / n, subject=frame["subject"] + frame["repeat"])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("category", [None, "people"])
@pytest.mark.parametrize("missing", ["error", "pooled"])
@pytest.mark.parametrize("collection", [None, ["b", "c", "d"]])
def test_each_subject(seed: int, category: Any, missing: Any, collection: Any) -> None:
    frame = repeated(seed, missing=missing == "pooled")
    runs = {s: {q: lists[q] for q in "abc"} for s, lists in make_runs(9, "abcd").items()}
    if collection:
        runs = {
            s: {q: {i: x for i, x in of.items() if i in collection} for q, of in lists.items()}
            for s, lists in runs.items()
        }
    truth = ft.Assignments.from_frame(frame, taxonomy=TAX).by_example(
        category=category, collection=collection
    )
    scores = ft.evaluate(truth, runs, MEASURES, worlds="subject", missing=missing, rng=0)
    assert scores.subjects == ("s0", "s1", "s2")
    for s, subject in enumerate(scores.subjects):
        own = frame[frame["subject"] == subject]
        for q, query in enumerate("abc"):
            got = dense(scores)[:, :, s, q]
            if category is None and query not in set(own["item"]):
                assert np.isnan(got).all()
                continue
            others = frame[~frame["item"].isin(own["item"])]
            votes = split(pd.concat([own, others]))
            worlds = every_world(
                TAX, ballots(votes), [query], category=category, collection=collection
            )
            lists = without_query({x: {query: of[query]} for x, of in runs.items()})
            values = dense(ft.evaluate(worlds.truth, lists, MEASURES, worlds="subject"))
            want = np.einsum("smwq,w->sm", values, worlds.weight)
            np.testing.assert_allclose(got, want, atol=1e-12)


def test_missing_labels_are_not_excluded_from_draws() -> None:
    frame = repeated(0, missing=True)
    runs = make_runs(9, "abcd")
    truth = ft.Assignments.from_frame(frame, taxonomy=TAX).by_example()
    for missing in ("nonrelevant", "exclude"):
        with pytest.raises(
            ft.errors.OptionError, match=rf"^missing='{missing}': .*missing='pooled'"
        ):
            ft.evaluate(truth, runs, MEASURES, worlds="subject", missing=missing)  # type: ignore[arg-type]
