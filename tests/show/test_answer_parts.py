"""Parts of printed results."""

from __future__ import annotations

from fuzzytruth.show.answer import Column, Sentences, first_rows


def test_names_are_printable() -> None:
    assert Column.label("system", ["a\nb"]).cells == ("a\\nb",)
    assert Sentences.of("a\x1b[1m").lines == ("a\\x1b[1m",)


def test_first_rows() -> None:
    columns = [Column.label("x", "abc"), Column("y", ("1", "2", "3"), bold=(True, False, True))]
    kept, left_out = first_rows(columns, 2)
    assert [one.cells for one in kept] == [("a", "b"), ("1", "2")]
    assert kept[1].bold == (True, False)
    assert left_out == 1
    assert first_rows(columns, 5)[1] == 0
    assert first_rows([], 5) == ((), 0)
