"""`fuzzytruth agreement`."""

from pathlib import Path

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.show.answer import without_methods

GRADED = "query,item,subject,grade\n" + "".join(
    f"q{j // 3},d{j},{subject},{(j * k + j) % 4}\n"
    for j in range(9)
    for k, subject in enumerate(["ann", "bob", "cat"])
)


@pytest.fixture
def graded(folder: Path) -> ft.Judgments:
    (folder / "graded.csv").write_text(GRADED)
    return ft.read_judgments(folder / "graded.csv")


def test_agreement_prints_what_the_function_prints(run, records, graded: ft.Judgments) -> None:
    line = "agreement graded.csv --metric ordinal"
    found = ft.agreement(graded, metric="ordinal")
    assert run(line) == (0, f"{without_methods(found).text(80)}\n", "")
    found = ft.agreement(graded, metric="ordinal", over=("item", "subject"), level=0.9)
    (row,) = records(f"{line} --over item --over subject --level .9")
    assert [row[name] for name in ("value", "lower", "upper", "over")] == [
        *(found.value, found.lower, found.upper),
        "item+subject",
    ]
    assert [row] == records(f"{line} --level .9 --over item --over subject")


def test_coefficients_scales_and_thresholds(run, records, graded: ft.Judgments) -> None:
    line = "agreement graded.csv"
    (row,) = records(f"{line} --coefficient cohen --metric linear --pair ann,cat")
    assert (row["coefficient"], row["n_subjects"]) == ("cohen", 2)
    status, out, err = run(f"{line} --scale 0,2")
    assert status == 0
    assert "outside the scale from 0 to 2" in err
    assert "Outside the scale" in out
    (row,) = records(f"{line} --rel ann=1,bob=2,cat=3")
    assert row["value"] == ft.agreement(graded, rel={"ann": 1, "bob": 2, "cat": 3}).value
    for typed, scales in (
        ("own", None),
        ("0,3", (0, 3)),
        ("ann=0:3,bob=0:6", {"ann": (0, 3), "bob": (0, 6)}),
    ):
        (row,) = records(f"{line} --metric interval --rescale {typed}")
        assert row["value"] == ft.agreement(graded.rescaled(scales), metric="interval").value


def test_tables_by_item_category_and_pair(printed, records, graded: ft.Judgments) -> None:
    line = "agreement graded.csv"
    assert [row["category"] for row in records(f"{line} --by category")] == [*"0123"]
    assert printed(f"{line} --by item -o items.csv") == ""
    assert len(pd.read_csv("items.csv")) == 9
    wanted = ft.agreement(graded).by_pair().to_frame()
    rows = pd.DataFrame(records(f"{line} --by pair"))
    assert rows["subject_a"].tolist() == wanted["subject_a"].tolist()
    assert rows["value"].tolist() == pytest.approx(wanted["value"].tolist())
    out = printed(f"{line} --by pair")
    assert out.startswith("Agreement of ")
    assert "More: " not in out + printed(line)  # methods of Python
    for name in ("latex", "markdown"):
        out = printed(f"{line} --format {name}")
        assert ("value" in out, "std" in out) == (True, False)


@pytest.mark.usefixtures("categories")
def test_votes_for_categories(run) -> None:
    votes = ft.read_assignments("labels.csv", taxonomy="tree.txt")
    with pytest.warns(ft.FuzzytruthWarning, match="the interval is unknown"):
        found = ft.agreement(votes, metric="taxonomy")
    assert run("agreement labels.csv --taxonomy tree.txt --metric taxonomy") == (
        0,
        f"{without_methods(found).text(80)}\n",
        "warning: the value is the same without any one of the items, which says nothing of how it "
        "varies; the interval is unknown\n",
    )
    assert run("agreement labels.csv --categories")[0] == 0


@pytest.mark.usefixtures("categories", "graded")
@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("graded.csv --coefficient cohen", 2, "is of two subjects; name them: --pair ann,bob"),
        ("graded.csv --pair ann,zoe", 2, "subject 'zoe' is not among those who voted"),
        ("graded.csv --scale 3", 2, "must be LOW,HIGH"),
        ("graded.csv --by pair --metric ratio", 2, "pairs have no metric 'ratio'"),
        ("graded.csv --rescale ann=0:1", 1, "--rescale: 4 grades outside the scale, the first 2 o"),
        ("graded.csv --rescale zoe=0:1", 2, "--rescale: 'zoe' is not among the subjects: ann, bob"),
        ("graded.csv --rescale three", 2, "--rescale: must be LOW,HIGH, such as 0,3, not 'three'"),
        ("labels.csv --taxonomy tree.txt --groups", 2, "--groups, --intents: are for judgments"),
        ("labels.csv --taxonomy tree.txt --grades a=1", 2, "--grades: votes have categories"),
        ("labels.csv --taxonomy tree.txt --over query", 2, "these votes have no queries"),
        ("labels.csv --columns category=label", 2, "add --taxonomy TREE, or --categories"),
        ("votes.csv --asked labels.csv", 2, "--asked: belongs to votes for categories; add --tax"),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(f"agreement {line}")
    assert found == status
    assert message in text
