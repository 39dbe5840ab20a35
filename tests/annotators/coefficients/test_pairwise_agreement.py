"""Agreement of pairs of subjects: real panels, degenerate data, options."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.annotators.coefficients import pairwise_agreement as pair_inputs
from fuzzytruth.core.votes import value_distances
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning


@cache
def llm_judges() -> ft.PairwiseAgreement:
    return ft.pairwise_agreement(ft.datasets.load_llmjudge_dl23())


@cache
def some_judges(**options: Any) -> ft.PairwiseAgreement:
    votes = ft.datasets.load_llmjudge_dl23()
    return ft.pairwise_agreement(votes.select(subjects=llm_judges().subjects[::5]), **options)


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


def test_near_duplicates_of_model_judges() -> None:
    """Runs of one prompt, which differ on less than .3 % of the passages, and nobody else."""
    found = llm_judges().duplicates()
    clusters = found.groupby("cluster")["subject"].agg(list).tolist()
    assert clusters == [
        [f"NISTRetrieval-{prompt}{run}" for run in range(3)] for prompt in ("instruct", "reason")
    ]
    assert found["percent"].min() > 0.997
    # the next pair differs on 2.8 % where independent judges would on 32 %
    wider = llm_judges().duplicates(0.85)
    assert {"willia-umbrela2", "willia-umbrela3"} == {*wider["subject"]} - {*found["subject"]}
    assert list(llm_judges().duplicates(1.0).columns) == [*found.columns]
    assert llm_judges().duplicates(1.0).empty


def test_effective_numbers_of_subjects() -> None:
    result = llm_judges()
    assert result.n_effective == pytest.approx(14.81, abs=0.01)
    assert 13 < result.n_effective_lower < 14.81 < result.n_effective_upper < 17
    people = ft.pairwise_agreement(ft.datasets.load_model_vs_human("cue-conflict").votes)
    assert people.n_effective > 9.9
    assert people.duplicates().empty
    few = ft.pairwise_agreement(ft.datasets.load_clef_tar2017()[0])
    assert few.duplicates().empty
    assert few.n_effective_unknown == "it takes 4 subjects or more"
    assert np.isnan(few.n_effective)


def test_people_who_are_nearly_always_right_are_no_duplicates() -> None:
    sure = ft.pairwise_agreement(judged(experts(3000, [0.99] * 6)))
    assert sure.pairs["sure_kappa"].min() > 0.95  # by chance alone all would be
    assert sure.duplicates().empty
    assert sure.n_effective > 5.9
    rare = ft.pairwise_agreement(judged(experts(2000, [0.995] * 6, common=0.99)))
    assert rare.pairs["percent"].min() > 0.98
    assert rare.duplicates().empty
    spoilt = ft.pairwise_agreement(judged(experts(3000, [0.99] * 7 + [0.25] * 3)))
    assert spoilt.duplicates().empty
    assert spoilt.n_effective > 9.5


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
    assert list(frame) == ["subject_a", "subject_b", "n_units", "value", "lower", "upper"]
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


def test_intervals_over_queries_are_wider() -> None:
    items, queries = some_judges(over="item").pairs, some_judges().pairs
    assert (items["value"] == queries["value"]).all()
    assert (queries["n_clusters"] == 25).all()
    assert (items["n_clusters"] == 4423).all()
    ratio = queries["std_error"] / items["std_error"]
    assert ratio.median() > 2
    assert some_judges().over == "query"


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


def test_sets_of_categories_are_equal_or_not() -> None:
    votes = ft.Assignments.from_columns(
        [*"aabab" * 4], [f"i{j}" for j in range(4) for _ in range(5)], ["x", "y", "x", "z", "z"] * 4
    )
    found = ft.pairwise_agreement(votes, coefficient="percent")
    assert found.pairs["value"][0] == 0  # x + y + z is not x + z
    assert found.over == "item"


def test_questions_about_an_item_vary_together() -> None:
    rows = [(s, f"i{j}", c) for s in "ab" for j in range(6) for c in "xy"]
    asked = pd.DataFrame(rows, columns=["subject", "item", "category"])
    asked["question"] = asked["item"] + asked["category"]
    split = asked.drop(index=asked.index[[3, 8, 14]])
    votes = ft.Assignments.from_frame(split[["subject", "item", "category"]], asked=asked)
    found = ft.pairwise_agreement(votes, coefficient="percent")
    assert found.n_clusters == 6


def test_the_order_of_rows_plays_no_part() -> None:
    frame = judged(experts(80, [0.8] * 5), n_queries=4).to_frame()
    one = ft.pairwise_agreement(ft.Judgments.from_frame(frame))
    other = ft.pairwise_agreement(ft.Judgments.from_frame(frame.sample(frac=1, random_state=3)))
    names = ["subject_a", "subject_b"]
    left, right = (
        r.pairs.assign(key=[tuple(sorted(row)) for row in r.pairs[names].to_numpy()])
        .set_index("key")
        .sort_index()
        .drop(columns=names)
        for r in (one, other)
    )
    pd.testing.assert_frame_equal(left, right)
    assert one.n_effective == pytest.approx(other.n_effective, rel=1e-6)
    items = [
        ft.pairwise_agreement(ft.Judgments.from_frame(f), over="item")
        for f in (frame, frame.iloc[::-1])
    ]
    assert items[0].n_effective_lower == pytest.approx(items[1].n_effective_lower, rel=1e-6)


def test_pairs_without_common_items() -> None:
    table = experts(60, [0.8] * 3)
    table[:30, 0] = table[30:, 1] = -1
    with pytest.warns(MissingCellWarning, match="1 pair of subjects judged no item in common"):
        found = ft.pairwise_agreement(judged(table))
    row = found.pairs.set_index(["subject_a", "subject_b"])
    lost = row.loc[[pair for pair in row.index if {*pair} == {"s0", "s1"}]].iloc[0]
    assert lost["n_units"] == 0
    assert lost[["value", "lower", "upper", "percent", "sure_kappa"]].isna().all()
    assert found.by_subject().set_index("subject")["n_others"].to_dict() == {
        "s0": 1,
        "s1": 1,
        "s2": 2,
    }


def test_degenerate_votes() -> None:
    constant = np.stack((np.arange(20) % 2, np.zeros(20), np.zeros(20)), axis=1).astype(int)
    with pytest.warns(DegenerateWarning) as made:
        found = ft.pairwise_agreement(judged(constant))
    said = [str(one.message) for one in made]
    assert any("1 pair of subjects gave too few different values" in text for text in said)
    assert any("2 pairs of subjects have an agreement that no single unit" in text for text in said)
    assert sorted(found.pairs["value"].dropna()) == [0, 0]
    assert found.pairs["lower"].isna().all()
    percent = ft.pairwise_agreement(judged(constant), coefficient="percent")
    assert sorted(percent.pairs["value"]) == [0.5, 0.5, 1]
    with pytest.warns(DegenerateWarning, match="share a single item or query: no interval"):
        single = ft.pairwise_agreement(judged(np.array([[0, 1]])), coefficient="percent")
    assert single.pairs.loc[0, ["value", "lower", "upper"]].tolist() == [0, 0, 1]


def test_everybody_always_agrees() -> None:
    found = ft.pairwise_agreement(judged(np.repeat(np.arange(200)[:, None] % 4, 5, axis=1)))
    assert (found.pairs["value"] == 1).all()
    assert "nobody ever disagrees" in found.n_effective_unknown
    assert "unknown; nobody ever disagrees" in str(found).replace("\n  ", " ")


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = judged(experts(20, [0.8] * 4))
    monkeypatch.setattr(pair_inputs, "_MOST_VOTES", 100)
    with pytest.raises(ft.DataError, match=r"4 subjects gave 120 pairs of votes .*select\("):
        ft.pairwise_agreement(votes)
    monkeypatch.setattr(pair_inputs, "_MOST_VOTES", 1000)
    monkeypatch.setattr(pair_inputs, "_MOST_COUNTS", 30)
    assert ft.pairwise_agreement(votes).n_units == 20
    with pytest.raises(ft.DataError, match="6 pairs of subjects with 4 different values"):
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
    with pytest.raises(ft.OptionError, match="threshold="):
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


def test_pairs_with_one_item_do_not_head_the_page() -> None:
    """One item in common is agreement 1 or 0, and says nothing."""
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 60)
    rows = [
        (f"d{j}", name, int(true[j] if rng.random() < 0.7 else rng.integers(3)))
        for j in range(60)
        for name in ("ann", "bob", "cat")
    ]
    rows.append(("d0", "guest", rows[0][2]))
    frame = pd.DataFrame(rows, columns=["item", "subject", "grade"]).assign(query="q")
    with pytest.warns(ft.FuzzytruthWarning):
        result = ft.pairwise_agreement(frame, coefficient="percent")
    assert result.to_frame()["value"].max() == 1  # ann and the guest
    extremes = [line for line in str(result).splitlines() if "alike" in line]
    assert len(extremes) == 2
    assert "guest" not in " ".join(extremes)


def test_nobody_agrees_most_where_all_agree_alike() -> None:
    rows = [("q", f"i{j}", s, j % 2) for j in range(30) for s in ("ann", "bob", "cat")]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    said = " ".join(str(ft.pairwise_agreement(votes)).split())
    assert "All 3 pairs agree alike: 1.000." in said
    assert "agrees least" not in said
    assert "Most alike" not in said


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
