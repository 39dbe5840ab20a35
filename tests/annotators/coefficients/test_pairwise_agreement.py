"""Agreement of pairs of subjects: real panels, degenerate data, options."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.annotators.coefficients import pairwise_agreement as pair_inputs
from fuzzytruth.annotators.ratings import COLUMNS
from fuzzytruth.core.votes import value_distances


@cache
def llm_judges() -> ft.results.PairwiseAgreement:
    return ft.pairwise_agreement(ft.datasets.load_llmjudge_dl23())


def judged(table: np.ndarray, n_queries: int = 1, **more: Any) -> ft.Judgments:
    """Judgments of (items, subjects) grades, -1 for missing."""
    item, subject = np.nonzero(table >= 0)
    return ft.Judgments.from_columns(
        [f"q{j % n_queries}" for j in item],
        [f"i{j}" for j in item],
        table[item, subject].astype(float),
        subject=[f"s{j}" for j in subject],
        **more,
    )


def experts(n_items: int, accuracy: list[float], common: float = 0.0, seed: int = 1) -> np.ndarray:
    """Grades of 0 to 3, a share `common` of which is 0."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, (n_items, 1)) * (rng.random((n_items, 1)) >= common)
    shape = (n_items, len(accuracy))
    right = rng.random(shape) < np.array(accuracy)
    return np.where(right, truth, (truth + rng.integers(1, 4, shape)) % 4)


def test_copies_are_found() -> None:
    table = np.repeat(experts(500, [0.9] * 4), [3, 1, 2, 1], axis=1)
    result = ft.pairwise_agreement(judged(table))
    found = result.duplicates()
    assert found["subject"].tolist() == ["s0", "s1", "s2", "s4", "s5"]
    assert found["cluster"].tolist() == [1, 1, 1, 2, 2]
    assert result.pairs.loc[0, ["value", "upper"]].tolist() == [1, 1]
    # too few items to be sure
    few = ft.pairwise_agreement(judged(table[:40]))
    assert few.duplicates().empty
    text = " ".join(str(few).split())
    assert "Near-duplicates: none certain, but 4 pairs never differed, on too few items" in text
    two = ft.pairwise_agreement(judged(table[:, :2]))
    assert two.duplicates()["subject"].tolist() == ["s0", "s1"]


def test_tables() -> None:
    result = llm_judges()
    frame = result.to_frame()
    assert list(frame) == ["subject_a", "subject_b", *COLUMNS]
    assert len(frame) == 34 * 33 // 2
    assert (frame["n_units"] == 4423).all()
    assert ((frame["lower"] < frame["value"]) & (frame["value"] < frame["upper"])).all()
    matrix = result.matrix()
    assert (matrix.to_numpy() == matrix.to_numpy().T).all()
    assert (np.diag(matrix) == 1).all()
    first = frame.iloc[77]
    assert matrix.loc[first["subject_b"], first["subject_a"]] == first["value"]
    means = result.by_subject()
    assert means["value"].is_monotonic_increasing
    low = means.iloc[0]
    assert low["subject"] == "TREMA-nuggets"
    own = matrix.loc["TREMA-nuggets"].drop("TREMA-nuggets")
    assert low["value"] == pytest.approx(own.mean())
    assert low["n_others"] == 33
    assert set(result.to_frame(full=True)) - set(frame) == {
        *("std_error", "n_clusters", "percent", "sure_kappa", "sure_excess")
    }


def test_ordinal_distances_of_all_votes_are_those_of_krippendorff() -> None:
    """Of two complete observers, alpha is Krippendorff's ordinal one."""
    rng = np.random.default_rng(2)
    x = rng.choice([0, 1, 2, 3], 60, p=[0.5, 0.3, 0.1, 0.1])
    y = np.clip(x + rng.integers(-1, 2, 60), 0, 3)
    count = np.bincount(np.concatenate((x, y)))
    distance = np.array(
        [
            [
                (count[min(g, h) : max(g, h) + 1].sum() - (count[g] + count[h]) / 2) ** 2
                for h in range(4)
            ]
            for g in range(4)
        ],
        dtype=float,
    )
    pool = np.concatenate((x, y))
    expected = distance[pool[:, None], pool].sum() / (120 * 119)
    want = 1 - distance[x, y].mean() / expected
    votes = judged(np.stack((x, y), axis=1))
    found = ft.pairwise_agreement(votes, coefficient="alpha", metric="ordinal")
    assert found.pairs["value"][0] == pytest.approx(want)


