"""Scores under crisp truths, each subject's own, and with missing judgments drawn from others."""

import numpy as np
import pandas as pd
import pytest
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.evaluation.subject_scores import score_subjects
from fuzzytruth.evaluation.worlds.setting import Sampling
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.pairs import aligned as pairs

COLUMNS = ["query", "item", "subject", "grade"]


quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


@quiet
@pytest.mark.parametrize(("missing", "block"), [(False, 12), (True, 4096), (True, 12)])
def test_each_cell_is_a_subject_alone(monkeypatch, missing: bool, block: int) -> None:
    monkeypatch.setattr(pairs, "_VOTES", block)
    votes, runs = small(5, top=2, missing=missing)
    texts = ["AP", "nDCG@3", "P@2", "bpref"]
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    measures = tuple(map(parse_measure, texts))
    done: list[float] = []
    given = {"missing": "error", "exclude": False, "bounds": False}
    scores = score_subjects(aligned, measures, sampling=Sampling(1, progress=done.append), **given)
    assert done == pytest.approx([step / len(done) for step in range(1, len(done) + 1)])
    assert len(done) == 2 or block == 12  # systems
    for c, (q, s) in enumerate(zip(scores.cells.query, scores.cells.subject, strict=True)):
        query, subject = scores.queries[q], scores.subjects[s]
        rows = votes[(votes["subject"] == subject) & (votes["query"] == query)]
        truth = {query: dict(zip(rows["item"], rows["grade"].tolist(), strict=True))}
        own = {system: {query: lists[query]} for system, lists in runs.items()}
        alone = ft.evaluate(truth, own, texts).values[:, :, 0]
        np.testing.assert_allclose(scores.values[:, :, c], alone, atol=1e-15)


def test_undefined_cells_are_counted_or_left_out() -> None:
    rows = [("q", "a", "s", 1), ("q", "a", "t", 0), ("r", "b", "s", 0), ("r", "b", "t", 0)]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    runs = {"x": {"q": {"a": 1.0}, "r": {"b": 1.0}}}
    with pytest.warns(UndefinedMeasureWarning, match="AP: 3 of 4 subject–query pairs"):
        zero = ft.evaluate(votes, runs, ["AP", "P@1"], worlds="subject")
    with pytest.warns(UndefinedMeasureWarning, match="are left out"):
        out = ft.evaluate(votes, runs, ["AP", "P@1"], worlds="subject", undefined="exclude")
    assert zero.values[0].tolist() == [[1, 0, 0, 0], [1, 0, 0, 0]]
    np.testing.assert_array_equal(out.values[0], [[1, np.nan, np.nan, np.nan], [1, 0, 0, 0]])


def test_lists_are_compared_system_by_system() -> None:
    done: list[float] = []
    runs = {name: {"q": {"a": 1.0}} for name in ("x", "y")}
    ft.evaluate({"q": {"a": 1.0, "b": 0.5}}, runs, "WD", progress=done.append)
    assert done == pytest.approx([0.2, 0.6, 1.0])


MEASURES = ["ERR", "AP", "nDCG@3"]


def scored(votes: pd.DataFrame, runs, **options) -> ft.Scores:
    return ft.evaluate(votes, runs, MEASURES, worlds="subject", missing="pooled", rng=0, **options)


@quiet
def test_nothing_is_drawn_for_complete_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    votes, runs = small(4, top=2)
    blocks = []
    before = ft.evaluation.subject_scores.run_outer

    def logged(setting, queries):
        blocks.append(len(setting.votes))
        return before(setting, queries)

    monkeypatch.setattr("fuzzytruth.evaluation.subject_scores.run_outer", logged)
    monkeypatch.setattr("fuzzytruth.truth.pairs.pool._PAIRS", 4)  # a block for each query
    left_out = (votes["subject"] == "s1") & (votes["query"] == "q2") & (votes["item"] == "d1")
    scored(votes[~left_out], runs, n_worlds=20)
    assert blocks == [1]  # one subject of one block


def rarely_relevant() -> tuple[pd.DataFrame, dict[str, dict[str, dict[str, float]]]]:
    """Subject "own" left out an item whose rank matters, and which one of forty calls relevant."""
    rows = [("q", "a", f"s{n:02}", 2 if n == 0 else 0) for n in range(40)]
    rows += [("q", "b", f"s{n:02}", 1) for n in range(40)] + [("q", "b", "own", 1)]
    return (
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"]),
        {"sys": {"q": {"a": 2.0, "c": 1.5, "b": 1.0}}},
    )


def of_own(n_worlds: int) -> tuple[float, bool, float]:
    votes, runs = rarely_relevant()
    scores = ft.evaluate(
        votes, runs, "nDCG@2", worlds="subject", missing="pooled", n_worlds=n_worlds, rng=1
    )
    row = scores.to_frame().set_index("subject").loc["own"]
    return float(row["value"]), bool(row["exact"]), float(row["mc_error"])


@quiet
def test_equal_values_in_all_drawn_worlds_are_not_exact() -> None:
    """With graded votes nDCG has no exact path; seven worlds that agree do not make one."""
    few, is_exact, error = of_own(7)
    assert (few, error) == (0.0, 0.0)
    assert not is_exact
    many, is_exact, error = of_own(20_000)
    want = 1 / 40 * 2 / (2 + 1 / np.log2(3))
    assert abs(many - want) < 4 * error
    assert not is_exact
    value, is_exact, error = of_own(1)
    assert value in (0.0, 2 / (2 + 1 / np.log2(3)))
    assert (is_exact, error) == (False, np.inf)


@quiet
def test_subjects_without_missing_judgments_have_their_crisp_values() -> None:
    votes, runs = small(4, top=2)
    left_out = (votes["subject"] == "s1") & (votes["item"] == "d1")
    scores = scored(votes[~left_out], runs, n_worlds=20, undefined="exclude")
    crisp = ft.evaluate(votes, runs, MEASURES, worlds="subject", undefined="exclude")
    whole = scores.cells.subject != scores.subjects.index("s1")
    assert (scores.uncertainty.mc_error[:, :, whole] == 0).all()
    assert scores.uncertainty.exact[:, :, whole].all()
    np.testing.assert_array_equal(scores.values[:, :, whole], crisp.values[:, :, whole])
    assert (scores.uncertainty.mc_error[:, 0, ~whole] > 0).any()
