"""What is printed of the comparisons of single subjects."""

from __future__ import annotations

import numpy as np
from support.scores_for_tests import scores_of

import fuzzytruth as ft

RNG = np.random.default_rng(6)


def test_counts_come_first() -> None:
    values = RNG.normal(0.5, 0.02, (2, 3, 12))
    values[0, 0] += 0.3
    values[0, 1] -= 0.3
    each = ft.compare(scores_of(values), n_resamples=99).by_subject()
    text = " ".join(each._answer().text(80).split())
    above = int((each.table["difference"] > 0).sum())
    assert text.startswith("2 systems compared on m by each of 3 subjects alone, over 12 queries")
    assert (
        f"sys0 minus sys1 on m: above 0 for {above} of 3 subjects, below 0 for {3 - above}; "
        f"significant for {int(each.table['significant'].sum())}"
    ) in text
    for row in each.table.itertuples():
        assert f"{row.difference:+.4f}" in text
    assert "one subject's judgments being the truth" in text


def test_of_many_pairs_the_numbers_found() -> None:
    values = RNG.normal(0.5, 0.1, (5, 2, 8)) + np.linspace(0, 1, 5)[:, None, None]
    each = ft.compare(scores_of(values), n_resamples=99).by_subject()
    found = each.table.groupby("subject")["significant"].sum()
    text = " ".join(str(each).split())
    assert f"alone: {found.min()} to {found.max()} of 10 differences" in text
    assert "The first 8 of 20 differences" in text
