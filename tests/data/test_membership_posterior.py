"""Posteriors of membership probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

import fuzzytruth as ft
from fuzzytruth.data.vote_shares import credible_intervals, prior_votes

TAX = ft.Taxonomy.from_children({"all": ["a", "b"], "a": ["c"]})


def test_prior_votes_are_spread_over_categories() -> None:
    above, below = prior_votes(TAX, 2.0)
    assert dict(zip(TAX.nodes, above, strict=True)) == {"all": 2, "a": 1, "b": 0.5, "c": 0.5}
    np.testing.assert_allclose(above + below, 2)
    assert prior_votes(TAX, (1.0, 3.0))[1].tolist() == [3] * 4


@pytest.mark.parametrize("prior", [0, -1.0, (0.0, 1.0)])
def test_priors_that_are_refused(prior: float | tuple[float, float]) -> None:
    with pytest.raises(ft.OptionError, match=r"^prior=.*above 0$"):
        prior_votes(TAX, prior)


def test_intervals_are_those_of_beta() -> None:
    mean, lower, upper = credible_intervals(np.array([2.0, 3.0]), np.array([1.0, 0.0]), 0.9)
    np.testing.assert_allclose(mean, [2 / 3, 1])
    np.testing.assert_allclose(lower, [beta(2, 1).ppf(0.05), 1])
    np.testing.assert_allclose(upper, [beta(2, 1).ppf(0.95), 1])


def test_counts_are_numbers_of_votes() -> None:
    counted = ft.Assignments.from_counts([[7, 3]]).membership().posterior(prior=(1.0, 1.0))
    rows = [(f"s{n}", "0", str(int(n >= 7))) for n in range(10)]
    named = ft.Assignments.from_columns(*map(list, zip(*rows, strict=True)))
    want = named.membership().posterior(prior=(1.0, 1.0))
    np.testing.assert_allclose(
        counted.select_dtypes("number"), want.select_dtypes("number"), atol=1e-12
    )
    assert counted["mean"].tolist() == pytest.approx([11 / 12, 8 / 12, 4 / 12])
