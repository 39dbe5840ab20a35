"""Printed results as text of a given width."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from fuzzytruth.show.answer import (
    Column,
    Sentences,
    Table,
    folded,
    line_width,
    table_text,
    text_of,
    wrapped,
)

NUMBER = "0.412 [0.351, 0.474]"


def table(*names: str, measures: int = 3) -> Table:
    numbers = [Column(f"m{j}", (NUMBER,) * len(names)) for j in range(measures)]
    return Table(
        (Column.label("system", names), *numbers, Column("d_z", ("1.25",) * len(names), "extra"))
    )


def lines_of(text: str, width: int) -> list[str]:
    lines = text.split("\n")
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    return lines


def test_a_sentence_keeps_its_intervals_whole() -> None:
    text = "a is better than b (difference 0.05 [-0.16, 0.26], adjusted p = 0.50; with 80 % power)"
    for width in range(24, 90):
        lines = lines_of(wrapped(text, width), width)
        for whole in ("[-0.16, 0.26]", "= 0.50", "80 %"):
            assert any(whole in line for line in lines)
        assert " ".join(line.strip() for line in lines) == text


def test_a_table_that_fits_is_drawn_whole() -> None:
    lines = lines_of(table_text(table("x", "y"), 100), 100)
    assert lines[0].split() == ["system", "m0", "m1", "m2", "d_z"]
    assert lines[2:] == [f"{name}       {NUMBER}  {NUMBER}  {NUMBER}  1.25" for name in "xy"]


def test_extras_are_left_out_before_anything_is_folded() -> None:
    lines = lines_of(table_text(table("x", "y"), 73), 73)
    assert "d_z" not in lines[0]
    assert len(lines) == 4


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("name", ["bm25", "a_name_of_no_less_than_fifty-two_characters_in_total"])
def test_numbers_are_never_broken(name: str, width: int) -> None:
    text = table_text(table("x", name), width)
    lines_of(text, width)
    assert text.count(NUMBER) == 6
    folded = "".join(
        line[: line.find(NUMBER)] if NUMBER in line else line for line in text.split("\n")
    )
    assert name in re.sub(r"\s", "", folded)


def test_a_split_table_repeats_the_labels() -> None:
    lines = table_text(table("x", "y", measures=4), 60).split("\n")
    heads = [line.split() for line in lines if line.startswith("system")]
    assert heads == [["system", "m0", "m1"], ["system", "m2", "m3"]]
    assert [line[0] for line in lines if NUMBER in line] == list("xyxy")


def test_wide_characters_count_twice() -> None:
    text = table_text(Table((Column.label("system", ["東京", "a"]), Column("AP", ("1", "2")))), 80)
    assert text.split("\n")[2:] == ["東京     1", "a        2"]


def test_title_parts_and_bold() -> None:
    best = Table((Column.label("system", "x"), Column("AP", ("1.0",), bold=(True,))), "Means:")
    shown = ("Scores", [Sentences.of("One.", "Two."), best], 80)
    assert text_of(*shown).startswith("Scores\n\nOne.\nTwo.\n\nMeans:\nsystem   AP\n")
    assert "\x1b" not in text_of(*shown)
    assert "\x1b[1m1.0\x1b[0m" in text_of(*shown, styled=True)


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("200", 80), ("3", 40)])
def test_line_width(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert line_width() == width


def test_tables_are_text_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rich would display them instead."""
    expected = table_text(table("x", "y"), 80)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert table_text(table("x", "y"), 80) == expected


def test_names_are_broken_between_words_and_numbers_never() -> None:
    assert folded("qut.result_bool_es_test v1.25 -0.5", 12).split("\n") == [
        *("qut.result_", "bool_es_test", "v1.25 -0.5")
    ]
    cells = Column.label("AP", ["0.2447 a, b, c, d, e, f, g, h, i, j", "-0.1234"])
    text = table_text(Table((cells, Column("x", ("1" * 30,) * 2))), 44)
    assert "0.2447 a, b," in text
    assert "-0.1234" in text


@pytest.mark.parametrize("width", [40, 60, 80])
def test_names_without_breaks_never_widen_a_table(width: int) -> None:
    names = ["n" * 59, "averyveryveryveryverylongnamewithoutanybreakinit"]
    columns = (
        Column.label("system", names),
        Column.label("minus", names[::-1]),
        Column("95 % interval", ("[-0.1234, +0.5678]",) * 2),
    )
    text = table_text(Table(columns), width)
    assert max(map(len, text.split("\n"))) <= width
    assert text.count("[-0.1234, +0.5678]") == 2
    assert text.count("n") >= 2 * 59


def test_sentences_fit_in_columns_of_the_screen() -> None:
    text = "日本語モデル is better than 日本語モデル on latency_ms over queries, as 日本語モデル is"
    lines = wrapped(text, 40).split("\n")
    assert max(map(cell_len, lines)) <= 40
    assert " ".join(line.strip() for line in lines) == text


def test_long_names_are_broken_at_their_hyphens() -> None:
    name = "cross-encoder/ms-marco-MiniLM-finetuned-on-our-own-data"
    lines = wrapped(f"{name} is better", 40).split("\n")
    assert lines == ["cross-encoder/ms-marco-MiniLM-", "  finetuned-on-our-own-data is better"]


def test_a_long_name_in_a_sentence_is_broken_after_its_signs() -> None:
    name = "a-long-name-of-a-system-" * 3 + "end"
    for width in (40, 60):
        lines = lines_of(wrapped(f"none is better than: x, {name}, y", width), width)
        assert "".join(line.strip() for line in lines).count(name) == 1
        assert all(line.endswith(("-", ":", ",", "y")) for line in lines)
    assert wrapped("x" * 50, 40) == "x" * 40 + "\n  " + "x" * 10


def test_extras_are_explained_where_they_are_shown() -> None:
    one = replace(table("x", "y"), extras="d_z: in standard deviations.")
    assert table_text(one, 100).endswith("\n\nd_z: in standard deviations.")
    assert "standard" not in table_text(one, 73)


def test_a_column_with_a_long_word_leaves_room_for_the_other() -> None:
    """A word of 22 characters would leave 10 to the second column, whose name took 5 lines."""
    columns = (
        Column.label("system", ("UniversityOfSomewhere-run-automatic-03", "bm25")),
        Column.label("minus", ("duoT5", "dense_retriever_v12_hard-negatives_ep10")),
        Column("difference", ("-0.3057*",) * 2),
        Column("95 % interval", ("[-0.3773, -0.2341]",) * 2),
        Column("adjusted p", ("0.0001",) * 2),
    )
    lines = lines_of(table_text(Table(columns), 80), 80)
    assert len(lines) == 2 + 3 + 3
    assert lines[0].index("minus") == 19
