"""From truth and runs to scores: conventions, warnings, errors, invariances."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.messy import messy
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.errors import (
    MeasureNameWarning,
    MissingQueryWarning,
    UndefinedMeasureWarning,
    UnjudgedQueryWarning,
)

MEASURES = [
    "infAP",
    "Judged@3",
    "AP",
    "nDCG@5",
    "P@5",
    "R@10",
    "RR",
    "Rprec",
    "bpref",
    "nDCG",
    "RBP",
    "Success@3",
]
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def truth_of(grades, **columns):
    return ft.Judgments.from_frame(pd.DataFrame(grades, **columns))


@pytest.fixture
def votes():
    """Two queries; ann and bob judged all of q1, only ann judged q2."""
    rows = [
        ("q1", "a", "ann", 1),
        ("q1", "b", "ann", 0),
        ("q1", "a", "bob", 0),
        ("q1", "b", "bob", 1),
        ("q2", "c", "ann", 1),
    ]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


RUN = {"sys": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}}


def test_contract_runs_as_written(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\nq2 Q0 c 1 1.0 x\n")
    (tmp_path / "b.run").write_text("q1 Q0 b 1 2.0 x\nq1 Q0 a 2 1.0 x\nq2 Q0 c 1 1.0 x\n")
    truth = ft.read_judgments(tmp_path / "qrels.txt")
    runs = ft.read_runs({"a": tmp_path / "a.run", "b": tmp_path / "b.run"})
    scores = ft.evaluate(truth, runs, ["AP", "ndcg_cut_10", "P@10", "R@100", "RR"])
    frame = scores.to_frame()[["system", "query", "measure", "value"]]
    assert len(frame) == 2 * 2 * 5
    assert scores.mean().loc["a", "AP"] == 1.0
    assert scores.mean().loc["b", "AP"] == 0.75
    assert scores.measures == ("AP", "nDCG@10", "P@10", "R@100", "RR")


def test_each_subject_is_a_truth(votes):
    scores = ft.evaluate(votes, RUN, ["AP", "RR"], worlds="subject")
    frame = scores.to_frame()
    assert frame["subject"].tolist() == ["ann", "bob", "ann", "bob", "ann", "ann"]
    assert frame["value"].tolist() == [1.0, 0.5, 1.0, 0.5, 1.0, 1.0]
    by_subject = scores.mean(by="subject")
    assert by_subject.loc[("sys", "ann"), "AP"] == 1.0
    assert by_subject.loc[("sys", "bob"), "AP"] == 0.5  # bob judged nothing for q2: no cell, no 0
    assert scores.mean().loc["sys", "AP"] == (0.75 + 1.0) / 2


def test_subject_scores_equal_those_of_each_subject_alone():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        [
            (f"q{q}", f"d{d}", f"s{s}", int(rng.integers(-1, 4)))
            for q in range(6)
            for d in range(12)
            for s in range(4)
        ],
        columns=["query", "item", "subject", "grade"],
    )
    _, run = messy(rng, n_queries=6, n_items=20)
    votes = ft.Judgments.from_frame(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        together = ft.evaluate(votes, {"sys": run}, MEASURES, worlds="subject")
        for s, name in enumerate(votes.subjects):
            alone = ft.evaluate(votes.select_subject(name), {"sys": run}, MEASURES)
            np.testing.assert_array_equal(dense(together)[:, :, s], dense(alone)[:, :, 0])


@quiet
@pytest.mark.parametrize("ties", ["trec", "order", "expected"])
def test_unseen_items(ties):
    """Holes: as grade 0, or taken out of the list, checked against doing it by hand."""
    rng = np.random.default_rng(11)
    names = [m for m in MEASURES if ties != "expected" or ft.parse_measure(m).expects_ties]
    truth, run = messy(rng, n_queries=12, n_items=25)
    rows = [(q, d, s, g) for q, ds in truth.items() for d, g in ds.items() for s in ("x", "y", "z")]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    frame["grade"] = rng.integers(-1, 4, len(frame))
    frame = frame[rng.random(len(frame)) < 0.6]
    votes = ft.Judgments.from_frame(frame)
    with pytest.raises(ft.DataError, match=r"^109 judgments are missing.*missing='nonrelevant'"):
        ft.evaluate(votes, {"sys": run}, names, ties=ties, worlds="subject")
    kept = ft.evaluate(
        votes, {"sys": run}, names, worlds="subject", missing="nonrelevant", ties=ties
    )
    out = ft.evaluate(votes, {"sys": run}, names, worlds="subject", missing="exclude", ties=ties)
    assert not np.allclose(np.nan_to_num(kept.values), np.nan_to_num(out.values))
    pool = {(q, d) for q, d in zip(frame["query"], frame["item"], strict=True)}
    for s, name in enumerate(votes.subjects):
        own = votes.select_subject(name)
        seen = frame[frame["subject"] == name]
        mine = {(q, d) for q, d in zip(seen["query"], seen["item"], strict=True)}
        shorter = {
            q: {d: v for d, v in ds.items() if (q, d) not in pool - mine} for q, ds in run.items()
        }
        at = [votes.queries.index(q) for q in own.queries]
        holes = [(q, d, 0) for q, d in sorted(pool - mine) if q in own.queries]
        whole = pd.concat(
            [
                seen[["query", "item", "grade"]],
                pd.DataFrame(holes, columns=["query", "item", "grade"]),
            ]
        )
        zeros = ft.Judgments.from_frame(whole)
        assert zeros.queries == own.queries
        for lists, judged, result in ((run, zeros, kept), (shorter, own, out)):
            alone = ft.evaluate(judged, {"sys": lists}, names, ties=ties)
            np.testing.assert_allclose(
                dense(result)[:, :, s][..., at], dense(alone)[:, :, 0], rtol=0, atol=1e-12
            )


def test_missing_queries_count_zero_and_are_named():
    truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    with pytest.warns(MissingQueryWarning, match=r"sys \(2: q2, q3\)"):
        scores = ft.evaluate(truth, {"sys": {"q1": {"a": 1.0}}}, ["AP", "P@1"])
    assert scores.mean().loc["sys", "AP"] == pytest.approx(1 / 3)


def test_unjudged_queries_are_counted():
    with pytest.warns(UnjudgedQueryWarning, match=r"sys \(1: q9\)"):
        ft.evaluate({"q1": {"a": 1}}, {"sys": {"q1": {"a": 1.0}, "q9": {"a": 1.0}}}, "AP")


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ["ndgc@10"]}, r"'ndgc@10' is not known; did you mean nDCG"),
        ({"measures": []}, "no measure given"),
        ({"measures": {"s": {"q": {"a": 1.0}}}}, "not dict; evaluate takes truth, runs"),
        ({"measures": ft.Runs.from_dict({"s": {"q": {"a": 1.0}}})}, "not Runs; evaluate takes"),
        ({"ties": "random"}, r"ties='random': must be one of 'trec', 'order', 'expected'"),
        ({"undefined": "nan"}, "undefined='nan'"),
        ({"missing": "drop"}, "missing='drop'"),
        (
            {"unjudged": "condensed"},
            r"'bounds'; .* such as 'AP\(judged_only=True\)'$",
        ),
        ({"worlds": "all"}, "worlds='all'"),
        ({"worlds": "subject"}, "these judgments have no subjects"),
        ({"runs": {"sys": {"9": {"a": 1.0}}}}, r"no query in common: the run has 9.*has? q1|q1"),
        ({"truth": {"q1": {"a": 0.4}}}, r"AP: .*grade 1, but the largest grade is 0.4.*rel=0.4"),
        ({"measures": ["infAP"], "ties": "expected"}, "for infAP; use ties='trec'"),
    ],
)
def test_one_clear_error(change, message):
    given = {"truth": {"q1": {"a": 1}}, "runs": {"sys": {"q1": {"a": 1.0}}}, "measures": ["AP"]}
    given |= change
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        ft.evaluate(given.pop("truth"), given.pop("runs"), given.pop("measures"), **given)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("truth", [None, 5, [1, 2]])
def test_what_is_no_truth_is_named(truth):
    with pytest.raises(ft.OptionError, match=r"truth: give Judgments, votes.by_example\(\)"):
        ft.evaluate(truth, RUN, "AP")


@pytest.mark.parametrize("runs", [None, 5, {}, [], ft.Runs({})])
def test_what_are_no_runs_is_named(runs):
    with pytest.raises(ft.OptionError, match="runs: "):
        ft.evaluate({"q1": {"a": 1}}, runs, "AP")


def test_crisp_worlds_need_one_truth(votes):
    with pytest.raises(ft.OptionError, match="2 subjects; merge them"):
        ft.evaluate(votes, RUN, ["AP"], worlds="crisp")
    merged = ft.Judgments.from_frame(votes).aggregate("max")
    assert ft.evaluate(merged, RUN, ["AP"], worlds="crisp").mean().loc["sys", "AP"] == 1.0


def test_a_kernel_that_gives_nan_or_a_wrong_shape_is_named():
    ft.register(lambda batch: np.full((1, batch.n_queries), np.nan), name="Broken")
    ft.register(lambda batch: np.zeros(7), name="Bent")
    with pytest.raises(ft.MeasureError, match="Broken: its kernel gave NaN"):
        ft.evaluate({"q1": {"a": 1}}, {"sys": {"q1": {"a": 1.0}}}, "Broken")
    with pytest.raises(ft.MeasureError, match=r"Bent: .*shape \(7,\)"):
        ft.evaluate({"q1": {"a": 1}}, {"sys": {"q1": {"a": 1.0}}}, "Bent")


@quiet
def test_callers_data_are_never_changed(votes):
    truth, run = messy(np.random.default_rng(2))
    before = copy.deepcopy((truth, run, votes))
    ft.evaluate(truth, {"sys": run}, MEASURES)
    ft.evaluate(votes, RUN, MEASURES, worlds="subject", missing="exclude")
    ft.evaluate(votes, RUN, MEASURES, n_worlds=20)
    assert (truth, run) == before[:2]
    pd.testing.assert_frame_equal(votes, before[2])


@quiet
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), data=st.data())
def test_invariances(seed, data):
    """Row order, order-preserving new ids and unjudged queries change nothing."""
    rng = np.random.default_rng(seed)
    truth, run = messy(rng, n_queries=12, n_items=30)
    base = ft.evaluate(truth, {"sys": run}, MEASURES)
    assert base.values.min() >= 0
    assert base.values.max() <= 1 + 1e-12

    qrels = ft.Judgments.from_dict(truth).to_frame()
    rows = ft.Runs.from_dict(run).to_frame().drop(columns="rank")
    shuffled = ft.evaluate(
        qrels.sample(frac=1, random_state=rng), rows.sample(frac=1, random_state=rng), MEASURES
    )
    pd.testing.assert_frame_equal(
        base.to_frame().drop(columns="system"),
        shuffled.to_frame()
        .set_index("query")
        .loc[list(base.queries)]
        .reset_index()[["query", "measure", "value"]],
    )
    prefix = data.draw(st.sampled_from(["x", "\u00e9", "a-very-long-prefix-", "0"]))
    renamed = ft.evaluate(
        qrels.assign(item=prefix + qrels["item"]), rows.assign(item=prefix + rows["item"]), MEASURES
    )
    np.testing.assert_array_equal(base.values, renamed.values)
    more = run | {"unjudged": {"d1": 1.0}}
    np.testing.assert_array_equal(base.values, ft.evaluate(truth, {"sys": more}, MEASURES).values)


@quiet
def test_many_systems_share_one_table():
    truth, run = messy(np.random.default_rng(8), n_queries=5)
    runs = {f"system {j}": run for j in range(40)}
    scores = ft.evaluate(truth, runs, ["AP"])
    assert len(scores.mean()) == 40
    assert scores.mean()["AP"].nunique() == 1


def test_one_number_a_query_will_do_for_all_subjects(votes):
    ft.register(lambda batch: batch.length * 1.0, name="Listed")
    result = dense(ft.evaluate(votes, RUN, "Listed", worlds="subject"))[0, 0]
    np.testing.assert_array_equal(result, [[2.0, 1.0], [2.0, np.nan]])
    turned = ft.register(lambda batch: np.zeros((batch.n_queries, batch.n_worlds)), name="Turned")
    frame = pd.DataFrame({"query": ["q1"] * 3, "item": "a", "subject": list("xyz"), "grade": 1})
    with pytest.raises(ft.MeasureError, match=r"shape \(1, 3\).*\(3, 1\)"):
        ft.evaluate(frame, {"s": {"q1": {"a": 1.0}}}, turned, worlds="subject")


def test_progress_is_the_finished_fraction():
    done: list[float] = []
    runs = {"a": {"q1": {"a": 1.0}}, "b": {"q1": {"a": 1.0}}}
    ft.evaluate({"q1": {"a": 1}}, runs, "AP", progress=done.append)
    assert done == pytest.approx([0.2, 0.6, 1.0])


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
