"""First rows of long tables."""

from __future__ import annotations

import pytest

from fuzzytruth.show.answer_rows import few_ranks, first_rows_table, short_id


def test_rows_left_out_and_ids_that_are_cut() -> None:
    columns = {"item": ["a", "b" * 41], "grade": [1.0, 2.0], "score": [0.25, 31.5]}
    table = first_rows_table(columns, 7, rest=".to_frame()")
    assert table.title == "The first 2 of 7 rows; … ends ids that are cut, all: .to_frame()"
    assert [column.kind for column in table.columns] == ["label", "number", "number"]
    assert table.columns[0].cells == ("a", "b" * 39 + "…")
    assert [column.cells for column in table.columns[1:]] == [("1", "2"), ("0.250", "31.500")]
    assert first_rows_table({"item": ["a"]}, 1, rest="").title == "All rows"


def test_an_id_of_forty_characters_is_whole() -> None:
    assert short_id("x" * 40) == "x" * 40


@pytest.mark.parametrize(
    ("depth", "limit", "ranks"),
    [(0, 6, []), (1, 6, [1]), (7, 6, [1, 5, 7]), (1000, 3, [1, 5, 1000])],
)
def test_few_ranks_end_with_the_last(depth: int, limit: int, ranks: list[int]) -> None:
    assert few_ranks(depth, limit) == ranks
