"""What `print` and notebooks show of every public result, at 80 and at 60 columns."""

from __future__ import annotations

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
from support.results import (
    MAKE,
    RUNS,
    graded,
    judged_by_category,
    judgments,
    powered_scores,
    public_classes,
    scores,
    votes,
)
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.show.answer import Result

WIDE = 2000  # columns that break no line
MOST_LINES = 45
#: lines of what is an analysis of everything
MORE_LINES = {"SantiniReport": 84}
#: public classes that print themselves in another way
OTHERS = {"Measure": "its name, as it is parsed", "Scores": "tests/evaluation"}
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


def messy(n_subjects: int = 3) -> ft.Scores:
    values = np.random.default_rng(8).normal(0.5, 0.2, (len(TROUBLE), n_subjects, 6))
    frame = scores_of(values).to_frame()
    names = {f"sys{j}": name for j, name in enumerate(TROUBLE)}
    return ft.Scores.from_frame(
        frame.assign(system=frame["system"].map(names)), higher_is_better=True
    )


@cache
def many() -> ft.Scores:
    """63 systems."""
    return scores_of(
        0.01 * np.arange(63)[:, None] + np.random.default_rng(8).normal(0.3, 0.1, (63, 12))
    )


@cache
def groups() -> ft.Scores:
    return scores_of(
        np.linspace(0.2, 0.6, 6)[:, None, None] + np.random.default_rng(8).normal(0, 0.1, (6, 9, 8))
    )


@cache
def many_votes() -> ft.Assignments:
    items = np.repeat([f"item-{j}" for j in range(400)], 3)
    categories = [f"category-{j}" for j in np.random.default_rng(8).integers(0, 200, 1200)]
    return ft.Assignments.from_columns([*"abc"] * 400, items, categories)


def class_scores() -> ft.ClassScores:
    frame = many_votes().to_frame().drop_duplicates("item")
    return ft.class_scores(many_votes(), frame[["item", "category"]])


def deep_tree() -> ft.Taxonomy:
    edges = [("all", f"part {j}") for j in range(10)]
    edges += [(f"part {j}", f"part {j}.{k}") for j in range(10) for k in range(12)]
    return ft.Taxonomy.from_edges(edges)


def long_ids() -> ft.Judgments:
    frame = judgments().to_frame()
    frame["item"] += " a document of which the id is its whole text, which is long" * 4
    frame["query"] = "<script>\n" + frame["query"]
    return ft.Judgments.from_frame(frame)


def strange_grades() -> ft.Judgments:
    """Each of several subjects with names that are trouble has a grade of its own."""
    frame = judgments().to_frame()
    names = dict(zip(["ann", "bob", "cat", "dan"], TROUBLE, strict=False))
    frame["subject"] = frame["subject"].map(names)
    first = frame.groupby("subject").head(1).index
    frame.loc[first, "grade"] = [1e6, -7.25, 12345.678, 3]
    return ft.Judgments.from_frame(frame)


def quietly(truth: Any, **options: Any) -> ft.Agreement:
    with pytest.warns(ft.FuzzytruthWarning):
        return ft.agreement(truth, **options)


def alike(first: int, second: int) -> ft.Judgments:
    """All subjects give these grades."""
    rows = [("q", i, s, g) for s in "abc" for i, g in (("x", first), ("y", second))]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )


def deep_runs() -> dict[str, Any]:
    ranked = [f"d{j}" for j in range(300)]
    return {
        name: {"q1": [*np.random.default_rng(seed).permutation(ranked)]}
        for seed, name in enumerate(TROUBLE[:3])
    }


def deep_truth() -> ft.Judgments:
    p = np.random.default_rng(8).random(300)
    return ft.Judgments.from_probabilities(["q1"] * 300, [f"d{j}" for j in range(300)], p)


def preferences() -> pd.DataFrame:
    pairs = [(f"item {a}", f"item {b}") for a in range(30) for b in range(30) if a != b]
    frame = pd.DataFrame(pairs, columns=["winner", "loser"])
    return pd.concat([frame.assign(query=q) for q in ("q1", "q2")])


