"""First rows of long tables."""

from fuzzytruth.show.answer import Column
from fuzzytruth.show.answer_rows import few_ranks, first_rows_table


def test_rows_left_out_and_ids_that_are_cut() -> None:
    columns = {"item": ["a" * 40, "b" * 41], "grade": [1.0, 2.0], "score": [0.25, 31.5]}
    table = first_rows_table(columns, 7, rest=".to_frame()")
    assert table.title == "The first 2 of 7 rows; … ends ids that are cut, all: .to_frame()"
    assert table.columns == (
        Column("item", ("a" * 40, "b" * 39 + "…"), "label"),
        Column("grade", ("1", "2")),
        Column("score", ("0.250", "31.500")),
    )
    assert first_rows_table({"item": ["a"] * 300}, 300, rest="").title == "All rows"
    of_one = first_rows_table({"item": ["a" * 41]}, 1, rest=".to_frame()")
    assert of_one.title == "All rows; … ends ids that are cut, all: .to_frame()"


def test_few_ranks_end_with_the_last() -> None:
    cases = {(0, 6): [], (1, 6): [1], (7, 6): [1, 5, 7], (1000, 3): [1, 5, 1000]}
    assert {given: few_ranks(*given) for given in cases} == cases
    assert few_ranks(3000) == [1, 5, 10, 20, 50, 3000]
    assert few_ranks(3000, 9) == [1, 5, 10, 20, 50, 100, 200, 500, 3000]
