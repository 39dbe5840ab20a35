"""Sections of a report that are about a comparison."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from support.scores_for_tests import dense, scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.comparison import comparison_report as sections
from fuzzytruth.show.answer import Sentences, Table
from fuzzytruth.show.page import Figure, Section

VALUES = np.random.default_rng(8).normal(0.5, 0.1, (3, 4, 9))


def tables(section: Section) -> list[Table]:
    return [part for part in section.parts if isinstance(part, Table)]


def texts(section: Section) -> str:
    return " ".join(" ".join(part.lines) for part in section.parts if isinstance(part, Sentences))


def compared(values: Any = VALUES, **options: Any) -> ft.Comparison:
    return ft.compare(scores_of(values), n_resamples=99, **options)


def test_pairs_are_a_forest_plot_and_many_a_matrix() -> None:
    (figure,) = sections.figures_section(compared()).parts
    assert isinstance(figure, Figure)
    assert figure.table == "Differences of m"
    labels = re.findall(r">([^<>]*−[^<>]*)</text>", figure.svg)
    pairs = [{"sys0", "sys1"}, {"sys0", "sys2"}, {"sys1", "sys2"}]
    drawn = [{*label.split(" − ")} for label in labels if "sys" in label]
    assert sorted(drawn, key=sorted) == pairs
    many = compared(np.random.default_rng(8).normal(0.5, 0.1, (10, 5)))
    (figure,) = sections.figures_section(many).parts
    assert 'class="paper"' in figure.svg
    assert "sys0 − sys1" not in figure.svg


def test_pairs_have_sentences_if_they_are_few() -> None:
    result = compared()
    section = sections.pairs_section(result)
    assert all(sentence in texts(section) for sentence in result.verdicts())
    (table,) = tables(section)
    shown = [float(cell.rstrip("*")) for cell in table.columns[2].cells]
    assert shown == pytest.approx([row.difference for row in shown_pairs(result)], abs=5.1e-5)
    many = compared(np.random.default_rng(8).normal(0.5, 0.1, (12, 5)))
    assert many.verdicts()[0] not in texts(sections.pairs_section(many))


def test_the_baseline_is_in_the_caption() -> None:
    result = compared(baseline="sys2")
    (table,) = tables(sections.pairs_section(result))
    assert table.title == "Differences of m from sys2"
    assert table.columns[0].cells == ("sys0", "sys1")


def test_queries() -> None:
    scores = scores_of(VALUES)
    figure, table, _ = sections.queries_section(scores).parts
    assert figure.table == table.title == "m of each query"
    shown = np.array([[float(cell) for cell in one.cells] for one in table.columns[1:]])
    wanted = dense(scores)[:, 0].mean(axis=1)  # (systems, queries)
    assert shown == pytest.approx(wanted, abs=5.1e-5)
    bold = np.array([one.bold for one in table.columns[1:]])
    assert (bold.argmax(axis=0) == wanted.argmax(axis=0)).all()
    assert table.columns[0].cells == scores.queries


def test_nothing_is_bold_where_all_are_alike() -> None:
    (table,) = tables(sections.queries_section(scores_of([[0.0, 0.5], [0.0, 0.25]])))
    assert [one.bold for one in table.columns[1:]] == [(False, True), (False, False)]


def test_too_many_queries_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MOST_CELLS", 20)
    section = sections.queries_section(scores_of(VALUES))
    assert tables(section) == []
    assert texts(section).startswith("27 values of 9 queries are too many for a page;")


def test_subjects() -> None:
    result = compared()
    section = sections.subjects_section(result, result.scores)
    means, alone = tables(section)
    assert section.parts[0].table == alone.title
    shown = np.array([[float(cell) for cell in one.cells] for one in means.columns[1:]])
    assert shown == pytest.approx(VALUES.mean(axis=2), abs=5.1e-5)
    each = result.by_subject().to_frame()
    assert alone.n_rows == len(each) == 12
    place = [one.heading for one in alone.columns].index("difference")
    differences = [float(cell.rstrip("*")) for cell in alone.columns[place].cells]
    sign = {(row.system_a, row.system_b): np.sign(row.difference) for row in shown_pairs(result)}
    wanted = [
        row.difference * sign.get((row.system_a, row.system_b), -1) for row in each.itertuples()
    ]
    assert differences == pytest.approx(wanted, abs=5.1e-5)
    names = [alone.columns[place - k].cells for k in (2, 1)]
    assert {*zip(*names, strict=True)} == {*sign}


def test_a_crowd_is_counted() -> None:
    result = compared(np.random.default_rng(8).normal(0.5, 0.1, (2, 51, 3)))
    section = sections.subjects_section(result, result.scores)
    assert texts(section) == "51 subjects are too many to show each of them."


def test_no_subjects_no_section() -> None:
    result = compared(VALUES[:, 0])
    assert sections.subjects_section(result, result.scores).parts == ()


def test_measures_without_a_figure_are_counted() -> None:
    import pandas as pd

    one = scores_of(VALUES[:2, 0]).to_frame()
    scores = ft.Scores.from_frame(pd.concat([one.assign(measure=f"m{j}") for j in range(5)]))
    *figures, note = sections.figures_section(ft.compare(scores, n_resamples=99)).parts
    assert [figure.is_folded for figure in figures] == [False, False, True, True]
    assert note.lines == ("No figures of 1 more measure: the tables have them.",)
