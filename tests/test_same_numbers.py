"""The same verdicts and numbers wherever a result is shown, whatever the names of the systems."""

import csv
import json
import re
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.read_tables import (
    html_tables,
    latex_rows,
    markdown_rows,
    name_of,
    numbers,
    printed_tables,
)
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.comparison.verdicts import p_text

#: names that are trouble in tables, LaTeX, HTML and terminals
NAMES = [
    ("[a]|*", "f_g", "<b>l</b>", "r\x1b[1m"),
    ("d\ne", "i & j", "&amp;", "日本 u"),
    ("*b* | [c]", "#{k}$^~", "p--q", "Żółw é"),
]
MEASURES = ("AP", "P@2", "E@1")
READ = {"latex": latex_rows, "markdown": markdown_rows}
Row = dict[str, str]
Run = Callable[..., str]


@pytest.fixture(params=NAMES, ids=["lines", "marks", "dashes"])
def names(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return request.param


@pytest.fixture
def run(
    names: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """The command line in a folder with votes and runs."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    items = [(f"q{q}", f"d{d}") for q in range(10) for d in range(6)]
    votes = [(*pair, s, int(rng.random() < 0.5)) for pair in items for s in ("ann", "bob")]
    truth = pd.DataFrame(votes, columns=["query", "item", "subject", "grade"])
    truth.to_csv("votes.csv", index=False)
    mean = truth.groupby(["query", "item"], sort=False)["grade"].mean().to_numpy()
    runs = [
        pd.DataFrame(items, columns=["query", "item"]).assign(
            system=name, score=weight * mean + rng.random(len(items))
        )
        for name, weight in zip(names, (3.0, 1.0, 0.0, -3.0), strict=True)
    ]
    pd.concat(runs).to_json("runs.json", orient="records")

    def call(command: str, *options: str) -> str:
        arguments = (command, "votes.csv", "runs.json", "--worlds", "subject", *options)
        with pytest.raises(SystemExit) as stop:
            main((*arguments, "-m", ",".join(MEASURES)))
        shown = capsys.readouterr()
        assert (stop.value.code or 0, shown.err) == (0, "")
        return shown.out

    return call


@pytest.fixture
def scores(run: Run) -> ft.Scores:
    return ft.evaluate("votes.csv", "runs.json", MEASURES, worlds="subject")


def cells_of(*tables: Iterable[Row]) -> dict[tuple[str, str], str]:
    """Cells by system and measure."""
    rows = [row for table in tables for row in table]
    return {(name_of(row["system"]), m): row[m] for row in rows for m in MEASURES if m in row}


def summary_cells(summary: pd.DataFrame, digits: int) -> dict[tuple[str, str], str]:
    return {
        (row.system, row.measure): (
            f"{row.mean:.{digits}f} [{row.lower:.{digits}f}, {row.upper:.{digits}f}]"
        )
        for row in summary.itertuples()
    }


def test_means_and_intervals(run: Run, scores: ft.Scores, names: tuple[str, ...]) -> None:
    summary = scores.summary()
    assert set(summary["system"]) == set(names)
    means, by_subject = printed_tables(run("evaluate"))
    shown = {
        "print": cells_of(*printed_tables(str(scores))),
        "notebook": cells_of(*html_tables(scores._repr_html_())),
        "command line": cells_of(means),
    }
    shown |= {
        form: cells_of(read(run("evaluate", "--format", form))) for form, read in READ.items()
    }
    assert shown == dict.fromkeys(shown, summary_cells(summary, 3))
    of_subjects = scores.mean(by="subject")
    for row in by_subject:
        exact = of_subjects.loc[(name_of(row["system"]), row["subject"])]
        assert [row[m] for m in MEASURES] == [f"{exact[m]:.4f}" for m in MEASURES]
    exact = summary.set_index(["system", "measure"])[["mean", "lower", "upper"]]
    records = json.loads(run("evaluate", "--over", "query", "--format", "json"))
    rows = csv.DictReader(StringIO(run("evaluate", "--over", "query", "--format", "csv"), ""))
    for record, row in zip(records, rows, strict=True):
        system, measure, *values = record.values()
        assert exact.loc[(system, measure)].tolist() == values
        assert row == {name: str(value) for name, value in record.items()}
    assert len(records) == len(summary)


def test_digits_and_bold_of_papers(run: Run, scores: ft.Scores) -> None:
    """Bold are the lowest E@1, the highest of the others."""
    means = scores.mean()
    best = {m: means[m].min() if m == "E@1" else means[m].max() for m in MEASURES}
    expected = {(s, m) for m in MEASURES for s in means.index if means.loc[s, m] == best[m]}
    both = summary_cells(scores.summary(over=("query", "subject")), 6)
    bold = {"latex": r"\\textbf\{(\d.*?)\}", "markdown": r"\*\*(\d.*?)\*\*"}
    for form, read in READ.items():
        text = run("evaluate", "--over", "query,subject", "--digits", "6", "--format", form)
        assert cells_of(read(text)) == both
        marked = cells_of(read(re.sub(bold[form], r"\1 best", text)))
        assert {key for key, cell in marked.items() if "best" in cell} == expected


Difference = tuple[str, str, str, str, str, str]


def differences_of(rows: Iterable[Row], measure: str = "", minus: str = "") -> set[Difference]:
    """Measure, systems, difference, interval and p of each row, names as they are."""
    return {
        (
            measure or row["measure"],
            name_of(row["system"]),
            minus or name_of(row["minus"]),
            row["difference"].strip(),
            row["95 % interval"],
            row["adjusted p"],
        )
        for row in rows
    }


def expected_differences(result: ft.results.Comparison) -> set[Difference]:
    return {
        (
            row.measure,
            row.system_a,
            row.system_b,
            f"{row.difference:+.4f}{'*' * row.significant}",
            f"[{row.lower:+.4f}, {row.upper:+.4f}]",
            p_text(row.p_adjusted),
        )
        for row in shown_pairs(result)
    }


def of_each_measure(tables: list[list[Row]], minus: str = "") -> set[Difference]:
    """Of a table for each measure; extras that a narrow table leaves out play no part."""
    found = [table for table in tables if "difference" in table[0] and "subject" not in table[0]]
    parts = (differences_of(t, m, minus) for t, m in zip(found, MEASURES, strict=True))
    return set().union(*parts)


def test_differences_and_letters(run: Run, scores: ft.Scores) -> None:
    result = ft.compare(scores)
    expected = expected_differences(result)
    assert len(expected) == 6 * len(MEASURES)
    assert 0 < result.table["significant"].sum() < len(expected)
    command = printed_tables(run("compare"))
    assert of_each_measure(command) == expected
    records = json.loads(run("compare", "--format", "json"))
    names = ["difference", "lower", "upper", "p_adjusted"]
    assert [[row[n] for n in names] for row in records] == result.table[names].to_numpy().tolist()
    marks = result.superscripts()
    cells = {
        (system, m): f"{result.means.loc[system, m]:.4f} {marks.loc[system, m]}".rstrip()
        for system in result.means.index
        for m in MEASURES
    }
    assert any(" " in cell for cell in cells.values())
    (means,) = [t for t in command if "system" in t[0] and "AP" in t[0]]
    assert cells_of(means) == cells
    for form, read in READ.items():
        table = run("compare", "--table", "differences", "--format", form)
        assert differences_of(read(table)) == expected
        assert cells_of(read(run("compare", "--format", form))) == cells


def head_of(row: Any) -> str:
    """What a row of the table of a comparison says."""
    a, b, where = row.system_a, row.system_b, f"{row.measure} over queries"
    if row.wins + row.losses == 0:
        return f"{a} and {b} have the same {row.measure} on all {row.n_queries} queries"
    if not row.significant:
        return f"no difference between {a} and {b} is shown on {where}"
    better, worse = (a, b) if (row.difference > 0) == (row.measure != "E@1") else (b, a)
    return f"{better} is significantly better than {worse} on {where}"


def check_verdicts(verdicts: Iterable[str], result: ft.results.Comparison) -> None:
    heads = [head_of(row) for row in result.table.itertuples()]
    found = [name_of(verdict) for verdict in verdicts]
    assert [line[: len(head)] for line, head in zip(found, heads, strict=True)] == heads


def sentences(text: str) -> list[str]:
    """Of the second paragraph."""
    return text.split("\n\n")[1].replace("\n  ", " ").split("\n")


def test_verdicts_and_differences_from_a_baseline(
    run: Run, scores: ft.Scores, names: tuple[str, ...]
) -> None:
    """Of print and of the command line, and both say what the table says."""
    result = ft.compare(scores, names[0])
    expected = expected_differences(result)
    for tables in (printed_tables(str(result)), html_tables(result._repr_html_())):
        assert of_each_measure(tables, minus=names[0]) == expected
    minus = re.findall(r"system minus (.*)", str(result))
    assert [name_of(text) for text in minus] == [names[0]] * len(MEASURES)
    command = run("compare", "--baseline", names[0])
    check_verdicts(sentences(command), result)
    check_verdicts(result.verdicts(), result)
    for measure in MEASURES:
        one = ft.compare(scores, names[0], measure)
        check_verdicts(sentences(str(one)), one)
    (shown,) = [table for table in printed_tables(command) if "subject" in table[0]]
    assert [
        (row.subject, row.measure, row.system_a, round(row.difference, 4), bool(row.significant))
        for row in result.by_subject().table.itertuples()
    ] == [
        (
            row["subject"],
            row["measure"],
            name_of(row["system"]),
            numbers(row["difference"])[0],
            row["difference"].endswith("*"),
        )
        for row in shown
    ]
