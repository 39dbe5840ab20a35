"""`fuzzytruth santini`: the library's analysis, from files, as one screen and as a page."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.comparison import comparison_report
from fuzzytruth.show.answer import without_methods

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
LINE = "santini votes.csv --taxonomy tree.csv runs.csv --n-resamples 99 --n-permutations 9"
FAST = {"n_resamples": 99, "n_permutations": 9}


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    rng = np.random.default_rng(4)
    items = [f"i{j}" for j in range(9)]
    kinds = np.where(rng.random((4, 9)) < 0.8, np.arange(9) % 3, rng.integers(0, 3, (4, 9)))
    votes = [(f"s{s}", item, "abc"[kinds[s, j]]) for s in range(4) for j, item in enumerate(items)]
    columns = ["subject", "item", "category"]
    pd.DataFrame(votes, columns=columns).to_csv(folder / "votes.csv", index=False)
    (folder / "tree.csv").write_text("parent,child\nall,ab\nall,c\nab,a\nab,b\n")
    lists = [
        (name, query, item, round(float((j - q) % 3 == 0) + rng.normal(0, noise), 4))
        for name, noise in (("x", 0.2), ("y", 1.0))
        for q, query in enumerate(items)
        for j, item in enumerate(items)
        if j != q
    ]
    columns = ["system", "query", "item", "score"]
    pd.DataFrame(lists, columns=columns).to_csv(folder / "runs.csv", index=False)
    own = [
        (q, f"s{s}", i, w)
        for q in items[:3]
        for s in range(2)
        for i, w in (("i4", 1.0), ("i7", 0.5))
    ]
    columns = ["query", "subject", "item", "grade"]
    pd.DataFrame(own, columns=columns).to_csv(folder / "lists.csv", index=False)


def test_it_says_what_the_library_says(run) -> None:
    for more, options in (
        ("-k 3", {"k": 3}),
        (
            "-k 2 --ties trec --rule majority --level 0.9 --seed 3",
            {
                "k": 2,
                "ties": "trec",
                "rule": "majority",
                "level": 0.9,
                "rng": 3,
            },
        ),
        ("-k 3 --lists lists.csv", {"k": 3, "lists": "lists.csv"}),
    ):
        found = ft.santini("votes.csv", "runs.csv", taxonomy="tree.csv", **FAST, **options)
        status, out, err = run(f"{LINE} {more}")
        assert (status, out) == (0, f"{without_methods(found).text(80)}\n")
        assert all(line.startswith("warning: ") for line in err.splitlines())
        assert "More: " not in out


def test_it_writes_a_page_too(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_report, "COLUMN_WIDTH", 99)  # none is drawn again for phones
    status, out, err = run(f"{LINE} -k 3 -o page.html")
    assert (status, err.splitlines()[-1]) == (0, "wrote page.html")
    assert out.startswith("2 systems by the votes of 4 people on 9 items: P@3 and R@3 over")
    found = ft.santini("votes.csv", "runs.csv", taxonomy="tree.csv", k=3, **FAST)
    wanted = found.report(folder / "wanted.html", command=f"fuzzytruth {LINE} -k 3")
    assert (folder / "page.html").read_text("utf-8") == wanted.read_text("utf-8")


def test_categories_of_systems(printed, folder: Path) -> None:
    rng = np.random.default_rng(5)
    rows = [(s, f"i{j}", "abc"[rng.integers(3)]) for s in "xy" for j in range(9)]
    columns = ["system", "item", "category"]
    pd.DataFrame(rows, columns=columns).to_csv(folder / "labels.csv", index=False)
    out = printed(f"{LINE.replace('runs.csv', 'labels.csv')} -k 3")
    votes = ft.read_assignments("votes.csv", taxonomy=ft.read_taxonomy("tree.csv"))
    found = ft.santini(votes, ft.Runs.by_similarity("labels.csv", votes.taxonomy), k=3, **FAST)
    assert out == f"{without_methods(found).text(80)}\n"
    assert found.n_decided > 9  # items of a category are tied


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (LINE.replace("votes.csv", "qrels.txt"), 1, "qrels.txt"),
        (LINE.replace("votes.csv", "graded.csv"), 1, "no column for 'category'"),
        (LINE.replace("tree.csv", "none.csv"), 1, "none.csv"),
        ("santini wide.csv runs.csv", 1, "which they are: --columns item=photo,category=kind"),
        (
            "santini votes.csv own.csv",
            1,
            "own.csv, header: no column for 'item' (accepted: item, doc_id, docid, docno, item_id, "
            "...), and for 'category' (accepted: category, class, node, label, response, ...); "
            "columns present: 'model', 'photo', 'predicted'; rename some; or say which they are: "
            "--run-columns item=photo,category=predicted",
        ),
        (
            "santini votes.csv own.csv --run-columns item=photo",
            1,
            "or say which it is: --run-columns category=predicted",
        ),
        (f"{LINE} -k 0", 2, "-k 0: must be 1 or more"),
        (f"{LINE} --ties random", 2, "--ties random"),
        (f"{LINE} --lists votes.csv", 1, "votes.csv"),
        (f"{LINE} -o page.pdf", 2, "-o page.pdf: a report is a page; name the file .html"),
        ("santini votes.csv", 2, "RUN"),
    ],
)
def test_mistakes(error, folder: Path, line: str, status: int, message: str) -> None:
    (folder / "graded.csv").write_text("query,item,subject,grade\nq1,d1,ann,1\n")
    (folder / "wide.csv").write_text("rater,photo,kind\nann,p1,cat\n")
    (folder / "own.csv").write_text("model,photo,predicted\nnet,p1,cat\n")
    found, text = error(line)
    assert message in text
    assert "question" not in text
    assert found == status


def test_files_of_groups(run, error) -> None:
    """A table without groups is named before votes that are missing, one with other columns too."""
    Path("none.csv").write_text("subject,group\ns0,\ns1,\n")
    compared = "compare votes.csv runs.csv --taxonomy tree.csv -m P@2 --communities"
    assert error(f"{compared} none.csv") == (
        1,
        "none.csv: holds no groups (communities found none)",
    )
    status, message = error(f"{compared} tree.csv")
    assert (status, message.startswith("tree.csv, header: no column for 'subject'")) == (1, True)
    status, message = error("compare votes.csv runs.csv --taxonomy tree.csv --missing exclude")
    assert (status, "add --worlds subject, or compare groups of subjects" in message) == (2, True)


def test_communities_are_shown_and_written(run, folder: Path) -> None:
    rng = np.random.default_rng(5)
    kinds = rng.integers(0, 4, (2, 60))
    rows = [(f"s{s}", f"i{i}", f"c{kinds[s % 2, i]}") for s in range(6) for i in range(60)]
    votes = pd.DataFrame(rows, columns=["subject", "item", "category"])
    votes.to_csv(folder / "people.csv", index=False)
    command = "communities people.csv --by-example --n-permutations 19"
    status, shown, _ = run(command)
    assert status == 0
    assert run(f"{command} -o groups.csv") == (0, shown, "wrote groups.csv\n")
    assert pd.read_csv("groups.csv")["group"].nunique() == 2


def test_items_of_runs_that_nobody_voted_on_are_named(run) -> None:
    runs = pd.read_csv("runs.csv")
    runs["item"] = runs["item"].replace({"i4": "pic", "i7": "pix"})
    runs.to_csv("other.csv", index=False)
    _, _, err = run("evaluate votes.csv other.csv --taxonomy tree.csv -m P@2")
    assert "and so not relevant: 2 items (pic, pix), 32 entries of lists: x (16), y (16)" in err
