"""Scores and measures come back from pickling and compute on; other results: `test_results`."""

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.results import MAKE, RUNS, judgments
from support.scores_of_runs import scores_of_runs, tables_of_runs
from support.small_collections import DAG, make_runs, make_votes

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
TREE = ft.Taxonomy.from_children(DAG)
ASSIGNMENTS = ft.Assignments.from_frame(make_votes(1, TREE, several=True), taxonomy=TREE)
CRISP = {f"q{q}": {item: (q + d) % 2 for d, item in enumerate("abcd")} for q in range(4)}
MEASURES = ["AP", "nDCG@3", "P@2"]


def scores(measures: Any = MEASURES, worlds: str | None = "independent", **options: Any) -> Any:
    return ft.evaluate(judgments(), RUNS, measures, worlds=worlds, n_worlds=50, rng=0, **options)


def again(result: Any) -> Any:
    return pickle.loads(pickle.dumps(result))


def of_query(found: ft.Scores, measure: str = "AP", system: str = "x") -> pd.DataFrame:
    return found.distribution(system, "q1", measure).to_frame()


def by_rank() -> ft.results.RankDistributions:
    return ft.by_rank(judgments(), RUNS, depth=3)


#: results, and numbers that they compute from what they keep
CASES: dict[str, tuple[Callable[[], Any], list[Callable[[Any], Any]]]] = {
    "crisp": (
        lambda: ft.evaluate(CRISP, RUNS, ["P@2", "AP"], unjudged="bounds"),
        [lambda x: x.summary(), lambda x: x.lower, of_query],
    ),
    "subject": (
        lambda: scores(worlds="subject"),
        [lambda x: x.summary(over=("query", "subject")), lambda x: x.mean(by="subject")],
    ),
    "independent": (
        scores,
        [
            lambda x: x.summary(over="world"),
            of_query,
            lambda x: x.difference("x", "y", "AP", query="q1").to_frame(),
        ],
    ),
    "population": (
        lambda: scores(worlds="population"),
        [of_query, lambda x: x.mean_distribution("y", "P@2").to_frame()],
    ),
    "runs of systems": (
        lambda: scores_of_runs(tables_of_runs({"a": 3, "b": 2}, 6)),
        [lambda x: x.mean(by="replicate"), lambda x: x.summary(), lambda x: ft.compare(x).table],
    ),
    "by example": (
        lambda: ft.evaluate(ASSIGNMENTS.by_example(), make_runs(2), "P@2", rng=0),
        [lambda x: x.mean_distribution("one", "P@2").to_frame()],
    ),
    "truth by example": (
        ASSIGNMENTS.by_example,
        [lambda x: ft.evaluate(x, make_runs(2), "P@2", rng=0).to_frame()],
    ),
    "judgments": (judgments, [lambda x: ft.evaluate(x, RUNS, "AP", rng=0).to_frame()]),
    "runs": (lambda: ft.Runs.from_dict(RUNS), [lambda x: ft.evaluate(CRISP, x, "AP").to_frame()]),
    "by rank": (
        by_rank,
        [lambda x: x.recall("x", "q2", 2).to_frame(), lambda x: x.hit_pmfs("y")],
    ),
    "cloud": (lambda: by_rank().cloud("x", "q1"), [lambda x: x.bands(0.9)]),
    "custom metric": (
        lambda: ft.agreement(judgments(), metric=lambda a, b: abs(a - b)),
        [lambda x: x.by_item()],
    ),
    "image and text": (
        lambda: ft.image_text(np.arange(9.0).reshape(3, 3) % 4, [0, 1, 2], cutoffs=(1, 2)),
        [lambda x: x.mean()],
    ),
    "distribution": (MAKE["Distribution"], [lambda x: x.interval(0.8), lambda x: x.rvs(5, rng=0)]),
    "taxonomy": (lambda: TREE, [hash, lambda x: x.children("all")]),
    "displacement": (MAKE["Displacement"], [float]),
}


def same(one: Any, two: Any) -> None:
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, two, check_exact=True)
    else:
        np.testing.assert_equal(two, one)


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_computed_again(name: str) -> None:
    make, numbers = CASES[name]
    result = make()
    for _ in range(2):  # before and after it is used
        one = again(result)
        assert type(one) is type(result)
        for number in numbers:
            same(number(result), number(one))


def test_a_new_process_reads_them_all(tmp_path: Path) -> None:
    results = {name: make() for name, (make, _) in CASES.items()}
    results |= {name: make() for name, make in MAKE.items() if name != "Santini"}
    (tmp_path / "results.pickle").write_bytes(pickle.dumps(results))
    out = run_code(
        "results = pickle.loads(path.read_bytes())\n"
        "print(pickle.dumps({k: repr(v) for k, v in results.items()}).hex())",
        tmp_path / "results.pickle",
    )
    shown = {name: repr(result) for name, result in results.items()}
    assert pickle.loads(bytes.fromhex(out)) == shown


