"""Equal to pytrec_eval, query by query, on messy and on real runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from support.messy import messy
from support.scores_for_tests import dense

import fuzzytruth as ft

#: pytrec_eval's name -> ours
SAME = {
    "map": "AP",
    "map_cut_10": "AP@10",
    "P_5": "P@5",
    "P_100": "P@100",
    "recall_5": "R@5",
    "recall_1000": "R@1000",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_100": "nDCG@100",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "infAP": "infAP",
    "success_1": "Success@1",
    "success_10": "Success@10",
    "set_P": "P",
    "set_recall": "R",
    "set_F": "F",
    "11pt_avg": "11pt_avg",
    **{f"iprec_at_recall_{j / 10:.2f}": f"IPrec@{j / 10:g}" for j in range(11)},
    "num_ret": "num_ret",
    "num_rel": "num_rel",
    "num_rel_ret": "num_rel_ret",
}
CLEF = Path(__file__).parents[1] / "reference_data" / "clef_tar2017"


def reference(truth, run, level=1):
    evaluator = pytrec_eval.RelevanceEvaluator(
        truth, pytrec_eval.supported_measures, relevance_level=level
    )
    return evaluator.evaluate(run)


def at_level(measure: str, level: int) -> str:
    """Our measure at another threshold; graded measures stay as they are."""
    parsed = ft.parse_measure(measure)
    if level == 1 or parsed.threshold is None:
        return measure
    name, _, cutoff = str(parsed).partition("@")
    return f"{name}(rel={level})" + (f"@{cutoff}" if cutoff else "")


def assert_equal(scores: ft.Scores, expected, level=1) -> int:
    compared = 0
    for theirs, ours in SAME.items():
        m = scores.measures.index(str(ft.parse_measure(at_level(ours, level))))
        for j, query in enumerate(scores.queries):
            if query in expected:
                assert dense(scores)[0, m, 0, j] == pytest.approx(
                    expected[query][theirs], abs=1e-9
                ), (theirs, query)
                compared += 1
    return compared


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_equals_pytrec_eval_on_messy_runs(seed, level):
    truth, run = messy(np.random.default_rng(seed))
    measures = [at_level(ours, level) for ours in SAME.values()]
    scores = ft.evaluate(truth, {"sys": run}, measures)
    assert assert_equal(scores, reference(truth, run, level), level) > 500


@pytest.fixture(scope="module")
def clef():
    qrels = pd.read_parquet(CLEF / "qrels.parquet").astype({"topic": str, "pmid": str})
    runs = pd.read_parquet(CLEF / "runs.parquet").astype({"run": str, "topic": str, "pmid": str})
    return qrels, runs


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("system", ["ecnu.run2", "iiit.run1", "waterloo.A-rank-normal"])
def test_equals_pytrec_eval_on_clef(clef, system, level):
    qrels, runs = clef
    rows = runs[runs["run"] == system]
    truth = {
        topic: dict(zip(part["pmid"], part["rel_level"].tolist(), strict=True))
        for topic, part in qrels.groupby("topic")
    }
    run = {
        topic: dict(zip(part["pmid"], part["score"].tolist(), strict=True))
        for topic, part in rows.groupby("topic")
    }
    judgments = ft.Judgments.from_frame(qrels.rename(columns={"pmid": "item"}))
    mine = ft.Runs.from_frame(rows.rename(columns={"pmid": "item"}).drop(columns="rank"))
    measures = [at_level(ours, level) for ours in SAME.values()]
    scores = ft.evaluate(judgments, mine, measures)
    assert scores.systems == (system,)
    assert assert_equal(scores, reference(truth, run, level), level) >= 27 * len(SAME)
