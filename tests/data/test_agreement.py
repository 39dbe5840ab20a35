"""Agreement between and within subjects, against all pairs one by one."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft


def repeated(seed: int) -> pd.DataFrame:
    """Up to three subjects who judge each of three items one to three times."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{subject}", f"i{item}", str(rng.choice(["a", "b"])), f"r{repeat}")
        for item in range(3)
        for subject in range(3)
        if rng.random() < 0.8 or not subject
        for repeat in range(int(rng.integers(1, 4)))
    ]
    return pd.DataFrame(rows, columns=["subject", "item", "category", "repeat"])


@pytest.mark.parametrize("seed", range(5))
def test_agreement_between_subjects_draws_one_repetition_of_each(seed: int) -> None:
    frame = repeated(seed)
    got = ft.Assignments.from_frame(frame).membership().agreement()
    for item, rows in frame.groupby("item"):
        answers = [list(part["category"]) for _, part in rows.groupby("subject")]
        pairs = [
            np.mean([a == b for a in first for b in second])
            for first, second in itertools.combinations(answers, 2)
        ]
        want = np.mean(pairs) if pairs else np.nan
        np.testing.assert_allclose(got[item], want, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_agreement_with_oneself(seed: int) -> None:
    frame = repeated(seed)
    got = ft.Assignments.from_frame(frame.sample(frac=1, random_state=seed)).self_agreement()
    for subject, n_pairs, agreement in got.itertuples(index=False):
        pairs = [
            a == b
            for _, rows in frame[frame["subject"] == subject].groupby("item")
            for a, b in itertools.combinations(rows["category"], 2)
        ]
        assert n_pairs == len(pairs)
        np.testing.assert_allclose(agreement, np.mean(pairs) if pairs else np.nan, atol=1e-12)


def test_sets_of_categories_agree_as_a_whole() -> None:
    rows = [("s", "i", "a", 1), ("s", "i", "b", 1), ("s", "i", "a", 2), ("s", "i", "b", 2)]
    rows += [("s", "i", "a", 3), ("t", "i", "a", 1)]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category", "repeat"])
    got = ft.Assignments.from_frame(frame).self_agreement()
    assert got["n_pairs"].tolist() == [3, 0]
    assert got["agreement"].tolist() == pytest.approx([1 / 3, np.nan], nan_ok=True)


@pytest.mark.parametrize("counts", [[[3, 2, 1]], [[5, 0, 0]], [[1, 1, 0], [0, 0, 2], [1, 0, 0]]])
def test_agreement_of_counts_is_that_of_so_many_people(counts: Any) -> None:
    got = ft.Assignments.from_counts(counts).membership().agreement().to_numpy()
    for value, row in zip(got, counts, strict=True):
        people = np.repeat(np.arange(3), row)
        pairs = [a == b for a, b in itertools.combinations(people, 2)]
        np.testing.assert_allclose(value, np.mean(pairs) if pairs else np.nan, atol=1e-12)


def test_what_has_no_agreement() -> None:
    soft = ft.Membership.from_probabilities([[0.5, 0.5]])
    with pytest.raises(ft.DataError, match=r"^agreement: probabilities do not say how many people"):
        soft.agreement()
    votes = ft.Assignments.from_columns(["s"], ["i"], ["a"])
    with pytest.raises(ft.DataError, match=r"name the repetitions in a column 'repeat'$"):
        votes.self_agreement()
    with pytest.raises(ft.DataError, match=r"^self_agreement: these are counts of votes without"):
        ft.Assignments.from_counts([[1]]).self_agreement()


TREE = ft.Taxonomy.from_children({"all": ["pet", "cow"], "pet": ["dog", "cat"]})


@pytest.mark.parametrize("seed", range(5))
def test_agreement_on_a_category_counts_pairs_of_subjects(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{s}", f"i{i}", str(rng.choice(["pet", "cow", "dog", "cat"])), f"r{r}")
        for i in range(4)
        for s in range(4)
        if rng.random() < 0.8
        for r in range(int(rng.integers(1, 3)))
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category", "repeat"])
    got = ft.Assignments.from_frame(frame, taxonomy=TREE).membership().category_agreement()
    for category in TREE:
        inside = {category, *TREE.descendants(category)}
        same = pairs = 0.0
        for _, of_item in frame.groupby("item"):
            own = [part["category"].isin(inside).mean() for _, part in of_item.groupby("subject")]
            for one, other in itertools.permutations(own, 2):
                same += one * other
                pairs += one
        np.testing.assert_allclose(got[category], same / pairs if pairs else np.nan, atol=1e-12)
    assert got["all"] == 1


def test_agreement_on_categories_of_counts_is_that_of_named_votes() -> None:
    given = ["dog", "dog", "cat", "pet", "cow", "cow"]
    named = ft.Assignments.from_columns(list("stustu"), ["i"] * 3 + ["j"] * 3, given, taxonomy=TREE)
    counts = pd.DataFrame({"item": ["i"] * 3 + ["j"] * 3, "category": given}).value_counts()
    unnamed = ft.Assignments.from_counts(counts.reset_index(), taxonomy=TREE)
    expected = named.membership().category_agreement()
    pd.testing.assert_series_equal(unnamed.membership().category_agreement(), expected)
    # dog: the two agree with each other, and not with cat; pet: 3 + 1 of 4 voters
    assert expected.round(3).to_dict() == {
        "all": 1.0,
        "pet": 0.75,
        "cow": 0.5,
        "dog": 0.5,
        "cat": 0.0,
    }
    alone = ft.Assignments.from_columns(["s"], ["i"], ["dog"], taxonomy=TREE)
    assert alone.membership().category_agreement().isna().all()
    soft = ft.Membership.from_probabilities([[0.5, 0.5]], categories=["dog", "cat"])
    with pytest.raises(ft.DataError, match="do not say how many people voted"):
        soft.category_agreement()
