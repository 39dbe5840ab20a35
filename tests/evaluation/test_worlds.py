"""Scores under worlds, against going through all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.every_world import enumerated, moments, small
from support.scores_for_tests import dense

import fuzzytruth as ft

MEASURES = [
    "P@2", "P", "R@2", "R", "F@3", "AP", "AP@2", "nDCG@3", "nDCG", "RR", "Success@1", "Success@3",
    "Rprec", "RBP", "DCG@3", "ERR@3", "bpref", "NN", "FT", "ST", "E@3", "P(rel=2)@2", "AP(rel=2)",
]  # fmt: skip
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def measures_for(top):
    return [m for m in MEASURES if top > 1 or "rel=2" not in m]


@quiet
@pytest.mark.parametrize("undefined", ["zero", "exclude"])
@pytest.mark.parametrize(("top", "missing"), [(1, False), (2, False), (2, True)])
@pytest.mark.parametrize("seed", [0, 1])
def test_independent_worlds(seed, top, missing, undefined):
    votes, runs = small(seed, top=top, missing=missing)
    measures = measures_for(top)
    want = enumerated(votes, runs, measures, undefined=undefined)
    scores = ft.evaluate(votes, runs, measures, n_worlds=4000, rng=seed, undefined=undefined)
    result = scores.uncertainty
    assert result.worlds == "independent"
    for j, query in enumerate(scores.queries):
        mean, std = moments(*want[query])
        error = np.abs(dense(scores)[:, :, 0, j] - mean)
        limit = np.where(result.exact[:, :, j], 1e-12, 4 * result.mc_error[:, :, j] + 1e-12)
        assert (error <= limit).all(), np.argwhere(error > limit)
        np.testing.assert_allclose(result.std[:, :, j], std, atol=0.03)


@quiet
@pytest.mark.parametrize("top", [1, 2])
def test_distributions_of_single_queries(top):
    votes, runs = small(3, top=top)
    want = enumerated(votes, runs, measures_for(top))
    scores = ft.evaluate(votes, runs, measures_for(top), n_worlds=3000, rng=1)
    for s, system in enumerate(scores.systems):
        for m, measure in enumerate(scores.measures):
            values, p = want["q1"]
            result = scores.distribution(system, "q1", measure)
            for value in np.unique(values[s, m].round(9)):
                exact = p[np.isclose(values[s, m], value, atol=1e-8)].sum()
                tolerance = (
                    1e-12 if result.exact else 4 * np.sqrt(exact * (1 - exact) / 3000) + 1e-3
                )
                near = np.abs(result.values - value) < 1e-8
                assert result.probabilities[near].sum() == pytest.approx(exact, abs=tolerance)


@quiet
def test_differences_are_joint():
    votes, runs = small(4)
    want = enumerated(votes, runs, ["P@3", "AP"])
    scores = ft.evaluate(votes, runs, ["P@3", "AP"], n_worlds=4000, rng=2)
    for query, (values, p) in want.items():
        for m, measure in enumerate(scores.measures):
            gap = values[0, m] - values[1, m]
            result = scores.difference("a", "b", measure, query=query)
            better = p[gap > 1e-9].sum()
            limit = 1e-12 if result.exact else 4 * np.sqrt(0.25 / 4000)
            assert result.probabilities[result.values > 1e-9].sum() == pytest.approx(
                better, abs=limit
            )
            assert result.mean() == pytest.approx((gap * p).sum(), abs=limit)
        assert scores.difference("a", "b", "P@3", query=query).exact


@quiet
def test_mean_over_queries_in_shared_worlds():
    votes, runs = small(5)
    want = enumerated(votes, runs, ["AP"])
    scores = ft.evaluate(votes, runs, ["AP"], n_worlds=5000, rng=3)
    mean = {q: moments(*cell) for q, cell in want.items()}
    result = scores.mean_distribution("a", "AP")
    total = np.mean([m[0, 0] for m, _ in mean.values()])
    spread = np.sqrt(sum(s[0, 0] ** 2 for _, s in mean.values())) / len(mean)
    assert result.mean() == pytest.approx(total, abs=4 * result.mc_error)
    assert result.std() == pytest.approx(spread, rel=0.05)
    assert scores.mean().loc["a", "AP"] == pytest.approx(total, abs=4 * result.mc_error)
    gap = scores.difference("a", "b", "AP")
    other = np.mean([m[1, 0] for m, _ in mean.values()])
    assert gap.mean() == pytest.approx(total - other, abs=4 * gap.mc_error)


@quiet
@pytest.mark.parametrize("worlds", ["independent", "population", "subject"])
def test_equal_votes_give_the_classic_number(worlds):
    votes, runs = small(9, top=2)
    same = votes.assign(grade=votes.groupby(["query", "item"])["grade"].transform("first"))
    crisp = ft.Judgments.from_frame(same).select_subject("s0")
    want = dense(ft.evaluate(crisp, runs, MEASURES))[:, :, 0]
    scores = ft.evaluate(same, runs, MEASURES, worlds=worlds, n_worlds=40, rng=0)
    for subject in range(scores.cells.n_subjects):
        np.testing.assert_allclose(dense(scores)[:, :, subject], want, rtol=0, atol=1e-12)
    if scores.uncertainty is not None:
        np.testing.assert_allclose(scores.uncertainty.std, 0, atol=1e-12)
        assert (scores.uncertainty.mc_error <= 1e-12).all()


@quiet
def test_the_seed_decides_and_workers_do_not():
    rng = np.random.default_rng(0)
    rows = [
        (f"q{q}", f"d{d}", f"s{s}", int(rng.integers(0, 3)))
        for q in range(60)
        for d in range(200)
        for s in range(3)
    ]
    votes = ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )
    runs = {"a": {f"q{q}": {f"d{d}": float(d % 17) for d in range(200)} for q in range(60)}}
    for worlds in ("independent", "population"):
        options = {"worlds": worlds, "n_worlds": 100, "keep_worlds": True}
        first = ft.evaluate(votes, runs, ["bpref", "ERR"], rng=5, **options)
        again = ft.evaluate(votes, runs, ["bpref", "ERR"], rng=5, n_jobs=2, **options)
        other = ft.evaluate(votes, runs, ["bpref", "ERR"], rng=6, **options)
        np.testing.assert_array_equal(first.values, again.values)
        np.testing.assert_array_equal(first.uncertainty.kept, again.uncertainty.kept)
        np.testing.assert_array_equal(first.uncertainty.world_means, again.uncertainty.world_means)
        assert (first.uncertainty.kept != other.uncertainty.kept).any()
        query = first.distribution("a", "q41", "ERR")
        plain = ft.evaluate(
            votes, runs, ["bpref", "ERR"], rng=5, worlds=worlds, n_worlds=100
        ).distribution("a", "q41", "ERR")
        np.testing.assert_array_equal(query.values, plain.values)


@quiet
@pytest.mark.parametrize("n", [1, 7])
def test_generators_and_seed_sequences(n):
    votes, runs = small(1)
    one = ft.evaluate(votes, runs, "bpref", n_worlds=n, rng=np.random.default_rng(3))
    two = ft.evaluate(votes, runs, "bpref", n_worlds=n, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(one.values, two.values)
    assert one.uncertainty.n_worlds == n
    ft.evaluate(votes, runs, "bpref", n_worlds=n, rng=np.random.SeedSequence(3))


@quiet
def test_missing_judgments_draw_the_votes_of_others():
    votes, runs = small(10, missing=True)
    scores = ft.evaluate(
        votes, runs, ["P@2", "AP"], worlds="subject", missing="pooled", n_worlds=3000, rng=0
    )
    for s, name in enumerate(scores.subjects):
        own = votes[votes["subject"] == name]
        filled = votes.merge(
            own[["query", "item"]].assign(own=True), on=["query", "item"], how="left"
        )
        filled = filled[filled["own"].isna() | (filled["subject"] == name)]
        want = enumerated(filled.drop(columns="own"), runs, ["P@2", "AP"])
        for query in own["query"].unique():
            mean, _ = moments(*want[query])
            result = dense(scores)[:, :, s, scores.queries.index(query)]
            np.testing.assert_allclose(result, mean, atol=0.04)


@quiet
def test_probabilities():
    truth = ft.Judgments.from_probabilities(["q"] * 3, ["a", "b", "c"], [0.2, 0.5, 0.9])
    runs = {"x": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}
    scores = ft.evaluate(truth, runs, ["P@3", "P@1"], rng=0)
    assert dense(scores)[0, :, 0, 0] == pytest.approx([1.6 / 3, 0.2])
    result = scores.distribution("x", "q", "P@3")
    np.testing.assert_allclose(result.pmf(result.values), [0.04, 0.41, 0.46, 0.09])
    with pytest.raises(ft.DataError, match=r"row 2, column 'probability': value 1.5 is not a prob"):
        ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.1, 1.5])
    with pytest.raises(ft.OptionError, match="probabilities and have no subjects"):
        ft.evaluate(truth, runs, "P@1", worlds="population")


@quiet
@pytest.mark.usefixtures("own_measures")
def test_a_registered_measure_has_a_distribution_too():
    ft.register(lambda batch, *, k=2: batch.hits(k, 1) ** 2, name="SquaredHits")
    votes, runs = small(2)
    want = enumerated(votes, runs, ["SquaredHits@3"])
    scores = ft.evaluate(votes, runs, "SquaredHits@3", n_worlds=4000, rng=0)
    for j, query in enumerate(scores.queries):
        mean, _ = moments(*want[query])
        error = 4 * scores.uncertainty.mc_error[:, :, j]
        assert (np.abs(dense(scores)[:, :, 0, j] - mean) <= error + 1e-12).all()
    values, p = want["q0"]
    law = scores.distribution("a", "q0", "SquaredHits@3")
    np.testing.assert_array_equal(law.values, np.unique(values[0, 0]))
    for value, probability in zip(law.values, law.probabilities, strict=True):
        exact = p[values[0, 0] == value].sum()
        tolerance = 4 * np.sqrt(exact * (1 - exact) / 4000)
        assert probability == pytest.approx(exact, abs=tolerance)


@quiet
def test_many_distinct_grades():
    rng = np.random.default_rng(0)
    votes = pd.DataFrame(
        [("q", f"d{d}", f"s{s}", rng.random()) for d in range(5) for s in range(3)],
        columns=["query", "item", "subject", "grade"],
    )
    runs = {"a": {"q": {f"d{d}": float(d) for d in range(4)}}}
    want = enumerated(votes, runs, ["nDCG", "nDCG@2", "AP(rel=0.5)", "DCG"])["q"]
    scores = ft.evaluate(
        votes, runs, ["nDCG", "nDCG@2", "AP(rel=0.5)", "DCG"], n_worlds=4000, rng=0
    )
    mean, std = moments(*want)
    result = scores.uncertainty
    error = np.where(result.exact, 1e-12, 4 * result.mc_error)[..., 0]
    assert (np.abs(dense(scores)[:, :, 0, 0] - mean) <= error + 1e-12).all()
    np.testing.assert_allclose(scores.uncertainty.std[..., 0], std, rtol=0.1)


@quiet
def test_saved_scores_say_what_they_can_answer(tmp_path):
    votes, runs = small(3)
    for keep in (False, True):
        scores = ft.evaluate(votes, runs, ["AP", "bpref"], n_worlds=50, rng=0, keep_worlds=keep)
        scores.save(tmp_path / "s.parquet")
        back = ft.Scores.load(tmp_path / "s.parquet")
        pd.testing.assert_frame_equal(back.to_frame(), scores.to_frame())
        one, two = scores.mean_distribution("a", "AP"), back.mean_distribution("a", "AP")
        np.testing.assert_array_equal(one.values, two.values)
        if not keep:
            with pytest.raises(
                ft.OptionError,
                match=r"loaded from a file, which holds no worlds .*, keep_worlds=True\)",
            ):
                back.distribution("a", "q0", "bpref")
        else:
            one, two = (x.distribution("a", "q0", "bpref") for x in (scores, back))
            np.testing.assert_array_equal(one.probabilities, two.probabilities)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_worlds": 0}, "n_worlds=0: must be 1 or more"),
        ({"n_worlds": 2.5}, "n_worlds=2.5: must be a whole number"),
        ({"rng": -1}, "rng=-1: must be None, a whole number"),
        ({"keep_worlds": "all"}, "keep_worlds='all'"),
        ({"worlds": "everyone"}, "worlds='everyone'"),
        ({"measures": ["AP(rel=5)"]}, "largest grade is 1"),
    ],
)
def test_bad_options(options, message):
    votes, runs = small(0)
    given = {"measures": ["AP"]} | options
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.evaluate(votes, runs, **given)


@quiet
@settings(max_examples=40, derandomize=True)
@given(
    p=st.lists(st.floats(0, 1), min_size=1, max_size=8), at=st.integers(0, 7), to=st.floats(0, 1)
)
def test_probabilities_and_what_they_imply(p, at, to):
    """More likely relevant items never lower precision; laws sum to 1; means add up."""
    items = [f"d{j}" for j in range(len(p))]
    runs = {"a": {"q": {d: -float(j) for j, d in enumerate(items[:5])}}}
    measures = ["P@3", "R@3", "F@3", "RR", "Success@2", "TP", "Rprec", "AP", "nDCG"]

    def scored(chances):
        truth = ft.Judgments.from_probabilities(["q"] * len(p), items, chances)
        return ft.evaluate(truth, runs, measures, n_worlds=2, rng=0)

    first = scored(p)
    for m, measure in enumerate(measures[:-2]):
        result = first.distribution("a", "q", measure)
        assert result.probabilities.sum() == pytest.approx(1, abs=1e-12)
        assert result.mean() == pytest.approx(dense(first)[0, m, 0, 0], abs=1e-10)
    assert dense(first)[0, 5, 0, 0] == pytest.approx(sum(p[:5]), abs=1e-12)
    changed = list(p)
    changed[at % len(p)] = max(to, p[at % len(p)])
    assert dense(scored(changed))[0, 0, 0, 0] >= dense(first)[0, 0, 0, 0] - 1e-12


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
@pytest.mark.parametrize("grades", [(0.2, 0.9), (0.3, 0.9), (0.4, 1.7), (0.15, 0.35, 0.8)])
def test_drawn_grades_are_the_grades_that_were_given(grades):
    frame = pd.DataFrame(
        [("q", d, f"s{s}", g) for d in "ab" for s, g in enumerate(grades)],
        columns=["query", "item", "subject", "grade"],
    )
    runs = {"y": {"q": {"a": 2.0, "b": 1.0}}}
    rel = grades[-1]
    measures = [f"AP(rel={rel},norm=retrieved)", "nDCG", f"NumRel(rel={rel})", f"FN(rel={rel})@2"]
    want = enumerated(frame, runs, measures)["q"]
    mean, _ = moments(*want)
    scores = ft.evaluate(frame, runs, measures, n_worlds=4000, rng=0)
    limit = np.where(scores.uncertainty.exact, 1e-12, 4 * scores.uncertainty.mc_error)[..., 0]
    assert (np.abs(dense(scores)[:, :, 0, 0] - mean) <= limit + 1e-12).all()


@pytest.mark.parametrize("truth", ["crisp", "one subject"])
def test_nothing_to_pool(truth):
    rows = [("q", "a", "s", 1), ("q", "b", "s", 0)]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"y": {"q": {"a": 2.0, "b": 1.0}}}
    if truth == "crisp":
        scores = ft.evaluate({"q": {"a": 1, "b": 0}}, runs, ["AP"], missing="pooled")
    else:
        votes = ft.Judgments.from_frame(frame)
        scores = ft.evaluate(votes, runs, ["AP"], worlds="subject", missing="pooled")
    assert scores.values.ravel().tolist() == [1.0]
    assert scores.uncertainty is None


@quiet
@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_errors_are_as_large_as_they_say(worlds):
    """The variance over seeds, over the mean squared Monte Carlo error: neither more nor less."""
    votes, runs = small(4, top=2, n_subjects=5)
    result = [
        ft.evaluate(votes, runs, ["bpref", "ERR"], worlds=worlds, n_worlds=60, rng=seed)
        for seed in range(60)
    ]
    spread = np.array([dense(s)[:, :, 0] for s in result]).var(axis=0, ddof=1)
    claimed = np.mean([s.uncertainty.mc_error**2 for s in result], axis=0)
    assert 0.6 < np.mean(spread / claimed) < 1.6
    means = np.array([[s.mean_distribution("a", m).mean() for m in s.measures] for s in result])
    errors = [[s.mean_distribution("a", m).mc_error ** 2 for m in s.measures] for s in result]
    assert 0.6 < np.mean(means.var(axis=0, ddof=1) / np.mean(errors, axis=0)) < 1.6


@quiet
@pytest.mark.usefixtures("own_measures")
def test_the_mean_of_a_registered_measure():
    ft.register(lambda batch, *, k=2: batch.hits(k, 1) ** 2, name="Squared")
    votes, runs = small(2)
    want = enumerated(votes, runs, ["Squared@3"])
    cells = [moments(*cell) for cell in want.values()]
    scores = ft.evaluate(votes, runs, "Squared@3", n_worlds=4000, rng=0)
    for s, system in enumerate(scores.systems):
        result = scores.mean_distribution(system, "Squared@3")
        mean = np.mean([m[s, 0] for m, _ in cells])
        assert result.mean() == pytest.approx(mean, abs=4 * result.mc_error)
        spread = np.sqrt(sum(d[s, 0] ** 2 for _, d in cells)) / len(cells)
        assert result.std() == pytest.approx(spread, rel=0.06)
        assert result.n_samples == 4000
