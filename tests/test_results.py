"""Every public result: what `print` and notebooks show, its table, and that it comes back whole."""

import inspect
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len
from support.html_reader import Reader
from support.public import PUBLIC
from support.results import (
    MAKE,
    RUNS,
    graded,
    judgments,
    public_classes,
    scores,
    some_votes,
    votes,
)
from support.scores_for_tests import scores_of
from support.scores_of_runs import scores_of_runs, tables_of_runs

import fuzzytruth as ft
from fuzzytruth.show.answer import Result

WIDE = 2000  # columns that break no line
MOST_LINES = 45
#: lines of what is an analysis of everything
MORE_LINES = {"Santini": 66}
#: public classes that print themselves in another way
OTHERS = {"Measure": "its name, as it is parsed", "Scores": "tests/evaluation"}
#: public classes without a table of numbers, and why
WITHOUT_FRAME = {
    "ByExample": "a truth; its votes have one",
    "ByItem": "a truth; its votes have one",
    "Measure": "no numbers",
    "Provenance": "no numbers; to_dict",
}
#: systems whose names are trouble
TROUBLE = (
    "two\nlines",
    "<b>bold</b> & co",
    "a | b",
    "[red]markup[/red]",
    "東京の検索システム",
    "\x1b[31mescape",
    "a name of well over one hundred characters, " * 3,
    "no_space_in_a_name_of_more_than_eighty_characters_" * 2,
)
FRAME = ["query", "item", "subject", "grade"]


def rng() -> np.random.Generator:
    return np.random.default_rng(8)


def messy(n_subjects: int = 3) -> ft.Scores:
    frame = scores_of(rng().normal(0.5, 0.2, (len(TROUBLE), n_subjects, 6))).to_frame()
    system = frame["system"].map({f"sys{j}": name for j, name in enumerate(TROUBLE)})
    return ft.Scores.from_frame(frame.assign(system=system), higher_is_better=True)


@cache
def many() -> ft.Scores:
    """63 systems."""
    return scores_of(0.01 * np.arange(63)[:, None] + rng().normal(0.3, 0.1, (63, 12)))


@cache
def groups() -> ft.Scores:
    return scores_of(np.linspace(0.2, 0.6, 6)[:, None, None] + rng().normal(0, 0.1, (6, 9, 8)))


@cache
def of_runs() -> ft.Scores:
    tables = tables_of_runs({"a": 3, "b": 2, "c": 4, "bm25": 1}, of_runs=0.4, n_subjects=3)
    return scores_of_runs(tables, deterministic="bm25")


@cache
def many_votes() -> ft.Assignments:
    items = np.repeat([f"item-{j}" for j in range(400)], 3)
    categories = [f"category-{j}" for j in rng().integers(0, 200, 1200)]
    return ft.Assignments.from_columns([*"abc"] * 400, items, categories)


def class_scores() -> ft.results.ClassScores:
    frame = many_votes().to_frame().drop_duplicates("item")
    return ft.classification.class_scores(many_votes(), frame[["item", "category"]])


def deep_tree() -> ft.Taxonomy:
    edges = [("all", f"part {j}") for j in range(10)]
    edges += [(f"part {j}", f"part {j}.{k}") for j in range(10) for k in range(12)]
    return ft.Taxonomy.from_edges(edges)


def strange_grades() -> ft.Judgments:
    """Each of several subjects with names that are trouble has a grade of its own."""
    frame = judgments().to_frame()
    names = dict(zip(["ann", "bob", "cat", "dan"], TROUBLE, strict=False))
    frame["subject"] = frame["subject"].map(names)
    frame.loc[frame.groupby("subject").head(1).index, "grade"] = [1e6, -7.25, 12345.678, 3]
    return ft.Judgments.from_frame(frame)


def alike(first: int, second: int) -> ft.Judgments:
    """All subjects give these grades."""
    rows = [("q", i, s, g) for s in "abc" for i, g in (("x", first), ("y", second))]
    return ft.Judgments.from_frame(pd.DataFrame(rows, columns=FRAME))


