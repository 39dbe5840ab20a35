"""The preferences of crowd workers among answers."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft


@pytest.fixture(scope="module")
def scores() -> ft.Scores:
    return ft.datasets.load_cragc25()


def test_sizes_are_those_of_the_study(scores: ft.Scores) -> None:
    assert (len(scores.systems), len(scores.queries)) == (6, 65)
    assert scores.subjects is not None
    assert len(scores.subjects) == 420
    assert scores.measures == ("preference",)
    styles = ("bullet", "essay", "news")
    assert set(scores.systems) == {f"{by}-{style}" for by in ("human", "llm") for style in styles}
    assert (~np.isnan(scores.values)).sum() == 11_892


def test_shares_lie_between_0_and_1(scores: ft.Scores) -> None:
    values = scores.values[~np.isnan(scores.values)]
    assert values.min() == 0
    assert values.max() == 1
    # One of the two answers of a comparison wins: about half of them do.
    assert values.mean() == pytest.approx(0.5, abs=0.01)


def test_workers_saw_few_topics(scores: ft.Scores) -> None:
    assert scores.cells.subject_sizes.max() < 65 / 2
    assert len(scores.cells) < 0.2 * 65 * 420
