"""Tests against each person, and who is closer to the others, on arrays: beside loops."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from fuzzytruth.core.clusters import clustered_means
from fuzzytruth.stats.alternative_annotator import person_tests, similarity_gaps, squared_error_gaps

RNG = np.random.default_rng(0)
GAP = RNG.integers(-1, 2, 150).astype(np.int8)
PERSON, CLUSTER = RNG.integers(0, 3, 150), RNG.integers(0, 12, 150)  # in no order


def test_clusters_as_elsewhere() -> None:
    tests = person_tests(GAP, PERSON, CLUSTER, n_people=4, epsilon=0.3)
    for j in range(3):
        own = j == PERSON
        mean, error, df = clustered_means(GAP[None, own].astype(float), CLUSTER[own], 12)
        found = (tests.difference[j], tests.std_error[j], tests.df[j])
        assert found == pytest.approx((mean[0], error[0], df[0]))
        shares = (tests.model_share[j], tests.person_share[j])
        assert shares == (np.mean(GAP[own] <= 0), np.mean(GAP[own] >= 0))
        assert tests.n_clusters[j] == len(np.unique(CLUSTER[own]))
    assert (np.isnan(tests.p[3]), tests.n_items[3]) == (True, 0)
    assert tests.advantage == pytest.approx(tests.model_share[:3].mean())
    tests = person_tests(GAP, PERSON, np.arange(150), n_people=3, epsilon=0.1)
    expected = [ttest_1samp(GAP[j == PERSON], 0.1, alternative="less").pvalue for j in range(3)]
    np.testing.assert_allclose(tests.p, expected, rtol=1e-12)  # items as clusters


def test_interval_of_the_average_advantage() -> None:
    tests = person_tests(GAP, PERSON, CLUSTER, n_people=3, epsilon=0.2)

    def average(kept: Any) -> float:
        return float(np.mean([np.mean(GAP[kept & (j == PERSON)] <= 0) for j in range(3)]))

    whole, parts = average(True), np.array([average(c != CLUSTER) for c in range(12)])
    assert tests.advantage_error == pytest.approx(np.sqrt(11 / 12 * ((whole - parts) ** 2).sum()))
    assert tests.advantage_df == 11
    lower, upper = tests.interval(0.95)
    assert lower < whole < upper
    assert person_tests(GAP, PERSON, 0 * CLUSTER, n_people=3, epsilon=0.2).interval(0.95) == (0, 1)
    some = np.array([True, False, True])  # only those who are tested count
    given: Any = {"n_people": 3, "epsilon": 0.2}
    tests = person_tests(GAP, PERSON, CLUSTER, tested=some, **given)
    assert tests.advantage == pytest.approx(tests.model_share[[0, 2]].mean())
    assert np.isnan(person_tests(GAP, PERSON, CLUSTER, tested=some & False, **given).advantage)


def test_no_spread() -> None:
    person, cluster = np.repeat([0, 1, 2], 6), np.tile(np.arange(6), 3)
    gap = np.repeat(np.array([0, 1, -1], dtype=np.int8), 6)
    tests = person_tests(gap, person, cluster, n_people=3, epsilon=0.2)
    assert tests.p.tolist() == pytest.approx([0.8**6, 1.0, 0.4**6])  # of 0, and of -1
    alone = person_tests(gap, person, 0 * cluster, n_people=3, epsilon=0.2)
    assert alone.p.tolist() == [1, 1, 1]  # a single cluster
    one = person_tests(gap[6:12], 0 * person[:6], cluster[:6], n_people=1, epsilon=0.2)
    lower, upper = one.interval(0.95)  # the model is never as close
    assert (lower, upper) == (0, pytest.approx(1 - 0.025 ** (1 / 6)))
    # ties but for losses in epsilon of the items: the mean is epsilon, and every win is false
    n, epsilon = 40, 0.05
    losses = RNG.random((500, n)) < epsilon
    people, items = (axis.ravel() for axis in np.indices(losses.shape))
    given: Any = {"n_people": 500, "epsilon": epsilon}
    tests = person_tests(losses.astype(np.int8).ravel(), people, items, **given)
    flat = ~losses.any(axis=1)
    assert 0.05 < flat.mean() < 0.2
    np.testing.assert_allclose(tests.p[flat], (1 - epsilon) ** n)  # 2⁻⁴⁰ would be a win


GRADES = np.array([0.1, 0.3, 0.2, 0.7])
TABLE = np.array([[1, 0.3, 0.1, 0], [0.3, 1, 0.2, 0], [0.1, 0.2, 1, 0.6], [0, 0, 0.6, 1]])
SCORES: dict[str, Any] = {
    "same": lambda v, others: np.mean([v == o for o in others]),
    "alike": lambda v, others: np.mean([TABLE[v, o] for o in others]),
    "near": lambda v, others: -np.mean([(GRADES[v] - GRADES[o]) ** 2 for o in others]),
}


@pytest.mark.parametrize("seed", range(3))
def test_who_is_closer_by_a_loop(seed: int) -> None:
    """Some units have one vote, some none."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(40), rng.integers(0, 6, 40))
    value, rival = rng.integers(0, 4, len(unit)), rng.integers(0, 4, 40)[unit]
    found = {
        "same": similarity_gaps(unit, value, 40, rival),
        "alike": similarity_gaps(unit, value, 40, rival, lambda a, b: TABLE[a, b]),
        "near": squared_error_gaps(unit, GRADES[value], 40, GRADES[rival]),
    }
    for name, score in SCORES.items():
        for j in range(len(unit)):
            others = value[(unit == unit[j]) & (np.arange(len(unit)) != j)]
            own, other = (
                round(score(v[j], others), 9) if len(others) else 0 for v in (value, rival)
            )
            assert found[name][j] == int(own > other) - int(own < other)


def test_rounding_errors_are_ties_and_no_votes_are_none() -> None:
    # .1 and .3 are as far from .2, but for rounding: .3 - .2 < .2 - .1 in doubles
    unit = np.zeros(3, dtype=np.int64)
    grade, rival = np.array([0.1, 0.2, 0.2]), np.array([0.3, 0.2, 0.2])
    assert squared_error_gaps(unit, grade, 1, rival).tolist() == [0, 0, 0]
    none = unit[:0]
    assert similarity_gaps(none, none, 3, none).tolist() == []
    assert squared_error_gaps(none, none.astype(float), 3, none.astype(float)).tolist() == []
