"""The difference of two systems, of which higher is better."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.margin_tests import oriented_difference
from fuzzytruth.errors import ClusterWarning

VALUES = np.array([[0.5, 0.7, 0.9, 0.4], [0.2, 0.6, 0.6, 0.6]])
ASKED = (("sys0", "sys1"), ("query",))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_higher_is_better(sign: float) -> None:
    found = oriented_difference(scores_of(VALUES, higher_is_better=(sign > 0,)), 0, *ASKED)
    gap = VALUES[0] - VALUES[1]
    assert found.sign == sign
    assert found.fitted.value[0] == pytest.approx(sign * gap.mean())
    assert found.fitted.std_error[0] == pytest.approx(gap.std(ddof=1) / 2)


def test_what_is_refused() -> None:
    with pytest.raises(ft.OptionError, match="'sys0' is both"):
        oriented_difference(scores_of(VALUES), 0, ("sys0", "sys0"), ("query",))
    apart = scores_of([[1.0, np.nan], [np.nan, 2.0]])
    with pytest.raises(ft.DataError, match="no query in common"):
        oriented_difference(apart, 0, *ASKED)


def test_clusters_are_reported_unless_quiet() -> None:
    clusters = {"q0": "t", "q1": "t", "q2": "t"}
    with pytest.warns(ClusterWarning):
        loud = oriented_difference(scores_of(VALUES), 0, *ASKED, clusters)
    quiet = oriented_difference(scores_of(VALUES), 0, *ASKED, clusters, quiet=True)
    assert quiet.fitted.std_error == loud.fitted.std_error
