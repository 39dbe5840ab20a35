"""The alternative annotator test, beside the authors' published numbers and a slow one by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

import fuzzytruth as ft
from fuzzytruth.errors import ClusterWarning, DegenerateWarning, LeftOutWarning

PUBLISHED = Path(__file__).parents[2] / "reference_data" / "alternative_annotator_mtbench.csv"
PEOPLE = ["author_0", "author_4", "expert_24"]
MODELS = ["gemini_flash", "gemini_pro"]
Votes = dict[str, dict[Any, Any]]


def mtbench() -> Votes:
    """{subject: {item: verdict}} of the published data."""
    frame = pd.read_csv(PUBLISHED, dtype=str)
    items = frame["question"] + " " + frame["other"] + " " + frame["turn"]
    return {name: dict(zip(items, frame[name], strict=True)) for name in [*PEOPLE, *MODELS]}


def assignments(votes: Votes, names: list[str], tree: ft.Taxonomy | None = None) -> ft.Assignments:
    rows = [
        (name, item, value)
        for name in names
        for item, value in votes[name].items()
        if value == value
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(
        frame, taxonomy=tree or ft.Taxonomy.from_children({"all": ["a", "b", "t"]})
    )


def judgments(votes: Votes, names: list[str]) -> ft.Judgments:
    """Items are (query, item)."""
    rows = [
        (query, item, name, value)
        for name in names
        for (query, item), value in votes[name].items()
        if value == value
    ]
    query, item, name, value = zip(*rows, strict=True)
    return ft.Judgments.from_columns(query, item, value, subject=name)


def accuracy(vote: Any, others: list[Any]) -> float:
    return sum(vote == other for other in others) / len(others)


def minus_rmse(vote: Any, others: list[Any]) -> float:
    return -float(np.sqrt(np.mean([(vote - other) ** 2 for other in others])))


def by_hand(
    votes: Votes, people: list[str], model: str, score: Callable[[Any, list[Any]], float]
) -> dict[str, list[float]]:
    """The person's advantage less the model's on each item: {person: [...]}, item by item."""
    out = {}
    for person in people:
        gaps = []
        for item, own in votes[person].items():
            others = [
                votes[name][item]
                for name in people
                if name != person and votes[name].get(item, np.nan) == votes[name].get(item, np.nan)
            ]
            others = [other for other in others if other == other]
            rival = votes[model].get(item, np.nan)
            if own != own or rival != rival or not others:
                continue
            ours, theirs = score(own, others), score(rival, others)
            gaps.append(float(ours >= theirs) - float(theirs >= ours))
        out[person] = gaps
    return out


def rejected(p: list[float], alpha: float) -> int:
    """Number of rejections by the step-up procedure of Benjamini and Yekutieli (2001)."""
    m = len(p)
    harmonic = sum(1 / j for j in range(1, m + 1))
    passed = [j for j, one in enumerate(sorted(p), start=1) if one <= j * alpha / (m * harmonic)]
    return max(passed, default=0)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LeftOutWarning")
def test_published_example() -> None:
    # Printed in alt_test_example.ipynb of nitaytech/AltTest: winning rate 0.00 of both, average
    # advantage probability 0.72 of gemini_flash and 0.76 of gemini_pro (accuracy, epsilon .2).
    votes = mtbench()
    result = ft.alternative_annotator(
        assignments(votes, PEOPLE), assignments(votes, MODELS), epsilon=0.2
    )
    assert result.over == "item"  # items have no queries
    assert result.judges["judge"].tolist() == MODELS
    assert result.judges["winning_rate"].tolist() == [0, 0]
    assert result.judges["advantage"].round(2).tolist() == [0.72, 0.76]
    assert not result.judges["passes"].any()


@pytest.mark.parametrize("epsilon", [0.1, 0.28, 0.5])
def test_published_data_beside_a_test_by_hand(epsilon: float) -> None:
    votes = mtbench()
    result = ft.alternative_annotator(
        assignments(votes, PEOPLE), assignments(votes, MODELS), epsilon=epsilon
    )
    for model in MODELS:
        gaps = by_hand(votes, PEOPLE, model, accuracy)
        p = [ttest_1samp(gaps[name], epsilon, alternative="less").pvalue for name in PEOPLE]
        rows = result.people[result.people["judge"] == model]
        np.testing.assert_allclose(rows["p"], p, rtol=1e-10)
        assert rows["wins"].sum() == rejected(p, 0.05)
        assert rows["n_items"].tolist() == [len(gaps[name]) for name in PEOPLE]
        shares = [np.mean(np.array(gaps[name]) <= 0) for name in PEOPLE]
        np.testing.assert_allclose(rows["model_share"], shares, rtol=1e-12)
        one = result.judges.set_index("judge").loc[model]
        assert one["winning_rate"] == pytest.approx(rejected(p, 0.05) / 3, abs=1e-15)
        assert one["passes"] == (rejected(p, 0.05) >= 2)
        assert one["advantage"] == pytest.approx(np.mean(shares), abs=1e-12)
    if epsilon == 0.5:
        assert result.judges["passes"].all()


def random_votes(seed: int, *, n_people: int = 4, queries: int = 12, missing: float = 0.3) -> Votes:
    """Grades 0 to 3 of people and of the model "m", with cells missing, by (query, item)."""
    rng = np.random.default_rng(seed)
    items = [(f"q{q}", f"d{j}") for q in range(queries) for j in range(int(rng.integers(1, 6)))]
    true = rng.integers(0, 4, len(items))

    def drawn(wrong: float) -> list[int]:
        other = rng.integers(0, 4, len(items))
        return np.where(rng.random(len(items)) < wrong, other, true).tolist()

    votes: Votes = {}
    for person in range(n_people):
        given = zip(items, drawn(0.4), rng.random(len(items)), strict=True)
        votes[f"p{person}"] = {item: grade for item, grade, u in given if u > missing}
    votes["m"] = dict(zip(items, drawn(0.3), strict=True))
    return votes


def result_of(
    votes: Votes, models: str = "m", /, **options: Any
) -> ft.results.AlternativeAnnotator:
    """Of people, and of models with names of one letter."""
    people = [name for name in votes if name not in models]
    return ft.alternative_annotator(
        judgments(votes, people), judgments(votes, [*models]), **options
    )


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LeftOutWarning")
@pytest.mark.parametrize(("seed", "metric"), [(0, "accuracy"), (1, "rmse"), (2, "rmse")])
def test_missing_cells_by_hand(seed: int, metric: str) -> None:
    votes = random_votes(seed)
    people = [name for name in votes if name != "m"]
    result = result_of(votes, metric=metric, min_items=2, over="item")
    gaps = by_hand(votes, people, "m", {"accuracy": accuracy, "rmse": minus_rmse}[metric])
    rows = result.people.set_index("subject").loc[people]
    assert rows["difference"].tolist() == pytest.approx([np.mean(gaps[name]) for name in people])
    p = [ttest_1samp(gaps[name], 0.2, alternative="less").pvalue for name in people]
    np.testing.assert_allclose(rows["p"], p, rtol=1e-10)


def constant(grades: dict[str, list[int]]) -> Votes:
    return {
        name: {(f"q{j}", "d"): grade for j, grade in enumerate(given)}
        for name, given in grades.items()
    }


def test_differences_without_spread() -> None:
    rng = np.random.default_rng(3)
    grades = {name: rng.integers(0, 2, 40).tolist() for name in ["ann", "bob", "cat"]}
    with pytest.warns(DegenerateWarning, match=r"1 test has differences without spread"):
        result = result_of(constant(grades | {"m": grades["ann"]}))
    ann = result.people.set_index("subject").loc["ann"]
    assert (ann["model_share"], ann["person_share"], ann["difference"]) == (1, 1, 0)  # both count
    assert ann["p"] == pytest.approx(0.8**40)  # a loss in one of five items has the mean epsilon
    assert ann["wins"]
    equal = constant(dict.fromkeys(["ann", "bob", "cat", "m"], [1] * 30))
    with pytest.warns(DegenerateWarning, match="3 tests"):
        result = result_of(equal)
    ends = [1, 1, 0.025 ** (1 / 30), 1]  # Clopper and Pearson's
    models = result.judges.loc[0, ["winning_rate", "advantage", "lower", "upper"]]
    assert models.tolist() == pytest.approx(ends)
    always_wrong = equal | constant({"m": [0] * 30})
    for given, epsilon, p in (
        (equal, 0.05, 0.95**30),  # .21: nothing is shown
        (equal, 0, 1),  # no less than 0
        (always_wrong, 0.2, 1),
    ):
        with pytest.warns(DegenerateWarning):
            strict = result_of(given, epsilon=epsilon)
        assert strict.people["p"].tolist() == pytest.approx([p] * 3)
        assert not strict.judges["passes"].any()
    assert strict.judges.loc[0, ["winning_rate", "advantage"]].tolist() == [0, 0]


def test_items_that_are_left_out_are_counted() -> None:
    votes = random_votes(1, missing=0.0, queries=30)
    before = result_of(votes)
    votes["p0"][("q0", "alone")] = votes["m"][("q0", "alone")] = 1
    with pytest.warns(LeftOutWarning, match="1 item is left out, which one person alone judged"):
        after = result_of(votes)
    assert after.n_alone == 1
    pd.testing.assert_frame_equal(after.people, before.people)
    votes = random_votes(1, missing=0.0, queries=30)
    votes["n"] = dict(list(votes["m"].items())[:-5])
    n = len(votes["m"])
    with pytest.warns(LeftOutWarning, match=rf"different items, .* 'n', {n - 5} of {n}"):
        result_of(votes, "mn")
    del votes["m"][("q3", "d0")], votes["n"]
    with pytest.warns(LeftOutWarning, match="1 item is left out, which people judged and no model"):
        result = result_of(votes)
    assert (result.people["n_items"] == n - 1).all()


def test_people_with_few_items_are_not_tested() -> None:
    votes = random_votes(1, missing=0.0, queries=30)
    votes["p3"] = dict(list(votes["p3"].items())[:29])
    with pytest.warns(LeftOutWarning, match="1 person is not tested, having fewer than 30 .*: p3"):
        result = result_of(votes)
    assert result.judges["n_people"].tolist() == [3]
    assert "of the 3 people tested (1 not tested)." in str(result)
    last = result.people.iloc[3]
    assert np.isnan(last[["p", "p_adjusted"]].astype(float)).all()
    assert not last["wins"]
    assert result.judges["advantage"][0] == pytest.approx(result.people["model_share"][:3].mean())
    with pytest.raises(ft.errors.DataError, match="no person shares 500 items with the model 'm'"):
        result_of(votes, min_items=500)


def test_several_models_are_tested_one_by_one_unless_asked_otherwise() -> None:
    votes = random_votes(5, missing=0.0, queries=40)
    other = random_votes(6, missing=0.0, queries=40)["m"]
    votes["n"] = {item: other.get(item, 0) for item in votes["m"]}
    both = result_of(votes, "mn")
    for name, left in (("m", "n"), ("n", "m")):
        one = result_of(
            {subject: given for subject, given in votes.items() if subject != left}, name
        )
        rows = both.people[both.people["judge"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows, one.people)
    across = result_of(votes, "mn", across_models=True)
    expected = multipletests(across.people["p"], method="fdr_by")[1]
    np.testing.assert_allclose(across.people["p_adjusted"], expected, rtol=1e-12)


def test_a_function_and_a_taxonomy_as_similarity() -> None:
    votes = random_votes(2, missing=0.0, queries=20)
    people = [name for name in votes if name != "m"]
    same = result_of(votes, metric=lambda a, b: float(a == b))
    pd.testing.assert_frame_equal(same.people, result_of(votes).people)
    tree = ft.Taxonomy.from_children({"all": ["x", "y"], "x": ["0", "1"], "y": ["2", "3"]})
    words = {
        name: {" ".join(item): str(grade) for item, grade in given.items()}
        for name, given in votes.items()
    }
    result = ft.alternative_annotator(
        assignments(words, people, tree), assignments(words, ["m"], tree), metric="taxonomy"
    )

    def similarity(vote: str, others: list[str]) -> float:
        return round(float(np.mean([tree.similarity(vote, other) for other in others])), 9)

    gaps = by_hand(words, people, "m", similarity)
    rows = result.people.set_index("subject")
    assert rows.loc[people, "difference"].tolist() == pytest.approx(
        [np.mean(gaps[name]) for name in people]
    )


def test_a_model_without_a_name_and_few_queries() -> None:
    votes = random_votes(1, missing=0.0, queries=30)
    people = [name for name in votes if name != "m"]
    bare = judgments(votes, ["m"]).select_subject("m")
    two = ft.alternative_annotator(judgments(votes, people), bare)
    assert two.judges["judge"].tolist() == ["model"]
    assert two.people["p"].tolist() == result_of(votes).people["p"].tolist()

    def of_queries(n: int) -> Votes:
        return {
            name: {(f"q{int(q[1:]) % n}", q + d): grade for (q, d), grade in given.items()}
            for name, given in votes.items()
        }

    with pytest.warns(ClusterWarning, match="there are 9 queries; below 10, a single test"):
        result_of(of_queries(9))
    one = result_of(of_queries(1))
    assert one.over == "item"
    assert "items, taken as independent" in str(one)


def test_errors() -> None:
    votes = random_votes(1, missing=0.0, queries=30)
    human, model = judgments(votes, ["p0", "p1", "p2"]), judgments(votes, ["m"])
    with pytest.raises(ft.errors.DataError, match="2 people judged; the test takes three or more"):
        ft.alternative_annotator(human.select(subjects=["p0", "p1"]), model)
    with pytest.raises(ft.errors.DataError, match="'p1' is among the people and among the models"):
        ft.alternative_annotator(human, judgments(votes, ["p1"]))
    other = {"m": {("other", "d"): 1}}
    with pytest.raises(ft.errors.DataError, match=r"nothing in common \(the first: query 'q0'"):
        ft.alternative_annotator(human, judgments(other, ["m"]))
    with pytest.raises(ft.errors.DataError, match="people gave grades and models gave categories"):
        ft.alternative_annotator(human, assignments({"m": {"d": "a"}}, ["m"]))
    verdicts = mtbench()
    with pytest.raises(ft.errors.DataError, match="metric='rmse': these votes are categories"):
        ft.alternative_annotator(
            assignments(verdicts, PEOPLE), assignments(verdicts, MODELS), metric="rmse"
        )
    with pytest.raises(ft.errors.DataError, match="metric='taxonomy': these votes are grades"):
        ft.alternative_annotator(human, model, metric="taxonomy")
    with pytest.raises(ft.errors.DataError, match=r"metric\(0.0, 0.0\) = nan: must be finite"):
        ft.alternative_annotator(human, model, metric=lambda a, b: float("nan"))
    alone = ft.Judgments.from_columns(list("qrs"), list("abc"), [1, 1, 1], subject=list("xyz"))
    like = ft.Judgments.from_columns(list("qrs"), list("abc"), [1, 1, 1])
    with pytest.raises(ft.errors.DataError, match="no item was judged by two people"):
        ft.alternative_annotator(alone, like)
    twice = ft.Judgments.from_columns(
        ["q", "q"], ["a", "a"], [1, 0], subject=["m", "m"], repeat=["1", "2"]
    )
    with pytest.raises(ft.errors.DataError, match="'m' judged an item repeatedly; keep one"):
        ft.alternative_annotator(human, twice)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("epsilon", 1.5, "epsilon=1.5: must lie between 0 and 1"),
        ("epsilon", "x", "epsilon='x': must be a number"),
        ("metric", "f1", "metric='f1': must be one of 'accuracy'"),
        ("metric", 3, "metric=3: must be one of"),
        ("alpha", 0, "alpha=0: must lie between 0 and 1"),
        ("min_items", 1, "min_items=1: must be 2 or more"),
        ("over", "topic", "over='topic': must be one of 'item', 'query'"),
        ("across_models", 1, "across_models=1: must be True or False"),
    ],
)
def test_wrong_options(option: str, value: Any, message: str) -> None:
    votes = random_votes(1, missing=0.0, queries=30)
    human, model = judgments(votes, ["p0", "p1", "p2"]), judgments(votes, ["m"])
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.alternative_annotator(human, model, **{option: value})
