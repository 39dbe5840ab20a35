"""Scores under independent and population worlds, and imputed missing judgments."""

import itertools
from math import factorial, prod

import numpy as np
import pandas as pd
import pytest
from support.every_world import enumerated, moments, small
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.evaluation.subject_scores import score_pooled
from fuzzytruth.evaluation.world_scores import score_worlds
from fuzzytruth.evaluation.worlds.setting import Sampling
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def scored(votes, runs, texts, kind="independent", *, design="crossed", exclude=False, **how):
    truth = ft.Judgments.from_frame(votes, design=design)
    aligned = align(truth, ft.Runs.from_dict(runs), ties="trec")
    sampling = Sampling(**{"n_worlds": 40, "rng": 0} | how)
    measures = tuple(map(parse_measure, texts))
    if kind == "pooled":
        return score_pooled(aligned, measures, sampling=sampling, exclude=exclude)[0]
    return score_worlds(aligned, measures, kind, sampling=sampling, exclude=exclude)[0]


@quiet
def test_means_in_each_world_are_over_queries_with_a_value() -> None:
    votes, runs = small(2)
    scores = scored(votes, runs, ["AP", "P@1"], exclude=True, keep=True, n_worlds=200)
    uncertainty = scores.uncertainty
    assert np.isnan(uncertainty.kept).any()
    np.testing.assert_allclose(uncertainty.world_means, np.nanmean(uncertainty.kept, axis=-1))
    assert uncertainty.weight.tolist() == [1 / 200] * 200
    assert uncertainty.drawn
    assert uncertainty.inflation == 1


@quiet
def test_nested_subjects_are_resampled_within_their_query() -> None:
    votes, runs = small(0)
    votes = votes[~((votes["query"] == "q0") & (votes["subject"] == "s2"))]
    scores = scored(votes, runs, ["P@2"], "population", design="nested", n_worlds=300)
    assert scores.uncertainty.drawn
    assert scores.uncertainty.inflation == 2  # of the query with two subjects
    assert scores.uncertainty.n_worlds == 300
    lonely = votes[~((votes["query"] == "q0") & (votes["subject"] == "s1"))]
    with pytest.raises(ft.errors.DataError, match="query 'q0' has a single subject"):
        scored(lonely, runs, ["P@2"], "population", design="nested")


@quiet
@pytest.mark.parametrize("exclude", [False, True])
def test_imputed_judgments_over_every_world(exclude: bool) -> None:
    votes, runs = small(10, missing=True)
    texts = ["P@2", "AP"]
    scores = scored(votes, runs, texts, "pooled", exclude=exclude)
    cells = scores.cells
    options = {"undefined": "exclude"} if exclude else {}
    for s, name in enumerate(scores.subjects):
        own = votes[votes["subject"] == name][["query", "item"]].assign(own=True)
        joined = votes.merge(own, on=["query", "item"], how="left")
        filled = joined[joined["own"].isna() | (joined["subject"] == name)].drop(columns="own")
        expected = enumerated(filled, runs, texts, **options)
        for c in np.flatnonzero(cells.subject == s):
            mean, _ = moments(*expected[scores.queries[cells.query[c]]])
            np.testing.assert_allclose(scores.values[:, :, c], mean, atol=1e-12)
    assert scores.uncertainty.exact.all()
    assert scores.uncertainty.std is None
    assert scores.uncertainty.n_worlds == len(scores.subjects)
    done: list[float] = []
    for kind in ("independent", "population", "pooled"):
        done.clear()
        scored(votes, runs, ["AP"], kind, progress=done.append)
        assert done == sorted(done)
        assert done[-1] == 1


def resamples(names):
    """All resamples of the subjects with their probabilities."""
    n = len(names)
    for drawn in itertools.combinations_with_replacement(names, n):
        ways = factorial(n) // prod(factorial(drawn.count(x)) for x in names)
        yield drawn, ways / n**n


@quiet
@pytest.mark.parametrize(("top", "missing"), [(1, True), (2, False)])
def test_population_worlds(top, missing):
    """The expectation under the votes of every resample, weighted by its probability."""
    votes, runs = small(6, top=top, missing=missing)
    measures = ["P@2", "AP", "nDCG@3", "RR", "bpref"]
    names = sorted(votes["subject"].unique())
    means, weights = [], []
    for drawn, weight in resamples(names):
        parts = []
        for _, part in votes.groupby(["query", "item"]):
            own = pd.concat([part[part["subject"] == name] for name in drawn])
            parts.append(own if len(own) else part)  # an item that lost all keeps its share
        want = enumerated(pd.concat(parts), runs, measures)
        means.append(np.stack([moments(*cell)[0] for cell in want.values()], axis=-1))
        weights.append(weight)
    means, weights = np.array(means), np.array(weights)
    center = np.tensordot(weights, means, 1)
    spread = np.sqrt(np.tensordot(weights, (means - center) ** 2, 1) * 3 / 2)
    scores = ft.evaluate(votes, runs, measures, worlds="population", rng=0)
    result = scores.uncertainty
    assert result.n_worlds == 10
    order = [scores.queries.index(q) for q in want]
    limit = np.where(result.exact, 1e-12, 4 * result.mc_error + 1e-12)[..., order]
    assert (np.abs(dense(scores)[:, :, 0][..., order] - center) <= limit).all()
    known = result.exact.all(axis=-1)
    np.testing.assert_allclose(result.std[known][:, order], spread[known], atol=1e-12)
    np.testing.assert_allclose(result.std[..., order], spread, atol=0.1)


