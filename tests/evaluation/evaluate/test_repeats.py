"""Scores by repeated judgments and by counts, against going through all worlds."""

import numpy as np
import pandas as pd
import pytest
from support.every_world import small
from support.repeated import as_votes, expected, repeated

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


MEASURES = ["P@2", "R@2", "AP", "nDCG@3", "RR", "ERR@3"]


def close(value, error, want) -> None:
    assert (np.abs(value - want) <= 4 * error + 1e-12).all()


@pytest.mark.parametrize(("seed", "top"), [(0, 1), (1, 2)])
def test_independent_worlds_draw_a_subject_then_a_repeat(seed: int, top: int) -> None:
    frame, runs = repeated(seed, top=top)
    scores = ft.evaluate(frame, runs, MEASURES, n_worlds=4000, rng=seed)
    assert scores.uncertainty is not None
    assert scores.uncertainty.worlds == "independent"
    want = expected(as_votes(frame), runs, MEASURES)
    for j, query in enumerate(scores.queries):
        mean, std = want[query]
        close(scores.values[:, :, j], scores.uncertainty.mc_error[:, :, j], mean)
        exact = scores.uncertainty.exact[:, :, j]
        assert exact[:, 0].all()  # precision
        np.testing.assert_allclose(scores.uncertainty.std[:, :, j], std, atol=0.03)


def test_missing_judgments_beside_repeats() -> None:
    frame, runs = repeated(0, top=2)
    cut = frame[(frame["subject"] != "s1") | (frame["item"] != "d1")]
    options = {"worlds": "subject", "n_worlds": 4000, "rng": 0}
    with pytest.raises(ft.errors.DataError, match="3 judgments are missing"):
        ft.evaluate(cut, runs, MEASURES, **options)
    with pytest.raises(ft.errors.OptionError, match="missing='exclude': cannot be told"):
        ft.evaluate(cut, runs, MEASURES, missing="exclude", **options)
    sure = cut.assign(grade=cut.groupby(["query", "item", "subject"])["grade"].transform("max"))
    once = sure.drop_duplicates(["query", "item", "subject"]).drop(columns="repeat")
    excluded, plain = (
        ft.evaluate(votes, runs, MEASURES, missing="exclude", **options) for votes in (sure, once)
    )
    np.testing.assert_allclose(excluded.values, plain.values)
    zeros = frame.assign(grade=frame["grade"].where(frame.index.isin(cut.index), 0))
    # with grade 0 for missing judgments, or any other subject's grade
    others = [frame[(frame["subject"] != "s1") & (frame["item"] == "d1")]]
    pooled = pd.concat([cut[cut["subject"] == "s1"], as_votes(others[0])])
    filled = zeros[zeros["subject"] == "s1"]
    for missing, votes in (("nonrelevant", filled), ("pooled", pooled)):
        scores = ft.evaluate(cut, runs, MEASURES, missing=missing, **options)
        assert scores.provenance.missing == missing
        want = expected(votes.assign(subject="s1"), runs, MEASURES)
        for j, query in enumerate(scores.queries):
            cell = (scores.cells.query == j) & (scores.cells.subject == scores.subjects.index("s1"))
            at = int(np.flatnonzero(cell)[0])
            error = scores.uncertainty.mc_error[:, :, at]
            close(scores.values[:, :, at], error, want[query][0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda v, r: ft.evaluate(v, r, "RBO", worlds="subject"), "several lists of each; keep"),
        (
            lambda v, r: ft.evaluate(v, r, "P@2", worlds="subject", unjudged="bounds"),
            "unjudged='bounds': there are none where a subject judged an item several times",
        ),
        (lambda v, r: ft.curves(v, r, "PR"), "curves: subjects judged items several times"),
    ],
)
def test_what_repeats_do_not_have(make, message: str) -> None:
    frame, runs = repeated(0)
    with pytest.raises(ft.FuzzytruthError, match=message):
        make(frame, runs)


def test_counts_are_votes_without_names() -> None:
    votes, runs = small(0, top=2)
    keys = ["query", "item", "grade"]
    counts = votes.groupby(keys, as_index=False).size().rename(columns={"size": "count"})
    options = {"n_worlds": 500, "rng": 0, "keep_worlds": True}
    want = ft.evaluate(votes, runs, MEASURES, **options)
    scores = ft.evaluate(counts.sample(frac=1, random_state=0), runs, MEASURES, **options)
    order = [scores.queries.index(query) for query in want.queries]
    np.testing.assert_array_equal(scores.values[:, :, order], want.values)
    assert scores.uncertainty.worlds == "independent"
