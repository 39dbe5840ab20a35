"""Scores by repeated judgments and by counts, against going through all worlds."""

import numpy as np
import pandas as pd
import pytest
from support.every_world import small
from support.repeated import as_votes, expected, repeated, resamples

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


@pytest.mark.parametrize(("seed", "undefined"), [(0, "zero"), (1, "exclude")])
def test_a_subject_has_its_expected_score(seed: int, undefined: str) -> None:
    frame, runs = repeated(seed, top=2)
    scores = ft.evaluate(
        frame, runs, MEASURES, worlds="subject", undefined=undefined, n_worlds=4000, rng=seed
    )
    assert scores.provenance is not None
    assert (scores.provenance.missing, scores.provenance.n_worlds) == (None, 4000)
    assert scores.uncertainty is not None
    for name, own in frame.groupby("subject"):
        want = expected(own, runs, MEASURES, undefined=undefined)
        for j, query in enumerate(scores.queries):
            cell = scores.cells.subject == scores.subjects.index(name)
            at = int(np.flatnonzero(cell & (scores.cells.query == j))[0])
            error = scores.uncertainty.mc_error[:, :, at]
            close(scores.values[:, :, at], error, want[query][0])
            assert (error[:, 0] == 0).all()


def test_repeats_that_agree_are_one_judgment() -> None:
    votes, runs = small(3, top=2)
    twice = pd.concat([votes.assign(repeat=1), votes.assign(repeat=2)])
    want = ft.evaluate(votes, runs, MEASURES, worlds="subject")
    scores = ft.evaluate(twice, runs, MEASURES, worlds="subject")
    np.testing.assert_array_equal(scores.values, want.values)
    assert scores.uncertainty is None  # nothing is drawn
    bounds = ft.evaluate(twice, runs, ["P@2"], worlds="subject", unjudged="bounds")
    lower = ft.evaluate(votes, runs, ["P@2"], worlds="subject", unjudged="bounds").lower
    np.testing.assert_array_equal(bounds.lower, lower)


def test_repeats_go_with_their_subject() -> None:
    frame, runs = repeated(0)
    scores = ft.evaluate(frame, runs, ["P@2", "AP"], worlds="population", n_worlds=8000, rng=0)
    parts = [expected(votes, runs, ["P@2", "AP"]) for votes in resamples(frame)]
    assert scores.uncertainty is not None
    for j, query in enumerate(scores.queries):
        values = np.array([part[query][0] for part in parts])
        close(scores.values[:, :, j], scores.uncertainty.mc_error[:, :, j], values.mean(axis=0))
        std = values.std(axis=0) * np.sqrt(3 / 2)
        np.testing.assert_allclose(scores.uncertainty.std[:, :, j], std, atol=0.02)
    np.testing.assert_array_equal(scores.uncertainty.exact[:, 0], True)


def test_missing_judgments_beside_repeats() -> None:
    frame, runs = repeated(0, top=2)
    cut = frame[(frame["subject"] != "s1") | (frame["item"] != "d1")]
    options = {"worlds": "subject", "n_worlds": 4000, "rng": 0}
    with pytest.raises(ft.DataError, match="3 judgments are missing"):
        ft.evaluate(cut, runs, MEASURES, **options)
    with pytest.raises(ft.OptionError, match="missing='exclude': cannot be told"):
        ft.evaluate(cut, runs, MEASURES, missing="exclude", **options)
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


def test_a_single_subject_with_repeats_has_worlds() -> None:
    frame = pd.DataFrame(
        [("q", "a", "model", 1, 1), ("q", "a", "model", 2, 0), ("q", "b", "model", 1, 1)],
        columns=["query", "item", "subject", "repeat", "grade"],
    )
    runs = {"s": {"q": {"a": 2.0, "b": 1.0}}}
    assert ft.evaluate(frame, runs, "P@2").values.item() == 0.75
    with pytest.raises(ft.OptionError, match="worlds='crisp': the subject judged some items sev"):
        ft.evaluate(frame, runs, "P@2", worlds="crisp")


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


@pytest.mark.parametrize("worlds", ["crisp", "subject", "population"])
def test_counts_have_independent_worlds_alone(worlds: str) -> None:
    counts = ft.Judgments.from_columns(["q"] * 2, ["a"] * 2, [0, 1], count=[1, 2])
    runs = {"s": {"q": {"a": 1.0}}}
    with pytest.raises(ft.OptionError, match=r"are counts of people without names.*independent"):
        ft.evaluate(counts, runs, "P@1", worlds=worlds)
    with pytest.raises(ft.MeasureError, match="counts of people without names"):
        ft.evaluate(counts, runs, "WD")
    assert ft.evaluate(counts, runs, "P@1").values.item() == 2 / 3
