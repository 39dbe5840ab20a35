"""Categories that queries search for: names, or probabilities that add up to 1."""

from __future__ import annotations

from typing import Any

import pytest

import fuzzytruth as ft
from fuzzytruth.data.by_example import chances, check_category

TAX = ft.Taxonomy.from_children({"all": ["beach", "city"]})


def test_names_and_shares() -> None:
    assert check_category(TAX, None) == (None, [])
    assert check_category(TAX, "city") == ("city", ["city"])
    given, names = check_category(
        TAX, {1: "all", "q": {"city": 0.3, "beach": 0.7}, "r": {"city": 1, "beach": 0}}
    )
    assert given == {"1": "all", "q": {"beach": 0.7, "city": 0.3}, "r": "city"}
    assert list(given["q"]) == ["beach", "city"]  # type: ignore[index, call-overload]
    assert names == ["all", "beach", "city", "city"]
    assert chances("city") == [("city", 1.0)]
    assert chances({"beach": 0.7, "city": 0.3}) == [("beach", 0.7), ("city", 0.3)]


@pytest.mark.parametrize(
    ("category", "message"),
    [
        ({"q": {"beach": 0.7, "city": 0.2}}, "^category of query 'q': must add up to 1, but add"),
        ({"q": {"beach": 1.2, "city": -0.2}}, r"^category of query 'q'.*must not be negative"),
        ({"q": {"beach": "x"}}, "must be numbers"),
        ({"q": {}}, "^category of query 'q': the dict is empty"),
        ({"q": {"beach": 0.5, "town": 0.5}}, "'town'"),
        ({"q": {1: 0.5, "1": 0.5}}, "^category of query 'q': '1' is listed twice"),
        ({1: "city", "1": "city"}, "^category: '1' is listed twice"),
        ({"q": ""}, "^category, category: the name is empty"),
    ],
)
def test_what_is_refused(category: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        check_category(TAX, category)
