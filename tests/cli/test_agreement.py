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
        ("labels.csv --columns category=label", 2, "add --taxonomy TREE, or --categories"),
        ("votes.csv --asked labels.csv", 2, "--asked: belongs to votes for categories; add --tax"),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(f"agreement {line}")
    assert found == status
    assert message in text
