"""TREC files parsed line by line: what a line may look like, and what each error says."""

from __future__ import annotations

import pytest

from fuzzytruth.io.trec import QRELS, RUN, LineError, parse_lines

GOOD = b"q1 Q0 d1 1 2.5 t\n"


def test_fields_of_any_white_space() -> None:
    columns = parse_lines(b"\n q1\tQ0  d1 1 2.5 t\r\n\n" + GOOD, RUN, ("query", "item", "score"))
    assert columns["query"].to_pylist() == ["q1", "q1"]
    assert columns["query"].dictionary.to_pylist() == ["q1"]
    assert columns["item"].to_pylist() == ["d1", "d1"]
    assert columns["score"].tolist() == [2.5, 2.5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"q1 Q0 d3 3 0.5\n", r"^: 5 fields in 'q1 Q0 d3 3 0.5', but a line of a TREC run has 6 f"),
        (b"q1\n", r"^: 1 field in 'q1', but"),
        (b"q1,d1,1\n", r"columns separated by commas are read from a file named \.csv$"),
        (b"q1|d1|1\n", r"separated by bars"),
        (b"q1 Q0 my d 1 2.5 t\n", "; an id must not hold white space$"),
        (b"q1 Q0 d 1 x t\n", "^, column 'score': value 'x' is not a number; every row needs one$"),
        (b"q1 Q0 d 1 nan t\n", "^, column 'score': value 'nan' is not a finite number"),
        (b"q1 Q0 d\xe9 1 1 t\n", r"^, column 'item': value 'd.' is not UTF-8 \(byte 0xe9\)"),
    ],
)
def test_errors_name_the_line(line: bytes, message: str) -> None:
    with pytest.raises(LineError, match=message) as caught:
        parse_lines(GOOD + b"\n" + line + b"worse\n", RUN, ("query", "item", "score"))
    assert caught.value.line == 3


def test_text_may_follow_the_tag_but_an_id_must_not_be_broken() -> None:
    assert len(parse_lines(b"q Q0 d 1 2.5 t x y\n", RUN, ("item",))["item"]) == 1
    with pytest.raises(LineError, match="an id must not hold white space"):
        parse_lines(b"q Q0 my d 1 2.5 t\n", RUN, ("item",))
    with pytest.raises(LineError, match=r"^: 5 fields"):
        parse_lines(b"q 0 d 1 z\n", QRELS, ("item",))


def test_columns_that_are_not_named_are_not_checked() -> None:
    columns = parse_lines(b"q Q0 d - 2.5 t\n", RUN, ("item", "score"))
    assert columns.keys() == {"item", "score"}
    with pytest.raises(LineError, match="column 'rank'"):
        parse_lines(b"q Q0 d - 2.5 t\n", RUN, ("rank",))
