"""`fuzzytruth membership`."""

from pathlib import Path

import pytest
from support.command_line import LABELS

LINE = "membership labels.csv --taxonomy tree.txt"


@pytest.mark.usefixtures("categories")
def test_membership(run, records, printed) -> None:
    status, out, err = run(LINE)
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["item", "all", "people", "scenery", "crowd", "city"]
    assert lines[2] == ["i1", "1.0000", "0.6667", "0.3333", "0.3333", "0.3333"]
    rows = {(row["item"], row["category"]): row["probability"] for row in records(LINE)}
    assert rows["i2", "city"] == pytest.approx(2 / 3)
    assert ("i2", "people") not in rows
    assert printed(f"{LINE} --item i1").splitlines()[0].split() == ["all", "1"]
    line = f"{LINE} --resample --seed 1 --category city"
    assert "std_error" in records(line)[0]
    assert records(line) == records(line)


def test_flat_labels_and_columns_of_ones_own(run, printed, records, folder: Path) -> None:
    (folder / "own.csv").write_text("pic,kind,who\na,cat,ann\na,dog,bob\na,?,eve\n")
    line = "membership own.csv --columns item=pic,category=kind,subject=who --drop ?"
    assert "1 row of 3 left out, column 'kind': '?'" in run(line)[2]
    rows = {row["category"]: row["probability"] for row in records(line)}
    assert rows == {"all": 1, "cat": 0.5, "dog": 0.5}
    (folder / "wide.csv").write_text("item,ann,bob\na,cat,dog\n")
    printed("membership wide.csv --subjects ann,bob")
    assert "cat" in printed("membership wide.csv --subjects ann,bob --item a")


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (f"{LINE} --item i9", 2, "--item 'i9': is not in these votes"),
        (f"{LINE} --category peple", 2, "--category 'peple': is not in these votes (nearest: 'pe"),
        (f"{LINE} --figure a.png", 2, "--figure: draws one item, and there are 2; name it: --item"),
        (f"{LINE} --item i1 --resample", 2, "--item: draws a tree, without --format, -o, --resa"),
        (f"{LINE} --seed 1", 2, "--seed: is for resampled subjects; add --resample"),
        (
            "membership bad.csv --taxonomy tree.txt",
            1,
            "bad.csv, line 3, column 'label': value 'crowed'",
        ),
        ("membership a.run --taxonomy tree.txt", 1, "votes need named columns"),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    Path("bad.csv").write_text(LABELS.replace("s1,i1,crowd", "s1,i1,crowed"))
    found, text = error(line)
    assert found == status
    assert message in text
