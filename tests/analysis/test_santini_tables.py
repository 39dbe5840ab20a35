"""Tables of the report, against enumeration and the library's other verbs."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft


def top(runs: ft.Runs, system: str, query: str, k: int = 3) -> list[str]:
    frame = runs.to_frame()
    rows = frame[(frame["system"] == system) & (frame["query"] == query)]
    return rows.sort_values("score", ascending=False)["item"].head(k).tolist()


def below(tree: ft.Taxonomy, category: str) -> set[str]:
    return {category, *tree.descendants(category)}


def given_votes(votes: ft.Assignments) -> dict[str, list[str]]:
    frame = votes.to_frame()
    return {item: rows["category"].tolist() for item, rows in frame.groupby("item", sort=False)}


def test_strong_values_are_those_of_the_majority(report, votes, runs) -> None:
    winner = {}
    for item, named in given_votes(votes).items():
        counts = Counter(named)
        most = max(counts.values())
        winner[item] = min((c for c in counts if counts[c] == most), key=votes.taxonomy.nodes.index)
    frame = report.distributions()
    for row in frame[frame["category"] == ""].itertuples():
        inside = below(votes.taxonomy, winner[row.query])
        relevant = {item for item in winner if winner[item] in inside} - {row.query}
        hits = len(relevant & set(top(runs, row.system, row.query)))
        if row.measure == "P@3":
            assert row.strong == pytest.approx(hits / 3)
        else:
            assert row.strong == pytest.approx(hits / len(relevant) if relevant else 0)
    strong = frame[frame["category"] == ""].groupby(["system", "measure"], sort=False)["strong"]
    assert strong.mean().tolist() == pytest.approx(report.to_frame()["strong"].tolist())


def test_distributions_by_every_outcome(report, votes, runs) -> None:
    """Of precision: every label of the three items, given each category of the query."""
    named, tree = given_votes(votes), votes.taxonomy
    for query in ("i0", "i1"):
        first = top(runs, "x", query)
        mixed: Counter[float] = Counter()
        frame = report.distributions(query).query("system == 'x' and measure == 'P@3'")
        for category, n in Counter(named[query]).items():
            inside, law = below(tree, category), Counter()
            for labels in itertools.product(*(named[item] for item in first)):
                law[sum(label in inside for label in labels) / 3] += 1 / 4**3
            row = frame[frame["category"] == category].iloc[0]
            assert row["share"] == n / 4
            assert row["mean"] == pytest.approx(sum(x * p for x, p in law.items()))
            assert row["p_strong"] == pytest.approx(law[row["strong"]])
            for value, chance in law.items():
                mixed[value] += chance * n / 4
        row = frame[frame["category"] == ""].iloc[0]
        mean = sum(x * p for x, p in mixed.items())
        std = np.sqrt(sum((x - mean) ** 2 * p for x, p in mixed.items()))
        assert (row["mean"], row["std"]) == pytest.approx((mean, std))
        assert row["p_strong"] == pytest.approx(mixed[row["strong"]])
        below_it = sum(p for x, p in mixed.items() if x < row["strong"] - 1e-9)
        assert row["p_below"] == pytest.approx(below_it)


def test_means_of_systems(report) -> None:
    frame = report.to_frame(full=True)
    short = report.to_frame()
    assert short.columns.tolist() == frame.columns.tolist()[:8]
    assert frame["exact"].all()
    expected = report.scores.mean().stack().tolist()
    assert frame["mean"].tolist() == pytest.approx(expected)
    each = report.distributions()
    each = each[each["category"] == ""]
    each = each.assign(gap=(each["strong"] - each["mean"]).abs())
    by = each.groupby(["system", "measure"], sort=False)[["gap", "std"]].mean()
    assert frame["query_gap"].tolist() == pytest.approx(by["gap"].tolist())
    assert frame["query_std"].tolist() == pytest.approx(by["std"].tolist())
    ends = report.people.summary(over=("query", "subject"))
    np.testing.assert_allclose(frame[["lower", "upper"]], ends[["lower", "upper"]])
    np.testing.assert_allclose(frame["people"], ends["mean"])
    assert set(frame["over"]) == {"queries and subjects"}
    assert set(frame["n_subjects"]) == {4}


def test_pairs_are_joint(report) -> None:
    frame = report.pairs()
    means = report.scores.mean()
    np.testing.assert_allclose(frame["difference"], means.loc["x"] - means.loc["y"], atol=1e-12)
    np.testing.assert_allclose(frame[["better", "equal", "worse"]].sum(axis=1), 1)
    law = report.scores.difference("x", "y", "P@3")
    assert frame["better"][0] == float(law.sf(0))
    assert not frame["exact"].any()
    p = frame["better"][0]
    assert frame["mc_error"][0] >= np.sqrt(p * (1 - p) / 2000) - 1e-15
    one = report.pairs("i0")
    assert one["exact"].tolist() == [True, False]
    assert one["mc_error"][0] == 0


def test_categories_and_items(report, votes) -> None:
    frame = report.categories().set_index("category")
    m = votes.membership()
    assert frame.loc["pet", "size"] == pytest.approx(m.size("pet"))
    assert frame.loc["pet", "strong_size"] == sum(
        c in {"pet", "dog", "cat"} for c in votes.plurality().values()
    )
    assert frame.loc["all", ["size", "strong_size", "agreement"]].tolist() == [8, 8, 1]
    items = report.items()
    assert items["entropy"].is_monotonic_decreasing
    assert dict(zip(items["item"], items["category"], strict=True)) == votes.plurality()


def test_individuals(report, votes, runs) -> None:
    frame = report.individuals()
    assert len(frame) == 2 * 4 * 2
    own = votes.categorisation("s1")
    values = []
    for query, category in own.items():
        inside = below(votes.taxonomy, category)
        values.append(np.mean([own[item] in inside for item in top(runs, "x", query)]))
    row = frame.query("system == 'x' and subject == 's1' and measure == 'P@3'")
    assert row["value"].item() == pytest.approx(np.mean(values))


def test_no_person_no_individuals(votes, runs) -> None:
    counts = votes.to_frame()[["item", "category"]].value_counts().reset_index()
    unnamed = ft.Assignments.from_counts(counts, taxonomy=votes.taxonomy)
    with pytest.warns(ft.errors.UndefinedMeasureWarning):
        report = ft.santini_report(unnamed, None, runs, k=3, n_worlds=100, n_resamples=99)
    assert (report.people, report.over) == (None, ("query",))
    assert len(report.individuals()) == 0
    frame = report.to_frame(full=True)
    assert frame["people"].isna().all()
    assert (frame["n_subjects"] == 0).all()
    summary = report.scores.summary()
    np.testing.assert_allclose(frame[["lower", "upper"]], summary[["lower", "upper"]])
    assert isinstance(report.items(), pd.DataFrame)
