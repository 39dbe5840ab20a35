"""`fuzzytruth agreement`."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

import fuzzytruth as ft
from fuzzytruth.show.answer import without_methods

GRADED = "query,item,subject,grade\n" + "".join(
    f"q{j // 3},d{j},{subject},{(j * k + j) % 4}\n"
    for j in range(9)
    for k, subject in enumerate(["ann", "bob", "cat"])
)
#: of two items
UNKNOWN = (
    "warning: the value is the same without any one of the items, which says nothing of how it "
    "varies; the interval is unknown\n"
)


@pytest.fixture
def graded(folder: Path) -> Path:
    path = folder / "graded.csv"
    path.write_text(GRADED)
    return path


def test_agreement_prints_what_the_function_prints(run, graded: Path) -> None:
    status, out, err = run("agreement", "graded.csv", "--metric", "ordinal")
    assert (status, err) == (0, "")
    found = ft.agreement(ft.read_judgments(graded), metric="ordinal")
    assert out == f"{without_methods(found).text(80)}\n"
    typed = ("--over", "item", "--over", "subject", "--level", ".9", "--format", "json")
    status, out, _ = run("agreement", "graded.csv", "--metric", "ordinal", *typed)
    found = ft.agreement(
        ft.read_judgments(graded), metric="ordinal", over=("item", "subject"), level=0.9
    )
    (row,) = json.loads(out)
    assert [row[name] for name in ("value", "lower", "upper", "over")] == [
        *(found.value, found.lower, found.upper),
        "item+subject",
    ]
    assert run("agreement", "graded.csv", "--metric", "ordinal", *typed[-4:], *typed[:4])[1] == out


@pytest.mark.usefixtures("graded")
def test_pairs_scales_and_tables(run) -> None:
    cohen = ("agreement", "graded.csv", "--coefficient", "cohen", "--metric", "linear")
    status, out, _ = run(*cohen, "--pair", "ann,cat", "--format", "csv")
    (row,) = csv.DictReader(StringIO(out))
    assert (status, row["coefficient"], row["n_subjects"]) == (0, "cohen", "2")
    status, _, err = run(*cohen)
    assert status == 2
    assert err == ("error: --coefficient cohen: is of two subjects; name them: --pair ann,bob\n")
    status, _, err = run(*cohen, "--pair", "ann,zoe")
    assert (status, err) == (2, "error: subject 'zoe' is not among those who voted\n")
    status, out, err = run("agreement", "graded.csv", "--scale", "0,2")
    assert status == 0
    assert "outside the scale from 0 to 2" in err
    assert "Outside the scale" in out
    status, _, err = run("agreement", "graded.csv", "--scale", "3")
    assert status == 2
    assert "must be LOW,HIGH" in err
    status, out, _ = run("agreement", "graded.csv", "--by", "category", "--format", "csv")
    assert [row["category"] for row in csv.DictReader(StringIO(out))] == [*"0123"]
    status, out, _ = run("agreement", "graded.csv", "--by", "item", "-o", "items.csv")
    assert (status, out) == (0, "")
    assert len(Path("items.csv").read_text().splitlines()) == 10


@pytest.mark.usefixtures("categories")
def test_votes_for_categories(run) -> None:
    typed = ("agreement", "labels.csv", "--taxonomy", "tree.txt", "--metric", "taxonomy")
    status, out, err = run(*typed)
    assert (status, err) == (0, UNKNOWN)
    votes = ft.read_assignments("labels.csv", taxonomy="tree.txt")
    with pytest.warns(ft.FuzzytruthWarning, match="the interval is unknown"):
        assert out == f"{without_methods(ft.agreement(votes, metric='taxonomy')).text(80)}\n"
    assert run("agreement", "labels.csv", "--categories")[0] == 0
    for more, message in {
        ("--groups",): "--groups, --intents: are for judgments",
        ("--grades", "a=1"): "--grades: votes have categories",
        ("--over", "query"): "these votes have no queries",
        ("-o", "labels.csv"): "labels.csv",
    }.items():
        status, _, err = run(*typed, *more)
        assert status == 2
        assert message in err
    status, _, err = run("agreement", "votes.csv", "--asked", "labels.csv")
    assert (status, err) == (
        2,
        "error: --asked: belongs to votes for categories; add --taxonomy TREE\n",
    )


def test_the_example_on_data_that_ship(run, folder: Path) -> None:
    assert run("demo", "--copy-to", "sample")[0] == 0
    status, out, _ = run("agreement", "sample/judgments.parquet", "--over", "query")
    assert status == 0
    assert "Krippendorff's alpha" in out
    assert "0.4550" in out


def test_by_pair(run, graded: Path) -> None:
    status, out, _ = run("agreement", "graded.csv", "--by", "pair", "--format", "csv")
    assert status == 0
    wanted = ft.agreement(ft.read_judgments(graded)).by_pair().to_frame()
    rows = [*csv.DictReader(StringIO(out))]
    assert [row["subject_a"] for row in rows] == wanted["subject_a"].tolist()
    assert [float(row["value"]) for row in rows] == pytest.approx(wanted["value"].tolist())
    printed = run("agreement", "graded.csv", "--by", "pair")[1]
    assert printed.startswith("Agreement of ")
    assert "More: " not in printed + run("agreement", "graded.csv")[1]  # methods of Python
    status, _, err = run("agreement", "graded.csv", "--by", "pair", "--metric", "ratio")
    assert (status, "pairs have no metric 'ratio'" in err) == (2, True)


@pytest.mark.usefixtures("graded")
def test_tables_of_papers_are_narrow(run) -> None:
    for name in ("latex", "markdown"):
        status, out, _ = run("agreement", "graded.csv", "--format", name)
        assert (status, "value" in out) == (0, True)
        assert "std" not in out


@pytest.mark.usefixtures("categories")
def test_categories_take_an_option_that_says_so(run) -> None:
    status, _, err = run("agreement", "labels.csv", "--columns", "category=label")
    assert (status, "add --taxonomy TREE, or --categories" in err) == (2, True)


def test_thresholds_and_scales(run, graded: Path) -> None:
    given, table = ft.read_judgments(graded), ("agreement", "graded.csv", "--format", "json")
    (row,) = json.loads(run(*table, "--rel", "ann=1,bob=2,cat=3")[1])
    assert row["value"] == ft.agreement(given, rel={"ann": 1, "bob": 2, "cat": 3}).value
    for typed, scales in (
        ("own", None),
        ("0,3", (0, 3)),
        ("ann=0:3,bob=0:6", {"ann": (0, 3), "bob": (0, 6)}),
    ):
        (row,) = json.loads(run(*table, "--metric", "interval", "--rescale", typed)[1])
        assert row["value"] == ft.agreement(given.rescaled(scales), metric="interval").value
    for typed, problem in {
        "ann=0:1": "--rescale: 4 grades outside the scale, the first 2 of 'ann'",
        "zoe=0:1": "--rescale: 'zoe' is not among the subjects: ann, bob, cat",
        "three": "--rescale: must be LOW,HIGH, such as 0,3, not 'three'",
    }.items():
        status, _, err = run(*table, "--rescale", typed)
        assert status
        assert problem in err
