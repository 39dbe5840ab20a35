"""trec_eval's own test inputs and expected outputs (four decimals), for every measure we have."""

import dataclasses
import warnings
from pathlib import Path

import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft

DATA = Path(__file__).parents[1] / "reference_data" / "trec_eval"
#: what trec_eval reports and we do not offer: texts, summaries, and rarities of version 10
NOT_OURS = {
    "runid",
    "relstring",
    "relstring_20",
    "num_q",
    "gm_map",
    "gm_bpref",
    "rbp_resid",
    "unj_5",
    "unj_10",
    "unj_20",
}
SUMS = {"num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}


def expected(name: str) -> dict[tuple[str, str], float]:
    """(measure, query) -> value, of one of trec_eval's output files."""
    out = {}
    for line in (DATA / name).read_text().splitlines():
        measure, query, value = line.split(maxsplit=2)
        if measure not in NOT_OURS:
            out[measure, query] = float(value)
    return out


def ours(name: str, level: float) -> ft.measures.Measure:
    """Our measure of trec_eval's name, at the threshold that is an option of trec_eval.

    These outputs are of version 10, which rounds level·R; our default is that of version 9, on
    which pytrec_eval builds.
    """
    measure = ft.measures.parse_measure(
        {"rbp": "RBP(p=0.9)"}.get(name, name)
    )  # its default, and ours
    if measure.threshold is not None:
        measure = dataclasses.replace(measure, rel=level)
    return dataclasses.replace(measure, interp="round") if hasattr(measure, "interp") else measure


def check(
    output: str, truth: ft.Judgments, runs: ft.Runs, level: float = 1, without: str = ""
) -> int:
    want = {key: value for key, value in expected(output).items() if key[0] != without}
    names = list(dict.fromkeys(measure for measure, _ in want))
    measures = {name: ours(name, level) for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        scores = ft.evaluate(truth, runs, measures.values())
    frame = scores.to_frame().set_index(["measure", "query"])["value"]
    mean = scores.mean().iloc[0]
    for (name, query), value in want.items():
        measure = str(measures[name])
        if query != "all":
            result = frame[measure, query]
        else:
            result = mean[measure] * (len(scores.queries) if name in SUMS else 1)
        assert result == pytest.approx(value, abs=5.1e-5), (output, name, query)
    return len(names)


def read(qrels: str, run: str) -> tuple[ft.Judgments, ft.Runs]:
    return ft.read_judgments(DATA / qrels), ft.read_runs(DATA / run)


@pytest.mark.parametrize(
    ("output", "qrels", "run", "n_measures", "options"),
    [
        ("out.test", "qrels.test.gz", "results.test.gz", 20, {}),
        ("out.test.a", "qrels.test.gz", "results.test.gz", 60, {}),
        ("out.test.aq", "qrels.test.gz", "results.test.gz", 60, {}),
        # lines with junk at their end and missing queries
        ("out.test.aqc", "qrels.test.gz", "results.trunc", 60, {}),
        # its RBP is graded where grades exceed 1; ours is binary
        (
            "out.test.aql",
            "qrels.rel_level.gz",
            "results.test.gz",
            60,
            {"level": 2, "without": "rbp"},
        ),
        ("out.test.meas_params", "qrels.test.gz", "results.test.gz", 18, {}),
    ],
)
def test_output(output, qrels, run, n_measures, options):
    assert check(output, *read(qrels, run), **options) >= n_measures


def test_first_hundred_of_each_list():
    truth, runs = read("qrels.test.gz", "results.trunc")
    frame = runs.to_frame()
    first = ft.Runs.from_frame(frame[frame["rank"] <= 100].drop(columns="rank"))
    assert check("out.test.aqcM", truth, first) >= 60


def test_judgment_groups_are_subjects():
    """Mean over three groups of assessors: ``-R qrels_jg``."""
    with pytest.warns(ft.FuzzytruthWarning, match="subject"):
        truth = ft.read_judgments(DATA / "qrels.123.gz")
    assert truth.subjects == ("0", "1", "2")
    runs = ft.read_runs(DATA / "results.test.gz")
    want = {
        (name.replace("_avgjg", ""), query): value
        for (name, query), value in expected("out.test.qrels_jg").items()
    }
    names = list(dict.fromkeys(name for name, _ in want))
    assert len(names) == 20
    scores = ft.evaluate(truth, runs, names, worlds="subject", missing="nonrelevant")
    for (name, query), value in want.items():
        m = names.index(name)
        if query != "all":
            result = dense(scores)[0, m, :, scores.queries.index(query)].mean()
        else:
            result = scores.mean().iloc[0, m]
        assert result == pytest.approx(value, abs=5.1e-5), (name, query)
