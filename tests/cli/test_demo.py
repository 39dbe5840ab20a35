"""`fuzzytruth demo`."""

from __future__ import annotations

import csv
import itertools
import sys
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from support.read_tables import numbers, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.cli.demo import SampleName
from fuzzytruth.comparison import comparison_report as report_figures
from fuzzytruth.datasets import load_clef_tar2017
from fuzzytruth.errors import FuzzytruthWarning


def test_demo_shows_the_numbers_of_evaluate(run) -> None:
    status, demo, err = run("demo")
    assert status == 0
    assert all(line.startswith("warning: ") for line in err.splitlines())
    run("demo", "--copy-to", "sample")
    _, out, _ = run(
        *("evaluate", "sample/judgments.parquet", "sample/runs.parquet", "--order-by", "rank"),
        *("--worlds", "subject"),
    )
    abstract, content, *worlds, _ = printed_tables(demo)
    by_subject = printed_tables(out)[-1]
    assert len(by_subject) == 16
    for number, row in enumerate(by_subject):
        of_demo = (abstract, content)[number % 2][number // 2]
        assert row == {"subject": ("abstract", "content")[number % 2], **of_demo}
    _, out, _ = run(
        *("evaluate", "sample/judgments.parquet", "sample/runs.parquet", "--order-by", "rank"),
        *("--worlds", "independent", "--n-worlds", "1000", "--seed", "0", "--over", "world"),
        *("--format", "csv"),
    )
    records = {(row["system"], row["measure"]): row for row in csv.DictReader(StringIO(out))}
    assert len(records) == 40
    assert sum(len(row) - 1 for table in worlds for row in table) == 40
    for row in itertools.chain(*worlds):
        for measure in list(row)[1:]:
            record = records[row["system"], measure]
            exact = [float(record[name]) for name in ("value", "lower", "upper")]
            assert numbers(row[measure]) == pytest.approx(exact, abs=5.1e-4)


def test_what_the_demo_suggests_works(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bin/fuzzytruth"])
    _, demo, _ = run("demo")
    lines = demo.replace("\\\n", "").splitlines()
    suggested = [line.split() for line in lines if line.startswith("  ")]
    commands = [
        words
        for words in suggested
        if words[1:]
        and words[1] in ("demo", "evaluate", "compare", "report", "measures")
        and "qrels.txt" not in words
    ]
    assert [words[1] for words in commands] == [
        *("demo", "evaluate", "evaluate", "compare", "report", "measures")
    ]
    monkeypatch.setattr(report_figures, "MOST_FIGURES", 0)  # they take most of the time
    for _, *arguments in commands:
        assert run(*arguments)[0] == 0
    assert Path("differences.png").read_bytes().startswith(b"\x89PNG")
    assert "</html>" in Path("report.html").read_text(encoding="utf-8")


def test_demo_ends_with_the_pairs_that_differ(run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo"])
    out = capsys.readouterr().out
    truth, runs = load_clef_tar2017()
    with pytest.warns(FuzzytruthWarning):
        scores = ft.evaluate(truth.select_subject("content"), runs, "AP")
    table = ft.compare(scores).to_frame(full=True)
    assert f"{table['significant'].sum()} by content" in out
    marks = ft.compare(scores).superscripts().loc["waterloo.A-rank-normal", "AP"]
    line = next(x for x in out.splitlines() if x.startswith("g  waterloo.A-rank-normal"))
    assert line.rsplit("0.1702", 1)[1].split() == marks.split()


def test_every_sample_can_be_copied(run) -> None:
    folder = Path(ft.datasets.__file__).parent
    samples = {path.name for path in folder.iterdir() if (path / "LICENSE").exists()}
    assert samples == set(get_args(SampleName))
    for sample in samples:
        status, out, err = run("demo", "--sample", sample, "--copy-to", f"to/{sample}")
        assert (status, err) == (0, "")
        files = {path.name: path.read_bytes() for path in (folder / sample).iterdir()}
        assert {line.rpartition("/")[2] for line in out.split()} == files.keys()
        assert all(Path("to", sample, name).read_bytes() == text for name, text in files.items())


def test_a_sample_without_a_folder_to_copy_it_to(run) -> None:
    status, out, err = run("demo", "--sample", "cragc25")
    assert (status, out) == (2, "")
    assert err == "error: --sample cragc25: is for its files alone; add --copy-to FOLDER\n"


def test_the_demo_fits_80_columns(run) -> None:
    _, out, _ = run("demo")
    assert max(map(len, out.splitlines())) <= 80
