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
    assert printed(f"{line} -o batch.csv") == ""
    assert Path("batch.csv").read_text() == printed(f"{line} --format csv")
    out = printed(f"{LINE} -m RR")
    assert out.startswith("What to annotate next: a - b by RR")
    assert "Difference " in out
    assert "More: " not in out  # methods of Python


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (f"{LINE} -m AP,RR", 2, "-m AP,RR: name one measure"),
        (f"{LINE} -m AP --systems a,c", 2, "'c' is not among the runs"),
        (f"{LINE} -m AP --systems a,", 2, "--systems: a name is empty"),
        ("annotate-next votes.csv a.run -m AP", 2, "name the two that are compared"),
        ("annotate-next qrels.txt a.run b.run -m AP", 1, "unknown author"),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(line)
    assert found == status
    assert message in text
