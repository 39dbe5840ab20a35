"""`fuzzytruth report`."""

from __future__ import annotations

import hashlib
import re
from html import unescape

import pytest
from support.analysed import runs, truth

import fuzzytruth as ft
from fuzzytruth.comparison import comparison_report as report_figures


@pytest.fixture
def files(folder, monkeypatch) -> tuple[str, ...]:
    monkeypatch.setattr(report_figures, "MOST_FIGURES", 0)  # they take most of the time
    truth().write(folder / "judged.csv")
    ft.Runs.from_dict(runs()).write(folder / "systems.csv")
    return ("report", "judged.csv", "systems.csv", "-m", "AP", "--n-resamples", "99")


def test_it_is_the_report_of_the_analysis(run, files, folder) -> None:
    status, out, err = run(*files, "--title", "Mine", "-o", "page.html")
    assert (status, out, err) == (0, "", "wrote page.html\n")
    command = "fuzzytruth report judged.csv systems.csv -m AP --n-resamples 99 --title Mine"
    read = ft.read_judgments("judged.csv"), ft.read_runs("systems.csv")
    result = ft.analyse(*read, "AP", n_resamples=99)
    wanted = result.report(
        folder / "wanted.html",
        title="Mine",
        command=command,
        files=[folder / "judged.csv", folder / "systems.csv"],
    )
    assert (folder / "page.html").read_text("utf-8") == wanted.read_text("utf-8")


def test_the_same_files_give_the_same_bytes_wherever_they_are(run, files, folder) -> None:
    run(*files)
    first = (folder / "report.html").read_bytes()
    run(*files, f"--output={folder / 'other.html'}")
    assert (folder / "other.html").read_bytes() == first
    elsewhere = [str(folder / name) if name.endswith(".csv") else name for name in files]
    run(*elsewhere)
    assert (folder / "report.html").read_bytes() == first
    assert str(folder) not in first.decode()


def test_notes_do_not_tell_folders(run, folder) -> None:
    files = [str(folder / name) for name in ("qrels.txt", "a.run", "b.run")]
    lines = (folder / "a.run").read_text().splitlines()
    changed = "\n".join([*lines[:-1], lines[-1].rsplit(" ", 1)[0] + " other"]) + "\n"
    (folder / "a.run").write_text(changed)
    status, _, _ = run("report", *files, "-m", "AP", "--n-resamples", "99")
    html = (folder / "report.html").read_text("utf-8")
    assert status == 0
    assert "a.run: " in html
    assert str(folder) not in html


def test_command_and_checksums(run, files, folder) -> None:
    run(*files, f"other={folder / 'a.run'}")
    html = unescape((folder / "report.html").read_text("utf-8"))
    command = "fuzzytruth report judged.csv systems.csv -m AP --n-resamples 99 other=a.run"
    assert f"<code>{command}</code>" in html
    for name in ("judged.csv", "systems.csv", "a.run"):
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        assert re.search(f">{name}<.*?{digest}<", html)


def test_saved_scores(run, files, folder) -> None:
    ft.evaluate(truth(), runs(), ["AP"], worlds="subject").save(folder / "scores.parquet")
    status, _, _ = run("report", "scores.parquet", "--n-resamples", "99")
    assert status == 0
    assert "Agreement of the subjects" not in (folder / "report.html").read_text("utf-8")


def test_inputs_are_not_overwritten(run, files, folder) -> None:
    before = (folder / "judged.csv").read_bytes()
    status, _, err = run(*files, "-o", "judged.csv")
    assert (status, err.startswith("error: ")) == (2, True)
    assert (folder / "judged.csv").read_bytes() == before


@pytest.mark.parametrize("name", ["report.pdf", "report"])
def test_a_page_is_named_as_one(run, files, folder, name: str) -> None:
    status, _, err = run(*files, "-o", name)
    assert (status, err.count("\n")) == (2, 1)
    assert ".html" in err
    assert not (folder / name).exists()
