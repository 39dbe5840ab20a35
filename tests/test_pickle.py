"""Every public value and result comes back from pickling with its numbers."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import DAG, make_runs, make_votes

import fuzzytruth as ft

TREE = ft.Taxonomy.from_children(DAG)
ASSIGNMENTS = ft.Assignments.from_frame(make_votes(1, TREE, several=True), taxonomy=TREE)
ROWS = [
    (f"q{q}", f"d{d}", subject, int((q * d + len(subject)) % 3))
    for q in range(4)
    for d in range(5)
    for subject in ("ann", "bo", "c")
]
VOTES = ft.Judgments.from_frame(pd.DataFrame(ROWS, columns=["query", "item", "subject", "grade"]))
RUNS = ft.Runs.from_dict(
    {
        name: {f"q{q}": {f"d{(d * step + q) % 5}": 9.0 - d for d in range(5)} for q in range(4)}
        for name, step in (("one", 1), ("two", 2), ("three", 3))
    }
)
CRISP = {f"q{q}": {f"d{d}": (q + d) % 2 for d in range(5)} for q in range(4)}
MEASURES = ["AP", "nDCG@3", "P@2"]


def scores(worlds: str, **options: Any) -> ft.Scores:
    return ft.evaluate(VOTES, RUNS, MEASURES, worlds=worlds, n_worlds=50, rng=0, **options)


def of_query(found: ft.Scores) -> pd.DataFrame:
    return found.distribution("one", "q1", "AP").to_frame()


def of_difference(found: ft.Scores) -> pd.DataFrame:
    return found.difference("one", "two", "AP", query="q1").to_frame()


def frame(result: Any) -> pd.DataFrame:
    return result.to_frame()


CASES: dict[str, tuple[Callable[[], Any], tuple[Callable[[Any], Any], ...]]] = {
    "agreement": (
        lambda: ft.agreement(VOTES, metric=lambda a, b: abs(a - b)),
        (frame, repr, lambda x: x.by_category(), lambda x: x.by_item()),
    ),
    "crisp scores": (
        lambda: ft.evaluate(CRISP, RUNS, ["P@2", "AP"], unjudged="bounds"),
        (frame, lambda x: x.summary(), lambda x: x.mean(), lambda x: x.lower, of_query),
    ),
    "subject scores": (
        lambda: scores("subject"),
        (frame, lambda x: x.summary(over=("query", "subject")), lambda x: x.mean(by="subject")),
    ),
    "independent scores": (
        lambda: scores("independent"),
        (frame, lambda x: x.summary(over="world"), of_query, of_difference),
    ),
    "population scores": (
        lambda: scores("population"),
        (frame, of_query, lambda x: x.mean_distribution("two", "P@2").to_frame()),
    ),
    "scores by example": (
        lambda: ft.evaluate(ASSIGNMENTS.by_example(), make_runs(2), "P@2", rng=0),
        (frame, lambda x: x.mean_distribution("one", "P@2").to_frame()),
    ),
    "comparison": (
        lambda: ft.compare(ft.evaluate(CRISP, RUNS, MEASURES), correction="holm"),
        (frame, lambda x: x.to_latex(), lambda x: x.verdicts(), lambda x: x.superscripts()),
    ),
    "comparison over both": (
        lambda: ft.compare(scores("subject"), over=("query", "subject"), correction="holm"),
        (frame, lambda x: x.beside, lambda x: x.assumptions, lambda x: x.to_markdown()),
    ),
    "comparison of groups": (
        lambda: ft.compare_groups(scores("subject"), {"ann": 1, "bo": 2, "c": 2}),
        (lambda x: x.scores, lambda x: x.differences, lambda x: x.between, lambda x: x.verdicts()),
    ),
    "pairwise agreement": (
        lambda: ft.pairwise_agreement(VOTES, over="item"),
        (frame, lambda x: x.by_subject(), lambda x: x.matrix(), lambda x: x.duplicates()),
    ),
    "rank stability": (
        lambda: ft.rank_stability(scores("subject"), over="subject", n_resamples=50, rng=0),
        (frame, lambda x: x.systems, lambda x: x.shares, lambda x: x.pairs),
    ),
    "curves": (lambda: ft.curves(CRISP, RUNS, "PR"), (frame, lambda x: x.mean())),
    "by rank": (
        lambda: ft.by_rank(VOTES, RUNS, depth=3),
        (frame, lambda x: x.recall("one", "q2", 2).to_frame(), lambda x: x.hit_pmfs("two")),
    ),
    "by rank, after use": (
        lambda: used(ft.by_rank(VOTES, RUNS, depth=3)),
        (frame, lambda x: x.mean_curve()),
    ),
    "by rank by example": (
        lambda: ft.by_rank(ASSIGNMENTS.by_example(), make_runs(2), depth=3),
        (frame, lambda x: x.precision("one", "b", 2).to_frame()),
    ),
    "cloud": (
        lambda: ft.by_rank(VOTES, RUNS, depth=3).cloud("one", "q1"),
        (frame, lambda x: x.bands(0.9), lambda x: x.mean_curve()),
    ),
    "displacement": (
        lambda: ft.displacement(["a", "b"], [1, 0.5], ["x", "a"], unseen="optimist"),
        (frame, float, lambda x: (x.A, x.B, x.C)),
    ),
    "rank-biased overlap": (
        lambda: ft.rank_biased_overlap(["a", ["b", "c"]], ["c", "a"], p=0.8),
        (float, lambda x: (x.ext, x.min, x.max)),
    ),
    "distribution": (
        lambda: ft.poisson_binomial([0.2, 0.5, 0.9]),
        (frame, lambda x: x.interval(0.8), lambda x: x.rvs(5, rng=0)),
    ),
    "taxonomy": (lambda: TREE, (frame, lambda x: x.children("all"), hash)),
    "assignments": (lambda: ASSIGNMENTS, (frame, lambda x: x.categorisation("s1"))),
    "membership": (
        ASSIGNMENTS.membership,
        (frame, lambda x: x.probability("b", "people"), lambda x: x.agreement()),
    ),
    "by example": (
        lambda: ASSIGNMENTS.by_example(),
        (lambda x: ft.evaluate(x, make_runs(2), "P@2", rng=0).to_frame(),),
    ),
    "judgments": (lambda: VOTES, (frame, lambda x: ft.evaluate(x, RUNS, "AP", rng=0).to_frame())),
    "runs": (lambda: RUNS, (frame, lambda x: ft.evaluate(CRISP, x, "AP").to_frame())),
    "image and text": (
        lambda: ft.image_text(np.arange(9.0).reshape(3, 3) % 4, [0, 1, 2], cutoffs=(1, 2)),
        (frame, lambda x: x.mean()["Rsum"].tolist()),
    ),
    "class scores": (
        lambda: ft.class_scores(ASSIGNMENTS, ANSWERS),
        (frame, lambda x: x.recall("people").to_frame()),
    ),
}
ANSWERS = pd.DataFrame({"item": ["a", "b", "c"], "category": ["crowd", "people", "people"]})


def used(result: ft.RankDistributions) -> ft.RankDistributions:
    """Whatever it keeps from the first use is kept."""
    result.mean_curve()
    return result


def same(one: Any, two: Any) -> None:
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, two, check_exact=True)
    elif isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, two, check_exact=True)
    else:
        np.testing.assert_equal(two, one)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("name", CASES)
def test_numbers_come_back(name: str) -> None:
    make, tell = CASES[name]
    result = make()
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert repr(again) == repr(result)
    for number in tell:
        same(number(result), number(again))


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_a_new_process_reads_them_all(tmp_path) -> None:
    results = {name: make() for name, (make, _) in CASES.items()}
    (tmp_path / "results.pickle").write_bytes(pickle.dumps(results))
    code = (
        "import pathlib, pickle, sys\n"
        "results = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(pickle.dumps({k: repr(v) for k, v in results.items()}).hex())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "results.pickle")]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = {name: repr(result) for name, result in results.items()}
    assert pickle.loads(bytes.fromhex(out.stdout.strip())) == shown


def misses(batch, *, k=2, rel=1.0):
    """Items among the first k that are not relevant."""
    return k - batch.hits(k, rel)


VARIED = ["nDCG(dcg=jarvelin)@10", "AP", "IPrecAvg(levels=4)", "ERR(gmax=4)", "WDQ(g=exp,rate=1)"]


@pytest.mark.parametrize("measure", VARIED)
def test_measures_are_equal_again(measure: str) -> None:
    one = ft.parse_measure(measure)
    two = pickle.loads(pickle.dumps(one))
    assert (two, hash(two), str(two)) == (one, hash(one), str(one))


def test_registered_measures_score_the_same(own_measures) -> None:
    one = ft.register(misses, name="Misses")(rel=1) @ 2
    found = ft.evaluate(CRISP, RUNS, one)
    two = pickle.loads(pickle.dumps(one))
    assert two == one
    assert ft.evaluate(CRISP, RUNS, two).values.tolist() == found.values.tolist()
    same(found.to_frame(), pickle.loads(pickle.dumps(found)).to_frame())
    assert found.values.sum() > 0


def test_a_measure_made_from_a_lambda_scores_the_same_in_another_process(
    own_measures, tmp_path
) -> None:
    one = ft.register(lambda batch, *, k=9, rel=1.0: 1.0 * batch.hits(k, rel), name="NumHit")
    measure = one(rel=2) @ 3
    found = ft.evaluate(VOTES, RUNS, [measure, "bpref"], n_worlds=50, rng=0, n_jobs=2)
    again = pickle.loads(pickle.dumps(measure))
    assert (again, str(again)) == (measure, "NumHit(rel=2)@3")
    same(of_hits(found), of_hits(pickle.loads(pickle.dumps(found))))
    (tmp_path / "measure.pickle").write_bytes(pickle.dumps(measure))
    code = (
        "import pathlib, pickle, sys\n"
        "sys.path.insert(0, 'tests')\n"
        "measure = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "import fuzzytruth as ft, test_pickle as t\n"
        "found = ft.evaluate(t.VOTES, t.RUNS, [measure, 'bpref'], n_worlds=50, rng=0)\n"
        "print(found.values.tolist())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "measure.pickle")]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.strip() == str(found.values.tolist())


def of_hits(found: ft.Scores) -> pd.DataFrame:
    return found.distribution("one", "q1", "NumHit(rel=2)@3").to_frame()


@pytest.fixture
def not_pickled(own_measures: None) -> ft.Scores:
    """Scores under worlds by a measure that does not pickle."""
    lock = threading.Lock()

    def hit(batch):
        with lock:
            return 1.0 * batch.hits(1, 1.0)

    one = ft.register(hit, name="FirstHit")
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(one)
    return ft.evaluate(VOTES, RUNS, [one, "AP"], worlds="independent", n_worlds=50, rng=0)


def test_scores_come_back_as_if_loaded_if_a_measure_does_not(
    not_pickled: ft.Scores,
) -> None:
    again = pickle.loads(pickle.dumps(not_pickled))
    same(not_pickled.to_frame(), again.to_frame())
    same(not_pickled.summary(over="world"), again.summary(over="world"))
    assert again.provenance == not_pickled.provenance
    for measure in ("FirstHit", "AP"):
        one, two = (x.mean_distribution("one", measure) for x in (not_pickled, again))
        same(one.to_frame(), two.to_frame())
        with pytest.raises(ft.OptionError, match="unpickled where their measures or truth are"):
            again.distribution("one", "q1", measure)
    joined = ft.concat([again.select(systems="two"), not_pickled.select(systems="one")])
    same(of_query(joined), of_query(not_pickled))
    same(pickle.loads(pickle.dumps(again)).to_frame(), again.to_frame())


def test_scores_by_a_measure_that_is_registered_elsewhere_are_read(tmp_path) -> None:
    code = (
        "import pathlib, pickle, sys\n"
        "sys.path[:0] = ['tests', str(pathlib.Path(sys.argv[1]).parent)]\n"
        "import elsewhere, fuzzytruth as ft, test_pickle as t\n"
        "ft.register(elsewhere.misses, name='Misses')\n"
        "scores = ft.evaluate(t.VOTES, t.RUNS, ['Misses@2', 'AP'], worlds='independent', rng=0)\n"
        "pathlib.Path(sys.argv[1]).write_bytes(pickle.dumps(scores))\n"
    )
    path = tmp_path / "scores.pickle"
    (tmp_path / "elsewhere.py").write_text("def misses(batch, *, k=2): return k - batch.hits(k, 1)")
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    again = pickle.loads(path.read_bytes())
    assert again.measures == ("Misses@2", "AP")
    assert np.isfinite(again.mean_distribution("one", "AP").mean())
    with pytest.raises(ft.OptionError, match="unpickled where their measures or truth are"):
        again.distribution("one", "q1", "AP")


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_drawn_labels_are_not_pickled() -> None:
    result = ft.evaluate(ASSIGNMENTS.by_example(), make_runs(2), "bpref", rng=0, n_worlds=5000)
    few = ft.evaluate(ASSIGNMENTS.by_example(), make_runs(2), "bpref", rng=0, n_worlds=5)
    worlds = result.uncertainty.world_means.nbytes + result.uncertainty.weight.nbytes
    assert len(pickle.dumps(result)) < len(pickle.dumps(few)) + worlds + 1000
    same(of_b(result), of_b(pickle.loads(pickle.dumps(result))))


def of_b(found: ft.Scores) -> pd.DataFrame:
    return found.distribution("one", "b", "bpref").to_frame()