def deep_runs() -> dict[str, Any]:
    ranked = [f"d{j}" for j in range(100)]
    return {
        name: {"q1": [*np.random.default_rng(seed).permutation(ranked)]}
        for seed, name in enumerate(TROUBLE[:3])
    }


def deep_truth() -> ft.Judgments:
    items = [f"d{j}" for j in range(100)]
    return ft.Judgments.from_probabilities(["q1"] * 100, items, rng().random(100))


def preferences() -> pd.DataFrame:
    pairs = [(f"item {a}", f"item {b}") for a in range(30) for b in range(30) if a != b]
    frame = pd.DataFrame(pairs, columns=["winner", "loser"])
    return pd.concat([frame.assign(query=q) for q in ("q1", "q2")])


def powered(given: ft.Scores, n: int, people: ft.Scores | None = None, **options: Any) -> Any:
    """People judged the first queries, with scores that the given ones are not exact for."""
    some = (people or given).select(queries=given.queries[:n])
    noise = np.random.default_rng(9).normal(0, 0.001, some.values.shape)
    return ft.prediction_powered(replace(some, values=some.values + noise), given, **options)


def people(names: Any, copies: int = 1) -> ft.Judgments:
    """Grades of 200 items by subjects, of whom so many adjacent ones are copies."""
    draw = rng()
    grade = draw.integers(0, 4, 200)[:, None] + draw.integers(-1, 2, (200, len(names)))
    for first in range(0, len(names), copies):
        grade[:, first : first + copies] = grade[:, [first]]
    item, subject = (axis.ravel() for axis in np.indices(grade.shape))
    queries, items = [f"q{j % 9}" for j in item], [f"item {j}" for j in item]
    return ft.Judgments.from_columns(
        queries, items, grade.ravel(), subject=[names[j] for j in subject]
    )


@cache
def crowded() -> ft.Judgments:
    """40 subjects, some with names that are trouble."""
    names = [*TROUBLE[:5], *TROUBLE[6:], *(f"subject {j}" for j in range(33))]
    draw = rng()
    rows = [
        (f"q{j}", item, name, int(draw.integers(0, 3)))
        for j in range(4)
        for item in "abcd"
        for name in names
    ]
    return ft.Judgments.from_frame(pd.DataFrame(rows, columns=FRAME))


def long_ids() -> ft.Judgments:
    frame = judgments().to_frame()
    frame["item"] += " a document of which the id is its whole text, which is long" * 4
    frame["query"] = "<script>\n" + frame["query"]
    return ft.Judgments.from_frame(frame)


def order_of_long_ids() -> ft.results.AnnotationOrder:
    """Long names of systems, items and queries."""
    end = " a document of which the id is its whole text, which is long" * 4
    runs = {
        name: {
            f"<script>\n{q}": {f"{item}{end}": score for item, score in items.items()}
            for q, items in answers.items()
        }
        for name, answers in zip(TROUBLE[6:1:-4], RUNS.values(), strict=False)
    }
    return ft.annotate_next(long_ids(), runs, "AP")


def models(n: int = 30) -> str:
    return " ".join(f"a-model-with-a-long-name-{j}" for j in range(n))


def pair(test: Callable[..., Any], **options: Any) -> Callable[[], Any]:
    return lambda: test(many(), "sys3", "sys40", **options)


