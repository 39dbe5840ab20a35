"""Agreement of judges with people."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

import fuzzytruth as ft
from fuzzytruth.annotators.ratings import COLUMNS
from fuzzytruth.core.student import quantile
from fuzzytruth.errors import DegenerateWarning, LeftOutWarning, OptionError, ScaleWarning


def judged(frame: pd.DataFrame, human: str, model: str, *more: Any, **options: Any) -> Any:
    """`judge_agreement` of the subjects with these names, separated by blanks."""
    return ft.judge_agreement(
        votes(frame, *human.split()), votes(frame, *model.split()), *more, **options
    )


def grades(seed: int, wrong: dict[str, float], n_queries: int = 15) -> pd.DataFrame:
    """Grades 0 to 3 of subjects who err with these probabilities, up to 6 items a query."""
    rng = np.random.default_rng(seed)
    units = [(f"q{q}", f"d{j}") for q in range(n_queries) for j in range(int(rng.integers(1, 7)))]
    true = rng.integers(0, 4, len(units))
    frames = []
    for name, p in wrong.items():
        grade = np.where(rng.random(len(units)) < p, rng.integers(0, 4, len(units)), true)
        frames.append(
            pd.DataFrame(units, columns=["query", "item"]).assign(subject=name, grade=grade)
        )
    return pd.concat(frames, ignore_index=True)


def votes(frame: pd.DataFrame, *names: str) -> ft.Judgments:
    return ft.Judgments.from_frame(frame[frame["subject"].isin(names)])


def cohen(a: Any, b: Any) -> float:
    table = np.zeros((4, 4))
    np.add.at(table, (np.asarray(a, dtype=int), np.asarray(b, dtype=int)), 1)
    return float(cohens_kappa(table, return_results=False))


def test_llmjudge_beside_statsmodels() -> None:
    all_votes = ft.datasets.load_llmjudge_dl23()
    names = ["willia-umbrela1", "h2oloo-fewself", "RMITIR-llama70B"]
    result = ft.judge_agreement(
        all_votes.select(subjects="human"), all_votes.select(subjects=names), n_resamples=199
    )
    wide = all_votes.to_frame().pivot(index=["query", "item"], columns="subject", values="grade")
    for row in result.judges.itertuples():
        a, b = wide[row.judge].to_numpy(), wide["human"].to_numpy()
        codes = {grade: code for code, grade in enumerate(np.unique([a, b]))}
        table = np.zeros((len(codes), len(codes)))
        np.add.at(table, ([codes[x] for x in a], [codes[x] for x in b]), 1)
        kappa = cohens_kappa(table, return_results=False)
        assert row.kappa == pytest.approx(kappa)
        squares = np.subtract.outer([*codes], [*codes]) ** 2
        weighted = cohens_kappa(table, weights=squares, return_results=False)
        assert row.weighted_kappa == pytest.approx(weighted)
        assert row.percent == pytest.approx(np.mean(a == b))
        assert row.bias == pytest.approx(np.mean(a - b))
        assert row.n_outside == np.sum(a > 3)
    outside = result.judges.set_index("judge")["n_outside"]
    assert outside[names].tolist() == [0, 0, 2]  # two grades 5: see load_llmjudge_dl23
    assert result.over == "query"
    assert result.n_clusters == 25
    assert result.constant == "0"
    assert result.people is None
    assert not result.judges["above_constant"].any()
    assert result.judges["above_chance"].all()


def test_intervals_are_the_jackknifes_over_queries() -> None:
    frame = grades(0, {"ann": 0.4, "m": 0.3})
    result = ft.judge_agreement(votes(frame, "ann"), votes(frame, "m"))
    wide = frame.pivot(index=["query", "item"], columns="subject", values="grade").reset_index()
    whole = cohen(wide["m"], wide["ann"])
    queries = wide["query"].unique()
    parts = np.array(
        [cohen(*(wide.loc[wide["query"] != q, name] for name in ("m", "ann"))) for q in queries]
    )
    n = len(queries)
    error = np.sqrt((n - 1) / n * ((parts - parts.mean()) ** 2).sum())
    half = float(quantile(0.95, n - 1)) * error
    row = result.judges.iloc[0]
    assert row["kappa"] == pytest.approx(whole)
    assert [row["kappa_lower"], row["kappa_upper"]] == pytest.approx([whole - half, whole + half])
    assert result.comparison is None
    assert row["among_best"]
    loose = ft.judge_agreement(votes(frame, "ann"), votes(frame, "m"), over="item")
    assert loose.over == "item"
    assert loose.judges["kappa"][0] == pytest.approx(whole)
    assert loose.judges["kappa_lower"][0] != pytest.approx(row["kappa_lower"])


def test_several_people() -> None:
    frame = grades(1, {"ann": 0.3, "bob": 0.3, "cat": 0.3, "m": 0.1, "n": 0.9}, 30)
    result = ft.judge_agreement(votes(frame, "ann", "bob", "cat"), votes(frame, "m", "n"))
    wide = frame.pivot(index=["query", "item"], columns="subject", values="grade")
    for name in "mn":
        shares = [np.mean(wide[name] == wide[person]) for person in ("ann", "bob", "cat")]
        row = result.judges.set_index("judge").loc[name]
        assert row["percent"] == pytest.approx(np.mean(shares))
    given = wide[["ann", "bob", "cat"]].to_numpy()
    table = np.array([[(row == v).sum() for v in range(4)] for row in given])
    assert result.people is not None
    assert result.people["kappa"] == pytest.approx(fleiss_kappa(table))
    checks = result.judges.set_index("judge")[["above_chance", "above_constant", "below_people"]]
    assert checks.loc["m"].tolist() == [True, True, False]
    assert checks.loc["n"].tolist() == [False, False, True]
    assert result.judges["among_best"].tolist() == [True, False]
    assert result.judges["rank_lower"].tolist() == [1, 2]
    assert "n" in str(result).split("People with each other")[0]


def test_kappa_that_is_not_defined() -> None:
    units = [("q" + str(j), "d", 1) for j in range(8)]
    frame = pd.DataFrame(units, columns=["query", "item", "grade"])
    human = ft.Judgments.from_frame(frame.assign(subject="ann"))
    model = ft.Judgments.from_frame(
        pd.concat([frame.assign(subject="m"), frame.assign(subject="n", grade=[0, 1] * 4)])
    )
    with pytest.warns(DegenerateWarning, match="kappa of 1 judge is not defined, .*: m"):
        result = ft.judge_agreement(human, model)
    assert result.judges["kappa"].isna().tolist() == [True, False]
    assert result.judges["among_best"].tolist() == [False, True]
    assert "–" in str(result)
    agreed = ft.judge_agreement(human, model, coefficient="percent")
    assert agreed.judges["percent"].tolist() == [1, 0.5]


def test_categories() -> None:
    tree = ft.Taxonomy.from_children({"all": ["a", "b", "c"]})
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 50)
    items = [f"i{j}" for j in range(50)]

    def given(name: str, wrong: float) -> pd.DataFrame:
        codes = np.where(rng.random(50) < wrong, rng.integers(0, 3, 50), true)
        return pd.DataFrame(
            {"subject": name, "item": items, "category": [*np.array([*"abc"])[codes]]}
        )

    ann, m = given("ann", 0.2), given("m", 0.3)
    result = ft.judge_agreement(
        ft.Assignments.from_frame(ann, taxonomy=tree), ft.Assignments.from_frame(m, taxonomy=tree)
    )
    assert result.over == "item"
    assert result.judges["percent"][0] == np.mean(ann["category"] == m["category"])
    assert "weighted_kappa" not in result.judges
    assert "bias" not in result.to_frame()
    with pytest.raises(
        ft.errors.DataError, match="coefficient='weighted_kappa': these votes are categories"
    ):
        ft.judge_agreement(
            ft.Assignments.from_frame(ann, taxonomy=tree),
            ft.Assignments.from_frame(m, taxonomy=tree),
            coefficient="weighted_kappa",
        )
    with pytest.raises(ft.errors.OptionError, match="runs: are scored by judgments of items"):
        ft.judge_agreement(
            ft.Assignments.from_frame(ann, taxonomy=tree),
            ft.Assignments.from_frame(m, taxonomy=tree),
            {"x": {"q": ["a"]}},
        )


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_orders_of_systems() -> None:
    frame = grades(5, {"ann": 0.1, "bob": 0.1, "m": 0.1, "x": 0.1, "y": 0.5, "z": 0.9}, 30)
    upside_down = frame[frame["subject"] == "m"]
    upside_down = upside_down.assign(subject="n", grade=3 - upside_down["grade"])
    frame = pd.concat([frame, upside_down], ignore_index=True)
    runs = ft.Runs.from_judgments(votes(frame, *"xyz"))
    human, model = votes(frame, "ann", "bob"), votes(frame, "m", "n")
    result = ft.judge_agreement(human, model, runs, ["nDCG@3", "AP"], n_resamples=199)
    assert result.orders is not None
    assert result.orders[["judge", "measure"]].values.tolist() == [
        ["m", "nDCG@3"],
        ["n", "nDCG@3"],
        ["m", "AP"],
        ["n", "AP"],
    ]
    ours = ft.evaluate(human, runs, ["nDCG@3", "AP"], worlds="subject")
    theirs = ft.evaluate(model, runs, ["nDCG@3", "AP"], worlds="subject").mean(by="subject")
    compared = ft.compare(ours, n_resamples=199).to_frame(full=True)
    for row in result.orders.itertuples():
        means = theirs[row.measure].xs(row.judge, level="subject")
        expected = kendalltau(ours.mean()[row.measure], means).statistic
        assert row.tau_b == pytest.approx(expected)
        pairs = compared[(compared["measure"] == row.measure) & compared["significant"]]
        turned = [
            (means[pair.system_a] - means[pair.system_b]) * pair.difference < 0
            for pair in pairs.itertuples()
        ]
        assert (row.n_significant, row.n_reversed) == (len(pairs), sum(turned))
        assert row.lower <= row.tau_b <= row.upper
    by_n = result.orders[(result.orders["judge"] == "n") & (result.orders["measure"] == "nDCG@3")]
    assert by_n["tau_b"].item() == -1
    assert by_n["share_reversed"].item() == 1
    same = ft.judge_agreement(human, model, runs, "nDCG@3", n_resamples=199)
    assert same.orders is not None
    pd.testing.assert_frame_equal(same.orders, result.orders.iloc[:2])


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_errors() -> None:
    frame = grades(7, {"ann": 0.1, "m": 0.2, "x": 0.1, "y": 0.5}, 20)
    human, model = votes(frame, "ann"), votes(frame, "m")
    runs = ft.Runs.from_judgments(votes(frame, "x"))
    with pytest.raises(ft.errors.DataError, match=r"one system, .*; an order takes two"):
        ft.judge_agreement(human, model, runs)
    both = ft.Runs.from_judgments(votes(frame, "x", "y"))
    part = frame[(frame["subject"] != "m") | (frame["query"] != "q3")].replace("y", "w")
    with pytest.raises(
        ft.errors.DataError, match="'m' did not judge every query that people judged"
    ):
        ft.judge_agreement(human, votes(part, "m", "w"), both)
    with pytest.raises(
        ft.errors.OptionError, match="coefficient='alpha': must be one of 'percent'"
    ):
        ft.judge_agreement(human, model, coefficient="alpha")  # type: ignore[arg-type]
    with pytest.raises(ft.errors.OptionError, match="over='subject': must be one of"):
        ft.judge_agreement(human, model, over="subject")  # type: ignore[arg-type]
    with pytest.raises(ft.errors.OptionError, match="level=2"):
        ft.judge_agreement(human, model, level=2)


def half_hard(seed: int) -> pd.DataFrame:
    """Of ann, bob (the hard half alone), and judges: all is right in most easy items, few hard."""
    rng = np.random.default_rng(seed)
    units = [(f"q{q:02}", f"d{j}") for q in range(20) for j in range(30)]
    true, hard = rng.integers(0, 2, len(units)), np.tile(np.arange(30) < 15, 20)
    right = {"ann": (0.85, 0.98), "bob": (0.85, 0), "a": (0.6, 0.97), "b": (0, 0.85)}
    frames = []
    for name, (of_hard, of_easy) in right.items():
        p = np.where(hard, of_hard, of_easy)
        grade = np.where(rng.random(len(units)) < p, true, 1 - true)
        frame = pd.DataFrame(units, columns=["query", "item"]).assign(subject=name, grade=grade)
        frames.append(frame[p > 0])
    return pd.concat(frames, ignore_index=True)


def test_judges_are_compared_on_what_all_judged() -> None:
    """A judge that leaves out the hard half is no better for it."""
    frame = half_hard(0)
    with pytest.warns(
        LeftOutWarning, match=r"compared on .* 300 of 600 units \(the fewest: 'b', 3"
    ):
        result = ft.judge_agreement(votes(frame, "ann"), votes(frame, "a", "b"))
    rows = result.judges.set_index("judge")
    assert rows.loc["b", "kappa"] > rows.loc["a", "kappa"] + 0.05  # each on its own units
    assert rows["among_best"].to_dict() == {"a": True, "b": False}
    assert result.n_compared == 300
    assert "compared on the 300 units" in str(result)
    easy = frame.merge(frame.loc[frame["subject"] == "b", ["query", "item"]])
    same = ft.judge_agreement(votes(easy, "ann"), votes(easy, "a", "b"))
    assert same.n_compared is None
    assert result.comparison is not None
    assert same.comparison is not None
    pd.testing.assert_frame_equal(result.comparison.to_frame(), same.comparison.to_frame())


def test_judges_of_different_units_are_not_compared() -> None:
    frame = grades(9, {"ann": 0.1, "m": 0.2, "n": 0.3}, 20)
    odd = frame["query"].str.endswith(tuple("13579"))
    part = frame[(frame["subject"] == "ann") | (odd == (frame["subject"] == "m"))]
    with pytest.warns(LeftOutWarning, match="not compared, since all of them judged only 0 of"):
        result = ft.judge_agreement(votes(part, "ann"), votes(part, "m", "n"))
    assert result.comparison is None
    assert "Judges are not compared: all of them judged 0 units in common." in str(result)


def test_below_people_is_on_units_that_several_judged() -> None:
    frame = half_hard(1)
    people, judge = votes(frame, "ann", "bob"), votes(frame, "a")
    result = ft.judge_agreement(people, judge, coefficient="percent")
    assert result.people is not None
    gap = result.judges["percent"].item() - result.people["percent"]
    assert gap > 0.02  # it is the easy items that lift the judge above the people
    assert result.judges["below_people"].item()
    hard = frame.merge(frame.loc[frame["subject"] == "bob", ["query", "item"]])
    same = ft.judge_agreement(votes(hard, "ann", "bob"), votes(hard, "a"), coefficient="percent")
    assert same.judges["below_people"].item()


def test_kappa_without_an_interval() -> None:
    units = [(f"q{q}", f"d{j}", int(q == 0 and j < 5)) for q in range(12) for j in range(10)]
    frame = pd.DataFrame(units, columns=["query", "item", "grade"])
    miss = frame.assign(grade=frame["grade"] * (frame["item"] != "d4"))
    other = frame.assign(grade=(np.arange(120) % 3 == 0).astype(int))
    human = ft.Judgments.from_frame(frame.assign(subject="ann"))
    model = ft.Judgments.from_frame(
        pd.concat([miss.assign(subject="m"), other.assign(subject="n")])
    )
    with pytest.warns(DegenerateWarning, match="not compared, not being defined without"):
        result = ft.judge_agreement(human, model)
    assert "Judges are not compared: fewer than two have a kappa with an" in str(result)


@pytest.mark.parametrize("by", ["percent", "weighted_kappa"])
def test_columns_are_those_that_are_documented(by) -> None:
    votes = ft.datasets.load_llmjudge_dl23()
    judges = votes.select(subjects=["Olz-gpt4o", "TREMA-CoT"])
    result = ft.judge_agreement(
        votes.select(subjects="human"), judges, coefficient=by, n_resamples=99
    )
    short, full = result.to_frame(), result.to_frame(full=True)
    assert [*short] == ["judge", *COLUMNS, "bias", "best"]
    assert [*full][: len(short.columns)] == [*short]
    assert {*full} == {*result.judges, *short}
    documented = result.to_frame.__doc__ or ""
    assert all(name in documented for name in short)
    same = {"lower": f"{by}_lower", "value": by, "best": "among_best"}
    assert all(full[one].tolist() == full[other].tolist() for one, other in same.items())
    rows = result.judges.set_index("judge").loc[full["judge"]]
    assert full["bias_upper"].tolist() == rows["bias_upper"].tolist()


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.TieWarning")
def test_judges_on_scales_of_their_own() -> None:
    """0 to 5, 0 to 3 and 0 or 1: said, and compared once each has a threshold."""
    rng = np.random.default_rng(4)
    true = rng.integers(0, 6, 120)
    given = {
        "ann": true,
        "five": np.clip(true + rng.integers(-2, 3, 120), 0, 5),
        "three": true // 2,
        "binary": np.where(rng.random(120) < 0.05, true < 3, true >= 3) * 1,
    }
    units = {"query": [f"q{j // 6}" for j in range(120)], "item": range(120)}
    frame = pd.concat([pd.DataFrame(units).assign(subject=n, grade=g) for n, g in given.items()])
    human, model = votes(frame, "ann"), votes(frame, "five", "three", "binary")
    runs = ft.Runs.from_judgments(model)
    with pytest.warns(ScaleWarning) as said:
        ft.judge_agreement(human, model, runs, "AP", n_resamples=99)
    scales = [str(w.message) for w in said if issubclass(w.category, ScaleWarning)]
    assert len(scales) == 1  # the scores by judges do not repeat it
    assert "2 subjects of 4 keep to a shorter scale (three 0 to 2, binary 0 to 1)" in scales[0]
    with pytest.warns(ScaleWarning, match=r", or use human.rescaled\(\) and model.rescaled\(\)$"):
        ft.judge_agreement(human, model, coefficient="weighted_kappa", n_resamples=99)
    rel = {"ann": 3, "five": 3, "three": 2, "binary": 1}
    found = ft.judge_agreement(human, model, rel=rel, n_resamples=99)
    kappa = found.judges.set_index("judge")["kappa"]
    assert kappa["binary"] > 0.8 > kappa["five"]
    for name, threshold in (("five", 3), ("three", 2), ("binary", 1)):
        assert kappa[name] == pytest.approx(cohen(given[name] >= threshold, true >= 3))
    with pytest.warns(ScaleWarning, match=r"of 2 of 4 subjects .*\(three up to 2, .*; binary up"):
        ft.judge_agreement(human, model, rel=3, n_resamples=99)
    test = ft.alternative_annotator(model, human, rel=rel, over="item")
    assert test.people["judge"].unique().tolist() == ["ann"]
    for wrong, problem in {
        "ann": "no threshold for 3 subjects: five, three, binary",
        "zoe": "rel: 'zoe' is not among the subjects: ann, five, three, binary",
    }.items():
        with pytest.raises(OptionError, match=problem):
            ft.judge_agreement(human, model, rel={wrong: 1})
    with pytest.raises(OptionError, match="rel: no grade reaches the threshold"):
        ft.judge_agreement(human, model, rel=6)
    categories = ft.datasets.load_imagenet_dogs().votes
    with pytest.raises(OptionError, match="rel: is for grades, and these votes have categories"):
        ft.judge_agreement(categories, categories, rel=1)
