"""From truth and runs to scores: conventions, warnings, errors, invariances."""

import copy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.messy import messy
from support.small_collections import TREE, make_runs, make_votes

import fuzzytruth as ft

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


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
        given["measures"] = ft.measures.register(given["measures"], name="Broken")
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