#: more results, by a name of the case
MORE: dict[str, Callable[[], Any]] = {
    "AnnotationOrder, messy": order_of_long_ids,
    "AnnotationOrder, first ones": lambda: ft.annotate_next(
        judgments(), RUNS, "AP", systems=("x", "z"), limit=3, k=5, prior=0.5
    ),
    "AnnotationOrder, nothing": lambda: ft.annotate_next(
        judgments(), {"x": RUNS["x"], "y": RUNS["x"]}, "AP"
    ),
    "Agreement, unknown": lambda: ft.agreement(votes(), metric="taxonomy", over="subject"),
    "Agreement, percent": lambda: ft.agreement(many_votes(), coefficient="percent"),
    "Agreement, outside": lambda: ft.agreement(
        strange_grades(), coefficient="fleiss", metric="quadratic", scale=(0, 1)
    ),
    "Agreement, all alike": lambda: ft.agreement(alike(0, 1)),
    "Agreement, no variation": lambda: ft.agreement(alike(1, 1)),
    "ByExample": lambda: votes().by_example(category="u", keep_query=True),
    "ByItem": lambda: votes().by_item(),
    "Provenance": lambda: scores().provenance,
    "Cloud": lambda: MAKE["RankDistributions"]().cloud("x", "q1"),
    "Cloud, deep": lambda: ft.by_rank(deep_truth(), deep_runs()).cloud(TROUBLE[1], "q1"),
    "RankDistributions, deep": lambda: ft.by_rank(deep_truth(), deep_runs()),
    "NextVotes, category": lambda: ft.annotate_next(some_votes(), category="v", limit=20),
    "Reliability, messy": lambda: ft.reliability(crowded(), n_simulated=9),
    "Reliability, copies": lambda: ft.reliability(
        people([f"subject {j}" for j in range(12)], copies=4), n_simulated=3
    ),
    "Reliability, severity": lambda: ft.reliability(
        people(["ann", "bob", "cat", "dan"]), "rating-scale", n_simulated=3
    ),
    "Reliability, gold": lambda: ft.reliability(
        people(["ann", "bob", "cat", "dan"]),
        "one-coin",
        gold={f"item {j}": j % 4 for j in range(30)},
        n_simulated=3,
    ),
    "Reliability, categories": lambda: ft.reliability(many_votes(), "one-coin", level=None),
    "SubjectInfluence, many": lambda: ft.subject_influence(groups(), over="query", n_resamples=99),
    "SubjectInfluence, messy": lambda: ft.subject_influence(messy()),
    "SubjectInfluence, one system": lambda: ft.subject_influence(
        messy().select(systems=TROUBLE[6])
    ),
    "WeightedScores, messy": lambda: ft.reliability(crowded(), level=None).compare(
        {name: RUNS["xyz"[j % 3]] for j, name in enumerate(TROUBLE[:4])}, ["P@2", "DCG@2"]
    ),
    "SubjectComparisons": lambda: ft.compare(scores(), n_resamples=99).by_subject(),
    "SubjectComparisons, many": lambda: ft.compare(groups(), n_resamples=99).by_subject(),
    "GroupComparison, many": lambda: ft.compare_groups(
        groups(), {f"s{j}": f"group {j % 3}" for j in range(9)}, n_resamples=99
    ),
    "PredictionPowered, many": lambda: powered(many(), 5),
    "PredictionPowered, messy": lambda: powered(messy(), 3),
    "PredictionPowered, all judged": lambda: ft.prediction_powered(many(), many(), finite=True),
    "PredictionPowered, judges": lambda: powered(
        groups(), 4, groups().select(subjects=["s0"]), by="judge"
    ),
    "RankStability, many": lambda: ft.rank_stability(many(), n_resamples=99),
    "RankStability, one query": lambda: ft.rank_stability(scores_of([[0.5], [0.2]]), n_resamples=9),
    "RankStability, both": lambda: ft.rank_stability(
        groups(), over=("query", "subject"), n_resamples=99
    ),
    "RankStability, worlds": lambda: ft.rank_stability(
        ft.evaluate(judgments(), RUNS, ["P@2"], worlds="independent", n_worlds=150, rng=0),
        over="world",
    ),
    "PairwiseAgreement, copies": lambda: ft.pairwise_agreement(
        people([f"subject {j}" for j in range(12)], copies=4),
        coefficient="alpha",
        metric="interval",
    ),
    "PairwiseAgreement, two": lambda: ft.pairwise_agreement(
        people(["ann", "bob"]), coefficient="percent"
    ),
    "AlternativeAnnotator, many": lambda: ft.alternative_annotator(
        graded("ann bob cat", 20),
        graded(models(), 20, 1),
        metric="rmse",
        over="item",
        across_models=True,
    ),
    "JudgeAgreement, systems": lambda: ft.judge_agreement(
        graded("ann bob"),
        graded("m n", 12, 1),
        ft.Runs.from_judgments(graded("x y z", 12, 2)),
        ["P@1", "Judged@2"],
        n_resamples=99,
    ),
    "FriedmanResult, many": lambda: ft.tests.friedman(many()),
    "sign_flip": pair(ft.tests.sign_flip, mid_p=True),
    "bootstrap_shift": pair(ft.tests.bootstrap_shift, n_resamples=99),
    "wilcoxon": pair(ft.tests.wilcoxon),
    "sign_test": pair(ft.tests.sign_test),
    "mcnemar": pair(ft.tests.mcnemar, success=0.5),
    "wasserstein": pair(ft.tests.wasserstein, n_resamples=99),
    "equivalence": pair(ft.tests.equivalence, margin=0.2),
    "non_inferiority": pair(ft.tests.non_inferiority, margin=0.2, level=0.9),
    "paired_t, one query": lambda: ft.tests.paired_t(scores_of([[0.5], [0.2]]), "sys0", "sys1"),
    "Dominance, messy": lambda: ft.tests.dominance(messy(), TROUBLE[0], TROUBLE[6], n_resamples=99),
    "ClassScores, many": class_scores,
    "Assignments, many": many_votes,
    "Membership, many": lambda: many_votes().membership(),
    "Membership, given": lambda: ft.Membership.from_probabilities(
        [[0.7, 0.3], [0, 1]], categories=["cat", "dog"]
    ),
    "Taxonomy, deep": deep_tree,
    "Taxonomy, messy": lambda: ft.Taxonomy.flat(TROUBLE),
    "Judgments, messy": long_ids,
    "Judgments, probabilities": deep_truth,
    "Judgments, crisp": lambda: ft.Judgments.from_dict({"q1": {"a": 1, "b": 0}}),
    "Runs, many": lambda: ft.Runs.from_dict({f"sys{j}": RUNS["x"] for j in range(63)}),
    "Runs, messy": lambda: ft.Runs.from_dict({name: {"q": [*TROUBLE]} for name in TROUBLE}),
    "Curves, DCG": lambda: ft.curves(judgments(), RUNS, "DCG"),
    "Curves, DCG-recall": lambda: ft.curves(judgments(), RUNS, "DCG-recall"),
    "Curves, IPR": lambda: ft.curves(judgments(), RUNS, "IPR"),
    "BradleyTerry, queries": lambda: ft.bradley_terry(preferences()),
    "Displacement, messy": lambda: ft.displacement(
        TROUBLE, np.linspace(1, 0.1, len(TROUBLE)), TROUBLE[::-1]
    ),
    "Displacement, normalised": lambda: ft.displacement(
        ["a", "b", "c"], [1, 0.5, 0.2], ["b", "a"], unseen="pessimist", N=10, normalised=True
    ),
    "Comparison, of runs": lambda: ft.compare(of_runs(), "bm25"),
    "Gate, of runs": lambda: ft.gate(of_runs(), "a", "bm25", margin=0.1),
    "RankStability, of runs": lambda: ft.rank_stability(of_runs(), n_resamples=99),
    "VarianceComponents, of runs": lambda: ft.variance_components(of_runs()),
    "Analysis, of runs": lambda: ft.analyse(of_runs(), n_resamples=99),
    "Plan, all": lambda: ft.plan(
        groups(),
        half_width=0.05,
        difference=0.05,
        coefficient=0.9,
        cost_per_judgment=0.3,
        judgments_per_query=100,
        budget=1e6,
    ),
    "Plan, budget": lambda: ft.plan(groups(), budget=1000, subjects=range(2, 40)),
    "Plan, none": lambda: ft.plan(groups(), half_width=0.01, subjects=[1, 2]),
    "Plan, few queries": lambda: ft.plan(groups(), half_width=0.01, queries=[9], over="query"),
    "Plan, assumed": lambda: ft.plan(
        components={"query": 0.02, "replicate": 1e-4, "residual": 0.05},
        half_width=0.05,
        of="mean",
        replicates=[1, 2, 3],
    ),
    "VarianceComponents, many": lambda: ft.variance_components(many()),
    "VarianceComponents, messy": lambda: ft.variance_components(
        messy(), replicate_of={TROUBLE[0]: TROUBLE[6]}
    ),
    "VarianceComponents, measures": lambda: ft.variance_components(
        ft.evaluate(judgments(), RUNS, ["P@1", "P@2", "P@3", "RR", "AP"], worlds="subject")
    ),
    "Distribution, many values": lambda: ft.Distribution.poisson_binomial(np.full(100, 0.3)),
    "Distribution, sampled": lambda: ft.Distribution.from_samples(rng().normal(0, 1e-6, 50)),
    "Distribution, huge": lambda: ft.Distribution.from_atoms([-1e12, 3e15], [0.5, 0.5]),
}
CASES = {name: make for name, make in MAKE.items() if name not in OTHERS} | MORE


