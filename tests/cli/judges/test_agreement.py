"""`fuzzytruth agreement`."""

from pathlib import Path

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
        ("mixed.csv", 1, "leave out what is no answer: --drop na; --categories (agreement), --by"),
        ("votes.csv --asked labels.csv", 2, "--asked: belongs to votes for categories; add --tax"),
    ],
)
def test_mistakes(error, folder: Path, line: str, status: int, message: str) -> None:
    (folder / "mixed.csv").write_text("worker,item,label\nann,i,1\nbob,i,na\n")
    found, text = error(f"agreement {line}")
    assert found == status
    assert message in text


@pytest.mark.usefixtures("categories")
def test_votes_without_queries(run, printed) -> None:
    status, out, err = run("agreement labels.csv")
    assert (status, out) == (0, printed("agreement labels.csv --categories"))
    assert "warning: labels.csv: there are no queries, and the words in 'label' are votes" in err
    assert "if they are grades, say which: --grades" in err
    assert printed("agreement labels.csv --columns category=label") == out
