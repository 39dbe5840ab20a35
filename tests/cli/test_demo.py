"""`fuzzytruth demo`."""

import itertools
import sys
from pathlib import Path
from typing import get_args

import pytest
from support.read_tables import numbers, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.demo import SampleName, command
from fuzzytruth.comparison import comparison_report
from fuzzytruth.datasets import load_clef_tar2017


def test_the_demo_shows_numbers_of_evaluate_and_compare_and_suggests_what_works(
    run, printed, records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["bin/fuzzytruth"])
    monkeypatch.setattr(comparison_report, "MOST_FIGURES", 0)  # they take most of the time
    status, demo, err = run("demo")
    assert status == 0
    assert all(line.startswith("warning: ") for line in err.splitlines())
    assert max(map(len, demo.splitlines())) <= 80
    lines = demo.replace("\\\n", "").splitlines()
    words = [line.split() for line in lines if line.startswith("  ") and "qrels.txt" not in line]
    verbs = ("demo", "evaluate", "compare", "report", "measures")
    commands = [each for each in words if each[1:] and each[1] in verbs]
    assert [each[1] for each in commands] == [
        *("demo", "evaluate", "evaluate", "compare", "report", "measures")
    ]
    for _, *arguments in commands:
        printed("", *arguments)
    assert Path("differences.png").read_bytes().startswith(b"\x89PNG")
    assert "</html>" in Path("report.html").read_text(encoding="utf-8")

    truth, runs = load_clef_tar2017()
    abstract, content, *worlds, differing = printed_tables(demo)
    line = "evaluate sample/judgments.parquet sample/runs.parquet --order-by rank"
    by_subject = printed_tables(printed(f"{line} --worlds subject"))[-1]
    assert len(by_subject) == 16
    for number, row in enumerate(by_subject):
        of_demo = (abstract, content)[number % 2][number // 2]
        assert row == {"subject": ("abstract", "content")[number % 2], **of_demo}
    rows = records(f"{line} --worlds independent --n-worlds 1000 --seed 0 --over world")
    by_name = {(row["system"], row["measure"]): row for row in rows}
    assert len(by_name) == sum(len(row) - 1 for table in worlds for row in table) == 40
    for row in itertools.chain(*worlds):
        for measure in list(row)[1:]:
            record = by_name[row["system"], measure]
            exact = [record[name] for name in ("value", "lower", "upper")]
            assert numbers(row[measure]) == pytest.approx(exact, abs=5.1e-4)
    with pytest.warns(ft.FuzzytruthWarning):
        result = ft.compare(ft.evaluate(truth.select_subject("content"), runs, "AP"))
    assert f"{result.table['significant'].sum()} by content" in demo
    marks = result.superscripts()["AP"]
    assert {row["system"]: row["content"].split()[1:] for row in differing} == {
        system: letters.split() for system, letters in marks.items()
    }
    assert "pairs swap ranks; best: " in demo
    monkeypatch.setattr(sys, "argv", ["fuzzytruth/__main__.py"])
    assert command() == f"{Path(sys.executable).name} -m fuzzytruth"


def test_every_sample_can_be_copied(printed, error) -> None:
    folder = Path(ft.datasets.__file__).parent
    samples = {path.name for path in folder.iterdir() if (path / "LICENSE").exists()}
    assert samples == set(get_args(SampleName))
    for sample in samples:
        out = printed(f"demo --sample {sample} --copy-to to/{sample}")
        files = {path.name: path.read_bytes() for path in (folder / sample).iterdir()}
        assert {line.rpartition("/")[2] for line in out.split()} == files.keys()
        assert all(Path("to", sample, name).read_bytes() == text for name, text in files.items())
    assert error("demo --sample cragc25") == (
        2,
        "--sample cragc25: is for its files alone; add --copy-to FOLDER",
    )
    Path("file").write_text("")
    status, message = error("demo --copy-to file/x")
    assert (status, message.startswith("file/x: cannot be made (")) == (1, True)
