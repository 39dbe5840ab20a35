"""Pages as text."""

import hashlib
import re
from base64 import b64decode

import pytest
from support.html_reader import Reader

from fuzzytruth.show.answer import Column, Sentences, Table
from fuzzytruth.show.page import FOLDED_FROM, WIDE_FROM, Code, Figure, Page, Section, page_html

TROUBLE = "<i>&\"'</i>"
ONE, TWO = Column("n", ("1",)), Column("n", ("1", "2"))


def page(*parts: Sentences | Code | Figure | Table) -> str:
    """A page of one section, whose tags are balanced."""
    html = page_html(Page(TROUBLE, TROUBLE, (Section.of("one", TROUBLE, *parts),), TROUBLE))
    assert Reader.of(re.sub(r"<(?:meta|!doctype)[^>]*>\n?", "", html)).open == []
    return html


def test_every_text_is_escaped() -> None:
    table = Table((Column(TROUBLE, (TROUBLE,), "label", (True,)),) * 2, TROUBLE, TROUBLE)
    texts = [Sentences.of(TROUBLE, kind=kind) for kind in ("paragraph", "list", "note", "heading")]
    html = page(*texts, Code(TROUBLE, TROUBLE), Figure(TROUBLE, "<svg></svg>", TROUBLE), table)
    assert "<i>" not in html
    assert html.count("&lt;i&gt;") >= 16
    name = "red\x1b[31m\u202e\r"
    table = Table((Column.label(name, (name,)),) * 2, name, name)
    html = page(Sentences.of(name), Code(f"a {name}\nb", name), Figure(name, "<svg></svg>"), table)
    assert html.count(r"red\x1b[31m\u202e\r") == 11
    assert r"<code>a red\x1b[31m\u202e\r" + "\nb</code>" in html
    assert not set("\x1b\u202e\r") & set(html)


def test_nothing_is_loaded_and_no_other_script_runs() -> None:
    html = page(Sentences.of("x"))
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', html)
    assert policy.startswith("default-src 'none'")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = b64decode(re.findall(r"'sha256-(.*?)'", policy)[0])
    assert digest == hashlib.sha256(script.encode()).digest()
    assert not re.search(r'(?:src|href)="(?!#)', html)
    assert "http" not in html.replace("http-equiv", "")
    assert "url(" not in html
    assert html == page(Sentences.of("x"))


def test_sections_have_what_has_content() -> None:
    some = Table((ONE,), "t")
    empty = (None, Sentences.of(""), Sentences(()), Table((), "t"), Table((Column("n", ()),), "t"))
    assert Section.of("s", "S", *empty, some).parts == (some,)
    sections = (Section.of("none", "Nothing", *empty), Section.of("some", "Some", some))
    html = page_html(Page("t", "", sections, "f"))
    assert "Nothing" not in html
    assert '<a href="#some">Some</a>' in html


ROWS = tuple(map(str, range(FOLDED_FROM + 1)))
LONG = Column("n", ROWS)


@pytest.mark.parametrize(
    ("with_it", "without", "mark"),
    [
        (Table((LONG,), "t"), Table((Column("n", ROWS[1:]),), "t"), "<details>"),
        (Table((Column("n", ROWS[:40]),) * 26), Table((Column("n", ROWS[:40]),) * 25), "<details>"),
        (
            Table((ONE,) * (WIDE_FROM + 1), "t"),
            Table((ONE,) * WIDE_FROM, "t"),
            "13 columns are too wide to be printed",
        ),
        (Table((TWO,), "t"), Table((TWO,), "t", sortable=False), 'class="sortable"'),
        (Table((TWO,), "t"), Table((ONE,), "t"), 'class="sortable"'),
    ],
)
def test_parts_that_are_folded_not_printed_or_sorted(
    with_it: Table, without: Table, mark: str
) -> None:
    assert mark in page(with_it)
    assert mark not in page(without)


def test_lists_and_cells() -> None:
    text = Sentences.of("a", "  b", "c", kind="list")
    assert '<li>a<span class="sub">b</span></li>' in page(text)
    for column, style in (
        (ONE, ' class="n"'),
        (Column.label("n", ("a" * 21,)), ' class="long"'),
        (Column.label("n", ("a" * 20,)), ""),
    ):
        html = page(Table((column,), "t", "note"))
        assert f'<th scope="row"{style}>{column.cells[0]}</th>' in html
    bold = Column("n", ("1", "2"), bold=(True, False))
    html = page(Table((Column.label("name", ("a", "b")), bold), "t"))
    assert '<table class="sortable numbers">' in html
    assert "<td><b>1</b></td>" in html
    assert "<td>2</td>" in html
    names = Column.label("b", ("x", "y"))
    html = page(Table((names, bold, names), "t"))
    assert '<table class="sortable">' in html
    assert '<td class="n"><b>1</b></td>' in html