@cache
def made(name: str) -> Any:
    return (MAKE | MORE)[name]()


def numbers(text: str) -> set[str]:
    """Numbers as they are printed, without the dots that end sentences."""
    found = re.findall(r"[-+]?\d[\d.,]*(?:e[-+]\d+)?", text)
    return {number.rstrip(".,") for number in found}


def extras(result: Result) -> set[str]:
    """Numbers of the columns that narrow tables leave out."""
    columns = [c for part in result._answer().parts for c in getattr(part, "columns", ())]
    left = [" ".join((c.heading, *c.cells)) for c in columns if c.kind == "extra"]
    return numbers(" ".join(left))


def test_every_public_class_is_tried() -> None:
    assert public_classes() == {*MAKE, *WITHOUT_FRAME}
    assert not any(hasattr(PUBLIC[name], "to_frame") for name in WITHOUT_FRAME)
    assert {name.partition(",")[0] for name in CASES} >= public_classes() - {*OTHERS}
    for name in public_classes() - {*OTHERS}:
        assert issubclass(PUBLIC[name], Result), name


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("name", CASES)
def test_what_is_shown_fits_and_has_the_same_numbers_everywhere(name: str) -> None:
    result = made(name)
    printed = result._answer()
    whole = printed.text(WIDE)
    for width in (60, 80):
        text = printed.text(width)
        lines = text.split("\n")
        assert max(map(cell_len, lines)) <= width
        assert len(lines) <= (100 if "messy" in name else MORE_LINES.get(name, MOST_LINES))
        assert numbers(text) <= numbers(whole)  # a number that is broken makes two others
        assert numbers(whole) - extras(result) <= numbers(text)
        assert "..." not in text
        assert "\x1b" not in text
        for line in lines if not {"deep", "messy"} & {*name.split()} else []:  # names with brackets
            assert line.count("[") == line.count("]"), line
    one_line = re.sub(r"\s+", " ", text)
    if re.search(r"\[[-+]?[\d.]+, ", one_line) and "one query" not in name:
        said = r"(Brackets|Set|lowest, highest)\b"
        assert re.search(said if name == "RankBiasedOverlap" else rf"{said}: [^:]*\d %", one_line)
    html = result._repr_html_()
    reader = Reader.of(html)
    assert reader.open == []
    assert {tag for tag, _ in reader.texts} <= {"strong", "p", "caption", "th", "td"}
    assert numbers(" ".join(text for _, text in reader.texts)) == numbers(whole)
    assert "<script>" not in html
    shown = repr(result)
    assert "\n" not in shown
    assert len(shown) <= 250
    assert shown.startswith(type(result).__name__)


