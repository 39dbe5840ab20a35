"""Parts of a report."""

from __future__ import annotations

from fuzzytruth.show.page import Column, Section, Table, Text


def test_numbers_and_long_names_have_styles() -> None:
    assert Column("n", ("1",), True).style == "n"
    assert Column("n", ("a" * 21,)).style == "long"
    assert Column("n", ("a" * 20,)).style == ""
    assert Column("n", ()).style == ""


def test_bold_cells() -> None:
    assert [Column("n", ("1", "2"), bold=(True, False)).is_bold(j) for j in (0, 1)] == [True, False]
    assert not Column("n", ("1",)).is_bold(0)


def test_sections_keep_what_has_content() -> None:
    table = Table("t", (Column("n", ("1",)),))
    kept = Section.of("s", "S", None, Text.of(""), Table("t", (Column("n", ()),)), table).parts
    assert kept == (table,)
