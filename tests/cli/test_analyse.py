"""`fuzzytruth analyse`."""

import pytest
from support.analysed import runs, truth

import fuzzytruth as ft
from fuzzytruth.show.answer import without_methods

LINE = "analyse judged.csv systems.csv -m AP,P@3 --n-resamples 199"


@pytest.fixture(autouse=True)
def _files(folder) -> None:
    truth().write(folder / "judged.csv")
    ft.Runs.from_dict(runs()).write(folder / "systems.csv")


@pytest.fixture(scope="module")
def result() -> ft.results.Analysis:
    return ft.analyse(truth(), runs(), ["AP", "P@3"], n_resamples=199)


def test_it_shows_what_the_library_says(
    run, records, printed, error, result: ft.results.Analysis
) -> None:
    assert run(LINE) == (0, f"{without_methods(result).text(80)}\n", "")
    want = result.to_frame(full=True)
    numbers = ("mean", "lower", "upper", "share_first", "beats")
    assert [[row[name] for name in numbers] for row in records(LINE)] == [
        list(row) for row in want[list(numbers)].itertuples(index=False)
    ]
    out = printed(f"{LINE} --format latex --digits 2 --label tab:x")
    assert out == result.to_latex(digits=2, label="tab:x")
    out = printed(f"{LINE} --format markdown --no-bold --caption Mine.")
    assert out == result.to_markdown(caption="Mine.", bold=False)
    assert error(f"{LINE} --label tab:x") == (2, "--label: is for --format latex")


def test_saved_scores(printed, folder) -> None:
    scores = ft.evaluate(truth(), runs(), ["AP", "P@3"], worlds="subject")
    scores.save(folder / "scores.parquet")
    found = ft.analyse(scores.select(measures="P@3"), n_resamples=199)
    out = printed("analyse scores.parquet -m P@3 --n-resamples 199")
    assert out == f"{without_methods(found).text(80)}\n"


def test_notes_are_in_the_table_and_else_on_stderr(run, folder) -> None:
    lists = ft.Runs.from_dict(runs()).to_frame()
    lists[lists["query"] != "q3"].to_csv(folder / "systems.csv", index=False)
    status, out, err = run(LINE)
    assert (status, err) == (0, "")
    assert "- judged queries are missing from good (1: q3)" in out
    assert "judged queries are missing from good (1: q3)" in run(f"{LINE} --format csv")[2]
