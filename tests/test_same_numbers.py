"""The same verdicts and numbers wherever a result is shown, whatever the names of the systems."""

from __future__ import annotations

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

NAMES = {
    "of tables": ("[a]|*", "*b* | [c]", "d\ne", "&amp;"),
    "of LaTeX": ("f_g", "h 50%", "i & j", "#{k}$^~"),
    "of HTML": ("<b>l</b>", "m>&n", '"o"', "p--q"),
    "of terminals": ("r\x1b[1m", "s\tt", "Żółw é", "日本 u"),
}
MEASURES = ("AP", "P@2", "E@1")
Run = Callable[..., str]


@pytest.fixture(params=NAMES.values(), ids=NAMES)
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


def cells_of(rows: Iterable[dict[str, str]]) -> dict[tuple[str, str], str]:
    """Cells by system and measure."""
    return {(name_of(row["system"]), m): row[m] for row in rows for m in MEASURES if m in row}


def joined(tables: list[list[dict[str, str]]]) -> dict[tuple[str, str], str]:
    return {key: cell for table in tables for key, cell in cells_of(table).items()}


def test_means_and_intervals(run: Run, scores: ft.Scores, names: tuple[str, ...]) -> None:
    expected = {
        (row.system, row.measure): f"{row.mean:.3f} [{row.lower:.3f}, {row.upper:.3f}]"
        for row in scores.summary().itertuples()
    }
    assert {name for name, _ in expected} == set(names)
    shown = {
        "print": joined(printed_tables(str(scores))),
        "notebook": joined(html_tables(scores._repr_html_())),
        "latex": cells_of(latex_rows(run("evaluate", "--format", "latex"))),
        "markdown": cells_of(markdown_rows(run("evaluate", "--format", "markdown"))),
    }
    means, by_subject = printed_tables(run("evaluate"))
    shown["command line"] = cells_of(means)
    assert shown == dict.fromkeys(shown, expected)
    of_subjects = scores.mean(by="subject")
    for row in by_subject:
        exact = of_subjects.loc[(name_of(row["system"]), row["subject"])]
        assert [row[m] for m in MEASURES] == [f"{exact[m]:.4f}" for m in MEASURES]


def test_digits_of_papers(run: Run, scores: ft.Scores) -> None:
    expected = {
        (row.system, row.measure): f"{row.mean:.6f} [{row.lower:.6f}, {row.upper:.6f}]"
        for row in scores.summary(over=("query", "subject")).itertuples()
    }
    options = ("--over", "query,subject", "--digits", "6")
    for output_format, read in (("latex", latex_rows), ("markdown", markdown_rows)):
        text = run("evaluate", *options, "--format", output_format)
        assert cells_of(read(text)) == expected
        assert text.count(r"\textbf" if output_format == "latex" else "**") >= len(MEASURES)


def test_best_systems_are_bold(run: Run, scores: ft.Scores) -> None:
    """The lowest E@1, the highest of the others."""
    means = scores.mean()
    best = {
        (system, measure)
        for measure in MEASURES
        for system in means.index
        if means.loc[system, measure]
        == (means[measure].min() if measure == "E@1" else means[measure].max())
    }
    text = run("evaluate", "--format", "markdown")
    plain = re.sub(r"\*\*(\d.*?)\*\*", r"\1 best", text)
    assert {key for key, cell in cells_of(markdown_rows(plain)).items() if "best" in cell} == best
    text = run("evaluate", "--format", "latex")
    plain = re.sub(r"\\textbf\{(\d.*?)\}", r"\1 best", text)
    assert {key for key, cell in cells_of(latex_rows(plain)).items() if "best" in cell} == best


def test_numbers_for_programs_are_those_of_the_library(run: Run, scores: ft.Scores) -> None:
    summary = scores.summary().set_index(["system", "measure"])
    records = json.loads(run("evaluate", "--over", "query", "--format", "json"))
    rows = list(csv.DictReader(StringIO(run("evaluate", "--over", "query", "--format", "csv"), "")))
    assert len(records) == len(rows) == len(summary)
    for record, row in zip(records, rows, strict=True):
        exact = summary.loc[(record["system"], record["measure"])]
        numbers_of = [exact["mean"], exact["lower"], exact["upper"]]
        assert [record[name] for name in ("value", "lower", "upper")] == numbers_of
        assert row == {name: str(value) for name, value in record.items()}


Difference = tuple[str, str, str, str, str, str]


def differences_of(rows: Iterable[dict[str, str]], measure: str | None = None) -> set[Difference]:
    """Measure, systems, difference, interval and p of each row, names as they are."""
    return {
        (
            measure or row["measure"],
            name_of(row["system"]),
            name_of(row["minus"]),
            row["difference"],
            row["95 % interval"],
            row["adjusted p"],
        )
        for row in rows
    }


def expected_differences(result: ft.Comparison) -> set[Difference]:
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