def test_everybody_always_agrees() -> None:
    found = ft.pairwise_agreement(judged(np.repeat(np.arange(200)[:, None] % 4, 5, axis=1)))
    assert (found.pairs["value"] == 1).all()
    assert "nobody ever disagrees" in found.n_effective_unknown
    assert "unknown; nobody ever disagrees" in str(found).replace("\n  ", " ")


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = judged(experts(20, [0.8] * 4))
    monkeypatch.setattr(pair_inputs, "_MOST_VOTES", 100)
    with pytest.raises(ft.errors.DataError, match=r"4 subjects gave 120 pairs of votes .*select\("):
        ft.pairwise_agreement(votes)
    monkeypatch.setattr(pair_inputs, "_MOST_VOTES", 1000)
    monkeypatch.setattr(pair_inputs, "_MOST_COUNTS", 30)
    assert ft.pairwise_agreement(votes).n_units == 20
    with pytest.raises(ft.errors.DataError, match="6 pairs of subjects with 4 different values"):
        ft.pairwise_agreement(votes, coefficient="tau_b")


TABLE = experts(30, [0.8] * 3)


CATEGORIES = ft.Assignments.from_columns([*"ab" * 3], [*"iijjkk"], [*"xyxxyy"])


@pytest.mark.parametrize(
    ("votes", "options", "said"),
    [
        (ft.datasets.load_dermatology_ddx(), {}, "subjects are nested"),
        (ft.Assignments.from_counts(np.array([[2, 1], [0, 4]])), {}, "nobody is named"),
        (judged(TABLE[:, :1]), {}, "there is one subject"),
        (judged(np.array([[0, -1], [-1, 1]])), {}, "no two subjects judged the same unit"),
        (judged(TABLE), {"coefficient": "rho"}, "coefficient='rho': must be one of 'percent'"),
        (judged(TABLE), {"metric": "cosine"}, "metric='cosine': must be one of 'nominal'"),
        (judged(TABLE), {"metric": "linear", "coefficient": "percent"}, "is for coefficient='kapp"),
        (judged(TABLE), {"over": "subject"}, "over='subject': must be one of 'item'"),
        (judged(TABLE), {"over": "query"}, "two or more queries, but there is one"),
        (judged(TABLE), {"level": 95}, "level=95: must lie between 0 and 1"),
        (CATEGORIES, {"over": "query"}, "but there are none; use over='item'"),
        (CATEGORIES, {"coefficient": "tau_b"}, "is for grades, but these votes are categories"),
        (CATEGORIES, {"metric": "ordinal"}, "is for grades, but these votes are categories"),
    ],
)
def test_what_is_refused(votes: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=said):
        ft.pairwise_agreement(votes, **options)


@pytest.mark.parametrize("threshold", [0, 1.5, "x", None, [0.9]])
def test_thresholds_that_are_refused(threshold: Any) -> None:
    with pytest.raises(ft.errors.OptionError, match="threshold="):
        llm_judges().duplicates(threshold)


def test_what_is_printed() -> None:
    text = " ".join(llm_judges()._answer().text(80).split())
    assert "Most alike: NISTRetrieval-reason0 and NISTRetrieval-reason2, 0.999" in text
    assert "Near-duplicates, 2 clusters: NISTRetrieval-instruct0" in text
    assert "Effective number of subjects: 14.8 [" in text
    assert "the lowest 8 of 34" in text
    two = str(ft.pairwise_agreement(ft.datasets.load_clef_tar2017()[0]))
    assert "Their agreement: abstract and content, 0.465" in two
    assert "Near-duplicates: none shown;" in two


def test_a_crowd_keeps_pairs_that_share_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_distances, "_ALL_PAIRS", 100)
    rng = np.random.default_rng(4)
    n, each = 600, 10
    item = rng.integers(0, 1200, n * each)
    frame = pd.DataFrame({"query": "q", "item": item, "subject": np.repeat(np.arange(n), each)})
    frame = frame.assign(grade=rng.integers(0, 2, n * each)).drop_duplicates(["item", "subject"])
    with pytest.warns(ft.FuzzytruthWarning):
        found = ft.pairwise_agreement(frame.astype({"item": str, "subject": str}))
    size = frame.groupby("item").size()
    assert (size * (size - 1) // 2).sum() >= len(found.pairs) > 10_000
    assert (found.pairs["n_units"] > 0).all()
    assert "up to 500 subjects" in found.n_effective_unknown


@pytest.mark.parametrize("copies", [0, 4, 8])
def test_how_many_independent_subjects_copies_are_worth(copies: int) -> None:
    """Eight who err alone, of whom one is there more than once: the variance of a mean vote."""
    rng = np.random.default_rng(0)
    truth, wrong = rng.integers(0, 3, 400), rng.random((400, 8)) < 0.25
    given = np.where(wrong, rng.integers(0, 3, (400, 8)), truth[:, None])
    given = np.concatenate((given, *[given[:, :1]] * copies), axis=1)
    item, subject = (place.ravel().astype(str) for place in np.indices(given.shape))
    votes = ft.Judgments.from_columns(["q"] * given.size, item, given.ravel(), subject=subject)
    expected = (8 + copies) ** 2 / ((1 + copies) ** 2 + 7)
    assert ft.pairwise_agreement(votes).n_effective == pytest.approx(expected, rel=0.12)