def test_print_shows_the_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    result = MAKE["TestResult"]()
    print(result)
    assert capsys.readouterr().out == result._answer().text(60) + "\n"
    with pytest.warns(ft.FuzzytruthWarning):
        assert "[1, 2]" in str(MORE["RankStability, one query"]())
    assert "[-inf, +inf]" in str(MORE["paired_t, one query"]())


#: columns that hold names
IDS = re.compile("system|other|query|subject|item|judge|model|winner|loser|group|who|category")
WIDER = ("AlternativeAnnotator", "DataCheck", "Scores", "Membership", "Distribution", "Taxonomy")


@pytest.mark.parametrize("name", MAKE)
def test_to_frame_is_a_copy_that_fits_80_columns(name: str) -> None:
    result = made(name)
    assert type(result) is PUBLIC[name]
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 0
    assert not frame.columns.duplicated().any()
    changed = frame.copy()
    frame.iloc[:, :] = frame.iloc[::-1].to_numpy()
    frame["more"] = 1
    pd.testing.assert_frame_equal(result.to_frame(), changed)
    for column in filter(IDS.match, map(str, changed)):  # names of eight letters
        if changed[column].map(type).eq(str).all():
            changed[column] = changed[column].str.ljust(8, "x")
    with pd.option_context("display.width", 80, "display.max_columns", 20):
        fits = "\\\n" not in repr(changed)  # more columns below
    assert fits or name in WIDER


