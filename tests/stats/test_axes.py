"""Axes in words."""

from __future__ import annotations

import pytest

from fuzzytruth.stats.settings import Over, in_words


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ((), ""),
        (("query",), "queries"),
        (("subject",), "subjects"),
        (("query", "subject"), "queries and subjects"),
        (("query", "world"), "queries and worlds"),
    ],
)
def test_plural_nouns_in_the_order_given(over: Over, words: str) -> None:
    assert in_words(over) == words
