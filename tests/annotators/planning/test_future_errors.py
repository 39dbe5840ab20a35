"""Half-widths of data that are not yet there: closed forms, and intervals of simulated tables."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.annotators.planning.future_errors import crossed_errors, student_errors
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.observations import Observations, each_system
from fuzzytruth.stats.world_estimates import estimate


@pytest.mark.parametrize("df", [1, 2, 5, 30, 400])
def test_student(df: int) -> None:
    """E of s is c4 σ, and the power is that of a noncentral t."""
    errors = student_errors(0.04, df, 0.05)
    half = stats.t.ppf(0.975, df) * 0.2 * stats.chi.mean(df) / np.sqrt(df)
    assert errors.half_width == pytest.approx(half, rel=2e-3)
    t = stats.t.ppf(0.975, df)
    for gap in (0.1, 0.4, 0.9):
        power = stats.nct.sf(t, df, gap / 0.2) + stats.nct.cdf(-t, df, gap / 0.2)
        assert errors.power(gap) == pytest.approx(power, abs=0.004)
        assert errors.power(-gap) == errors.power(gap)


@pytest.mark.parametrize(
    ("shape", "variances"),
    [((10, 3), (1.0, 1.0, 1.0)), ((12, 12), (0.0, 0.0, 1.0)), ((4, 20), (0.2, 1.0, 0.0))],
)
def test_crossed(shape: tuple[int, int], variances: tuple[float, float, float]) -> None:
    """Against the library's intervals of simulated tables, within four Monte Carlo errors."""
    sets, (n_q, n_s) = 150, shape
    rng = np.random.default_rng(7)
    q, s, e = np.sqrt(variances)
    y = (
        q * rng.standard_normal((sets, n_q, 1))
        + s * rng.standard_normal((sets, 1, n_s))
        + e * rng.standard_normal((sets, n_q, n_s))
    )
    cells = Cells.complete(n_q, n_s)
    found = estimate(
        Observations(cells.of_dense(y), cells), each_system(sets), ("query", "subject")
    )
    for alpha in (0.05, 0.05 / 28):
        lower, upper = found.interval(1 - alpha)
        half = (upper - lower) / 2
        errors = crossed_errors(*variances, n_q, n_s, alpha)
        margin = 4 * half.std() / np.sqrt(sets)
        assert abs(errors.half_width - half.mean()) < margin
        assert errors.half_width == pytest.approx(half.mean(), rel=0.15)
        gap = errors.half_width
        rejected = (np.abs(found.value + gap) > half).mean()
        assert abs(errors.power(gap) - rejected) < 4 * np.sqrt(0.25 / sets)
    assert errors.variance == pytest.approx(found.value.var(), rel=0.6)


def test_units_do_not_matter() -> None:
    one = crossed_errors(1.0, 0.2, 0.5, 20, 4, 0.05)
    for factor in (1e-40, 1e40):
        same = crossed_errors(factor, 0.2 * factor, 0.5 * factor, 20, 4, 0.05)
        assert same.half_width == pytest.approx(one.half_width * factor**0.5)
        assert same.power(factor**0.5) == pytest.approx(one.power(1.0))


def test_degenerate() -> None:
    assert crossed_errors(1.0, 1.0, 1.0, 1, 5, 0.05).half_width == np.inf
    assert crossed_errors(1.0, 1.0, 1.0, 5, 1, 0.05).power(3.0) == 0
    assert student_errors(1.0, 0, 0.05).half_width == np.inf
    nothing = crossed_errors(0.0, 0.0, 0.0, 5, 5, 0.05)
    assert (nothing.half_width, nothing.power(0.1), nothing.power(0.0)) == (0, 1, 0)
