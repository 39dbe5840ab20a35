import numpy as np
import pytest
from scipy import stats

import fuzzytruth as ft

DIFFERENCES = np.random.default_rng(0).normal([0.0, 0.3, 0.9], 1, (20, 3))
USING = ft.stats.Resampling(999)


def test_outcome_of_an_array() -> None:
    result = ft.stats.moderated_max_t(DIFFERENCES, USING)
    t = stats.ttest_1samp(DIFFERENCES, 0)
    np.testing.assert_allclose(result.estimate, DIFFERENCES.mean(axis=0))
    np.testing.assert_allclose(result.std_error, stats.sem(DIFFERENCES))
    np.testing.assert_allclose(result.p, t.pvalue)
    assert (result.p_adjusted >= result.p).all()
    assert result.n.tolist() == [20, 20, 20]
    assert 2 < result.critical < 4
    assert 0 < result.d0 <= 19


def test_it_is_what_compare_does() -> None:
    import pandas as pd

    values = np.random.default_rng(1).normal(size=(3, 12))
    frame = pd.DataFrame(
        [(f"s{s}", q, values[s, q]) for s in range(3) for q in range(12)],
        columns=["system", "query", "value"],
    )
    table = ft.compare(ft.Scores.from_frame(frame), n_resamples=999).to_frame(full=True)
    first, second = np.triu_indices(3, 1)
    result = ft.stats.moderated_max_t((values[first] - values[second]).T, USING)
    np.testing.assert_allclose(table["lower"], result.lower)
    np.testing.assert_allclose(table["p_adjusted"], result.p_adjusted)


def test_clusters_by_label() -> None:
    labels = [f"t{q // 2}" for q in range(20)]
    result = ft.stats.moderated_max_t(DIFFERENCES, USING, clusters=labels)
    expected = ft.stats.cluster_t(DIFFERENCES, labels)
    np.testing.assert_allclose(result.p, expected.p)
    means = DIFFERENCES.reshape(10, 2, 3).mean(axis=1)
    np.testing.assert_allclose(result.upper, ft.stats.moderated_max_t(means, USING).upper)


@pytest.mark.parametrize("factor", [0.1, 7.0, 1e-100, 1e100])
def test_the_unit_does_not_matter(factor: float) -> None:
    one = ft.stats.moderated_max_t(DIFFERENCES, USING)
    other = ft.stats.moderated_max_t(DIFFERENCES * factor, USING)
    np.testing.assert_allclose(other.upper / factor, one.upper, rtol=1e-9)
    np.testing.assert_array_equal(other.p_adjusted, one.p_adjusted)


def test_wrong_arguments() -> None:
    with pytest.raises(ft.DataError, match=r"shape \(3,\): must be \(queries, contrasts\)"):
        ft.stats.moderated_max_t(DIFFERENCES[0], USING)
    with pytest.raises(ft.OptionError, match="alternative='up'"):
        ft.stats.moderated_max_t(DIFFERENCES, USING, alternative="up")  # type: ignore[arg-type]
    with pytest.raises(ft.DataError, match="must be one label for each of 20 queries"):
        ft.stats.moderated_max_t(DIFFERENCES, USING, clusters=["a"])