def several_measures() -> ft.Scores:
    """Six systems by five measures, of people."""
    frame = [groups().to_frame().assign(measure=f"measure {j}") for j in range(5)]
    table = pd.concat(frame).query("subject in ['s0', 's1']")
    return ft.Scores.from_frame(table, higher_is_better=True)


def some_by_people(given: ft.Scores, n: int) -> ft.Scores:
    """The first queries, with scores that the given ones are not exact for."""
    some = given.select(queries=given.queries[:n])
    noise = np.random.default_rng(9).normal(0, 0.001, some.values.shape)
    return replace(some, values=some.values + noise)


def by_judge() -> ft.PredictionPowered:
    people = some_by_people(groups().select(subjects=["s0"]), 4)
    return ft.prediction_powered(people, groups(), by="judge")


def people(names: Any, copies: int = 1) -> ft.Judgments:
    """Grades of 200 items by subjects, of whom so many adjacent ones are copies."""
    rng = np.random.default_rng(8)
    grade = rng.integers(0, 4, 200)[:, None] + rng.integers(-1, 2, (200, len(names)))
    for first in range(0, len(names), copies):
        grade[:, first : first + copies] = grade[:, [first]]
    item, subject = (axis.ravel() for axis in np.indices(grade.shape))
    return ft.Judgments.from_columns(
        [f"q{j % 9}" for j in item],
        [f"item {j}" for j in item],
        grade.ravel(),
        subject=[names[j] for j in subject],
    )


@cache
def crowded() -> ft.Judgments:
    """40 subjects, some with names that are trouble."""
    names = [*TROUBLE[:5], *TROUBLE[6:], *(f"subject {j}" for j in range(33))]
    rng = np.random.default_rng(8)
    rows = [
        (f"q{j}", item, name, int(rng.integers(0, 3)))
        for j in range(4)
        for item in "abcd"
        for name in names
    ]
    columns = ["query", "item", "subject", "grade"]
    return ft.Judgments.from_frame(pd.DataFrame(rows, columns=columns))


def pair(test: Callable[..., Any], **options: Any) -> Callable[[], Any]:
    return lambda: test(many(), "sys3", "sys40", **options)


def order_of_long_ids() -> ft.AnnotationOrder:
    """Long names of systems, items and queries."""
    query, item = "<script>\n{}", "{} a document of which the id is its whole text" * 4
    runs = {
        name: {
            query.format(q): {item.format(i, *"...."): score for i, score in items.items()}
            for q, items in answers.items()
        }
        for name, answers in zip(TROUBLE[6:1:-4], RUNS.values(), strict=False)
    }
    votes = judgments().to_frame()
    votes["query"] = [query.format(q) for q in votes["query"]]
    votes["item"] = [item.format(i, *"....") for i in votes["item"]]
    return ft.annotate_next(votes, runs, "AP")


