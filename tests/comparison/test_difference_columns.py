"""Columns of printed differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.verdicts import difference_columns
from fuzzytruth.show.answer import printed_table

RESULT = ft.compare(
    scores_of(np.random.default_rng(2).normal([[0.2], [0.5], [0.5]], 0.1, (3, 9))),
    n_resamples=99,
    level=0.9,
)


def test_difference_interval_and_p() -> None:
    rows = list(RESULT.table.itertuples(index=False))
    columns = difference_columns(RESULT.table, RESULT.conditions)
    difference, interval, p = printed_table(RESULT.table, columns).columns
    assert (interval.heading, p.heading) == ("90 % interval", "adjusted p")
    for place, row in enumerate(rows):
        assert difference.cells[place].endswith("*") == row.significant
        assert float(difference.cells[place].rstrip("* ")) == pytest.approx(
            row.difference, abs=5e-5
        )
        ends = [float(end) for end in interval.cells[place].strip("[]").split(", ")]
        assert ends == pytest.approx([row.lower, row.upper], abs=5e-5)


def test_kinds_of_intervals() -> None:
    conditions = RESULT.conditions
    assert conditions.intervals == "simultaneous 90 % intervals"
    plain = replace(conditions, correction="none")
    assert (plain.intervals, plain.p_name) == ("unadjusted 90 % intervals", "p")
