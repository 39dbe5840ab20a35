"""Every public class that holds numbers has `to_frame`, a copy as a table."""

from __future__ import annotations

import pandas as pd
import pytest
from support.results import MAKE, public_classes, scores

import fuzzytruth as ft

#: public classes without a table of numbers, and why
WITHOUT = {
    "ByExample": "a truth; its votes have one",
    "ByItem": "a truth; its votes have one",
    "Measure": "no numbers",
    "Provenance": "no numbers; to_dict",
}


def test_every_class_is_listed() -> None:
    assert public_classes() == {*MAKE, *WITHOUT}
    assert not any(hasattr(getattr(ft, name), "to_frame") for name in WITHOUT)


@pytest.mark.parametrize("name", MAKE)
def test_to_frame(name: str) -> None:
    result = MAKE[name]()
    assert type(result) is getattr(ft, name)
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 0
    assert not frame.columns.duplicated().any()
    changed = frame.copy()
    frame.iloc[:, :] = frame.iloc[::-1].to_numpy()
    frame["more"] = 1
    pd.testing.assert_frame_equal(result.to_frame(), changed)


def test_one_row_a_test() -> None:
    result = ft.paired_t(scores(), "x", "y")
    short = ["system", "other", "measure", "estimate", "lower", "upper", "p"]
    assert [*result.to_frame()] == short
    row = result.to_frame(full=True).iloc[0]
    assert list(row.index[:8]) == [*short, "test"]
    assert (row["system"], row["p"], row["n"]) == ("x", result.p, 4)
    lead = ft.dominance(scores(), "x", "y", n_resamples=99)
    assert lead.to_frame()[["dominates", "lead", "behind"]].iloc[0].tolist() == [
        *(lead.dominates, lead.lead, lead.behind)
    ]


def test_numbers_of_other_tables() -> None:
    friedman = ft.friedman(scores())
    frame = friedman.to_frame()
    assert dict(zip(frame["system"], frame["mean_rank"], strict=True)) == dict(friedman.mean_ranks)
    assert set(frame["p"]) == {friedman.p}
    overlap = ft.rank_biased_overlap(["a", "b"], ["a", "c"], p=0.5)
    assert overlap.to_frame()["res"].tolist() == [overlap.max - overlap.min]
    better = ft.superiority(scores("independent"), "x", "y")
    row = better.to_frame().iloc[0]
    assert row[["better", "equal", "worse"]].sum() == pytest.approx(1)
    assert row["mean"] == better.difference.mean()