#: more results, by a name of the case
MORE: dict[str, Callable[[], Any]] = {
    "AnnotationOrder, messy": order_of_long_ids,
    "AnnotationOrder, first ones": lambda: ft.annotate_next(
        judgments(), RUNS, "AP", systems=("x", "z"), limit=3, k=5, prior=0.5
    ),
    "AnnotationOrder, nothing": lambda: ft.annotate_next(
        judgments(), {"x": RUNS["x"], "y": RUNS["x"]}, "AP"
    ),
    "Agreement, messy": lambda: ft.agreement(strange_grades(), over=("query", "subject")),
    "Agreement, unknown": lambda: quietly(votes(), metric="taxonomy", over="subject"),
    "Agreement, percent": lambda: ft.agreement(many_votes(), coefficient="percent"),
    "Agreement, outside": lambda: quietly(
        strange_grades(), coefficient="fleiss", metric="quadratic", scale=(0, 1)
    ),
    "Agreement, all alike": lambda: quietly(alike(0, 1)),
    "Agreement, no variation": lambda: quietly(alike(1, 1)),
    "ByExample": lambda: votes().by_example(),
    "ByExample, given category": lambda: votes().by_example(category="u", keep_query=True),
    "ByItem": lambda: votes().by_item(),
    "Provenance": lambda: scores().provenance,
    "Cloud": lambda: MAKE["RankDistributions"]().cloud("x", "q1"),
    "Cloud, deep": lambda: ft.by_rank(deep_truth(), deep_runs()).cloud(TROUBLE[1], "q1"),
    "Reliability, many": lambda: ft.reliability(crowded()),
    "Reliability, categories": lambda: ft.reliability(many_votes(), "one-coin", level=None),
    "SubjectInfluence, many": lambda: ft.subject_influence(groups(), over="query", n_resamples=99),
    "SubjectInfluence, deep names": lambda: ft.subject_influence(messy()),
    "SubjectInfluence, one system, deep": lambda: ft.subject_influence(
        messy().select(systems=TROUBLE[6])
    ),
    "WeightedScores, messy": lambda: ft.reliability(crowded(), level=None).compare(
        {name: RUNS["xyz"[j % 3]] for j, name in enumerate(TROUBLE[:4])},
        ["P@2", "DCG@2"],
    ),
    "SubjectComparisons": lambda: ft.compare(scores(), n_resamples=99).by_subject(),
    "SubjectComparisons, many": lambda: ft.compare(groups(), n_resamples=99).by_subject(),
    "GroupComparison, many": lambda: ft.compare_groups(
        groups(), {f"s{j}": f"group {j % 3}" for j in range(9)}, n_resamples=99
    ),
    "PredictionPowered, many": lambda: ft.prediction_powered(some_by_people(many(), 5), many()),
    "PredictionPowered, all judged": lambda: ft.prediction_powered(many(), many(), finite=True),
    "PredictionPowered, one system": lambda: ft.prediction_powered(
        powered_scores().select(queries=["q0", "q1", "q2"], systems="sys0"),
        powered_scores(0.1).select(systems="sys0"),
    ),
    "PredictionPowered, measures": lambda: ft.prediction_powered(
        some_by_people(several_measures(), 4), several_measures()
    ),
    "PredictionPowered, judges": by_judge,
    "RankStability, many": lambda: ft.rank_stability(many(), n_resamples=99),
    "RankStability, both": lambda: ft.rank_stability(
        groups(), over=("query", "subject"), n_resamples=99
    ),
    "RankStability, worlds": lambda: ft.rank_stability(
        ft.evaluate(judgments(), RUNS, ["P@2"], worlds="independent", n_worlds=150, rng=0),
        over="world",
    ),
    "PairwiseAgreement, many": lambda: ft.pairwise_agreement(
        people([f"subject {j}" for j in range(40)])
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
        graded(" ".join(f"a-model-with-a-long-name-{j}" for j in range(30)), 20, 1),
        metric="rmse",
        clusters=None,
        across_models=True,
    ),
    "JudgeAgreement, many": lambda: ft.judge_agreement(
        graded("ann bob"),
        graded(" ".join(f"a-model-with-a-long-name-{j}" for j in range(30)), 12, 1),
        n_resamples=99,
    ),
    "JudgeAgreement, one": lambda: ft.judge_agreement(
        graded("ann"), graded("m", 12, 1), by="weighted_kappa"
    ),
    "JudgeAgreement, systems": lambda: ft.judge_agreement(
        graded("ann bob"),
        graded("m n", 12, 1),
        ft.Runs.from_judgments(graded("x y z", 12, 2)),
        ["P@1", "Judged@2"],
        n_resamples=99,
    ),
    "FriedmanResult, many": lambda: ft.friedman(many()),
    "sign_flip": pair(ft.sign_flip, mid_p=True),
    "bootstrap_shift": pair(ft.bootstrap_shift, n_resamples=99),
    "wilcoxon": pair(ft.wilcoxon),
    "sign_test": pair(ft.sign_test),
    "mcnemar": pair(ft.mcnemar, success=0.5),
    "wasserstein": pair(ft.wasserstein, n_resamples=99),
    "equivalence": pair(ft.equivalence, margin=0.2),
    "non_inferiority": pair(ft.non_inferiority, margin=0.2, level=0.9),
    "ClassScores, many": class_scores,
    "Assignments, many": many_votes,
    "Membership, many": lambda: many_votes().membership(),
    "Membership, given": lambda: ft.Membership.from_probabilities(
        [[0.7, 0.3], [0, 1]], categories=["cat", "dog"]
    ),
    "Taxonomy, deep": deep_tree,
    "Taxonomy, broad": lambda: ft.Taxonomy.flat(range(1000)),
    "Judgments, probabilities": deep_truth,
    "Judgments, crisp": lambda: ft.Judgments.from_dict({"q1": {"a": 1, "b": 0}}),
    "Runs, many": lambda: ft.Runs.from_dict({f"sys{j}": RUNS["x"] for j in range(63)}),
    "Curves, PR": lambda: ft.curves(judgments(), RUNS, "PR"),
    "Curves, DCG": lambda: ft.curves(judgments(), RUNS, "DCG"),
    "Curves, DCG-recall": lambda: ft.curves(judgments(), RUNS, "DCG-recall"),
    "Curves, IPR": lambda: ft.curves(judgments(), RUNS, "IPR"),
    "RankDistributions, deep": lambda: ft.by_rank(deep_truth(), deep_runs()),
    "BradleyTerry, queries": lambda: ft.bradley_terry(preferences()),
    "Displacement, normalised": lambda: ft.displacement(
        ["a", "b", "c"], [1, 0.5, 0.2], ["b", "a"], unseen="pessimist", N=10, normalised=True
    ),
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
    "VarianceComponents, replicates": lambda: ft.variance_components(
        groups(), replicate_of={"sys0": "a", "sys1": "a", "sys2": "b", "sys3": "b"}
    ),
    "VarianceComponents, measures": lambda: ft.variance_components(
        ft.evaluate(judgments(), RUNS, ["P@1", "P@2", "P@3", "RR", "AP"], worlds="subject")
    ),
    "Distribution, many values": lambda: ft.poisson_binomial(np.full(100, 0.3)),
    "Distribution, sampled": lambda: ft.Distribution.from_samples(
        np.random.default_rng(8).normal(0, 1e-6, 50)
    ),
    "Distribution, huge": lambda: ft.Distribution.from_atoms([-1e12, 3e15], [0.5, 0.5]),
}
CASES = {name: make for name, make in MAKE.items() if name not in OTHERS} | MORE


