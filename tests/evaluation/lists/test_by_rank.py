"""Distributions by rank, and clouds of precision and recall, against every outcome of all items."""

import itertools
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scores_for_tests import dense
from support.small_collections import DAG, make_runs, make_votes
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.lists import by_rank
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


@pytest.mark.parametrize("k", [1, 3, 5])
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


def test_a_crisp_truth_has_one_atom() -> None:
    runs = {"sys": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}
    result = ft.by_rank({"q": {"a": 1, "b": 0, "c": 1}}, runs, depth=3)
    assert result.precision("sys", "q", 3).values.tolist() == [2 / 3]
    assert result.recall("sys", "q", 1).values.tolist() == [0.5]
    assert result.mean_curve()["recall"].tolist() == pytest.approx([0.5, 0.5, 1.0])


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
    with pytest.raises(
        ft.errors.OptionError, match=r"category='top': must be one .* may have: 'u', 'v'"
    ):
        ranks.precision("sys", "a", 2, category="top")


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("most", [500, 0])
def test_by_example_mixes_over_the_categories_of_the_query(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fuzzytruth.truth.example.collection.SMALL", most)
    tax = ft.Taxonomy.from_children(DAG)
    frame, runs = make_votes(21, tax, several=True), make_runs(22)
    worlds = every_world(tax, ballots(frame), list("abcde"))
    measures = ["P@3", "R@3", "F@3"]
    values = dense(ft.evaluate(worlds.truth, without_query(runs), measures, worlds="subject"))
    ranks = ft.by_rank(ft.Assignments.from_frame(frame, taxonomy=tax).by_example(), runs, depth=4)
    table = ranks.to_frame(full=True).set_index(["system", "query", "rank"])
    for (s, system), (q, query) in itertools.product(enumerate(runs), enumerate("abcde")):
        laws = [ask(system, query, 3) for ask in (ranks.precision, ranks.recall, ranks.f)]
        for law, atoms in zip(laws, values[s, :, :, q], strict=True):
            want = ft.Distribution.from_atoms(atoms, worlds.weight)
            np.testing.assert_allclose(law.values, want.values, atol=1e-12)
            np.testing.assert_allclose(law.probabilities, want.probabilities, atol=1e-12)
        row = table.loc[(system, query, 3)]
        assert row["recall"] == pytest.approx(laws[1].mean(), abs=1e-12)
        assert row["precision_std"] == pytest.approx(laws[0].std(), abs=1e-9)
        packed = ranks.hits_at(ranks.hit_pmfs(system), 3)[q]
        np.testing.assert_allclose(laws[0].pmf(np.arange(4) / 3), packed, atol=1e-12)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda ranks: ranks.precision("sys", "q", 4), "k=4: must be 3 or less"),
        (lambda ranks: ranks.precision("sys", "z", 1), r"query 'z' is not among .* q"),
        (lambda ranks: ft.by_rank(*uncertain(), depth=0), "depth=0"),
        (lambda ranks: ft.by_rank(*uncertain(), rel=float("nan")), "rel"),
        (lambda ranks: ft.by_rank(*uncertain(), rel=2), "the largest grade is 1"),
        (lambda ranks: ranks.cloud("sys", "q").bands(1.5), "confidence = 1.5"),
        (lambda ranks: ranks.cloud("sys", "q").bands(np.nan), "confidence = nan"),
        (lambda ranks: ranks.cloud("sys", "q").plot(by_category=True), "query 'q' has no category"),
    ],
)
def test_mistakes(ask, words: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=words):
        ask(ft.by_rank(*uncertain(), depth=3))


quarters = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def cloud_of(ranked, rest, depth):
    items = [f"d{j}" for j in range(len(ranked) + len(rest))]
    truth = ft.Judgments.from_probabilities(["q"] * len(items), items, ranked + rest)
    run = {"sys": {"q": {item: -float(j) for j, item in enumerate(items[: len(ranked)])}}}
    return ft.by_rank(truth, run, depth=depth).cloud("sys", "q")


def brute(ranked, rest, depth):
    """Probability of every (rank, recall, precision), all in fractions."""
    out = defaultdict(Fraction)
    for outcome in product((0, 1), repeat=len(ranked) + len(rest)):
        chance = Fraction(1)
        for p, hit in zip(ranked + rest, outcome, strict=True):
            chance *= Fraction(p) if hit else 1 - Fraction(p)
        for rank in range(1, depth + 1):
            hits = sum(outcome[: min(rank, len(ranked))])
            recall = Fraction(hits, sum(outcome)) if any(outcome) else Fraction(0)
            out[rank, recall, Fraction(hits, rank)] += chance
    return {point: chance for point, chance in out.items() if chance}


def quantile(values, level: float) -> float:
    """The smallest value that holds `level` of the probability up to it."""
    running = Fraction(0)
    for value, chance in sorted(values.items()):
        running += chance
        if running >= Fraction(level):
            return float(value)
    raise AssertionError("probabilities do not sum to 1")


lists = st.lists(quarters, min_size=1, max_size=4).filter(lambda ranked: max(ranked) > 0)


