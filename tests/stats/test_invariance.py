"""No unit, origin or order of the data changes a p-value, ties or not: every test on arrays."""

from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.settings import Resampling


def labels(values: np.ndarray) -> np.ndarray:
    """A label for each query that goes with its values, whatever their order, unit and origin."""
    order = np.lexsort(np.round((values - values.min()) / np.ptp(values), 6))
    out = np.empty(values.shape[1], dtype=np.int64)
    out[order] = np.arange(values.shape[1]) // 5
    return out


def three_pairs(values: np.ndarray) -> np.ndarray:
    """Differences of both systems, and of each from their queries' better one."""
    a, b = values
    return np.stack((a - b, a - np.maximum(a, b), b - np.maximum(a, b)), axis=1)


#: p of (2, queries) values of two systems in some unit
P_OF_PAIR: dict[str, Any] = {
    "paired_t": lambda v, unit, using: ft.stats.paired_t(v[0] - v[1]).p,
    "equivalence": lambda v, unit, using: ft.stats.equivalence(v[0] - v[1], margin=0.1 * unit).p,
    "non_inferiority": lambda v, unit, using: (
        ft.stats.non_inferiority(v[0] - v[1], margin=0.1 * unit).p
    ),
    "cluster_t": lambda v, unit, using: ft.stats.cluster_t(v[0] - v[1], labels(v)).p,
    "stratified_t": lambda v, unit, using: ft.stats.stratified_t(v[0] - v[1], labels(v)).p,
    "max_t": lambda v, unit, using: ft.stats.max_t(three_pairs(v), using).p_adjusted[0],
    "moderated_max_t": lambda v, unit, using: ft.stats.moderated_max_t(
        three_pairs(v), using
    ).p_adjusted[0],
    "sign_flip": lambda v, unit, using: ft.stats.sign_flip(v[0] - v[1], using).p,
    "sign_flip, mid-p": lambda v, unit, using: ft.stats.sign_flip(v[0] - v[1], using, mid_p=True).p,
    "bootstrap_shift": lambda v, unit, using: ft.stats.bootstrap_shift(v[0] - v[1], using).p,
    "sign_test": lambda v, unit, using: ft.stats.sign_test(v[0] - v[1]).p,
    "mcnemar": lambda v, unit, using: (
        ft.stats.mcnemar(*(v >= np.sort(v, axis=None)[v.size // 2])).p
    ),
    "wilcoxon": lambda v, unit, using: ft.stats.wilcoxon(v[0] - v[1]).p,
    "wasserstein": lambda v, unit, using: ft.stats.wasserstein(*v, using).p,
    "dominance": lambda v, unit, using: ft.stats.dominance(*v, using).test.p,
    "friedman": lambda v, unit, using: ft.stats.friedman(np.vstack((v, v.mean(axis=0))).T).p,
}
NO_TESTS = {
    *("CORRECTIONS", "Leads", "MaxT", "ModeratedMaxT", "PairedOutcome", "RankTest", "Resampling"),
    *("adjust", "wilson"),
}
RESAMPLED = ("max_t", "sign_flip", "sign_flip, mid-p", "wasserstein", "dominance")
DRAW_ALWAYS = ("bootstrap_shift", "moderated_max_t")
#: of one side, or with labels that follow the values of the first system
NOT_EXCHANGED = ("dominance", "non_inferiority", "cluster_t", "stratified_t")


def two_systems(seed: int, n: int, decimals: int) -> np.ndarray:
    """Values (2, queries) with few decimals, hence with ties."""
    rng = np.random.default_rng((seed, n, decimals))
    raised = rng.random((2, n)) + np.array([[0.15], [0.0]])
    return np.round(np.clip(raised, 0, 1), decimals)


def test_all_tests_are_here() -> None:
    named = {name.split(",")[0] for name in P_OF_PAIR}
    assert named == set(ft.stats.__all__) - NO_TESTS


@pytest.mark.parametrize(
    ("name", "using"),
    [
        *((name, Resampling()) for name in P_OF_PAIR),
        *((name, Resampling(500, rng=3)) for name in RESAMPLED),
    ],
)
def test_p_of_other_units_origins_and_orders(name: str, using: Resampling) -> None:
    p_of, enumerated = P_OF_PAIR[name], using.n_resamples > 1024
    for seed, n, decimals in ((0, 8, 1), (1, 8, 2), (2, 25, 1)):
        values = two_systems(seed, n, decimals)
        p = pytest.approx(p_of(values, 1.0, using), rel=1e-12)
        for unit in (1 / 3, 1e-150, 1e150):
            assert p_of(values * unit, unit, using) == p, (seed, unit)
        for shift in (0.1, 7.7):
            assert p_of(values + shift, 1.0, using) == p, (seed, shift)
        if n == 8 and enumerated and name not in DRAW_ALWAYS:
            order = np.random.default_rng(seed).permutation(n)
            assert p_of(values[:, order], 1.0, using) == p, seed
        if name not in NOT_EXCHANGED:
            assert p_of(values[::-1], 1.0, using) == p, seed
        if name == "dominance":
            one, other = (ft.stats.dominance(*pair, using) for pair in (values, values[::-1]))
            assert (one.test.statistic, one.behind) == (other.behind, other.test.statistic)