@cache
def made(name: str) -> Any:
    return CASES[name]()


def numbers(text: str) -> set[str]:
    """Numbers as they are printed, without the dots that end sentences."""
    found = re.findall(r"[-+]?\d[\d.,]*(?:e[-+]\d+)?", text)
    return {number.rstrip(".,") for number in found}


def extras(result: Result) -> set[str]:
    """Numbers of the columns that narrow tables leave out."""
    columns = [c for part in result._answer().parts for c in getattr(part, "columns", ())]
    left = " ".join(
        " ".join((c.heading, *c.cells)) for c in columns if getattr(c, "kind", "") == "extra"
    )
    return numbers(left)


def test_every_public_class_is_printed() -> None:
    assert {name.partition(",")[0] for name in CASES} >= public_classes() - {*OTHERS}
    for name in public_classes() - {*OTHERS}:
        assert issubclass(getattr(ft, name), Result), name


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("name", CASES)
def test_text(name: str, width: int) -> None:
    result = made(name)
    printed = result._answer()
    text, whole = printed.text(width), printed.text(WIDE)
    lines = text.split("\n")
    assert max(map(cell_len, lines)) <= width
    assert len(lines) <= MORE_LINES.get(name, MOST_LINES)
    assert numbers(text) <= numbers(whole)  # a number that is broken makes two others
    assert numbers(whole) - extras(result) <= numbers(text)
    assert "..." not in text
    for line in lines if "deep" not in name else []:  # whose names have brackets
        assert line.count("[") == line.count("]"), line


