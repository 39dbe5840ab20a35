"""Reasons with their counts."""

from __future__ import annotations

from fuzzytruth.io.files import counted_reasons


def test_nouns_take_the_plural() -> None:
    left_out = {"annotation without 'a of b'": 2, "value of 'x'": 1000, "draft": 1, "task": 0}
    expected = ["2 annotations without 'a of b'", "1,000 values of 'x'", "1 draft"]
    assert counted_reasons(left_out) == expected
