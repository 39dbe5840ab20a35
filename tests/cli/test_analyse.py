"""`fuzzytruth analyse`."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from support.analysed import runs, truth

import fuzzytruth as ft


@pytest.fixture
def files(folder) -> tuple[str, ...]:
    truth().write(folder / "judged.csv")
    ft.Runs.from_dict(runs()).write(folder / "systems.csv")
    return ("analyse", "judged.csv", "systems.csv", "-m", "AP,P@3", "--n-resamples", "199")


def test_table_is_what_print_shows(run, files) -> None:
    status, out, err = run(*files)
    assert (status, err) == (0, "")
    result = ft.analyse(truth(), runs(), ["AP", "P@3"], n_resamples=199)
    assert out.rstrip() == str(result).split("\n\nMore: ")[0]


def test_csv_and_json_are_the_full_table(run, files, folder) -> None:
    result = ft.analyse(truth(), runs(), ["AP", "P@3"], n_resamples=199)
    run(*files, "-o", "out.csv")
    numbers = ("mean", "lower", "upper", "share_first")
    texts = dict.fromkeys(numbers, str)  # pandas 2 reads numbers to 15 digits
    back = pd.read_csv(folder / "out.csv", keep_default_na=False, dtype=texts)
    want = result.to_frame(full=True)
    for name in numbers:
        assert back[name].astype(float).tolist() == want[name].tolist()
    assert back["beats"].tolist() == want["beats"].tolist()
    _, out, _ = run(*files, "--format", "json")
    assert [row["mean"] for row in json.loads(out)] == want["mean"].tolist()


def test_for_papers(run, files) -> None:
    result = ft.analyse(truth(), runs(), ["AP", "P@3"], n_resamples=199)
    _, out, _ = run(*files, "--format", "latex", "--digits", "2", "--label", "tab:x")
    assert out == result.to_latex(digits=2, label="tab:x")
    _, out, _ = run(*files, "--format", "markdown", "--no-bold", "--caption", "Mine.")
    assert out == result.to_markdown(caption="Mine.", bold=False)
    status, _, err = run(*files, "--label", "tab:x")
    assert (status, err) == (2, "error: --label: is for --format latex\n")


def test_saved_scores(run, files, folder) -> None:
    scores = ft.evaluate(truth(), runs(), ["AP", "P@3"], worlds="subject")
    scores.save(folder / "scores.parquet")
    _, out, _ = run("analyse", "scores.parquet", "-m", "P@3", "--n-resamples", "199")
    result = ft.analyse(scores.select(measures="P@3"), n_resamples=199)
    assert out.rstrip() == str(result).split("\n\nMore: ")[0]


def test_notes_are_in_the_table_and_else_on_stderr(run, files, folder) -> None:
    lists = ft.Runs.from_dict(runs()).to_frame()
    lists[lists["query"] != "q3"].to_csv(folder / "systems.csv", index=False)
    status, out, err = run(*files)
    assert (status, err) == (0, "")
    assert "- judged queries are missing from good (1: q3)" in out
    _, _, err = run(*files, "--format", "csv")
    assert "judged queries are missing from good (1: q3)" in err
