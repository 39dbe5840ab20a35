"""Tables as text: of frames, of scores and of comparisons, for people, programs and papers."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len
from support.read_tables import latex_rows, markdown_rows, numbers, printed_tables
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.cli.tables import (
    print_table,
    printed_comparison,
    printed_scores,
    show_frame,
)
from fuzzytruth.cli.typed_words import text_typed
from fuzzytruth.show.answer import Column, Table

FRAME = pd.DataFrame({"item": ["a_1", "b"], "n": [1, 20], "p": [0.5, np.nan]})
BOTH = "evaluate qrels.txt a.run b.run"


@pytest.mark.parametrize(
    ("output_format", "expected"),
    [
        ("table", "item   n       p\n────────────────\na_1    1  0.5000\nb     20       –\n"),
        ("csv", "item,n,p\na_1,1,0.5\nb,20,\n"),
        ("json", '[\n{"item": "a_1", "n": 1, "p": 0.5},\n{"item": "b", "n": 20, "p": null}\n]\n'),
        (
            "markdown",
            "| item | n | p |\n|---|---:|---:|\n| a\\_1 | 1 | 0.5000 |\n| b | 20 | – |\n\n50%\n",
        ),
        (
            "latex",
            "\\begin{table}[t]\n\\centering\n\\caption{50\\%}\n\\begin{tabular}{lrr}\n\\toprule\n"
            "item & n & p \\\\\n\\midrule\na\\_1 & 1 & 0.5000 \\\\\nb & 20 & -- \\\\\n"
            "\\bottomrule\n\\end{tabular}\n\\end{table}\n",
        ),
    ],
)
def test_a_frame_in_each_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], output_format: Any, expected: str
) -> None:
    for output in (None, tmp_path / "x"):
        show_frame(FRAME, output_format=output_format, output=output, caption="50%")
    assert capsys.readouterr().out == (tmp_path / "x").read_text() == expected


def test_lines_are_unwrapped_and_cells_escaped_and_aligned() -> None:
    file = StringIO()
    names = Column.label("na\x1bme", ["a\nb", "x" * 300])
    print_table(Table((names, Column("v", ("1", "20")))), file)
    lines = file.getvalue().splitlines()
    assert len(lines) == 4
    assert lines[0].split() == [r"na\x1bme", "v"]
    assert lines[2].startswith(r"a\nb ")
    assert [line[-4:] for line in lines[2:]] == ["   1", "  20"]


# Scores.


def test_subjects_have_no_table_where_they_are_nested() -> None:
    """Names of subjects are people of one query each: no mean over queries is theirs."""
    scores = scores_of([[[0.25, 0.5], [0.75, 0.5]], [[0.0, 0.5], [0.5, 0.0]]])
    text = printed_scores(scores, per_query=False, apart=True, over=None).text(80)
    means, by_subject = printed_tables(text)
    (measure,) = scores.measures
    shown = [(row["system"], row["subject"], float(row[measure])) for row in by_subject]
    assert shown == [(*labels, v) for labels, v in scores.mean(by="subject")[measure].items()]
    nested = replace(scores, design="nested")
    text = printed_scores(nested, per_query=False, apart=True, over=None).text(80)
    assert printed_tables(text) == [means]


def test_of_many_means_by_subject_the_first_are_shown() -> None:
    scores = scores_of(np.random.default_rng(2).random((9, 5, 4)))
    for over, rest in ((None, "-o FILE.csv"), (["query"], "-o FILE.csv, without --over")):
        table = printed_scores(scores, per_query=False, apart=True, over=over).parts[-1]
        assert isinstance(table, Table)
        assert (table.n_rows, table.title.split(", ", 1)[1]) == (
            40,
            f"the first 40 of 45 rows; all: --format csv, or {rest}",
        )
        assert [column.cells[-1] for column in table.columns[:2]] == ["sys7", "s4"]


def test_latex_of_scores(printed) -> None:
    out = printed("evaluate qrels.txt a_b=a.run b.run -m AP,E@1 --format=latex")
    assert out.split("\\begin{tabular}")[0] == (
        "\\begin{table}[t]\n\\centering\n\\caption{Means over 2 queries. In brackets: 95 \\% t "
        "intervals over queries, the ground truth being fixed; Wilson's where all values are 0 or "
        "1. 2 intervals reached beyond the values that the measure can have and are cut there. "
        "Lower is better for E@1. Bold: the best system.}\n\\label{tab:scores}\n"
    )
    assert r"a\_b & \textbf{0.792 [0.000, 1.000]}" in out
    assert "{lrr}" in out


def test_options_for_papers(printed) -> None:
    options = ("--digits", "2", "--caption", "50% of [a]", "--no-bold", "-m", "AP")
    out = printed(BOTH, *options, "--label", "tab:mine", "--format", "latex")
    assert [numbers(row["AP"])[0] for row in latex_rows(out)] == [0.79, 0.5]
    assert "\\caption{50\\% of [a]}\n\\label{tab:mine}\n" in out
    assert r"\textbf" not in out
    out = printed(BOTH, *options, "--format", "markdown")
    assert [numbers(row["AP"])[0] for row in markdown_rows(out)] == [0.79, 0.5]
    assert out.endswith("\n\n50% of \\[a\\]\n")
    assert "**" not in out
    line = "evaluate qrels.txt a.run -m AP --format latex --digits 17"
    assert "0.79166666666666663" in printed(line)


# Comparisons.


def compared(n_systems: int, *shape: int, **options: Any) -> ft.results.Comparison:
    """Each system better than the one before by a tenth, on twelve queries."""
    noise = np.random.default_rng(7).normal(0, 0.05, (n_systems, *shape, 12))
    quality = 0.1 * np.arange(n_systems).reshape(-1, *(1,) * (noise.ndim - 1))
    return ft.compare(scores_of(quality + noise), n_resamples=199, **options)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_verdicts_come_first_then_tables_then_assumptions(width: int) -> None:
    result = compared(3)
    text = printed_comparison(result).text(width)
    assert max(map(len, text.split("\n"))) <= width
    first = text.split("\n\n")[1].replace("\n  ", " ").split("\n")
    assert first == [
        f"sys{b} is significantly better than sys{a} on m over queries"
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    for row in shown_pairs(result):  # no number is broken
        assert f"{row.difference:+.4f}*" in text
        assert f"[{row.lower:+.4f}, {row.upper:+.4f}]" in text
    assert ("d_z" in text) == (width >= 80)
    order = [text.index(part) for part in (first[0][:9], "95 % inter", "letters:", "Estimated:")]
    assert order == sorted(order)
    assert " ".join(text.split()).endswith(" ".join(result.assumptions.split()))


def test_subjects_alone_are_counted_where_they_are_many() -> None:
    printed = printed_comparison(compared(4, 6))  # 36 differences of six subjects
    text = printed.mapped(text_typed).text(80)
    counts = printed_tables(text)[-1]
    assert list(counts[0]) == ["subject", "measure", "significant", "differences"]
    assert [row["subject"] for row in counts] == [f"s{j}" for j in range(6)]
    assert "see --over query,subject" in text
    assert "over=" not in text
    each = printed_tables(printed_comparison(compared(4, 2)).text(80))[-1]
    assert [row["subject"] for row in each] == ["s0"] * 6 + ["s1"] * 6
    text = printed_comparison(compared(4, 25)).text(80)
    assert "over queries; the first 20 of 25 rows:" in " ".join(text.split())
    assert len(printed_tables(text)[-1]) == 20


# Every table fits 80 columns.

NAMES = [
    "a_very_long_name_of_a_team-run.1-with.parameters_$k1=0.9_b=0.4_and_no_end",
    "x" * 200,
    "検索エンジン" * 12,
    *(f"system-{number:02}" for number in range(9)),
]
PEOPLE = ["a person whose name is as long as that of a department", "注釈者" * 15, "eve"]


@pytest.fixture
def long_names(folder: Path) -> None:
    rng = np.random.default_rng(0)
    votes = [f'q{j % 4},d{j},"{who}",{rng.integers(0, 3)}' for who in PEOPLE for j in range(24)]
    lists = [f'"{name}",q{j % 4},d{j},{rng.random():.4f}' for name in NAMES for j in range(24)]
    for name, heading, lines in (
        ("panel", "query,item,subject,grade", votes),
        ("lists", "system,query,item,score", lists),
    ):
        (folder / f"{name}.csv").write_text("\n".join([heading, *lines, ""]))


@pytest.mark.usefixtures("long_names")
@pytest.mark.parametrize(
    "line",
    [
        "compare panel.csv lists.csv -m AP,RR --n-resamples 99",
        "compare panel.csv lists.csv -m AP --baseline system-03 --n-resamples 99",
        "analyse panel.csv lists.csv -m AP,RR,P@10 --n-resamples 99",
        "evaluate panel.csv lists.csv --worlds subject -m AP,RR",
        "evaluate panel.csv lists.csv --aggregate mean -m AP,RR,nDCG@10 --unjudged bounds",
        "agreement panel.csv --by pair",
        "judges panel.csv --people eve --n-resamples 99",
        "annotate-next panel.csv lists.csv --systems system-00,system-01 -m AP",
    ],
)
def test_tables_fit_80_columns(printed, line: str) -> None:
    lines = printed(line).splitlines()
    assert len(lines) > 4
    assert [line for line in lines if cell_len(line) > 80] == []
