"""What `print` shows of the report: in 80 and in 60 columns, and the same numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.show.number_text import interval_text


@pytest.mark.parametrize("width", [80, 60])
def test_every_number_is_whole(report, width: int) -> None:
    text = report._answer().text(width)
    assert max(map(len, text.splitlines())) <= width
    flat = " ".join(text.split())
    frame = report.to_frame()
    for row in frame.itertuples():
        assert f"{row.strong:.3f}" in flat
        assert f"{row.mean:.3f}" in flat
        assert f"[{row.lower:.3f}, {row.upper:.3f}]" in flat
    for pair in report.pairs().itertuples():
        assert f"{pair.better:.3f}" in flat
    assert "Interval: of people, 95 %, over queries and subjects." in flat
    assert "over 8 queries and 4 subjects, by the people's own categories." in flat
    for row in report.comparison.to_frame().itertuples():
        assert interval_text(row.lower, row.upper, signed=True) in flat
    assert "Brackets: 95 % intervals" in flat


def test_html_has_the_same_numbers(report) -> None:
    html = report._repr_html_()
    for row in report.to_frame().itertuples():
        assert f"[{row.lower:.3f}, {row.upper:.3f}]" in html
    assert "<table" in html


@pytest.fixture(scope="module")
def large() -> ft.SantiniReport:
    """Seven systems with long names, and eight people."""
    rng = np.random.default_rng(0)
    items = [f"image_{j:03}.jpeg" for j in range(30)]
    seen = [["single portrait", "crowd"], ["city", "single portrait"]]
    rows = [(f"p{s}", i, rng.choice(seen[j % 2])) for j, i in enumerate(items) for s in range(8)]
    votes = pd.DataFrame(rows, columns=["subject", "item", "category"])
    runs = {
        f"a_rather_long_system_name_{k}": {
            query: {i: (j + q) % 2 * 0.2 * k + rng.normal() for j, i in enumerate(items)}
            for q, query in enumerate(items[:5])
        }
        for k in range(7)
    }
    return ft.santini_report(votes, None, runs, k=5, n_worlds=50, n_resamples=99)


@pytest.mark.parametrize("width", [80, 60])
def test_many_systems_are_cut_short(large, width: int) -> None:
    text = large._answer().text(width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) < 190
    assert "(4 of 42)" in " ".join(text.split())  # pairs
    table = large.people.mean(by="subject")["P@5"].unstack("system")
    best = table.eq(table.max(axis=1), axis=0).sum()
    for system, n in best.items():
        assert f"{table[system].min():.3f}" in text
        assert f"{table[system].max():.3f}" in text
        assert f"{n} of 8" in text


def test_opposite_groups_are_named() -> None:
    """Each system serves one half of the people, by precision and by recall."""
    items = [f"i{j:02}" for j in range(12)]
    kinds = {"x": [j // 6 for j in range(12)], "y": [j % 2 for j in range(12)]}
    rows = [
        (f"s{s}", item, f"c{kinds['x' if s < 5 else 'y'][j]}")
        for s in range(10)
        for j, item in enumerate(items)
    ]
    votes = pd.DataFrame(rows, columns=["subject", "item", "category"])
    runs = {
        name: {
            query: sorted(
                (item for item in items if item != query),
                key=lambda item: (kind[items.index(item)] != kind[q], item),
            )
            for q, query in enumerate(items)
        }
        for name, kind in kinds.items()
    }
    report = ft.santini_report(votes, None, runs, k=5, n_worlds=200, n_resamples=99)
    text = " ".join(str(report).split())
    assert text.count("no difference between x and y is shown on") == 2
    said = "significant for 10 of 10 subjects by their own judgments, in both directions"
    assert text.count(f"; {said} (5 for x, 5 for y)") == 2
