"""`fuzzytruth report`."""

import hashlib
import re
from html import unescape
from pathlib import Path

import pytest
from support.analysed import runs, truth

import fuzzytruth as ft
from fuzzytruth.comparison import comparison_report

LINE = "report judged.csv systems.csv -m AP --n-resamples 99"


@pytest.fixture(autouse=True)
def _files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_report, "MOST_BARS", 0)  # figures take most of the time
    truth().write(folder / "judged.csv")
    ft.Runs.from_dict(runs()).write(folder / "systems.csv")


def test_it_is_the_report_of_the_analysis_wherever_files_are(run, printed, folder: Path) -> None:
    ended = run(f"{LINE} --title Mine -o page.html")
    assert ended == (0, "", "wrote page.html\n")
    result = ft.analyse(
        ft.read_judgments("judged.csv"), ft.read_runs("systems.csv"), "AP", n_resamples=99
    )
    files = [folder / "judged.csv", folder / "systems.csv"]
    command = f"fuzzytruth {LINE} --title Mine"
    wanted = result.report(folder / "wanted.html", title="Mine", command=command, files=files)
    assert (folder / "page.html").read_text("utf-8") == wanted.read_text("utf-8")
    words = [str(folder / word) if word.endswith(".csv") else word for word in LINE.split()]
    printed("", *words, "--title", "Mine", f"--output={folder / 'other.html'}")
    assert (folder / "other.html").read_bytes() == wanted.read_bytes()
    assert str(folder) not in wanted.read_text("utf-8")


def test_command_checksums_and_notes_without_folders(printed, folder: Path) -> None:
    run = folder / "a.run"
    run.write_text(run.read_text().rsplit(" ", 1)[0] + " other\n")
    printed(f"{LINE} {run}")
    html = unescape((folder / "report.html").read_text("utf-8"))
    assert f"<code>fuzzytruth {LINE} a.run</code>" in html
    for name in ("judged.csv", "systems.csv", "a.run"):
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        assert re.search(f">{name}<.*?{digest}<", html)
    assert "a.run: " in html
    assert str(folder) not in html
