"""From truth and runs to scores: conventions, warnings, errors, invariances."""

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.messy import messy
from support.small_collections import TREE, make_runs, make_votes
from support.variants import VARIANTS

import fuzzytruth as ft
from fuzzytruth.errors import (
    MeasureNameWarning,
    MissingQueryWarning,
    UndefinedMeasureWarning,
    UnjudgedQueryWarning,
)

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


RUN = {"sys": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}}


def test_undefined_measures():
    truth = {"q1": {"a": 1}, "q2": {"b": 0}}
    run = {"sys": {"q1": {"a": 1.0}, "q2": {"b": 1.0}}}
    with pytest.warns(UndefinedMeasureWarning, match=r"AP: 1 of 2 queries \(q2\)"):
        zero = ft.evaluate(truth, run, ["AP", "P@1"])
    assert zero.mean().loc["sys", "AP"] == 0.5
    with pytest.warns(UndefinedMeasureWarning, match="left out"):
        out = ft.evaluate(truth, run, ["AP", "P@1"], undefined="exclude")
    assert out.mean().loc["sys", "AP"] == 1.0
    assert out.mean().loc["sys", "P@1"] == 0.5
    assert np.isnan(out.to_frame().query("query == 'q2' and measure == 'AP'")["value"]).all()


def test_one_warning_of_hits_however_many_cutoffs() -> None:
    measures = ["hits@1", "hits@2", "HR@1", "AP"]
    with pytest.warns(MeasureNameWarning, match="'hits@1', 'hits@2' counts .* Success@1") as caught:
        scores = ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, measures)
    assert len(caught) == 1
    assert scores.measures == ("NumRelRet@1", "NumRelRet@2", "Success@1", "AP")


def test_means_need_neither_tables_nor_figures(tmp_path: Path) -> None:
    """Whose libraries take longer to import than a small run takes to score."""
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 b 1 2 x\nq Q0 a 2 1 x\n")
    code = (
        "import sys, fuzzytruth as ft\n"
        "scores = ft.evaluate('qrels', 'run', ['RR'])\n"
        "assert scores.values.mean() == 0.5\n"
        "unwanted = {'pandas', 'scipy', 'matplotlib', 'fuzzytruth.plots', 'numpy.ma'}\n"
        "print(*sorted(unwanted & set(sys.modules)))\n"
    )
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "\n"


MEASURES = ["infAP", "Judged@3", "AP", "nDCG@5", "P@5", "R@10", "RR", "Rprec", "bpref", "RBP"]


#: ann and bob judged all of q1, only ann judged q2
VOTES = pd.DataFrame(
    [
        ("q1", "a", "ann", 1),
        ("q1", "b", "ann", 0),
        ("q1", "a", "bob", 0),
        ("q1", "b", "bob", 1),
        ("q2", "c", "ann", 1),
    ],
    columns=["query", "item", "subject", "grade"],
)


def test_files_as_written(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\nq2 Q0 c 1 1.0 x\n")
    (tmp_path / "b.run").write_text("q1 Q0 b 1 2.0 x\nq1 Q0 a 2 1.0 x\nq2 Q0 c 1 1.0 x\n")
    truth = ft.read_judgments(tmp_path / "qrels.txt")
    runs = ft.read_runs({"a": tmp_path / "a.run", "b": tmp_path / "b.run"})
    scores = ft.evaluate(truth, runs, ["AP", "ndcg_cut_10", "P@10", "R@100", "RR"])
    assert scores.mean()["AP"].to_dict() == {"a": 1.0, "b": 0.75}
    assert scores.measures == ("AP", "nDCG@10", "P@10", "R@100", "RR")
    assert len(scores.to_frame()) == 2 * 2 * 5


def test_each_subject_is_a_truth_and_data_are_never_changed():
    before = VOTES.copy()
    scores = ft.evaluate(VOTES, RUN, ["AP", "RR"], worlds="subject")
    frame = scores.to_frame()
    assert frame["subject"].tolist() == ["ann", "bob", "ann", "bob", "ann", "ann"]
    assert frame["value"].tolist() == [1.0, 0.5, 1.0, 0.5, 1.0, 1.0]
    by_subject = scores.mean(by="subject")["AP"]
    assert by_subject.tolist() == [1.0, 0.5]  # bob judged nothing for q2: no cell, no 0
    assert scores.mean().loc["sys", "AP"] == (0.75 + 1.0) / 2
    merged = ft.Judgments.from_frame(VOTES).aggregate("max")
    assert ft.evaluate(merged, RUN, ["AP"], worlds="crisp").mean().loc["sys", "AP"] == 1.0
    pd.testing.assert_frame_equal(VOTES, before)


def test_queries_of_one_side_are_counted():
    truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    with pytest.warns(MissingQueryWarning, match=r"sys \(2: q2, q3\)"):
        scores = ft.evaluate(truth, {"sys": {"q1": ["a"]}}, ["AP", "P@1"])
    assert scores.mean().loc["sys", "AP"] == pytest.approx(1 / 3)
    with pytest.warns(UnjudgedQueryWarning, match=r"sys \(1: q9\)"):
        ft.evaluate({"q1": {"a": 1}}, {"sys": {"q1": ["a"], "q9": ["a"]}}, "AP")


EXAMPLE = ft.Assignments.from_frame(
    make_votes(1, ft.Taxonomy.from_children(TREE)), taxonomy=ft.Taxonomy.from_children(TREE)
).by_example()


OF_EXAMPLE = {"truth": EXAMPLE, "runs": make_runs(2), "worlds": "subject", "missing": "nonrelevant"}


RUNS = ft.Runs.from_dict({"s": {"q": {"a": 1.0}}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ["ndgc@10"]}, r"'ndgc@10' is not known; did you mean nDCG"),
        ({"measures": []}, "no measure given"),
        ({"measures": {"s": {"q": {"a": 1.0}}}}, "not dict; evaluate takes truth, runs"),
        ({"measures": RUNS}, "not Runs; evaluate takes"),
        ({"ties": "random"}, r"ties='random': must be one of 'trec', 'order', 'expected'"),
        ({"undefined": "nan"}, "undefined='nan'"),
        ({"missing": "drop"}, "missing='drop'"),
        ({"unjudged": "condensed"}, r"'bounds'; .* such as 'AP\(judged_only=True\)'$"),
        ({"worlds": "all"}, "worlds='all'"),
        ({"worlds": "subject"}, "these judgments have no subjects"),
        ({"truth": VOTES, "worlds": "crisp"}, "2 subjects; merge them"),
        ({"runs": {"sys": {"9": {"a": 1.0}}}}, r"no query in common: the run has 9.*has? q1|q1"),
        ({"truth": {"q1": {"a": 0.4}}}, r"AP: .*grade 1, but the largest grade is 0.4.*rel=0.4"),
        ({"measures": ["infAP"], "ties": "expected"}, "for infAP; use ties='trec'"),
        *(({"truth": truth}, "truth: give Judgments, votes.by_example") for truth in (None, [1])),
        *(({"runs": runs}, "runs: ") for runs in (None, 5, {}, [], ft.Runs({}))),
        ({"measures": lambda batch: np.full((1, 1), np.nan)}, "Broken: its kernel gave NaN"),
        ({"measures": lambda batch: np.zeros(7)}, r"Broken: .*shape \(7,\)"),
        (OF_EXAMPLE | {"unjudged": "bounds"}, "^unjudged='bounds': query by example has no"),
        (OF_EXAMPLE | {"measures": "WD"}, "votes for categories are no ranked lists"),
    ],
)
@pytest.mark.usefixtures("own_measures")
def test_one_clear_error(change, message):
    given = {"truth": {"q1": {"a": 1}}, "runs": {"sys": {"q1": {"a": 1.0}}}, "measures": ["AP"]}
    given |= change
    if callable(given["measures"]):
        given["measures"] = ft.register(given["measures"], name="Broken")
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        ft.evaluate(given.pop("truth"), given.pop("runs"), given.pop("measures"), **given)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


