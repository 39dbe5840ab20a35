"""`fuzzytruth annotate-next`."""

import warnings
from pathlib import Path

import pytest

import fuzzytruth as ft

LINE = "annotate-next votes.csv a.run b.run"


def test_the_same_numbers_as_in_python(run, printed, records) -> None:
    line = f"{LINE} -m P@2 -k 2 --limit 3 --prior 0.5 --seed 3"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # which the command prints
        order = ft.annotate_next(
            "votes.csv", ["a.run", "b.run"], "P@2", k=2, limit=3, prior=0.5, rng=3
        )
    expected = order.to_frame(full=True)
    rows = records(line)
    assert [row["item"] for row in rows] == expected["item"].tolist()
    assert [row["share"] for row in rows] == expected["share"].tolist()
    status, out, err = run(f"{line} -o batch.csv")
    assert (status, out, err.splitlines()[-1]) == (0, "", "wrote batch.csv")
    assert Path("batch.csv").read_text() == printed(f"{line} --format csv")
    out = printed(f"{LINE} -m RR")
    assert out.startswith("What to annotate next: a - b by RR")
    assert "Difference " in out
    assert "More: " not in out  # methods of Python


def test_votes_on_a_taxonomy(records) -> None:
    said = "a,1,city a,2,sea a,3,city b,1,sea b,2,sea b,3,sea c,1,city c,2,city c,3,sea"
    Path("labels.csv").write_text("subject,item,category\n" + said.replace(" ", "\n"))
    Path("tree.txt").write_text("all\n  city\n  sea\n")
    Path("like.run").write_text("1 Q0 2 1 1.0 x\n2 Q0 3 1 1.0 x\n")
    Path("shape.run").write_text("1 Q0 3 1 1.0 x\n2 Q0 3 1 1.0 x\n")
    votes = ft.read_assignments("labels.csv", taxonomy="tree.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        order = ft.annotate_next(votes.by_example(), ["like.run", "shape.run"], "P@1")
    rows = records("annotate-next labels.csv like.run shape.run --taxonomy tree.txt -m P@1")
    assert [(row["item"], row["share"]) for row in rows] == list(
        order.items[["item", "share"]].itertuples(index=False, name=None)
    )
    assert order.items["share"].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (f"{LINE} -m AP,RR", 2, "-m AP,RR: name one measure"),
        (f"{LINE} -m AP --systems a,c", 2, "'c' is not among the runs"),
        (f"{LINE} -m AP --systems a,", 2, "--systems: a name is empty"),
        ("annotate-next votes.csv a.run -m AP", 2, "name the two that are compared"),
        ("annotate-next qrels.txt a.run b.run -m AP", 1, "unknown author"),
        (f"{LINE} -m AP --category people", 2, "--category, --asked: belong to votes"),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(line)
    assert found == status
    assert message in text
