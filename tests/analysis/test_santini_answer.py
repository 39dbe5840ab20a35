"""What `print` shows of the report: in 80 and in 60 columns, and the same numbers."""

from __future__ import annotations

import pytest

from fuzzytruth.io.number_text import interval_text


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
