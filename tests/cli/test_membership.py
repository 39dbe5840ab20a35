"""`fuzzytruth membership`."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest
from support.command_line import LABELS


@pytest.mark.usefixtures("categories")
def test_membership(run) -> None:
    status, out, err = run("membership", "labels.csv", "--taxonomy", "tree.txt")
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["item", "all", "people", "scenery", "crowd", "city"]
    assert lines[2] == ["i1", "1.0000", "0.6667", "0.3333", "0.3333", "0.3333"]
    status, out, _ = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--format", "csv")
    rows = {
        (r["item"], r["category"]): float(r["probability"]) for r in csv.DictReader(StringIO(out))
    }
    assert rows["i2", "city"] == pytest.approx(2 / 3)
    assert ("i2", "people") not in rows
    status, out, _ = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--item", "i1")
    assert out.splitlines()[0].split() == ["all", "1"]
    command = ["membership", "labels.csv", "--taxonomy", "tree.txt", "--resample", "--seed", "1"]
    _, first, _ = run(*command, "--category", "city")
    _, second, _ = run(*command, "--category", "city")
    assert first == second
    assert "std_error" in first


@pytest.mark.usefixtures("categories")
def test_membership_says_what_is_wrong(run) -> None:
    status, _, err = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--item", "i9")
    assert (status, err) == (2, "error: --item 'i9': is not in these votes\n")
    status, _, err = run(
        *("membership", "labels.csv", "--taxonomy", "tree.txt", "--category", "peple")
    )
    assert (status, err) == (
        2,
        "error: --category 'peple': is not in these votes (nearest: 'people')\n",
    )
    status, _, err = run("membership", "labels.csv", "--taxonomy", "tree.txt", "--seed", "1")
    assert (status, err) == (2, "error: --seed: is for resampled subjects; add --resample\n")
    Path("bad.csv").write_text(LABELS.replace("s1,i1,crowd", "s1,i1,crowed"))
    status, _, err = run("membership", "bad.csv", "--taxonomy", "tree.txt")
    assert status == 1
    assert "bad.csv, line 3" in err
    assert "crowd" in err
    status, _, err = run("membership", "a.run", "--taxonomy", "tree.txt")
    assert "votes need named columns" in err


def test_flat_labels_and_columns_of_ones_own(run, folder: Path) -> None:
    (folder / "own.csv").write_text("pic,kind,who\na,cat,ann\na,dog,bob\na,?,eve\n")
    typed = ("--columns", "item=pic,category=kind,subject=who", "--drop", "?", "--format", "csv")
    status, out, err = run("membership", "own.csv", *typed)
    assert status == 0
    assert "1 row of 3 left out, column 'kind': '?'" in err
    assert {row["category"]: row["probability"] for row in csv.DictReader(StringIO(out))} == {
        "all": "1.0",
        "cat": "0.5",
        "dog": "0.5",
    }
    (folder / "wide.csv").write_text("item,ann,bob\na,cat,dog\n")
    assert run("membership", "wide.csv", "--subjects", "ann,bob")[0] == 0
    assert "cat" in run("membership", "wide.csv", "--subjects", "ann,bob", "--item", "a")[1]
