"""Differences of two systems query by query."""

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import OptionError

VALUES = np.array([[0.5, 0.25, 0.3, np.nan], [0.25, 0.5, 0.1 + 0.2, 1.0]])


def test_crisp_scores_have_no_interval() -> None:
    found = scores_of(VALUES).query_differences("sys0", "sys1")
    table = found.to_frame()
    assert table.columns.tolist() == ["query", "difference", "lower", "upper"]
    np.testing.assert_array_equal(table["difference"], [0.25, -0.25, 0.0, np.nan])
    assert table[["lower", "upper"]].isna().all(axis=None)
    assert (found.wins, found.ties, found.losses, found.mean) == (1, 1, 1, 0.0)
    assert found.level is None
    assert repr(found) == "QueryDifferences(sys0 − sys1, m, 4 queries: 1 wins, 1 ties, 1 losses)"
    assert "4 queries: sys0 is better on 1, worse on 1, equal on 1; 1 query without" in str(found)


def test_differences_over_subjects_are_those_of_compare() -> None:
    values = np.random.default_rng(0).normal(0.5, 0.1, (2, 3, 7))
    scores = scores_of(values)
    found = scores.query_differences("sys0", "sys1", level=0.5)
    gap = values[0] - values[1]  # (subjects, queries)
    np.testing.assert_allclose(found.to_frame()["difference"], gap.mean(axis=0))
    assert found.mean == pytest.approx(ft.compare(scores).to_frame()["difference"][0])
    one = scores.difference("sys0", "sys1", "m", query=scores.queries[3]).interval(0.5)
    assert found.to_frame().loc[3, ["lower", "upper"]].tolist() == list(one)
    assert found.over == "subjects"
    assert (found.n_subjects, found._interval_words()) == ((3, 3), "the range over 3 subjects")


@pytest.mark.parametrize(("n", "is_range"), [(39, True), (42, False)])
def test_few_subjects_have_a_range(n: int, is_range: bool) -> None:
    values = np.random.default_rng(0).normal(0.5, 0.1, (2, n, 3))
    found = scores_of(values).query_differences("sys0", "sys1")
    ends, gap = found.to_frame()[["lower", "upper"]], values[0] - values[1]
    spread = np.stack([gap.min(axis=0), gap.max(axis=0)], axis=1)
    assert np.isclose(ends, spread).all() == is_range
    central = "the central interval that holds 95 % of subjects"
    words = f"the range over {n} subjects" if is_range else central
    assert found._interval_words() == words
    assert f"lower, upper: {words}." in " ".join(str(found).split())
    assert found._plot_data("waterfall").title.endswith(f"\nLines: {words}")
    legend = found.plot().get_legend()
    assert legend is not None
    told = f"range over {n} subjects" if is_range else "interval of each query"
    assert legend.get_texts()[0].get_text() == told


def test_errors() -> None:
    scores = scores_of(VALUES)
    with pytest.raises(OptionError, match="other='sys0': is the same system"):
        scores.query_differences("sys0", "sys0")
    with pytest.raises(OptionError, match="system 'z' is not among these scores"):
        scores.query_differences("z", "sys0")
    two = pd.concat([scores.to_frame(), scores.to_frame().assign(measure="n")])
    with pytest.raises(OptionError, match="measure=None: name one of m, n"):
        ft.Scores.from_frame(two).query_differences("sys0", "sys1")