@quiet
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), prefix=st.sampled_from(["x", "é", "a-long-prefix-", "0"]))
def test_invariances(seed, prefix):
    """Row order, order-preserving new ids, other runs and unjudged queries change nothing."""
    rng = np.random.default_rng(seed)
    truth, run = messy(rng, n_queries=12, n_items=30)
    before = copy.deepcopy((truth, run))
    base = ft.evaluate(truth, {"sys": run}, MEASURES)
    assert (truth, run) == before
    assert base.values.min() >= 0
    assert base.values.max() <= 1 + 1e-12
    qrels = ft.Judgments.from_dict(truth).to_frame()
    rows = ft.Runs.from_dict(run).to_frame().drop(columns="rank")
    frames = (
        (qrels.sample(frac=1, random_state=rng), rows.sample(frac=1, random_state=rng)),
        (qrels.assign(item=prefix + qrels["item"]), rows.assign(item=prefix + rows["item"])),
        (qrels, {"sys": run | {"unjudged": {"d1": 1.0}}, "other": run}),
    )
    for frame, lists in frames:
        scores = ft.evaluate(frame, lists, MEASURES)
        place = [scores.queries.index(query) for query in base.queries]
        for values in scores.values:
            np.testing.assert_array_equal(values[:, place], base.values[0])


@pytest.mark.usefixtures("own_measures")
def test_one_number_a_query_will_do_for_all_subjects():
    ft.register(lambda batch: batch.length * 1.0, name="Listed")
    scores = ft.evaluate(VOTES, RUN, "Listed", worlds="subject")
    assert scores.to_frame()["value"].tolist() == [2.0, 2.0, 1.0]
    turned = ft.register(lambda batch: np.zeros((batch.n_queries, batch.n_worlds)), name="Turned")
    frame = pd.DataFrame({"query": ["q1"] * 3, "item": "a", "subject": list("xyz"), "grade": 1})
    with pytest.raises(ft.MeasureError, match=r"shape \(1, 3\).*\(3, 1\)"):
        ft.evaluate(frame, {"s": {"q1": {"a": 1.0}}}, turned, worlds="subject")


@quiet
def test_the_error_state_of_numpy_does_not_reach_into_evaluation() -> None:
    """Products of so many probabilities, and so deep discounts, are too small for a float."""
    rng = np.random.default_rng(0)
    items = [f"d{i}" for i in range(1200)]
    rows = [("q", i, s, int(rng.integers(-1, 4))) for i in items for s in "abc"]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {
        "x": {
            "q": {
                item: 1e-300 * score
                for item, score in zip(items, rng.permutation(1200), strict=True)
            }
        }
    }
    measures = [name for name in VARIANTS[::2] if "collection=" not in name]
    options: Any = {"n_worlds": 4, "rng": 0}
    want = ft.evaluate(votes, runs, measures, **options)
    labels = ft.Assignments.from_columns(
        [*"ab"] * 1200, np.repeat(items, 2), rng.choice(["cat", "dog"], 2400)
    )
    with np.errstate(all="raise"):
        found = ft.evaluate(votes, runs, measures, **options)
        pd.testing.assert_frame_equal(found.to_frame(), want.to_frame())
        lists = {"x": {items[0]: runs["x"]["q"]}}
        truth = labels.by_example(items[:1])
        assert (ft.evaluate(truth, lists, ["AP", "R@5"], rng=0).values > 0).all()