@settings(max_examples=30)
@given(lists, st.lists(quarters, max_size=3), st.integers(1, 5))
def test_points_curve_and_bands_by_every_outcome(ranked, rest, depth) -> None:
    cloud, points = cloud_of(ranked, rest, depth), brute(ranked, rest, depth)
    frame = cloud.to_frame()
    assert frame.columns.tolist() == ["rank", "recall", "precision", "probability"]
    got = frame.sort_values(["rank", "recall", "precision"]).to_numpy()
    expected = [[*map(float, point), float(points[point])] for point in sorted(points)]
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-11)
    curve, bands = cloud.mean_curve(), cloud.bands(0.5)
    assert curve["rank"].tolist() == bands["rank"].tolist() == list(range(1, depth + 1))
    for axis, name in enumerate(("recall", "precision"), start=1):
        for rank in range(1, depth + 1):
            law = defaultdict(Fraction)
            for point, chance in points.items():
                if point[0] == rank:
                    law[point[axis]] += chance
            assert curve[name][rank - 1] == pytest.approx(
                float(sum(value * chance for value, chance in law.items())), abs=1e-11
            )
            row = bands.iloc[rank - 1][[f"{name}_lower", f"{name}_upper"]].tolist()
            assert row == pytest.approx([quantile(law, 0.25), quantile(law, 0.75)], abs=1e-11)


VOTES = {"a": ["u", "u", "v", "top"], "b": ["u", "v"], "c": ["v", "v", "u"], "d": ["top", "u"]}


def by_example(**options) -> ft.results.RankDistributions:
    rows = [
        (f"s{s}", item, category)
        for item, given in VOTES.items()
        for s, category in enumerate(given)
    ]
    votes = ft.Assignments.from_columns(
        *zip(*rows, strict=True), taxonomy=ft.Taxonomy.from_children({"top": ["u", "v"]})
    )
    run = {"sys": {"a": {"b": 3.0, "c": 2.0, "d": 1.0}}}
    return ft.by_rank(votes.by_example(**options), run, depth=3)


def test_bands_by_category() -> None:
    cloud = by_example().cloud("sys", "a")
    frame = cloud.by_category(0.9)
    assert frame["category"].tolist() == ["top"] * 3 + ["u"] * 3 + ["v"] * 3
    for part in cloud.parts:
        rows = frame[frame["category"] == part.category].reset_index(drop=True)
        assert (rows["share"] == part.share).all()
        ends = ["precision_lower", "precision_upper"]
        np.testing.assert_array_equal(rows[ends], part.bands(0.9)[ends])
        np.testing.assert_array_equal(rows[["recall", "precision"]], part.mean_curve().iloc[:, 1:])
    mean = (frame["share"] * frame["precision"]).groupby(frame["rank"]).sum()
    assert mean.tolist() == pytest.approx(cloud.mean_curve()["precision"].tolist())
    top = frame[frame["category"] == "top"]  # everything is in the root
    assert (top[["precision", "precision_lower", "precision_upper"]] == 1).all(axis=None)


def test_means_and_intervals_are_those_of_the_cloud() -> None:
    cloud = ft.by_rank(*uncertain(), depth=3).cloud("sys", "q")
    lines = cloud._answer().text(80).split("\n")
    assert lines[0].startswith("Precision and recall together: sys, query q: ")
    mean, bands = cloud.mean_curve().set_index("rank"), cloud.bands().set_index("rank")
    rows = [line for line in lines if line[:1].isdigit()]
    assert [int(row.split()[0]) for row in rows] == [1, 3]
    for row in rows:
        rank, *numbers = row.replace("[", "").replace("]", "").replace(",", "").split()
        want = [
            number
            for name in ("precision", "recall")
            for number in (
                mean.loc[int(rank), name],
                *bands.loc[int(rank), [f"{name}_lower", f"{name}_upper"]],
            )
        ]
        assert [float(number) for number in numbers] == pytest.approx(want, abs=6e-4)


P = np.random.default_rng(1).random(40)


FORTY = ft.Judgments.from_probabilities(["q"] * 20 + ["r"] * 20, [*range(20)] * 2, P)


THREE = {name: {"q": [*range(20)], "r": [*range(20)][::-1]} for name in ("x", "y", "z")}


RANKS = ft.by_rank(FORTY, THREE, depth=20)


def test_of_many_items_a_single_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_rank, "MANY_ITEMS", RANKS.aligned.facts.n_items)
    text = RANKS._answer().text(80)
    assert "The first 1 of 6 lists" in text
    assert "\ny " not in text


def test_points_of_certain_and_of_equal_judgments() -> None:
    assert repr(cloud_of([1.0, 0.0, 1.0], [1.0, 0.0], 3)) == (
        "Cloud(sys, query q: 3 points, 3 ranks)"
    )
    frame = cloud_of([0.5, 0.5], [], 2).to_frame()
    second = frame[frame["rank"] == 2].to_numpy().tolist()
    assert second == [[2, 0, 0, 0.25], [2, 1, 0.5, 0.5], [2, 1, 1, 0.25]]


def test_queries_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    p = [0.9, 0.4, 0.7]
    truth = ft.Judgments.from_probabilities([*"qrs"], [*"aaa"], p)
    runs = {"sys": {query: {"a": 1.0} for query in "qrs"}}
    whole = ft.by_rank(truth, runs, depth=1)
    monkeypatch.setattr("fuzzytruth.truth.pairs.pool._PAIRS", 1)
    parted = ft.by_rank(truth, runs, depth=1)
    for each in (whole, parted):
        assert [each.precision("sys", query, 1).mean() for query in "qrs"] == p
