from __future__ import annotations

import itertools
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense
from support.small_collections import DAG, make_runs, make_votes
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft
from fuzzytruth.errors import OptionError
from fuzzytruth.truth import align


def enumerate_lists(ranked: list[float], rest: list[float]) -> Any:
    """Every outcome of all items: probability, hits at each rank, number of relevant items."""
    p = np.array(ranked + rest)
    for outcome in itertools.product((0, 1), repeat=len(p)):
        x = np.array(outcome)
        yield float(np.prod(np.where(x, p, 1 - p))), np.cumsum(x[: len(ranked)]), int(x.sum())


RANKED, REST = [0.9, 0.2, 0.0, 0.5], [0.3, 1.0, 0.1]


def uncertain() -> tuple[ft.Judgments, Any]:
    truth = ft.Judgments.from_probabilities(["q"] * 7, list("abcdefg"), RANKED + REST)
    return truth, {"sys": {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}}


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_each_rank_by_enumeration(k: int) -> None:
    result = ft.by_rank(*uncertain(), depth=5)
    worlds = list(enumerate_lists([*RANKED, 0.0], REST))
    chance = [w for w, _, _ in worlds]
    hits = np.array([h[k - 1] for _, h, _ in worlds])
    relevant = np.array([r for _, _, r in worlds])
    recall = np.where(relevant > 0, hits / np.maximum(relevant, 1), 0.0)
    f1 = 2 * hits / (k + relevant)
    expected_size = sum(RANKED + REST)
    for got, values in (
        (result.precision("sys", "q", k), hits / k),
        (result.recall("sys", "q", k), recall),
        (result.recall("sys", "q", k, size="expected"), hits / expected_size),
        (result.f("sys", "q", k), f1),
    ):
        want = ft.Distribution.from_atoms(values, chance)
        np.testing.assert_allclose(got.values, want.values, atol=1e-12)
        np.testing.assert_allclose(got.probabilities, want.probabilities, atol=1e-12)
    row = result.to_frame(level=0.9, full=True).set_index("rank").loc[k]
    precision = ft.Distribution.from_atoms(hits / k, chance)
    assert row["precision"] == pytest.approx(precision.mean(), abs=1e-12)
    assert row["precision_std"] == pytest.approx(precision.std(), abs=1e-9)
    assert (row["precision_lower"], row["precision_upper"]) == precision.interval(0.9)
    assert row["recall"] == pytest.approx(np.dot(chance, recall), abs=1e-12)
    cloud = result.cloud("sys", "q").to_frame().query(f"rank == {k}")
    assert cloud["probability"].sum() == pytest.approx(1.0)
    for _, point in cloud.iterrows():
        same = np.isclose(recall, point["recall"]) & np.isclose(hits / k, point["precision"])
        assert np.dot(chance, same) == pytest.approx(point["probability"], abs=1e-12)


def test_cloud_has_the_marginals() -> None:
    result = ft.by_rank(*uncertain(), depth=4)
    cloud = result.cloud("sys", "q")
    curve, bands = cloud.mean_curve(), cloud.bands(0.5)
    frame = result.to_frame(level=0.5, full=True)
    np.testing.assert_allclose(curve["recall"], frame["recall"], atol=1e-12)
    np.testing.assert_allclose(curve["precision"], frame["precision"], atol=1e-12)
    np.testing.assert_allclose(bands["precision_lower"], frame["precision_lower"], atol=1e-12)
    for rank in (1, 2, 3, 4):
        for level in (0.5, 0.9):
            row = cloud.bands(level).iloc[rank - 1]
            precision = result.precision("sys", "q", rank).interval(level)
            assert tuple(row[["precision_lower", "precision_upper"]]) == pytest.approx(precision)
    recall = result.recall("sys", "q", 2).interval(0.5)
    np.testing.assert_allclose(bands.loc[1, ["recall_lower", "recall_upper"]].tolist(), recall)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
