import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.settings import check_alternative, ends, towards

VALUE = np.array([0.5, -0.25, np.nan])


def test_distances_towards_an_alternative() -> None:
    assert towards("two-sided", VALUE)[:2].tolist() == [0.5, 0.25]
    assert towards("greater", VALUE)[:2].tolist() == [0.5, -0.25]
    assert towards("less", VALUE)[:2].tolist() == [-0.5, 0.25]


@pytest.mark.parametrize(
    ("alternative", "lower", "upper"),
    [
        ("two-sided", [0.25, -0.5], [0.75, 0.0]),
        ("greater", [0.25, -0.5], [np.inf, np.inf]),
        ("less", [-np.inf, -np.inf], [0.75, 0.0]),
    ],
)
def test_ends(alternative: str, lower: list[float], upper: list[float]) -> None:
    got = ends(check_alternative(alternative), VALUE, np.full(3, 0.25))
    assert [end[:2].tolist() for end in got] == [lower, upper]
    assert np.isnan([end[2] for end in got]).all()


def test_unknown_alternatives() -> None:
    with pytest.raises(ft.OptionError, match="alternative='better': must be one of 'two-sided'"):
        check_alternative("better")
