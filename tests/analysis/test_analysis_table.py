"""The table of an analysis."""

from __future__ import annotations

import numpy as np
import pytest
from support.analysed import analysis, runs, truth

import fuzzytruth as ft


def test_columns_are_those_of_the_parts() -> None:
    result = analysis("AP", "P@3")
    frame = result.to_frame(full=True)
    summary = result.scores.summary().sort_values(["measure", "system"]).reset_index(drop=True)
    ordered = frame.sort_values(["measure", "system"]).reset_index(drop=True)
    for name in ("mean", "lower", "upper", "n_queries"):
        np.testing.assert_allclose(ordered[name], summary[name])
    by_subject = result.scores.mean(by="subject")["AP"].unstack("subject")
    by_subject = by_subject.loc[list(result.scores.systems)]
    mine = frame[frame["measure"] == "AP"].set_index("system")
    for name, want in (("lowest", by_subject.min(axis=1)), ("highest", by_subject.max(axis=1))):
        np.testing.assert_allclose(mine[f"{name}_subject"], want)
    stable = result.stability.systems.set_index(["measure", "system"])
    for row in frame.itertuples():
        one = stable.loc[(row.measure, row.system)]
        assert (row.rank_lower, row.rank_upper) == (one["rank_lower"], one["rank_upper"])
        assert row.share_first == one["share_first"]


@pytest.mark.parametrize(("column", "part"), [("beats", "comparison"), ("beats_both", "both")])
def test_who_beats_whom(column: str, part: str) -> None:
    result = analysis("AP")
    table = getattr(result, part).table
    found = {
        (row.system_a, row.system_b) if row.difference > 0 else (row.system_b, row.system_a)
        for row in table[table["significant"]].itertuples()
    }
    frame = result.to_frame().set_index("system")
    said = {(a, b) for a, text in frame[column].items() for b in text.split(",") if b}
    assert said == found
    assert ("good", "bad") in said


def test_printed_cells() -> None:
    result = analysis("AP")
    columns = result._columns("AP")
    assert list(columns) == ["", "system", "mean", "beats", "both", "ranks"]
    row = result.to_frame().iloc[0]
    assert columns["mean"][0] == f"{row['mean']:.3f} [{row['lower']:.3f}, {row['upper']:.3f}]"
    assert columns["beats"][2] == ""
    assert "c" in columns["beats"][0]  # the letter of the third system
    assert result._columns("AP", 1)["mean"][0].startswith(f"{row['mean']:.1f} [")
    assert result._best("AP").sum() == 1


def test_names_with_commas_have_their_letters() -> None:
    lists = {name.replace("bad", "b,ad"): run for name, run in runs().items()}
    plain = analysis("AP")
    result = ft.analyse(truth(), lists, ["AP"], n_resamples=199)
    for column in ("beats", "both"):
        assert result._columns("AP")[column] == plain._columns("AP")[column]
