"""`fuzzytruth demo`."""

import sys
from pathlib import Path
from typing import get_args

import pytest

import fuzzytruth as ft
from fuzzytruth.cli.convert import SampleName, command, silhouettes
from fuzzytruth.comparison import comparison_report


def test_the_demo_shows_numbers_of_the_library_and_suggests_what_works(
    run, printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["bin/fuzzytruth"])
    monkeypatch.setattr(comparison_report, "MOST_BARS", 0)  # figures take most of the time
    status, demo, err = run("demo")
    assert status == 0
    assert all(line.startswith("warning: ") for line in err.splitlines())
    assert max(map(len, demo.splitlines())) <= 80
    lines = demo.replace("\\\n", "").splitlines()
    words = [line.split() for line in lines if line.startswith("  ") and "qrels.txt" not in line]
    verbs = ("demo", "santini", "membership", "evaluate", "report", "measures")
    commands = [each for each in words if each[1:] and each[1] in verbs]
    assert [each[1] for each in commands] == list(verbs)
    for _, *arguments in commands:
        out = printed("", *arguments)
        if arguments[0] == "santini":
            table = out.partition("P@5: means over 160 queries")[2].partition("\n\n")[0]
            assert table
            assert table in demo
    for page in ("santini.html", "report.html"):
        assert "</html>" in Path(page).read_text(encoding="utf-8")

    votes, runs = silhouettes()
    shares = votes.membership().of_item("bear9")
    assert "".join(f"bear {shares['bear']:g}".split()) in "".join(demo.split())
    laws = ft.evaluate(votes.by_example(["bear9"]), runs, "P@5", ties="expected")
    for system in runs:
        chance = laws.distribution(system, "bear9", "P@5").sf(0.49)
        assert f"{chance:.2f} ({system})" in demo
    own = ft.evaluate(
        votes.by_example(), runs, "P@5", ties="expected", worlds="subject", missing="exclude"
    ).mean()["P@5"]
    assert f"{own['vit']:.3f}" in demo
    assert f"{own['regnety']:.3f}" in demo
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
    out = printed("demo --copy-to mine")
    assert "mine/votes.csv" in out
    assert printed("demo --copy-to mine") == out  # nothing is changed
    readme = Path("mine/README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme for name in ("votes.csv", "vit.run", "judgments.parquet"))
    Path("other").mkdir()
    Path("other/votes.csv").write_text("mine")
    assert error("demo --copy-to other") == (
        1,
        "other/votes.csv: exists and is another file; give an empty folder",
    )
    assert [path.name for path in Path("other").iterdir()] == ["votes.csv"]
    Path("file").write_text("")
    status, message = error("demo --copy-to file/x")
    assert (status, message.startswith("file/x: cannot be made (")) == (1, True)
