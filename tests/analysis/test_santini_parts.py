"""Distributions that a report gives on request."""

from __future__ import annotations

import pytest

import fuzzytruth as ft


def test_distributions_are_those_by_rank(report, votes, runs) -> None:
    ranks = ft.by_rank(votes.by_example(), runs, depth=3)
    for name, measure in (("precision", "P"), ("recall", "R")):
        expected = getattr(ranks, name)("x", "i0", 3)
        for spelling in (measure, f"{measure}@3"):
            got = report.distribution("x", "i0", spelling)
            assert got.to_frame().equals(expected.to_frame())
    category = ranks.categories("x", "i0")[0]
    given = report.distribution("x", "i0", category=category)
    assert given.mean() == ranks.precision("x", "i0", 3, category=category).mean()


@pytest.mark.parametrize("measure", ["AP", "P@4"])
def test_other_measures_are_refused(report, measure: str) -> None:
    with pytest.raises(ft.OptionError, match=f"measure='{measure}': must be 'P' or 'R'"):
        report.distribution("x", "i0", measure)
