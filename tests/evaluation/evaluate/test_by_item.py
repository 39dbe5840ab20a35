"""Votes by item under every kind of worlds, against walking all combinations of ballots."""

from typing import Any

import numpy as np
import pytest
from support.answers_by_category import crisp_values, grade_of, make_answers, means_over_items
from support.scores_for_tests import dense
from support.small_collections import DAG, TREE, make_votes
from support.worlds_of_items import ballots

import fuzzytruth as ft

# Brute force takes similarities as grades of judgments, of which these warnings are.
pytestmark = [
    pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FractionWarning"),
    pytest.mark.filterwarnings("ignore::fuzzytruth.errors.AllRelevantWarning"),
    pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UnjudgedRunWarning"),
]


MEASURES = [
    *("P@1", "Success@3", "AP", "nDCG", "RR", "R@2", "F@2", "nDCG@2", "bpref", "Rprec"),
    *("P(rel=0.5)@2", "AP(rel=0.5)", "RBP(p=0.8)", "DCG@3"),
]


def moments(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation over ballots: (systems, measures, items) both."""
    means, spreads = [], []
    for of_item in values.values():
        share = np.array([share for share, _ in of_item])
        each = np.array([value for _, value in of_item])
        mean = np.einsum("b,bsm->sm", share, each)
        means.append(mean)
        spreads.append(np.sqrt(np.einsum("b,bsm->sm", share, (each - mean) ** 2)))
    return np.stack(means, axis=-1), np.stack(spreads, axis=-1)


@pytest.mark.parametrize(
    ("children", "weights", "several", "relevance"),
    [
        (TREE, False, False, "exact"),
        (DAG, True, True, "subtree"),
        (TREE, True, True, "path"),
        (DAG, False, False, "wu-palmer"),
        (DAG, True, True, "lin"),
    ],
)
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_expectations_are_those_of_all_ballots(
    children: Any, weights: bool, several: bool, relevance: Any
) -> None:
    tax = ft.Taxonomy.from_children(children)
    frame = make_votes(1, tax, weights=weights, several=several)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    runs = make_answers(2, tax)
    values = crisp_values(tax, ballots(frame), runs, MEASURES, grade_of(tax, relevance, 2))
    mean, std = moments(values)
    truth = votes.by_item(relevance=relevance, digits=2)
    scores = ft.evaluate(truth, runs, MEASURES, worlds="independent", rng=3)
    spread = scores.uncertainty
    assert spread is not None
    assert spread.exact.all()
    np.testing.assert_allclose(dense(scores)[:, :, 0], mean, atol=1e-12)
    np.testing.assert_allclose(spread.std, std, atol=1e-7)


@pytest.mark.parametrize("relevance", ["subtree", "wu-palmer"])
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_distributions_are_those_of_all_combinations(relevance: Any) -> None:
    tax = ft.Taxonomy.from_children(DAG)
    frame = make_votes(3, tax, weights=True, several=True)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    runs = make_answers(4, tax)
    names = ["P@1", "Success@3", "AP"]
    values = crisp_values(tax, ballots(frame), runs, names, grade_of(tax, relevance, 1))
    truth = votes.by_item(relevance=relevance, digits=1)
    scores = ft.evaluate(truth, runs, names, n_worlds=8000, rng=5)
    for m, name in enumerate(names):
        for item, of_item in values.items():
            want = ft.Distribution.from_atoms(
                [value[0, m] for _, value in of_item], [share for share, _ in of_item]
            )
            got = scores.distribution("one", item, name)
            assert got.exact
            np.testing.assert_allclose(got.values, want.values, atol=1e-12)
            np.testing.assert_allclose(got.probabilities, want.probabilities, atol=1e-12)
    means, chance = means_over_items(values)
    for m, name in enumerate(names):
        want = ft.Distribution.from_atoms(means[:, 0, m], chance)
        got = scores.mean_distribution("one", name)
        assert abs(got.mean() - want.mean()) < 5 * want.std() / np.sqrt(8000)
        assert abs(got.std() / want.std() - 1) < 0.05
        gap = means[:, 0, m] - means[:, 1, m]
        better = float(chance @ (gap > 1e-12))
        error = np.sqrt(better * (1 - better) / 8000)
        share = float(scores.difference("one", "two", name).sf(1e-12))
        assert abs(share - better) < 5 * error + 1e-9


def test_accuracy_by_hand() -> None:
    data = ft.datasets.load_model_vs_human("silhouette")
    scores = ft.evaluate(data.votes.by_item(), data.answers, "P@1", rng=0)
    said = data.votes.to_frame().merge(data.answers, on="item", suffixes=("", "_answer"))
    right = (said["category"] == said["category_answer"]).groupby([said["system"], said["item"]])
    by_hand = right.mean().groupby("system").mean()
    np.testing.assert_allclose(scores.mean()["P@1"], by_hand[list(scores.systems)], atol=1e-12)
    by_rater = ft.evaluate(data.votes.by_item(), data.answers, "P@1", worlds="subject")
    each = (said["category"] == said["category_answer"]).groupby([said["system"], said["subject"]])
    got = by_rater.mean(by="subject")["P@1"]
    np.testing.assert_allclose(got, each.mean()[got.index], atol=1e-12)
    macro = scores.mean(groups=data.votes.plurality())["P@1"]
    groups = right.mean().reset_index(name="value")
    groups["group"] = groups["item"].map(data.votes.plurality())
    want = groups.groupby(["system", "group"])["value"].mean().groupby("system").mean()
    np.testing.assert_allclose(macro, want[list(scores.systems)], atol=1e-12)
