"""The story's numbers, by drawn worlds and by counting."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp

import fuzzytruth as ft
from paper_repro import experiment, synthetic
from paper_repro.document import Cell


def top(runs: ft.Runs, k: int = 5) -> dict[tuple[str, str], list[str]]:
    """The first answers of each system to each query."""
    frame = runs.to_frame().sort_values("score", ascending=False)
    groups = frame.groupby(["system", "query"])["item"]
    return {key: items.head(k).tolist() for key, items in groups}


TREE = synthetic.votes().taxonomy
BELOW = {node: {node, *TREE.descendants(node)} for node in TREE}


def hits(truth: dict[str, str], query: str, answers: list[str]) -> float:
    """P@5 under one truth, by counting."""
    return sum(truth[item] in BELOW[truth[query]] for item in answers) / 5


@pytest.fixture(scope="module")
def names(story: list[Cell]) -> dict[str, Any]:
    """Values of the story by the words of their first column, and pictures by name."""
    frames = [cell.value for cell in story if isinstance(cell.value, pd.DataFrame)]
    return {str(frame.index.name): frame for frame in frames}


def test_precision_and_its_difference_by_drawn_worlds(names) -> None:
    votes, answers = synthetic.votes(), top(synthetic.runs())
    given = votes.to_frame().groupby("item", sort=False)["category"].apply(list)
    rng, n = np.random.default_rng(1), 2000
    drawn = np.empty((n, 2))
    for world, picks in enumerate(rng.integers(5, size=(n, 20))):
        truth = {item: each[pick] for (item, each), pick in zip(given.items(), picks, strict=True)}
        drawn[world] = [hits(truth, "fig1", answers[system, "fig1"]) for system in "AB"]
    table, gap = names["the query fig1"], np.round(drawn[:, 0] - drawn[:, 1], 9)
    for system, values in zip("AB", drawn.T, strict=True):
        error = values.std() / np.sqrt(n)
        assert abs(values.mean() - table.loc["mixed", f"P@5 of {system}"]) < 4 * error
    row = names["P@5"].loc["fig1, in the same world"]
    shares = [(gap > 0).mean(), (gap == 0).mean(), (gap < 0).mean()]
    assert np.abs(shares - row.iloc[2:].to_numpy(float)).max() < 4 * np.sqrt(0.25 / n)
    assert names["P@5"].loc["fig1, as if independent", "P(A > B)"] > 2 * shares[0]


def test_strong_truths_by_counting(names) -> None:
    votes, answers = synthetic.votes(), top(synthetic.runs())
    counts = votes.to_frame().groupby("item", sort=False)["category"].value_counts()
    most = {
        item: [c for c, n in each.droplevel(0).items() if n == each.max()]
        for item, each in counts.groupby("item", sort=False)
    }
    truths = [dict(zip(most, choice, strict=True)) for choice in itertools.product(*most.values())]
    assert len(truths) == 128
    for system in "AB":
        means = [np.mean([hits(t, q, answers[system, q]) for q in most]) for t in truths]
        assert names["system"].loc[system].tolist() == pytest.approx([min(means), max(means)])


def test_own_means_are_memberships_and_covariances_over_people() -> None:
    votes, runs = synthetic.communities()
    table = votes.to_frame().pivot(index="item", columns="subject", values="category")
    said = votes.to_frame()
    shares = pd.crosstab(said["item"], said["category"], normalize="index")
    answers = top(runs)
    covariance = experiment.mean_covariances(votes, runs)
    for system in runs:
        pairs = [(q, i) for q in table.index for i in answers[system, q]]
        own = np.mean([(table.loc[q] == table.loc[i]).mean() for q, i in pairs])
        expected = np.mean([(shares.loc[q] * shares.loc[i]).sum() for q, i in pairs])
        assert own - expected == pytest.approx(covariance[system], abs=1e-12)
    assert all(row.agrees for row in experiment.theorem_claims())


def test_communities_get_more_or_less_than_memberships_promise(story: list[Cell]) -> None:
    frames = [c.value for c in story if isinstance(c.value, pd.DataFrame) and "permuted" in c.value]
    (made,) = frames
    assert made.loc["mixed", ["people's mean", "memberships"]].tolist() == [0.192, 0.212]
    assert made.loc["partial", ["people's mean", "memberships"]].tolist() == [0.402, 0.226]
    assert made.loc["crossed", "people's mean"] < 0.1 * 0.5 < made.loc["crossed", "2.5 %"]
    # panels without communities get what memberships promise, within 4 standard errors
    gap = (made["permuted"] - made["memberships"]).abs()
    assert gap.max() < 0.003
    assert (made["highest"] > made["97.5 %"])["partial"]


def test_one_truth_is_above_memberships_and_above_each_person(story: list[Cell]) -> None:
    (screen,) = (cell.value for cell in story if isinstance(cell.value, ft.results.Santini))
    real = screen.to_frame(full=True).query("measure == 'P@5'").set_index("system")
    assert (real["one_truth"] > real["highest"]).all()
    assert (real["people"] > real["memberships"]).all()
    assert real.loc["ViT", ["one_truth", "lowest", "highest"]].astype(float).round(3).tolist() == [
        0.604,
        0.487,
        0.594,
    ]
    each = (
        screen.individuals()
        .query("measure == 'P@5'")
        .pivot(index="subject", columns="system", values="value")
    )
    assert len(each) == 10
    assert (each["ViT"] > each["RegNetY"]).all()


def test_displacement_of_one_list_by_hand() -> None:
    lists, answers = synthetic.lists().to_frame(), top(synthetic.runs(), 6)
    scores = ft.evaluate(
        synthetic.lists(), synthetic.runs(), "WD(unseen=optimist)@6", worlds="subject"
    )
    table = scores.cells.dense(scores.values)[:, 0]  # (systems, queries, subjects)
    for query, subject in (("fig1", "subject 1"), ("synth09", "subject 4")):
        rows = lists[(lists["query"] == query) & (lists["subject"] == subject)]
        wanted = rows.sort_values("position")["item"].tolist()
        for s, system in enumerate("AB"):
            shown = answers[system, query]
            placed = [*shown, *(item for item in wanted if item not in shown)]
            w = sum(
                weight * abs(place - placed.index(item))
                for place, (item, weight) in enumerate(
                    zip(wanted, synthetic.RELEVANCES, strict=True)
                )
            )
            q, who = scores.queries.index(query), scores.subjects.index(subject)
            assert table[s, q, who] == pytest.approx(w)


def test_over_subjects_it_is_student_s_t(names) -> None:
    scores = ft.evaluate(
        synthetic.lists(), synthetic.runs(), "WD(unseen=optimist)@6", worlds="subject"
    )
    each = scores.mean(by="subject").iloc[:, 0].unstack("system")
    expected = ttest_1samp(each["A"] - each["B"], 0).confidence_interval(0.95)
    row = names["over"].loc["subjects"]
    assert (row["lower"], row["upper"]) == pytest.approx((expected.low, expected.high), abs=6e-4)


def test_the_claims_on_synthetic_data_agree() -> None:
    rows = [
        *experiment.distribution_claims(),
        *experiment.world_claims(),
        *experiment.list_claims(),
    ]
    assert all(row.agrees for row in rows), [row for row in rows if not row.agrees]
