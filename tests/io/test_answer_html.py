"""Printed results as HTML."""

from __future__ import annotations

from html.parser import HTMLParser

from fuzzytruth.io.answer_html import html_of
from fuzzytruth.io.answer_parts import Column, Sentences, Table


class Reader(HTMLParser):
    """Texts by the tag that they are in, and the tags that were opened and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1], data.strip()))


def test_html() -> None:
    table = Table(
        (
            Column.label("system", ["<script>alert(1)</script>", "a & b"]),
            Column("AP", ("0.5", "0.25"), bold=(True, False)),
        ),
        "Means <1>",
    )
    reader = Reader()
    reader.feed(html_of("2 systems", [Sentences.of("a < b", "c"), table]))
    assert reader.open == []
    assert reader.texts == [
        ("strong", "2 systems"),
        ("p", "a < b"),
        ("p", "c"),
        ("caption", "Means <1>"),
        ("th", "system"),
        ("th", "AP"),
        ("td", "<script>alert(1)</script>"),
        ("strong", "0.5"),
        ("td", "a & b"),
        ("td", "0.25"),
    ]
