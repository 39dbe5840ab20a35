"""The result of `compare`."""

from __future__ import annotations

import numpy as np
import pytest
from support.drawn import title_of
from support.scores_for_tests import scores_of

import fuzzytruth as ft

VALUES = np.random.default_rng(0).normal([[0.0], [0.1], [2.0]], 0.3, (3, 20))


@pytest.fixture(scope="module")
def result() -> ft.Comparison:
    return ft.compare(scores_of(VALUES), n_resamples=499, rng=1)


def test_repr_counts_pairs_and_significant_ones(result: ft.Comparison) -> None:
    count = int(result.to_frame(full=True)["significant"].sum())
    assert count == 2
    assert repr(result) == (
        "Comparison(3 pairs, 1 measure, over queries, max-t, level 0.95: 2 significant)"
    )


def test_frames_handed_out_are_copies(result: ft.Comparison) -> None:
    frame = result.to_frame(full=True)
    frame["difference"] = 0.0
    gap = VALUES[0] - VALUES[1]
    assert result.to_frame(full=True)["difference"][0] == pytest.approx(gap.mean())


def test_superscripts_name_the_systems_beaten(result: ft.Comparison) -> None:
    assert result.superscripts()["m"].to_dict() == {"sys0": "", "sys1": "", "sys2": "ab"}


def test_a_verdict_for_each_row(result: ft.Comparison) -> None:
    verdicts = result.verdicts()
    assert len(verdicts) == len(result.to_frame(full=True))
    assert verdicts[0].startswith(
        "no difference between sys0 and sys1 is shown on m over queries ("
    )
    assert verdicts[1].startswith("sys2 is significantly better than sys0 on m over queries (")


def test_plot_has_a_row_for_each_pair(result: ft.Comparison) -> None:
    import matplotlib.pyplot as plt

    try:
        axes = result.plot()
        labels = [label.get_text() for label in axes.get_yticklabels()]
        assert len(labels) == 3
        assert "simultaneous 95 % intervals" in title_of(axes)
        assert result.plot(axes, measure="m") is axes
        with pytest.raises(ft.FuzzytruthError, match="RR"):
            result.plot(measure="RR")
    finally:
        plt.close("all")