def run_code(code: str, path: Path) -> str:
    """What code prints that finds a path as `path`, in a process of its own."""
    start = "import pathlib, pickle, sys\npath = pathlib.Path(sys.argv[1])\n"
    call = [sys.executable, "-c", start + code, str(path)]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


def misses(batch, *, k=2, rel=1.0):
    """Items among the first k that are not relevant."""
    return k - batch.hits(k, rel)


VARIED = ["nDCG(dcg=jarvelin)@10", "AP", "IPrecAvg(levels=4)", "ERR(gmax=4)", "WDQ(g=exp,rate=1)"]


def test_measures_are_equal_again(own_measures) -> None:
    for one in [
        *map(ft.measures.parse_measure, VARIED),
        ft.measures.register(misses, name="Misses")(rel=1) @ 2,
    ]:
        two = again(one)
        assert (two, hash(two), str(two)) == (one, hash(one), str(one))
    found = ft.evaluate(CRISP, RUNS, one)
    assert ft.evaluate(CRISP, RUNS, two).values.tolist() == found.values.tolist()
    same(found.to_frame(), again(found).to_frame())
    assert found.values.sum() > 0


def test_a_measure_made_from_a_lambda_scores_the_same_in_another_process(
    own_measures, tmp_path: Path
) -> None:
    one = ft.measures.register(
        lambda batch, *, k=9, rel=1.0: 1.0 * batch.hits(k, rel), name="NumHit"
    )
    measure = one(rel=0.5) @ 3
    found = scores([measure, "bpref"], n_jobs=2)
    assert (again(measure), str(again(measure))) == (measure, "NumHit(rel=0.5)@3")
    same(of_query(found, "NumHit(rel=0.5)@3"), of_query(again(found), "NumHit(rel=0.5)@3"))
    path = tmp_path / "measure.pickle"
    path.write_bytes(pickle.dumps(measure))
    code = (
        "sys.path.insert(0, 'tests')\n"
        "measure = pickle.loads(path.read_bytes())\n"
        "import test_pickle\n"
        "print(test_pickle.scores([measure, 'bpref']).values.tolist())"
    )
    assert run_code(code, path) == str(found.values.tolist())


ELSEWHERE = "unpickled where their measures or truth are"


def test_scores_come_back_as_if_loaded_if_a_measure_does_not(own_measures) -> None:
    lock = threading.Lock()

    def hit(batch):
        with lock:
            return 1.0 * batch.hits(1, 1.0)

    one = ft.measures.register(hit, name="FirstHit")
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(one)
    whole = scores([one, "AP"])
    back = again(whole)
    same(whole.to_frame(), back.to_frame())
    same(whole.summary(over="world"), back.summary(over="world"))
    assert back.provenance == whole.provenance
    for measure in ("FirstHit", "AP"):
        laws = [each.mean_distribution("x", measure).to_frame() for each in (whole, back)]
        same(*laws)
        with pytest.raises(ft.errors.OptionError, match=ELSEWHERE):
            back.distribution("x", "q1", measure)
    joined = ft.concat([back.select(systems="y"), whole.select(systems="x")])
    same(of_query(joined), of_query(whole))
    same(again(back).to_frame(), back.to_frame())


def test_scores_by_a_measure_that_is_registered_elsewhere_are_read(tmp_path: Path) -> None:
    path = tmp_path / "scores.pickle"
    (tmp_path / "elsewhere.py").write_text("def misses(batch, *, k=2): return k - batch.hits(k, 1)")
    code = (
        "sys.path[:0] = ['tests', str(path.parent)]\n"
        "import elsewhere, fuzzytruth as ft, test_pickle\n"
        "ft.measures.register(elsewhere.misses, name='Misses')\n"
        "path.write_bytes(pickle.dumps(test_pickle.scores(['Misses@2', 'AP'])))"
    )
    run_code(code, path)
    back = pickle.loads(path.read_bytes())
    assert back.measures == ("Misses@2", "AP")
    assert np.isfinite(back.mean_distribution("x", "AP").mean())
    with pytest.raises(ft.errors.OptionError, match=ELSEWHERE):
        back.distribution("x", "q1", "AP")


def test_drawn_labels_are_not_pickled() -> None:
    truth = ASSIGNMENTS.by_example()
    result, few = (ft.evaluate(truth, make_runs(2), "bpref", rng=0, n_worlds=n) for n in (5000, 5))
    worlds = result.uncertainty.world_means.nbytes + result.uncertainty.weight.nbytes
    assert len(pickle.dumps(result)) < len(pickle.dumps(few)) + worlds + 1000
    laws = [each.distribution("one", "b", "bpref").to_frame() for each in (result, again(result))]
    same(*laws)
