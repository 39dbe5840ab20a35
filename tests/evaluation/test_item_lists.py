"""Checks of ranked lists."""

from __future__ import annotations

import pytest

import fuzzytruth as ft
from fuzzytruth.evaluation.lists.list_similarity import check_not_text, check_once


def test_text_is_not_a_list() -> None:
    with pytest.raises(ft.DataError, match="answer='abc': must be a list of items, not one text"):
        check_not_text("abc", "answer")
    for items in (["abc"], ("a", "b"), b"abc", {"a": 1}):
        check_not_text(items, "answer")


def test_the_first_repeated_item_is_named_with_both_places() -> None:
    check_once([], "answer")
    check_once(["a", 1, ("a",)], "answer")
    with pytest.raises(ft.DataError, match="answer: 'b' is listed twice, at places 2 and 4"):
        check_once(["a", "b", "c", "b", "a"], "answer")
