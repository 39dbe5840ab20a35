"""Real runs of CLEF eHealth TAR 2017: official average precision, and values of pytrec_eval."""

from pathlib import Path

import pandas as pd
import pytest
import pytrec_eval

import fuzzytruth as ft
from fuzzytruth.measures.other_tools import NICKNAMES

CLEF = Path(__file__).parents[1] / "reference_data" / "clef_tar2017"
LEVEL = {"abstract": "AP(rel=1)", "document": "AP(rel=2)"}
NO_VALUES = {"gm_map", "gm_bpref", "num_q"}

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


@pytest.fixture(scope="module")
def clef():
    qrels = pd.read_parquet(CLEF / "qrels.parquet").rename(columns={"pmid": "item"})
    runs = pd.read_parquet(CLEF / "runs.parquet").rename(columns={"pmid": "item"})
    return qrels, runs


def test_official_average_precision(clef):
    qrels, frame = clef
    official = pd.read_parquet(CLEF / "official_ap.parquet")
    runs = ft.Runs.from_frame(frame, order_by="rank", duplicates="first")
    scores = ft.evaluate(ft.Judgments.from_frame(qrels), runs, list(LEVEL.values())).to_frame()
    scores = scores.assign(
        qrel_level=scores["measure"].map(
            {str(ft.measures.parse_measure(v)): k for k, v in LEVEL.items()}
        )
    )
    depth = frame.groupby(["run", "topic"], observed=True).size().rename("depth").reset_index()
    cells = official.astype({"run": str, "topic": str}).merge(
        scores.rename(columns={"system": "run", "query": "topic"}),
        on=["run", "topic", "qrel_level"],
    )
    cells = cells.merge(depth.astype({"run": str, "topic": str}), on=["run", "topic"])
    # Files are cut at rank 1,000: what lies deeper adds next to nothing for ecnu only.
    whole = (cells["depth"] < 1000) | cells["run"].str.startswith("ecnu")
    assert whole.sum() >= 280
    difference = (cells["value"] - cells["ap"])[whole]
    assert difference.notna().all()
    assert difference.abs().max() <= 0.001 + 1e-12


def by_topic(frame: pd.DataFrame, column: str) -> dict[str, dict[str, float]]:
    parts = frame.astype({"topic": str, "item": str}).groupby("topic")
    return {
        topic: dict(zip(part["item"], part[column].tolist(), strict=True)) for topic, part in parts
    }


@pytest.mark.parametrize("system", ["ecnu.run2", "waterloo.A-rank-normal"])
def test_equals_pytrec_eval(clef, system):
    qrels, runs = clef
    rows = runs[runs["run"] == system].drop(columns="rank")
    names = [name for name in NICKNAMES["all_trec"] if name not in NO_VALUES]
    evaluator = pytrec_eval.RelevanceEvaluator(by_topic(qrels, "rel_level"), names)
    expected = evaluator.evaluate(by_topic(rows, "score"))
    columns = [name for name in next(iter(expected.values())) if name not in NO_VALUES]
    judgments = ft.Judgments.from_frame(qrels)
    scores = ft.evaluate(judgments, ft.Runs.from_frame(rows), columns)
    value = scores.to_frame().set_index(["measure", "query"])["value"]
    assert scores.systems == (system,)
    assert len(expected) >= 27
    for query, row in expected.items():
        found = {name: value[str(ft.measures.parse_measure(name)), query] for name in columns}
        assert found == pytest.approx({name: row[name] for name in columns}, abs=1e-9), query