@pytest.mark.parametrize("small", [True, False])
def test_by_example_mixes_over_the_categories_of_the_query(
    small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fuzzytruth.truth.example.collection.SMALL", 500 if small else 0)
    tax = ft.Taxonomy.from_children(DAG)
    frame = make_votes(21, tax, several=True)
    runs = make_runs(22)
    worlds = every_world(tax, ballots(frame), list("abcde"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measures = ["P@2", "R@2", "P@3", "R@3", "F@3"]
        values = dense(ft.evaluate(worlds.truth, without_query(runs), measures, worlds="subject"))
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    result = ft.by_rank(votes.by_example(), runs, depth=4)
    table = result.to_frame(full=True).set_index(["system", "query", "rank"])
    pmfs = {system: result.hit_pmfs(system) for system in runs}
    for s, system in enumerate(runs):
        for q, query in enumerate("abcde"):
            for m, law in enumerate(
                (
                    result.precision(system, query, 2),
                    result.recall(system, query, 2),
                    result.precision(system, query, 3),
                    result.recall(system, query, 3),
                    result.f(system, query, 3),
                )
            ):
                want = ft.Distribution.from_atoms(values[s, m, :, q], worlds.weight)
                np.testing.assert_allclose(law.values, want.values, atol=1e-12)
                np.testing.assert_allclose(law.probabilities, want.probabilities, atol=1e-12)
            row = table.loc[(system, query, 3)]
            assert row["recall"] == pytest.approx(worlds.weight @ values[s, 3, :, q], abs=1e-12)
            law = result.precision(system, query, 3)
            packed = result.hits_at(pmfs[system], 3)[q]
            np.testing.assert_allclose(law.pmf(np.arange(4) / 3), packed, atol=1e-12)
            assert row["precision_std"] == pytest.approx(law.std(), abs=1e-9)


def test_a_crisp_truth_has_one_atom() -> None:
    runs = {"sys": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}
    result = ft.by_rank({"q": {"a": 1, "b": 0, "c": 1}}, runs, depth=3)
    assert result.precision("sys", "q", 3).values.tolist() == [2 / 3]
    assert result.recall("sys", "q", 1).values.tolist() == [0.5]
    assert result.mean_curve()["recall"].tolist() == pytest.approx([0.5, 0.5, 1.0])


def test_bad_requests() -> None:
    result = ft.by_rank(*uncertain(), depth=3)
    with pytest.raises(ft.OptionError, match=r"k=4: must be 3 or less"):
        result.precision("sys", "q", 4)
    with pytest.raises(ft.OptionError, match=r"query 'z' is not among .* q"):
        result.precision("sys", "z", 1)
    with pytest.raises(ft.OptionError, match="depth=0"):
        ft.by_rank(*uncertain(), depth=0)


def test_the_picture_shows_points_curve_and_band() -> None:
    ax = ft.by_rank(*uncertain(), depth=4).cloud("sys", "q").plot()
    assert len(ax.collections) == 2
    assert ax.lines[0].get_xydata().shape == (4, 2)
    assert ax.get_xlabel() == "recall"


@pytest.mark.parametrize("rel", [float("nan"), "a"])
def test_a_threshold_is_a_number(rel: Any) -> None:
    with pytest.raises(ft.FuzzytruthError, match="rel"):
        ft.by_rank(*uncertain(), rel=rel)


def test_a_threshold_that_nothing_reaches() -> None:
    with pytest.raises(ft.MeasureError, match="the largest grade is 1"):
        ft.by_rank(*uncertain(), rel=2)


class SubjectsFirst:
    """A truth whose worlds are its subjects by default."""

    def __init__(self, aligned: Any = None) -> None:
        self.aligned = aligned
        if aligned is not None:
            self.facts = replace(aligned.facts, default="subject")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.aligned, name)


@align.register
def align_subjects_first(truth: SubjectsFirst, runs: ft.Runs, *, ties: Any) -> Any:
    rows = [("q", "a", "ann", 1), ("q", "a", "bob", 0)]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return SubjectsFirst(align(ft.Judgments.from_frame(frame), runs, ties=ties))


def test_a_truth_of_subjects_alone_is_refused() -> None:
    with pytest.raises(OptionError, match="by_rank: needs independent items, and the worlds of"):
        ft.by_rank(SubjectsFirst(), {"s": {"q": {"a": 1}}}, depth=1)


def test_given_one_of_the_query_s_categories() -> None:
    """The same as asking for it, and mixed by the direct shares."""
    tax = ft.Taxonomy.from_children({"top": ["u", "v"]})
    votes = ft.Assignments.from_columns(
        list("stst") * 2, [*"aabb", *"ccdd"], [*"uvuu", "top", "v", "v", "v"], taxonomy=tax
    )
    run = {"sys": {"a": {"b": 3.0, "c": 2.0, "d": 1.0}}}
    ranks = ft.by_rank(votes.by_example(), run, depth=3)
    assert sorted(ranks.categories("sys", "a")) == ["u", "v"]
    for category in "uv":
        asked = ft.by_rank(votes.by_example(category=category), run, depth=3)
        for name in ("precision", "recall", "f"):
            given = getattr(ranks, name)("sys", "a", 2, category=category).to_frame()
            pd.testing.assert_frame_equal(given, getattr(asked, name)("sys", "a", 2).to_frame())
    mixed = [ranks.precision("sys", "a", 2, category=c).mean() for c in "uv"]
    assert ranks.precision("sys", "a", 2).mean() == pytest.approx(np.mean(mixed))
    with pytest.raises(ft.OptionError, match=r"category='top': must be one .* may have: 'u', 'v'"):
        ranks.precision("sys", "a", 2, category="top")
