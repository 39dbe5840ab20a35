"""Scores as tables of papers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from support.read_tables import latex_rows, markdown_rows
from support.scores_for_tests import scores_of

from fuzzytruth.evaluation.scores.score_rows import score_rows

SCORES = scores_of([[0.25, 0.75], [-0.5, 0.5], [np.nan, np.nan]])


def test_latex_is_whole() -> None:
    rows = replace(score_rows(SCORES), lower=None, upper=None)
    text = rows.to_latex(caption="50% of a_b", label="tab:x", digits=2)
    assert text == (
        "\\begin{table}[t]\n\\centering\n\\caption{50\\% of a\\_b}\n\\label{tab:x}\n"
        "\\begin{tabular}{lr}\n\\toprule\nsystem & m \\\\\n\\midrule\n"
        "sys0 & \\textbf{0.50} \\\\\nsys1 & 0.00 \\\\\nsys2 & -- \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def test_signs_and_infinity_are_math() -> None:
    rows = score_rows(scores_of([[-0.5, 0.25], [0.5, np.nan]]))
    text = rows.to_latex(caption="", label="l", digits=1)
    assert r"sys0 & $-$0.1 [$-$4.9, 4.6] \\" in text
    assert r"sys1 & \textbf{0.5 [$-\infty$, $\infty$]} \\" in text
    assert latex_rows(text) == markdown_rows(rows.to_markdown(caption="", digits=1))


def test_markdown_is_whole() -> None:
    rows = replace(score_rows(SCORES), lower=None, upper=None)
    text = rows.to_markdown(caption="50% of a_b", digits=2)
    assert text == (
        "| system | m |\n|---|---:|\n| sys0 | **0.50** |\n| sys1 | 0.00 |\n| sys2 | – |\n"
        "\n50% of a\\_b\n"
    )
    assert "**" not in rows.to_markdown(caption="", bold=False)


def test_digits_are_those_of_the_screen_unless_given() -> None:
    rows = score_rows(SCORES)
    for digits in (None, 5):
        text = rows.to_markdown(caption="", digits=digits)
        assert [[row["m"]] for row in markdown_rows(text)] == rows.cells(digits)


def test_rows_of_queries_and_subjects_have_their_names() -> None:
    scores = scores_of([[[0.25, 0.5], [0.75, np.nan]]])
    rows = score_rows(scores, per_query=True, per_subject=True)
    found = markdown_rows(rows.to_markdown(caption=""))
    assert found == latex_rows(rows.to_latex(caption="", label="l"))
    assert [tuple(row.values())[:3] for row in found] == [
        ("sys0", "q0", "s0"),
        ("sys0", "q0", "s1"),
        ("sys0", "q1", "s0"),
    ]
    caption = rows.caption()
    assert caption == (
        "Values of each query. By whose judgments are the ground truth. Bold: the best system."
    )


def test_captions_say_what_means_and_brackets_are() -> None:
    assert score_rows(SCORES).caption(bold=False) == (
        "Means over 2 queries. In brackets: 95 % t intervals over queries, the ground truth being "
        "fixed. 2 values are missing: each mean is over the values that the system has."
    )
    loss = replace(scores_of([[[0.25], [0.5]]]), higher_is_better=(False,))
    assert score_rows(loss).caption() == (
        "Means over 1 query. Each query's value is the mean over the truths of 2 subjects (those "
        "who judged it). Lower is better for m. Bold: the best system."
    )
