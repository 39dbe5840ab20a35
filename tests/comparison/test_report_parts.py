"""Printed tables and frames as tables of a report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.comparison.comparison_report import (
    answer_texts,
    frame_table,
    report_figure,
    report_table,
    write_page,
)
from fuzzytruth.errors import DataError, FuzzytruthError, OptionError
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show import answer
from fuzzytruth.show.page import Figure, Page


def test_letters_go_behind_the_names_of_rows() -> None:
    columns = (
        answer.Column.label("", "ab"),
        answer.Column.label("system", ["x", "y"]),
        answer.Column("mean", ("0.1", "0.2"), bold=(False, True)),
    )
    table = report_table(answer.Table(columns, "not this", "What d_z is."), "Means")
    assert [one.heading for one in table.columns] == ["system", "letter", "mean"]
    assert [one.kind for one in table.columns] == ["label", "label", "number"]
    assert table.columns[2].bold == (False, True)
    assert (table.title, table.extras) == ("Means", "What d_z is.")


def test_frames() -> None:
    frame = pd.DataFrame({"name": ["a", "b"], "n_items": [1200, 3], "value": [0.12345, None]})
    table = frame_table(frame, "Frame")
    assert [one.cells for one in table.columns] == [
        ("a", "b"),
        ("1,200", "3"),
        ("0.123", "–"),
    ]
    assert [one.heading for one in table.columns] == ["name", "n items", "value"]
    assert [one.kind for one in table.columns] == ["label", "number", "number"]


def test_sentences_below_tables_are_notes_and_methods_are_left_out() -> None:
    result = ft.compare(scores_of([[0.1, 0.4, 0.3], [0.5, 0.6, 0.9]]), n_resamples=99)
    texts = answer_texts(result)
    assert [text.kind for text in texts][:2] == ["paragraph", "note"]
    assert not any(line.startswith("More: ") for text in texts for line in text.lines)


def drawn(title: str, **options: Any) -> Figure:
    frame = pd.DataFrame({"value": [0, 1], "probability": [0.5, 0.5]})

    return report_figure(
        plots.distribution,
        PlotData(frame, title),
        name="coin",
        description="Two lines.",
        **options,
    )


def test_figures_have_their_title_as_caption_and_name_the_table() -> None:
    figure = drawn("P@1: a coin\nlines: one each", table="T")
    assert (figure.title, figure.table) == ("P@1: a coin. Lines: one each.", "T")
    assert ">P@1: a coin. Lines: one each.</title>" in figure.svg
    assert ">Two lines.</desc>" in figure.svg
    assert figure.svg.count("P@1: a coin") == 1  # it is not drawn, too
    assert figure.heading == "P@1: a coin"
    assert not figure.is_folded


@pytest.mark.parametrize(("width", "has_narrow"), [(3.4, False), (6.4, True), (9, False)])
def test_drawings_for_phones_are_of_figures_that_need_and_bear_it(
    width: float, has_narrow: bool
) -> None:
    import matplotlib.pyplot as plt

    def draw(data: Any, ax: Any = None, **options: Any) -> Any:
        ax = plt.subplots(figsize=(width, 2))[1] if ax is None else ax
        return plots.distribution(data, ax, **options)

    frame = pd.DataFrame({"value": [0, 1], "probability": [0.5, 0.5]})
    figure = report_figure(draw, PlotData(frame, "t"), name="n", description="d", number=2)
    assert bool(figure.narrow) == has_narrow
    assert figure.is_folded
    assert figure.svg.count('id="n-2-title"') == 1
    assert figure.narrow.count('id="n-2-narrow-title"') == has_narrow


def test_what_a_figure_adds_to_its_title_is_in_the_caption() -> None:
    first = "a name with $ and a-hyphen that is long enough to be broken into two lines at least"
    title = f"{first}\nmore"
    frame = pd.DataFrame({
        "system_a": list("abc"), "system_b": "d", "difference": [0.3, 0.2, np.nan], "lower": 0.1,
        "upper": 0.4, "significant": True, "measure": "AP",
    })  # fmt: skip

    figure = report_figure(
        partial(plots.forest, n_rows=1),
        PlotData(frame, title),
        name="f",
        description="",
    )
    start, end = figure.title.split(". More. ")
    assert start == first
    assert end == (
        "Drawn: the 1 largest of 2 differences; without 1 pair of systems that share no value."
    )


def test_paths(tmp_path: Path) -> None:
    page = Page("t", "", (), "f")
    assert write_page(lambda: page, str(tmp_path / "a.html")) == tmp_path / "a.html"
    with pytest.raises(OptionError, match="path=3: must be the path of a file"):
        write_page(lambda: page, 3)
    with pytest.raises(OptionError, match="title=3: must be a text"):
        write_page(lambda: Page(3, "", (), "f"), tmp_path / "a.html")
    with pytest.raises(DataError, match="is a directory"):
        write_page(lambda: page, tmp_path)


def test_names_that_are_no_unicode_do_not_stop_it(tmp_path: Path) -> None:
    page = Page("t\udcff", "", (), "f")
    path = write_page(lambda: page, tmp_path / "a.html")
    assert r"<h1>t\udcff</h1>" in path.read_text(encoding="utf-8")


def test_a_page_has_the_ending_of_one(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"report\.pdf: a report is a page; name the file \.html"):
        write_page(lambda: Page("title", "", (), "f"), tmp_path / "report.pdf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["none/a.html", "a.pdf", ""])
def test_the_path_is_checked_before_the_page_is_made(name: str, tmp_path: Path) -> None:
    def make() -> Page:
        raise AssertionError("made")

    with pytest.raises(FuzzytruthError):
        write_page(make, tmp_path / name)
