"""Subjects as worlds of shared lists, and cells as queries of their own, give the same values."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.truth import align
from fuzzytruth.truth.pairs import aligned as module
from fuzzytruth.truth.vote_weights import as_given

MEASURES = [
    *("AP", "AP@3", "P@3", "R@3", "nDCG@5", "RR", "Rprec", "Success@2", "F@3", "ERR@5", "RBP"),
    *("ADR", "FT", "ST", "infAP", "IPrec@0.3", "Judged@4", "NumRel", "DCG(dcg=burges)@4"),
]
EXPECTED_TIES = ["AP", "P@3", "R@3", "RR", "nDCG@5", "Judged@4"]


def votes_and_runs(seed: int, share: float) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Random grades of some subjects, and runs with ties and unjudged items."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{q}", f"d{d}", f"s{s}", int(rng.integers(-1, 3)))
        for q in range(4)
        for d in range(int(rng.integers(1, 8)))
        for s in range(5)
        if rng.random() < share
    ]
    rows.append(("q0", "d0", "s9", 1))
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {
        system: {
            f"q{q}": {f"d{d}": float(rng.integers(0, 4)) for d in rng.permutation(12)[:8]}
            for q in range(4)
        }
        for system in "ab"
    }
    return frame.drop_duplicates(["query", "item", "subject"]), runs


def both_layouts(monkeypatch: pytest.MonkeyPatch, *given: Any, **options: Any) -> list[ft.Scores]:
    out = []
    for most in (10**9, -1):  # places of a table for each judgment: always, never
        monkeypatch.setattr(module, "_DENSE", most)
        out.append(ft.evaluate(*given, worlds="subject", **options))
    return out


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_missing_ones_are_items_of_grade_0(monkeypatch: pytest.MonkeyPatch) -> None:
    votes, runs = votes_and_runs(7, 0.6)
    every = votes[["query", "item"]].drop_duplicates()
    every = every.merge(votes[["query", "subject"]].drop_duplicates(), on="query")
    full = every.merge(votes, how="left").fillna({"grade": 0})
    measures = [*MEASURES, "bpref"]
    expected = ft.evaluate(full, runs, measures, worlds="subject")
    for scores in both_layouts(monkeypatch, votes, runs, measures, missing="nonrelevant"):
        np.testing.assert_allclose(scores.values, expected.values, rtol=1e-13, atol=1e-15)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("missing", ["nonrelevant", "exclude"])
@pytest.mark.parametrize("undefined", ["zero", "exclude"])
@pytest.mark.parametrize("seed", range(6))
def test_layouts_agree(
    seed: int, undefined: Any, missing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes, runs = votes_and_runs(seed, 0.6)
    options = {"missing": missing, "undefined": undefined}
    table, cells = both_layouts(monkeypatch, votes, runs, MEASURES, **options)
    assert np.isfinite(table.values).any()
    np.testing.assert_allclose(cells.values, table.values, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(cells.cells.subject, table.cells.subject)
    tied = both_layouts(monkeypatch, votes, runs, EXPECTED_TIES, ties="expected", **options)
    np.testing.assert_allclose(tied[1].values, tied[0].values, rtol=1e-13, atol=1e-15)


def one_by_one(votes: pd.DataFrame, runs: Any, missing: str, measure: str) -> dict[Any, float]:
    """Each subject's own judgments as a truth of its own, by (system, query, subject)."""
    out = {}
    for (query, subject), own in votes.groupby(["query", "subject"]):
        pool = votes.loc[votes["query"] == query, "item"].unique()
        grades = dict(zip(own["item"], own["grade"].astype(float), strict=True))
        lists = {system: dict(lists[query]) for system, lists in runs.items()}
        for item in set(pool) - set(grades):
            if missing == "nonrelevant":
                grades[item] = 0.0
            else:
                lists = {s: {d: x for d, x in one.items() if d != item} for s, one in lists.items()}
        scores = ft.evaluate({query: grades}, {s: {query: v} for s, v in lists.items()}, [measure])
        for s, system in enumerate(scores.systems):
            out[system, query, subject] = float(scores.values[s, 0, 0])
    return out


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("missing", ["nonrelevant", "exclude"])
@pytest.mark.parametrize("measure", ["AP", "P@3", "nDCG@5", "bpref"])
@pytest.mark.parametrize("dense", [True, False])
def test_each_cell_is_a_truth_of_its_own(
    missing: Any, measure: str, dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes, runs = votes_and_runs(11, 0.6)
    monkeypatch.setattr(module, "_DENSE", 10**9 if dense else -1)
    scores = ft.evaluate(votes, runs, [measure], worlds="subject", missing=missing).to_frame()
    found = scores.set_index(["system", "query", "subject"])["value"].to_dict()
    expected = one_by_one(votes, runs, missing, measure)
    assert found == pytest.approx(expected, abs=1e-12)


def with_intents(votes: pd.DataFrame) -> pd.DataFrame:
    """The same with one or two intents of each vote, of one to four of the query."""
    rng = np.random.default_rng(5)
    n_intents = votes["query"].str[1:].astype(int) + 1
    rows = [
        row | {"intent": f"i{intent}", "grade": max(row["grade"], 0)}
        for row, n in zip(votes.to_dict("records"), n_intents, strict=True)
        for intent in rng.permutation(n)[: rng.integers(1, 3)]
    ]
    return pd.DataFrame(rows)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("missing", ["nonrelevant", "exclude"])
@pytest.mark.parametrize("measure", ["P-IA@3", "ERR-IA@5", "alpha-nDCG@5"])
def test_each_cell_with_intents_is_a_truth_of_its_own(missing: Any, measure: str) -> None:
    votes, runs = votes_and_runs(11, 0.6)
    votes = with_intents(votes)
    scores = ft.evaluate(votes, runs, [measure], worlds="subject", missing=missing)
    found = scores.to_frame().set_index(["system", "query", "subject"])["value"].to_dict()
    assert len(found) > 30
    for (query, subject), own in votes.groupby(["query", "subject"]):
        of_query = votes[votes["query"] == query]
        # all intents count: of an item that is not retrieved, for which none is relevant
        intents = of_query["intent"].unique()
        own = pd.concat([own, pd.DataFrame({"item": "none", "intent": intents, "grade": 0})])
        gone = set(of_query["item"]) - set(own["item"]) if missing == "exclude" else set()
        for system, lists in runs.items():
            kept = {item: score for item, score in lists[query].items() if item not in gone}
            truth = own.assign(query=query).drop(columns="subject")
            alone = ft.evaluate(truth, {system: {query: kept}}, [measure]).values.item()
            assert found[system, query, subject] == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("worlds", ["subject", "independent"])
def test_tied_items_have_their_first_rank_for_intents(worlds: str) -> None:
    """Items a and b are tied at ranks 2 and 3."""
    votes = ft.Judgments.from_columns(
        ["q"] * 4, [*"aabb"], [1, 1, 0, 1], subject=[*"stst"], intent=["i"] * 4
    )
    runs = ft.Runs.from_dict({"x": {"q": {"c": 2.0, "a": 1.0, "b": 1.0}}})
    aligned = align(votes, runs, ties="expected")
    if worlds == "subject":
        batch = aligned.subject_truths(slice(0, 1), "nonrelevant").batch(0)
    else:
        batch = aligned.outcomes(slice(0, 1), as_given()).draw(slice(0, 2), entropy_of(0)).batch(0)
    assert set(batch.last.tolist()) == {3}
    assert batch.intents is not None
    assert set(batch.intents.hits.rank.tolist()) == {2}
