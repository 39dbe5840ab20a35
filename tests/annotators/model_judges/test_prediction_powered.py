"""`prediction_powered`: from judgments or scores to rows."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft

# The systems' scores are grades, so that most items are tied.
pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.TieWarning")
SYSTEMS = ("h2oloo-fewself", "TREMA-4prompts", "willia-umbrela1")
MODELS = ("Olz-gpt4o", "RMITIR-GPT4o")


@cache
def votes() -> ft.Judgments:
    return ft.datasets.load_llmjudge_dl23()


@cache
def runs() -> ft.Runs:
    frame = votes().select(subjects=SYSTEMS).to_frame()
    frame = frame.rename(columns={"subject": "system", "grade": "score"})
    return ft.Runs.from_frame(frame[["system", "query", "item", "score"]])


def human(n: int = 12) -> ft.Judgments:
    return votes().select(subjects="human", queries=votes().queries[:n])


def model() -> ft.Judgments:
    return votes().select(subjects=MODELS)


def powered(**given: Any) -> ft.results.PredictionPowered:
    return ft.prediction_powered(human(), model(), runs(), ["nDCG@10", "P@10"], **given)


def values(judgments: ft.Judgments, measure: str) -> np.ndarray:
    """(systems, queries), of those judged."""
    scores = ft.evaluate(judgments, runs(), measure, worlds="subject")
    return scores.cells.mean_by_query(scores.values[:, 0])


def simulated(rows: int = 2, n: int = 12, n_all: int = 30) -> tuple[ft.Scores, ft.Scores]:
    rng = np.random.default_rng(9)
    f = rng.normal(0.5, 0.2, (rows, n_all))
    y = f[:, :n] + rng.normal(0, 0.1, (rows, n))
    return scores_of(y), scores_of(f)


def full(*given: Any, **options: Any) -> pd.DataFrame:
    return ft.prediction_powered(*given, **options).to_frame(full=True)


def test_real_judgments_by_hand() -> None:
    frame = powered().to_frame(full=True)
    assert len(frame) == 2 * (3 + 3)
    assert [*frame["measure"]] == ["nDCG@10"] * 6 + ["P@10"] * 6
    y = values(votes().select(subjects="human"), "P@10")[:, :12]
    f = values(model(), "P@10")
    rows = frame[frame["measure"] == "P@10"].reset_index()
    for row, one in rows.iterrows():
        a, b = [(0, None), (1, None), (2, None), (0, 1), (0, 2), (1, 2)][int(row)]
        assert one["system"] == runs().systems[a]
        yy = y[a] if b is None else y[a] - y[b]
        ff = f[a] if b is None else f[a] - f[b]
        fit = stats.linregress(ff[:12], yy)
        assert one["estimate"] == pytest.approx(fit.intercept + fit.slope * ff.mean())
        assert one["rho"] == pytest.approx(fit.rvalue)
        assert one["weight"] == pytest.approx(fit.slope)
        level = 0.95 if b is None else 1 - 0.05 / 3
        t = stats.ttest_1samp(yy, 0).confidence_interval(level)
        assert (one["human_lower"], one["human_upper"]) == pytest.approx([*t])
        t = stats.ttest_1samp(ff, 0).confidence_interval(level)
        assert (one["model_lower"], one["model_upper"]) == pytest.approx([*t])
        assert one["bias"] == pytest.approx((ff[:12] - yy).mean())
        half = stats.t.ppf((1 + level) / 2, 10) * one["std_error"]
        assert one["upper"] - one["estimate"] == pytest.approx(half)
        alone = (one["human_upper"] - one["human_lower"]) / 2
        assert one["width_ratio"] == pytest.approx(half / alone)
        if b is not None:
            p = 2 * stats.t.sf(abs(one["estimate"]) / one["std_error"], 10)
            assert one["p"] == pytest.approx(p)
            assert one["p_adjusted"] == pytest.approx(min(1, 3 * p))


def test_each_judge_alone() -> None:
    by = powered(by="judge", differences=False)
    frame = by.to_frame(full=True)
    assert by.conditions.judges == MODELS
    for judge in MODELS:
        given = (human(), votes().select(subjects=judge), runs(), ["nDCG@10", "P@10"])
        part = frame[frame["judge"] == judge].drop(columns="judge").reset_index(drop=True)
        pd.testing.assert_frame_equal(part, full(*given, differences=False))
    assert [*by.to_frame()] == [
        *("measure", "judge", "system", "minus", "estimate", "lower", "upper", "extra")
    ]


def test_differences_to_a_baseline() -> None:
    frame = powered(baseline="willia-umbrela1", correction="none").to_frame(full=True)
    pairs = frame[frame["minus"].notna() & (frame["measure"] == "P@10")]
    assert {*pairs["minus"]} == {"willia-umbrela1"}
    assert len(pairs) == 2
    assert (pairs["p_adjusted"] == pairs["p"]).all()
    joint = powered(baseline="willia-umbrela1").to_frame(full=True)
    joint = joint.loc[pairs.index]
    wider = (joint["upper"] - joint["lower"]) / (pairs["upper"] - pairs["lower"])
    assert wider.to_numpy() == pytest.approx(stats.t.ppf(0.9875, 10) / stats.t.ppf(0.975, 10))
    assert joint["p_adjusted"].to_numpy() == pytest.approx(np.minimum(2 * pairs["p"], 1))


def test_a_given_weight() -> None:
    people, models = simulated()
    for given, weight in ((False, 1.0), (0.25, 0.25), (0, 0.0)):
        row = full(people, models, power_tuning=given).iloc[0]
        assert (row["weight"], row["df"]) == (weight, 11)
        shift = models.values[0, 0].mean() - models.values[0, 0, :12].mean()
        assert row["estimate"] == pytest.approx(row["human"] + weight * shift)
    assert (row["lower"], row["upper"]) == pytest.approx((row["human_lower"], row["human_upper"]))
    assert row["extra"] == 0


def test_these_queries_and_no_population() -> None:
    people, models = simulated()
    here = ft.prediction_powered(people, models, finite=True).to_frame(full=True)
    everywhere = ft.prediction_powered(people, models).to_frame(full=True)
    assert (here["upper"] - here["lower"] < everywhere["upper"] - everywhere["lower"]).all()
    means = here["minus"].isna()
    assert (here["model_lower"] == here["model_upper"])[means].all()
    whole = ft.prediction_powered(models, models, finite=True).to_frame(full=True)
    assert (whole["lower"] == whole["upper"]).all()
    assert whole["estimate"].to_numpy() == pytest.approx(whole["human"])
    assert whole["p"].tolist()[2] == 0


def test_judges_who_judged_some_queries() -> None:
    """Each is taken on the queries that it judged; the others are counted."""
    rng = np.random.default_rng(5)
    f = rng.normal(size=(2, 3, 30))  # (systems, judges, queries)
    f[:, 1, 10:] = np.nan
    f[:, 2, 1:] = np.nan
    y = f[:, 0, :12] + rng.normal(size=(2, 12))
    with pytest.warns(ft.FuzzytruthWarning) as caught:
        by = ft.prediction_powered(scores_of(y), scores_of(f), by="judge", differences=False)
    said = " ".join(str(one.message) for one in caught)
    assert "26 human values are left out because the model has none there" in said
    assert "2 means and differences have an unknown spread" in said
    frame = by.to_frame(full=True)
    assert frame["n_human"].tolist() == [12, 12, 10, 10, 1, 1]
    assert frame["n_queries"].tolist() == [30, 30, 10, 10, 1, 1]
    assert (frame["extra"][2:4] == 0).all()
    assert "1 of 3 judges" in " ".join(str(by).split())


def test_people_judged_every_query() -> None:
    people, models = simulated(n=30)
    result = ft.prediction_powered(people, models)
    frame = result.to_frame(full=True)
    pd.testing.assert_series_equal(frame["lower"], frame["human_lower"], check_names=False)
    pd.testing.assert_series_equal(frame["upper"], frame["human_upper"], check_names=False)
    assert (frame["df"] == 29).all()
    assert (frame["extra"] == 0).all()
    assert "People judged every query" in str(result)


def test_three_queries() -> None:
    people, models = simulated(n=3)
    frame = ft.prediction_powered(people, models, differences=False).to_frame(full=True)
    assert (frame["df"] == 1).all()
    with pytest.raises(ft.errors.DataError, match=r"human: 2 judged queries; .* from 3 on"):
        ft.prediction_powered(people.select(queries=["q0", "q1"]), models)


def test_queries_that_the_model_did_not_judge() -> None:
    people, models = simulated()
    some = models.select(queries=models.queries[2:])
    with pytest.raises(
        ft.errors.DataError, match=r"human: 2 queries have no judgments in model: 'q0', 'q"
    ):
        ft.prediction_powered(people, some)
    less = votes().select(subjects=MODELS, queries=votes().queries[1:])
    with pytest.raises(ft.errors.DataError, match=r"human: 1 query has no judgments in model"):
        ft.prediction_powered(human(), less, runs(), "P@10")


def test_items_that_people_left_out() -> None:
    frame = human().to_frame()
    last = frame.groupby("query").tail(1).index
    with pytest.warns(
        ft.FuzzytruthWarning, match=r"human: 12 items of these queries were judged by"
    ):
        ft.prediction_powered(frame.drop(last), model(), runs(), "P@10")


def test_values_that_are_missing_on_one_side() -> None:
    rng = np.random.default_rng(3)
    f = rng.normal(size=(2, 30))
    y = f[:, :12] + rng.normal(size=(2, 12))
    models, people = f.copy(), y.copy()
    models[0, 0], people[1, 3] = np.nan, np.nan
    with pytest.warns(ft.FuzzytruthWarning) as caught:
        frame = ft.prediction_powered(scores_of(people), scores_of(models)).to_frame(full=True)
    said = [str(one.message) for one in caught]
    assert any("1 human value is left out because the model has none there" in t for t in said)
    assert any("1 value is left out because the measure is undefined" in t for t in said)
    assert frame["n_human"].tolist() == [11, 11, 10]
    assert frame["n_queries"].tolist() == [29, 29, 28]
    fit = stats.linregress(f[0, 1:12], y[0, 1:])
    assert frame["estimate"][0] == pytest.approx(fit.intercept + fit.slope * f[0, 1:].mean())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unit": "item"}, r"unit='item': must be 'query': items of a query vary together"),
        ({"by": "subject"}, r"by='subject': must be one of None, 'judge'"),
        ({"correction": "holm"}, r"correction='holm': must be one of 'bonferroni', 'none'"),
        ({"finite": 1}, r"finite=1: must be True or False"),
        ({"differences": "all"}, r"differences='all': must be True or False"),
        ({"level": 95}, r"level=95: must lie between 0 and 1"),
        ({"power_tuning": "yes"}, r"power_tuning='yes': must be a finite number"),
        ({"baseline": "bm25"}, r"baseline='bm25' is not among"),
        ({"baseline": 3}, r"baseline=3: must be the name of a system, or several"),
        ({"baseline": []}, r"baseline: name at least one system"),
        ({"baseline": ["sys0", "sys1"]}, r"baseline: all systems are baselines"),
        ({"by": "judge"}, r"by='judge': the model's judgments name no judges"),
        ({"clusters": 3}, r"clusters=3: must be \{query: cluster\}"),
        ({"rel": 2}, r"rel: is for judgments; these are scores already"),
        ({"runs": {"x": {}}}, r"runs: is for judgments; these are scores already"),
        ({"measures": "AP"}, r"measure 'AP' is not among"),
    ],
)
def test_options(given: dict[str, Any], message: str) -> None:
    people, models = simulated()
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.prediction_powered(people, models, **given)


def test_what_is_given() -> None:
    people, models = simulated()
    with pytest.raises(
        ft.errors.OptionError, match=r"human, model: give judgments of both, or Scores"
    ):
        ft.prediction_powered(people, model(), runs(), "P@10")
    with pytest.raises(ft.errors.OptionError, match=r"runs=None: judgments need runs and measures"):
        ft.prediction_powered(human(), model())
    with pytest.raises(
        ft.errors.OptionError, match=r"measures=None: judgments need runs and measures"
    ):
        ft.prediction_powered(human(), model(), runs())
    with pytest.raises(ft.errors.OptionError, match=r"human=3: give Judgments, a frame"):
        ft.prediction_powered(3, model(), runs(), "P@10")
    with pytest.raises(ft.errors.OptionError, match=r"model=None: give Judgments, a frame"):
        ft.prediction_powered(human(), None, runs(), "P@10")
    with pytest.raises(
        ft.errors.DataError, match=r"human, model: 'sys1' is in the scores of one of the"
    ):
        ft.prediction_powered(people.select(systems="sys0"), models)


def test_what_is_printed() -> None:
    result = ft.prediction_powered(*simulated())
    assert (
        repr(result) == "PredictionPowered(2 systems, 1 measure, 12 of 30 queries judged by people)"
    )
    text = " ".join(str(result).split())
    extra = int(np.median([row.extra for row in result.rows if row.minus is None]))
    assert f"Means: the model's judgments are worth about {extra} more human-judged" in text
    assert "people alone" in text
    assert "simple random sample" in text
    one = ft.prediction_powered(*simulated(1))
    assert (len(one.rows), one.conditions.tests) == (1, 0)
    assert "simultaneous" not in str(one)