LINEAR = ["P@2", "TP@3", "CG@3", "DCG@3", "RBP", "NN", "NumRelRet", "FP@2", "FN@2", "FN", "NumRel"]


LINEAR += ["TN(collection=40)@3"]


def drawn(votes: pd.DataFrame, runs, measures: list[str], **options) -> ft.Scores:
    design = options.pop("design", "crossed")
    truth = ft.Judgments.from_frame(votes, design=design)
    return ft.evaluate(truth, runs, measures, worlds="population", rng=3, **options)


@quiet
@pytest.mark.parametrize(("design", "missing"), [("crossed", True), ("nested", False)])
def test_linear_means_over_resamples_are_those_of_the_votes(design: str, missing: bool) -> None:
    """With missing votes, too: those of an item are exchangeable in a resample."""
    votes, runs = small(10, top=1, missing=missing, n_subjects=6)
    scores = drawn(votes, runs, LINEAR, design=design, n_worlds=40)
    assert scores.uncertainty.drawn
    assert scores.uncertainty.exact.all()
    assert (scores.uncertainty.mc_error == 0).all()
    as_given = ft.evaluate(votes, runs, LINEAR, worlds="independent", rng=0)
    np.testing.assert_array_equal(scores.values, as_given.values)
    expected = enumerated(votes, runs, LINEAR[:1])
    for q, query in enumerate(scores.queries):
        mean, _ = moments(*expected[query])
        np.testing.assert_allclose(scores.values[:, :1, q], mean, atol=1e-12)


@quiet
@pytest.mark.parametrize("missing", [False, True])
def test_enumerated_resamples_agree(missing: bool) -> None:
    """All resamples of three subjects have this mean, in numbers."""
    votes, runs = small(10, top=2, missing=missing)
    scores = drawn(votes, runs, LINEAR, n_worlds=5000)
    assert not scores.uncertainty.drawn
    means = np.einsum("w,wsm->sm", scores.uncertainty.weight, scores.uncertainty.world_means)
    np.testing.assert_allclose(means, scores.values.mean(axis=-1), atol=1e-12)


def judged(rows: list[tuple[str, str, int, int]]) -> ft.Judgments:
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return ft.Judgments.from_frame(frame.astype({"subject": str}))


def rare(query: str, n_subjects: int) -> list[tuple[str, str, int, int]]:
    """Two items of which a single subject each says that they are relevant."""
    rows = [(query, "a", s, 2 * (s == 0)) for s in range(n_subjects)]
    return rows + [(query, "b", s, 1 * (s == 1)) for s in range(n_subjects)]


RUNS = {"s": {q: {"a": 3.0, "c": 2.0, "b": 1.0} for q in ("q", "q1", "q2")}}


@quiet
def test_resamples_with_one_inner_world_leave_a_deviation() -> None:
    truth, runs = judged(rare("q", 14)), {"s": {"q": RUNS["s"]["q"]}}
    how = {"worlds": "population", "undefined": "exclude", "keep_worlds": True}
    for seed in range(2):
        spread = ft.evaluate(truth, runs, "nDCG@3", n_worlds=400, rng=seed, **how).uncertainty
        assert spread.std.item() == pytest.approx(0.198, rel=0.2)  # enumerated: .19787
        values = spread.kept[:, 0, 0, 0]
        assert np.isnan(values).mean() < 0.3
        assert np.nanstd(values) == pytest.approx(spread.std.item() / np.sqrt(14 / 13), rel=1e-9)


@pytest.mark.parametrize(
    ("subjects", "options", "words"),
    [
        ("s", {}, "at least two of them, and these judgments have 1"),
        ("st", {"n_worlds": 1}, "n_worlds=1: worlds='population' needs 2 resamples or more"),
    ],
)
def test_population_needs_two(subjects: str, options: dict, words: str) -> None:
    truth = judged([("q", "a", s, 1) for s in subjects])
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.evaluate(truth, {"x": {"q": ["a"]}}, "AP", worlds="population", **options)
