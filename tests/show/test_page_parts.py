"""Parts of a page."""

from __future__ import annotations

import pytest

from fuzzytruth.show.answer import Column, Sentences, Table
from fuzzytruth.show.page import Page, Section, page_html


def page(*columns: Column) -> str:
    section = Section.of("section", "Section", Table(columns, "t"))
    return page_html(Page("title", "", (section,), ""))


@pytest.mark.parametrize(
    ("column", "style"),
    [
        (Column("n", ("1",)), ' class="n"'),
        (Column.label("n", ("a" * 21,)), ' class="long"'),
        (Column.label("n", ("a" * 20,)), ""),
    ],
)
def test_numbers_and_long_names_have_styles(column: Column, style: str) -> None:
    assert f'<th scope="row"{style}>{column.cells[0]}</th>' in page(column)


def test_bold_cells() -> None:
    html = page(Column.label("name", ("a", "b")), Column("n", ("1", "2"), bold=(True, False)))
    assert '<td class="n"><b>1</b></td>' in html
    assert '<td class="n">2</td>' in html


def test_sections_keep_what_has_content() -> None:
    table = Table((Column("n", ("1",)),), "t")
    none = Table((Column("n", ()),), "t")
    assert Section.of("s", "S", None, Sentences.of(""), none, table).parts == (table,)
