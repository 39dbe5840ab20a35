"""Pages as text."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode

from support.html_reader import Reader

from fuzzytruth.show.answer import Column, Sentences, Table
from fuzzytruth.show.page import FOLDED_FROM, WIDE_FROM, Code, Figure, Page, Section, page_html

TROUBLE = "<i>&\"'</i>"


def page(*parts: Sentences | Code | Figure | Table) -> str:
    return page_html(Page(TROUBLE, TROUBLE, (Section.of("one", TROUBLE, *parts),), TROUBLE))


def test_every_text_is_escaped() -> None:
    table = Table((Column(TROUBLE, (TROUBLE,), "label", (True,)),) * 2, TROUBLE, TROUBLE)
    texts = [Sentences.of(TROUBLE, kind=kind) for kind in ("paragraph", "list", "note", "heading")]
    html = page(*texts, Code(TROUBLE, TROUBLE), Figure(TROUBLE, "<svg></svg>", TROUBLE), table)
    assert "<i>" not in html
    assert html.count("&lt;i&gt;") >= 16


def test_control_characters_are_shown_and_not_obeyed() -> None:
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


def test_the_same_page_is_the_same_text() -> None:
    assert page(Sentences.of("x")) == page(Sentences.of("x"))


def test_sections_without_parts_are_left_out() -> None:
    empty = Section.of("none", "Nothing", Sentences(()), Table((), "t"), None)
    html = page_html(Page("t", "", (empty, Section.of("some", "Some", Sentences.of("x"))), "f"))
    assert "Nothing" not in html
    assert '<a href="#some">Some</a>' in html


def test_long_tables_are_folded_and_wide_ones_are_not_printed() -> None:
    rows = tuple(map(str, range(FOLDED_FROM + 1)))
    assert "<details>" in page(Table((Column("n", rows),), "long"))
    assert "<details>" not in page(Table((Column("n", rows[1:]),), "short"))
    many = (Column("n", rows[:40]),) * 26
    assert "<details>" in page(Table(many, "large"))
    assert "<details>" not in page(Table(many[1:], "not large"))
    columns = (Column("n", ("1",)),) * (WIDE_FROM + 1)
    assert "13 columns are too wide to be printed" in page(Table(columns, "wide"))
    assert "to be printed." not in page(Table(columns[1:], "not wide"))


def test_figures_are_folded_if_they_say_so() -> None:
    figure = Figure("AP: all. More words.", "<svg></svg>", is_folded=True)
    html = page(figure)
    assert "<summary>Figure: AP: all</summary>" in html
    assert Reader.of(re.sub(r"<(?:meta|!doctype)[^>]*>\n?", "", html)).open == []
    assert "<summary>" not in page(Figure("AP", "<svg></svg>"))


def test_tables_of_one_row_or_of_settings_are_not_sortable() -> None:
    two = (Column("n", ("1", "2")),)
    assert 'class="sortable"' in page(Table(two, "t"))
    assert 'class="sortable"' not in page(Table(two, "t", sortable=False))
    assert 'class="sortable"' not in page(Table((Column("n", ("1",)),), "t"))


def test_lines_that_begin_with_a_space_belong_to_the_one_before() -> None:
    text = Sentences.of("a", "  b", "c", kind="list")
    assert '<li>a<span class="sub">b</span></li>' in page(text)


def test_tags_are_balanced() -> None:
    html = page(Sentences.of("x"), Table((Column("n", ("1", "2")),), "t", "note"))
    body = re.sub(r"<(?:meta|!doctype)[^>]*>\n?", "", html)
    reader = Reader.of(body)
    assert reader.open == []
    assert ("th", "1") in reader.texts
