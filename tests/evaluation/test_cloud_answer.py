"""What is printed of a cloud of precision and recall."""

from __future__ import annotations

import pytest

import fuzzytruth as ft

TRUTH = ft.Judgments.from_probabilities(["q"] * 3, [*"abc"], [0.9, 0.5, 0.2])
RANKS = ft.by_rank(TRUTH, {"sys": {"q": [*"abc"]}}, depth=3)


def test_means_and_intervals_are_those_of_the_cloud() -> None:
    cloud = RANKS.cloud("sys", "q")
    lines = cloud._answer().text(80).split("\n")
    assert lines[0].startswith("Precision and recall together: sys, query q: ")
    mean, bands = cloud.mean_curve().set_index("rank"), cloud.bands().set_index("rank")
    rows = [line for line in lines if line[:1].isdigit()]
    assert [int(row.split()[0]) for row in rows] == [1, 3]
    for row in rows:
        rank, *numbers = row.replace("[", "").replace("]", "").replace(",", "").split()
        want = [
            number
            for name in ("precision", "recall")
            for number in (
                mean.loc[int(rank), name],
                *bands.loc[int(rank), [f"{name}_lower", f"{name}_upper"]],
            )
        ]
        assert [float(number) for number in numbers] == pytest.approx(want, abs=6e-4)
