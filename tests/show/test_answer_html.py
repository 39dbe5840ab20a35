"""Printed results as HTML."""

from __future__ import annotations

from support.html_reader import Reader

from fuzzytruth.show.answer import Column, Sentences, Table, html_of


def test_html() -> None:
    table = Table(
        (
            Column.label("system", ["<script>alert(1)</script>", "a & b"]),
            Column("AP", ("0.5", "0.25"), bold=(True, False)),
        ),
        "Means <1>",
    )
    reader = Reader.of(html_of("2 systems", [Sentences.of("a < b", "c"), table]))
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