@pytest.mark.parametrize("name", CASES)
def test_brackets_say_what_they_are_of(name: str) -> None:
    text = re.sub(r"\s+", " ", made(name)._answer().text(80))
    if re.search(r"\[[-+]?[\d.]+, ", text):
        assert re.search(r"(Brackets|Set|lowest, highest)\b", text), text
        if name != "RankBiasedOverlap":
            assert re.search(r"(Brackets|Set): [^:]*\d %", text), text


@pytest.mark.parametrize("name", CASES)
def test_html_shows_the_same_numbers(name: str) -> None:
    printed = made(name)._answer()
    reader = Reader.of(made(name)._repr_html_())
    assert reader.open == []
    assert {tag for tag, _ in reader.texts} <= {"strong", "p", "caption", "th", "td"}
    assert numbers(" ".join(text for _, text in reader.texts)) == numbers(printed.text(WIDE))


@pytest.mark.parametrize("name", CASES)
def test_repr_is_one_short_line(name: str) -> None:
    text = repr(made(name))
    assert "\n" not in text
    assert len(text) <= 250
    assert text.startswith(type(made(name)).__name__)


@pytest.mark.parametrize("width", [60, 80])
def test_names_that_are_trouble(width: int) -> None:
    given = messy()
    first, second = TROUBLE[0], TROUBLE[6]
    rows = [*zip(TROUBLE, reversed(TROUBLE), strict=True)]
    results: list[Any] = [
        ft.rank_stability(given, n_resamples=99),
        ft.variance_components(given, replicate_of={first: second}),
        ft.friedman(given),
        ft.paired_t(given, first, second),
        ft.dominance(given, first, second, n_resamples=99),
        ft.compare(given, n_resamples=99).by_subject(),
        ft.compare_groups(given, {"s0": "<A>", "s1": "B\n", "s2": "B\n"}, n_resamples=99),
        ft.prediction_powered(some_by_people(given, 3), given),
        ft.bradley_terry(pd.DataFrame(rows, columns=["winner", "loser"]), prior=1),
        ft.displacement(TROUBLE, np.linspace(1, 0.1, len(TROUBLE)), TROUBLE[::-1]),
        ft.pairwise_agreement(people([*TROUBLE])),
        long_ids(),
        ft.Runs.from_dict({name: {"q": [*TROUBLE]} for name in TROUBLE}),
        ft.Taxonomy.flat(TROUBLE),
        ft.Assignments.from_columns(TROUBLE, TROUBLE, TROUBLE),
        ft.Assignments.from_columns(TROUBLE, TROUBLE, TROUBLE).membership(),
    ]
    for result in results:
        text, html = result._answer().text(width), result._repr_html_()
        assert max(map(cell_len, text.split("\n"))) <= width, text
        assert "\x1b" not in text
        assert Reader.of(html).open == []
        assert "<b>bold" not in html
        assert "<script>" not in html
        assert "\n" not in repr(result)


def test_one_query_one_system_and_no_value() -> None:
    one = scores_of([[0.5], [0.25]])
    with pytest.warns(ft.FuzzytruthWarning):
        infinite = ft.rank_stability(one, n_resamples=9)
    assert "[1, 2]" in str(infinite)
    single = ft.paired_t(one, "sys0", "sys1")
    assert "[-inf, +inf]" in str(single)
    alone = ft.Runs.from_dict({"q": ["a"]})
    assert str(alone).startswith("Runs of 1 system: 1 retrieved item\n")
    unknown = ft.Displacement.to_frame(ft.displacement(["a"], [1], ["b"]))
    assert len(unknown) == 1


def test_print_and_ipython_show_the_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    result = made("TestResult")
    print(result)
    assert capsys.readouterr().out == result._answer().text(60) + "\n"


