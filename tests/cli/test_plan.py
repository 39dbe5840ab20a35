"""`fuzzytruth plan`: the same plan as the library's, from files and from assumed components."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.show.answer import without_methods

ASSUMED = "plan --component system:query=.02 --component residual=.05"


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    values = np.random.default_rng(3).normal(0.5, 0.1, (3, 4, 15))
    scores_of(values).to_frame().to_csv(folder / "scores.csv", index=False)
    items = [(q, d) for q in range(8) for d in range(4)]
    (folder / "qrels.txt").write_text("".join(f"q{q} 0 d{d} {(q + d) % 2}\n" for q, d in items))
    for name, shift in (("a", 0), ("b", 1)):
        rows = [f"q{q} Q0 d{d} 1 {(d * (q + 1) + shift * q) % 5} t\n" for q, d in items]
        (folder / f"{name}.run").write_text("".join(rows))


def test_it_says_what_the_library_says(run, printed, records) -> None:
    found = ft.plan(components={"system:query": 0.02, "residual": 0.05}, half_width=0.02)
    assert run(f"{ASSUMED} --half-width .02") == (0, f"{without_methods(found).text(80)}\n", "")
    scores = ft.read_scores("scores.csv")
    found = ft.plan(scores, half_width=0.1, subjects=[2, 6, 7], cost_per_judgment=3)
    rows = records("plan scores.csv --half-width .1 --n-subjects 2,6-7 --cost-per-judgment 3")
    for row, want in zip(rows, found.table.to_dict("records"), strict=True):
        for name, value in want.items():
            assert row[name] is None if pd.isna(value) else row[name] == pytest.approx(value)
    out = printed("plan qrels.txt a.run b.run -m RR --half-width .1 --format csv")
    assert out.startswith("subjects,replicates,queries,lower,upper,")
    for name in ("markdown", "latex", "csv", "table"):
        out = printed(f"plan scores.csv --half-width .1 --n-subjects 1,9 --format {name}")
        assert ("queries" in out, "<NA>" in out) == (True, False)


def test_votes_in_all_forms_and_formats(printed, records) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 40)
    Path("all").mkdir()
    for name in ("ann", "bob", "cyd"):
        label = np.where(rng.random(40) < 0.8, truth, 1 - truth)
        item = [f"i{j}" for j in range(40)]
        frame = pd.DataFrame(
            {"item": item, "subject": name, "label": np.array(["no", "yes"])[label]}
        )
        frame.to_csv(f"all/{name}.csv", index=False)
    plan = ft.plan(ft.read_assignments(["all/ann.csv", "all/bob.csv", "all/cyd.csv"]))
    want = plan.to_frame(full=True)
    for words in ("all", "'all/*.csv'", "ann=all/ann.csv,bob=all/bob.csv,cyd=all/cyd.csv"):
        rows = records(f"plan {words}")
        assert [row["people"] for row in rows] == [3, 6, 12, 24]
        assert [row["floor"] for row in rows] == pytest.approx(want["floor"].tolist())
    printed("plan all -o votes.csv")
    assert Path("votes.csv").read_text() == printed("plan all --format csv")
    items = ["–" if pd.isna(n) else str(n) for n in want["items"]]
    assert "–" in items
    assert f"| 24 | {items[-1]} |" in printed("plan all --format markdown")
    assert f"24 & {items[-1]} \\\\" in printed("plan all --format latex")
    consensus = records("plan --consensus .95 --accuracy .8 --rho .1")
    assert consensus[0] == {"votes": 1, "probability": pytest.approx(0.8)}


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("plan --half-width 1", 2, "of a pilot, or variances, --component residual=0.05"),
        (ASSUMED, 2, "name a target: --half-width, --difference, --coefficient or --budget"),
        ("plan --component residual --half-width 1", 2, "must be NAME=VALUE"),
        ("plan --component residual=x --half-width 1", 2, "'x' is not a number"),
        (f"{ASSUMED} --component residual=1 --half-width 1", 2, "names residual twice"),
        (f"{ASSUMED} --half-width 0", 2, "--half-width 0: must be above 0"),
        (f"{ASSUMED} --half-width 1 --n-queries 9-2", 2, "must be whole numbers from 1"),
        (f"{ASSUMED} --half-width 1 --family two", 2, "--family two: must be"),
        ("plan scores.csv --component residual=1 --half-width 1", 2, "and not both"),
        ("plan nothing.csv --half-width 1", 1, "nothing.csv"),
        ("plan qrels.txt a.run b.run --half-width 1", 2, "-m: name the measure"),
    ],
)
def test_mistakes(error, line: str, status: int, message: str) -> None:
    found, text = error(line)
    assert found == status
    assert message in text