def told(result: Any) -> dict[str, Any]:
    """What a result says when it is asked nothing in particular."""
    out = {}
    for name in dir(type(result)):
        if re.match(r"_|from_|plot|report|write|save|rvs|rescaled", name):
            continue
        value = getattr(result, name)
        if callable(value):
            parameters = inspect.signature(value).parameters.values()
            if any(each.default is each.empty for each in parameters):
                continue
            try:
                value = value()
            except ft.errors.FuzzytruthError as error:
                value = str(error)
        out[name] = value
    return out


ADDRESS = re.compile(" at 0x[0-9a-f]+")


def same(one: Any, two: Any) -> None:
    assert type(one) is type(two)
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, two, check_exact=True)
    elif isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, two, check_exact=True)
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, two)
    else:
        assert ADDRESS.sub("", repr(one)) == ADDRESS.sub("", repr(two))


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("name", [*MAKE, "Cloud", "ByExample", "ByItem", "Provenance"])
def test_numbers_come_back_from_a_pickle(name: str) -> None:
    result = made(name)
    again = pickle.loads(pickle.dumps(result))
    assert (str(again), type(again)) == (str(result), type(result))
    before, after = told(result), told(again)
    assert before.keys() == after.keys()
    for key, value in before.items():
        same(value, after[key])


def test_numbers_of_some_tables() -> None:
    result = ft.tests.paired_t(scores(), "x", "y")
    short = ["system", "other", "measure", "estimate", "lower", "upper", "p"]
    assert [*result.to_frame()] == short
    row = result.to_frame(full=True).iloc[0]
    assert list(row.index[:8]) == [*short, "test"]
    assert (row["system"], row["p"], row["n"]) == ("x", result.p, 4)
    friedman = ft.tests.friedman(scores())
    frame = friedman.to_frame()
    assert dict(zip(frame["system"], frame["mean_rank"], strict=True)) == dict(friedman.mean_ranks)
    assert set(frame["p"]) == {friedman.p}
    better = ft.tests.superiority(scores("independent"), "x", "y")
    row = better.to_frame().iloc[0]
    assert row[["better", "equal", "worse"]].sum() == pytest.approx(1)
    assert row["mean"] == better.difference.mean()
