"""Places of unjudged items against a plain list of every subject."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.truth import align


def by_hand(
    votes: pd.DataFrame, runs: Any, system: str, query: str, subject: str
) -> dict[str, Any]:
    own = votes[(votes["query"] == query) & (votes["subject"] == subject)]
    grades = {
        item: grade for item, grade in zip(own["item"], own["grade"], strict=True) if grade >= 0
    }
    ranked = sorted(runs[system][query], key=lambda item: -runs[system][query][item])
    known = set(votes.loc[votes["query"] == query, "item"])
    known |= {item for lists in runs.values() for item in lists[query]}
    return {
        "gain": [grades.get(item, np.nan) for item in ranked],
        "unjudged": [item not in grades for item in ranked],
        "outside": len(known - set(grades) - set(ranked)),
        "n_relevant": sum(grade >= 1 for grade in grades.values()),
    }


@pytest.mark.parametrize("seed", range(5))
def test_every_cell_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{q}", f"d{d}", f"s{s}", int(rng.integers(-1, 3)))
        for q in range(3)
        for d in range(6)
        for s in range(3)
        if rng.random() < 0.6 or (d, s) == (0, 0)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {
        system: {
            f"q{q}": {f"d{d}": float(x) for x, d in enumerate(rng.permutation(9)[: 3 + q])}
            for q in range(3)
        }
        for system in "ab"
    }
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="order")
    whole = slice(0, len(aligned.facts.queries))
    for run, system in enumerate("ab"):
        items = aligned.unjudged(run, whole)
        assert not isinstance(items, str)
        assert aligned.facts.subjects is not None
        cells = zip(aligned.facts.cells.query, aligned.facts.cells.subject_codes, strict=True)
        for cell, (q, s) in enumerate(cells):
            query = aligned.facts.queries[q]
            expected = by_hand(votes, runs, system, query, aligned.facts.subjects[s])
            n = len(expected["gain"])
            assert items.length[cell] == n
            np.testing.assert_array_equal(items.gain[0, cell, :n], expected["gain"])
            assert np.isnan(items.gain[0, cell, n:]).all()
            assert items.unjudged[0, cell].tolist()[:n] == expected["unjudged"]
            assert not items.unjudged[0, cell, n:].any()
            assert items.outside[0, cell] == expected["outside"]
            assert items.n_relevant(1)[0, cell] == expected["n_relevant"]
            assert items.n_open[0, cell] == sum(expected["unjudged"])
            cut = items.within(2)
            assert cut.outside[0, cell] == expected["outside"] + sum(expected["unjudged"][2:])