def of_each_measure(tables: list[list[dict[str, str]]]) -> set[Difference]:
    """Of a table for each measure; extras that a narrow table leaves out play no part."""
    found = [table for table in tables if "minus" in table[0] and "subject" not in table[0]]
    assert len(found) == len(MEASURES)
    parts = (differences_of(table, m) for table, m in zip(found, MEASURES, strict=True))
    return set().union(*parts)


def test_differences(run: Run, scores: ft.Scores) -> None:
    result = ft.compare(scores)
    expected = expected_differences(result)
    assert len(expected) == 6 * len(MEASURES)
    assert 0 < result.table["significant"].sum() < len(expected)
    options = ("--table", "differences", "--format")
    command = printed_tables(run("compare"))
    assert of_each_measure(command) == expected
    assert differences_of(latex_rows(run("compare", *options, "latex"))) == expected
    assert differences_of(markdown_rows(run("compare", *options, "markdown"))) == expected
    records = json.loads(run("compare", "--format", "json"))
    names = ["difference", "lower", "upper", "p_adjusted"]
    assert [[row[n] for n in names] for row in records] == result.table[names].to_numpy().tolist()


def test_differences_from_a_baseline(scores: ft.Scores, names: tuple[str, ...]) -> None:
    result = ft.compare(scores, baseline=names[1])
    expected = {(m, a, d, i, p) for m, a, _, d, i, p in expected_differences(result)}
    for tables in (printed_tables(str(result)), html_tables(result._repr_html_())):
        shown = {
            (
                m,
                name_of(row["system"]),
                row["difference"].strip(),
                row["95 % interval"],
                row["adjusted p"],
            )
            for table, m in zip(tables, MEASURES, strict=True)
            for row in table
        }
        assert shown == expected
    assert [name_of(text) for text in re.findall(r"system minus (.*)", str(result))] == [
        names[1]
    ] * len(MEASURES)


def test_means_and_letters(run: Run, scores: ft.Scores) -> None:
    result = ft.compare(scores)
    marks = result.superscripts()
    expected = {
        (system, m): f"{result.means.loc[system, m]:.4f} {marks.loc[system, m]}".rstrip()
        for system in result.means.index
        for m in MEASURES
    }
    assert any(" " in cell for cell in expected.values())
    (means,) = [t for t in printed_tables(run("compare")) if "system" in t[0] and "AP" in t[0]]
    assert cells_of(means) == expected
    assert cells_of(latex_rows(run("compare", "--format", "latex"))) == expected
    assert cells_of(markdown_rows(run("compare", "--format", "markdown"))) == expected


def heads_of(text: str) -> list[str]:
    """Sentences of the second paragraph, names as they are."""
    return [name_of(line) for line in text.split("\n\n")[1].replace("\n  ", " ").split("\n")]


def head_of(row: Any) -> str:
    """What a row of the table of a comparison says."""
    a, b, where = row.system_a, row.system_b, f"{row.measure} over queries"
    if row.wins + row.losses == 0:
        return f"{a} and {b} have the same {row.measure} on all {row.n_queries} queries"
    if not row.significant:
        return f"no difference between {a} and {b} is shown on {where}"
    better, worse = (a, b) if (row.difference > 0) == (row.measure != "E@1") else (b, a)
    return f"{better} is significantly better than {worse} on {where}"


def test_verdicts(run: Run, scores: ft.Scores, names: tuple[str, ...]) -> None:
    """Of print and of the command line, and both say what the table says."""
    result = ft.compare(scores, names[0])
    expected = [head_of(row) for row in result.table.itertuples()]
    assert len(expected) == 9
    found = heads_of(run("compare", "--baseline", names[0]))
    assert [line[: len(head)] for line, head in zip(found, expected, strict=True)] == expected
    verdicts = [name_of(verdict) for verdict in result.verdicts()]
    assert [line[: len(head)] for line, head in zip(verdicts, expected, strict=True)] == expected
    for measure in MEASURES:
        one = ft.compare(scores, names[0], measure)
        heads = [head_of(row) for row in one.table.itertuples()]
        found = heads_of(str(one))
        assert [line[: len(head)] for line, head in zip(found, heads, strict=True)] == heads


def test_each_subject_alone(run: Run, scores: ft.Scores, names: tuple[str, ...]) -> None:
    result = ft.compare(scores, names[3])
    alone = result.by_subject()
    (shown,) = [
        t for t in printed_tables(run("compare", "--baseline", names[3])) if "subject" in t[0]
    ]
    exact = [
        (row.subject, row.measure, row.system_a, round(row.difference, 4), bool(row.significant))
        for row in alone.table.itertuples()
    ]
    assert exact == [
        (
            row["subject"],
            row["measure"],
            name_of(row["system"]),
            numbers(row["difference"])[0],
            row["difference"].endswith("*"),
        )
        for row in shown
    ]
