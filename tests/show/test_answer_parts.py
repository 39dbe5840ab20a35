"""Parts of printed results."""

from __future__ import annotations

import math

import pandas as pd

from fuzzytruth.show.answer import Column, FrameColumns, Sentences, first_rows, printed_table


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


def test_a_frame_is_printed_by_its_columns() -> None:
    frame = pd.DataFrame({"who": ["a\nb", "c"], "n": [1500, 2], "low": [0.0, math.nan], "up": 1.0})
    columns: FrameColumns = {
        "who": "subject",
        "n": ("votes", ",", "extra"),
        ("low", "up"): ("95 %", ".1f"),
        "up": ("twice", lambda value: f"{2 * value:g}", "label"),
        "missing": None,
    }
    table = printed_table(frame, columns, extras="Votes.")
    assert [one.cells for one in table.columns] == [
        ("a\\nb", "c"),
        ("1,500", "2"),
        ("[0.0, 1.0]", "–"),
        ("2", "2"),
    ]
    assert [one.kind for one in table.columns] == ["label", "extra", "number", "label"]
    assert [one.heading for one in table.columns] == ["subject", "votes", "95 %", "twice"]
    assert (table.title, table.extras) == ("", "Votes.")


def test_a_long_frame_is_cut() -> None:
    frame = pd.DataFrame({"who": [*"abc"]})
    table = printed_table(frame, {"who": "subject"}, title="People", limit=2)
    assert (table.title, table.n_rows) == ("People, the first 2 of 3", 2)
    cut = "the lowest {shown} of {rows:,} subjects"
    table = printed_table(frame, {"who": "subject"}, limit=2, cut=cut)
    assert table.title == "the lowest 2 of 3 subjects"
    assert printed_table(frame, {"who": "subject"}, title="People", limit=3).title == "People"
