"""`fuzzytruth reliability`, and `fuzzytruth annotate-next` without runs."""

from pathlib import Path

import pandas as pd
import pytest
from support.crowds import crowd

import fuzzytruth as ft

QUICK = "reliability crowd.csv --n-simulated 0"


@pytest.fixture
def votes(folder: Path) -> pd.DataFrame:
    """Votes of eight people, three on each of 60 items, in a file; known answers in another."""
    table, truth = crowd("coin", 8, 60, 3)
    names = {"subject": [f"s{j}" for j in table.subject], "item": [f"i{j:02d}" for j in table.unit]}
    frame = pd.DataFrame({"query": "q", **names, "grade": table.value})
    frame.to_csv(folder / "crowd.csv", index=False)
    kinds = frame.assign(category=[["no", "yes"][grade] for grade in frame["grade"]])
    kinds[["subject", "item", "category"]].to_csv(folder / "kinds.csv", index=False)
    known = pd.DataFrame({"item": [f"i{j:02d}" for j in range(40)], "grade": truth[:40]})
    known.to_csv(folder / "known.csv", index=False)
    known[:5].to_csv(folder / "few.csv", index=False)
    return frame


def test_the_same_numbers_as_in_python(votes, printed, records) -> None:
    fit = ft.reliability(votes, "one-coin", n_simulated=0, rng=3)
    rows = records(f"{QUICK} --method one-coin --seed 3")
    for name in ("subject", "accuracy", "lower", "n_votes"):
        assert [row[name] for row in rows] == pytest.approx(fit.subjects[name].tolist())
    assert printed(f"{QUICK} -o people.csv") == ""
    out = printed(f"{QUICK} --gold known.csv --method one-coin")
    gold = ft.reliability(votes, "one-coin", gold="known.csv", n_simulated=0).fit.gold
    assert f"Of 40 items with a known answer, {gold.right:.2f}" in out
    assert "More: " not in out  # methods of Python
    assert "--gold takes known answers" in " ".join(printed(QUICK).split())


def test_what_to_ask_next(votes, printed, records) -> None:
    order = ft.annotate_next(votes, limit=10, rng=3)
    rows = records("annotate-next crowd.csv --limit 10 --seed 3")
    assert [row["item"] for row in rows] == order.votes["item"].tolist()
    assert [row["gain"] for row in rows] == order.votes["gain"].tolist()
    out = printed("annotate-next kinds.csv --by-item --category yes --limit 5")
    assert out.startswith("What to ask next about the size of yes: 5 votes of 8 subjects")


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (f"{QUICK} --method best", 2, "--method best: must be one of 'auto', 'dawid-skene'"),
        (f"{QUICK} --copies twice", 2, "--copies twice: must be one of auto, once, all"),
        (f"{QUICK} --gold few.csv", 1, "gold: 5 items of 5 were voted on, and 10 at least"),
        (f"{QUICK} --gold none.csv", 1, "none.csv: no such file"),
        (f"{QUICK} --prior=-1", 2, "--prior -1.0: must be 0 or more"),
        ("annotate-next crowd.csv -m AP", 2, "--measure AP: is for the difference of two systems"),
        ("annotate-next crowd.csv --systems a,b", 2, "--systems a,b: is for the difference"),
        ("annotate-next crowd.csv a.run b.run", 2, "-m/--measure: name one measure"),
        ("annotate-next kinds.csv --by-item --category maybe", 2, "--category maybe: is no answer"),
    ],
)
def test_mistakes(votes, error, line: str, status: int, message: str) -> None:
    found, text = error(line)
    assert (found, message in text) == (status, True), text