@cache
def of_eight_letters() -> dict[str, pd.DataFrame]:
    """Tables of results whose names have eight letters."""
    names = {"x": "splade-x", "y": "bm25-rm3", "z": "monot5-b"}
    runs = {names[s]: {f"query-{q}": r for q, r in lists.items()} for s, lists in RUNS.items()}
    frame = judgments().to_frame()
    frame["query"] = "query-" + frame["query"]
    frame["subject"] = "human" + frame["subject"]
    truth = ft.Judgments.from_frame(frame)
    each = ft.evaluate(truth, runs, ["nDCG@10"], worlds="subject")
    drawn = ft.evaluate(truth, runs, ["Prec@10"], worlds="independent", n_worlds=20, rng=0)
    groups = {"humanann": "annotatA", "humanbob": "annotatA", "humancat": "crowd-01"}
    pair = ("splade-x", "bm25-rm3")
    tree = ft.Taxonomy.flat(["category", "classify"])
    cast = ft.Assignments.from_columns(
        ["humanann", "humanbob"], ["image-01"] * 2, ["category", "classify"], taxonomy=tree
    )
    answers = pd.DataFrame({"system": ["resnet50"], "item": ["image-01"], "category": ["category"]})
    preferred = pd.DataFrame({"query": "query-01", "winner": ["splade-x"] * 2, "loser": "bm25-rm3"})
    compared = ft.compare(each, n_resamples=99)
    with pytest.warns(ft.FuzzytruthWarning):
        between = ft.compare_groups(each, groups, n_resamples=99)
    assessors = graded("humanann humanbob humancat", 20)
    models = graded("gpt-four geminate", 20, 1)
    model = ft.reliability(truth)
    results = {
        "AlternativeAnnotator": ft.alternative_annotator(assessors, models),
        "JudgeAgreement": ft.judge_agreement(assessors, models, n_resamples=99),
        "Reliability": model,
        "SubjectInfluence": ft.subject_influence(each, over="query", n_resamples=99),
        "WeightedScores": model.compare(runs, ["Prec@10"]),
        "Agreement": ft.agreement(judged_by_category(), coefficient="percent"),
        "Analysis": ft.analyse(each, n_resamples=99),
        "AnnotationOrder": ft.annotate_next(truth, runs, "AP", systems=pair),
        "SantiniReport": MAKE["SantiniReport"](),
        "TestResult": ft.paired_t(each, *pair),
        "Dominance": ft.dominance(each, *pair, n_resamples=99),
        "Superiority": ft.superiority(drawn, *pair),
        "FriedmanResult": ft.friedman(each),
        "QueryDifferences": each.query_differences(*pair),
        "RankStability": ft.rank_stability(each, n_resamples=99),
        "Comparison": compared,
        "Gate": ft.gate(each, *pair, margin=0.1),
        "SubjectComparisons": compared.by_subject(),
        "GroupComparison": between,
        "PredictionPowered": ft.prediction_powered(
            some_by_people(each.select(subjects=each.subjects[0]), 3), each, by="judge"
        ),
        "RankDistributions": ft.by_rank(truth, runs, depth=4),
        "ClassScores": ft.class_scores(cast, answers),
        "Curves": ft.curves(truth, runs, "PR"),
        "BradleyTerry": ft.bradley_terry(preferred, prior=1),
        "Displacement": ft.displacement(["document", "image-01"], [1, 0.5], ["image-01"]),
        "PairwiseAgreement": ft.pairwise_agreement(truth, over="item"),
        "RankBiasedOverlap": ft.rank_biased_overlap(["a"], ["b"]),
        "Judgments": truth,
        "Runs": ft.Runs.from_dict(runs),
        "Assignments": cast,
        "VarianceComponents": ft.variance_components(each),
        "Plan": ft.plan(
            each,
            half_width=0.3,
            difference=0.9,
            cost_per_judgment=9,
            judgments_per_query=1000,
            subjects=[9, 12],
        ),
    }
    return {name: result.to_frame() for name, result in results.items()}


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in MAKE
        if name not in ("DataCheck", "Scores", "Membership", "Distribution", "Taxonomy")
    ],
)
def test_tables_fit_80_columns(name: str) -> None:
    frame = of_eight_letters()[name]
    with pd.option_context("display.width", 80, "display.max_columns", 20):
        shown = repr(frame)
    assert "\\\n" not in shown  # more columns below
    assert max(map(len, frame.to_string().split("\n"))) <= 80
