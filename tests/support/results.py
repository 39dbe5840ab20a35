"""One object of every public class that holds numbers."""

import inspect
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from support.public import PUBLIC
from support.scores_for_tests import scores_of

TREE = ft.Taxonomy.from_children({"all": ["u", "v"]})
RUNS = {
    name: {
        f"q{j}": {item: 9.0 - (k * (s + j)) % 4 for k, item in enumerate("abcd")} for j in range(4)
    }
    for s, name in enumerate(["x", "y", "z"])
}


@cache
def judgments() -> ft.Judgments:
    rows = [
        (f"q{j}", item, subject, (j + k + s) % 2)
        for j in range(4)
        for k, item in enumerate("abcd")
        for s, subject in enumerate(["ann", "bob", "cat", "dan"])
    ]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )


@cache
def scores(worlds: str = "subject") -> ft.Scores:
    return ft.evaluate(judgments(), RUNS, ["P@2"], worlds=worlds, n_worlds=20, rng=0)


@cache
def votes() -> ft.Assignments:
    rows = [("ann", "a", "u"), ("bob", "a", "v"), ("ann", "b", "v"), ("bob", "b", "v")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(frame, taxonomy=TREE)


#: rankings of the items of `judged_by_category`, for two of them
RUNS_BY_EXAMPLE = {
    "x": {"a": ["b", "d", "c"], "b": ["a", "d", "c"]},
    "y": {"a": ["c", "b", "d"], "b": ["c", "a", "d"]},
}


@cache
def judged_by_category() -> ft.Assignments:
    categories = [*"uuvuvuvvvuuu"]
    return ft.Assignments.from_columns(
        list("stu") * 4, [*"aaabbbcccddd"], categories, taxonomy=TREE
    )


@cache
def some_votes() -> ft.Assignments:
    """Three of four people on each of twelve items."""
    rows = [("stuw"[s], f"i{i}", "uv"[(i + (s == i % 4)) % 2]) for i in range(12) for s in range(4)]
    kept = [row for j, row in enumerate(rows) if j % 4 != (j // 4 + 1) % 4]
    return ft.Assignments.from_columns(*zip(*kept, strict=True))


@cache
def two_schools() -> ft.Assignments:
    """Votes of two groups of three who want opposite categories."""
    says = {"a": "uvvuuvuvvu" * 5, "b": "vuuvvuvuuv" * 5}
    who = ["a1", "a2", "a3", "b1", "b2", "b3"]
    rows = [(s, f"i{i}", says[s[0]][i]) for s in who for i in range(50)]
    return ft.Assignments.from_columns(*zip(*rows, strict=True), taxonomy=TREE)


@cache
def powered_scores(noise: float = 0.0) -> ft.Scores:
    values = [[0.6, 0.4, 0.7, 0.3, 0.5, 0.2, 0.4, 0.8], [0.4, 0.3, 0.7, 0.1, 0.3, 0.3, 0.2, 0.6]]
    more = noise * np.random.default_rng(8).normal(size=(2, 8))
    return scores_of(np.array(values) + more)


def graded(names: str, n_queries: int = 12, seed: int = 0) -> ft.Judgments:
    """Grades 0 to 2 of subjects with these names, two items a query."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 3, 2 * n_queries)
    rows = [
        (f"q{j // 2}", f"d{j}", name, int(grade if rng.random() < 0.7 else rng.integers(0, 3)))
        for name in names.split()
        for j, grade in enumerate(true)
    ]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )


#: class -> one of its objects
MAKE: dict[str, Any] = {
    "AlternativeAnnotator": lambda: ft.alternative_annotator(
        graded("Annalena Bartolom Caterina", 20), graded("Gpt-four Geminate", 20, 1)
    ),
    "Agreement": lambda: ft.agreement(judged_by_category(), over=("item", "subject")),
    "Analysis": lambda: ft.analyse(scores(), n_resamples=99),
    "AnnotationOrder": lambda: ft.annotate_next(judgments(), RUNS, "P@2", systems=("x", "z")),
    "Assignments": votes,
    "BradleyTerry": lambda: ft.bradley_terry(
        pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"]})
    ),
    "ClassScores": lambda: ft.classification.class_scores(
        votes(), pd.DataFrame({"item": ["a", "b"], "category": ["u", "v"]})
    ),
    "Communities": lambda: ft.communities(two_schools(), n_permutations=19, n_splits=2),
    "Comparison": lambda: ft.compare(scores(), n_resamples=99),
    "Crowd": lambda: ft.crowd(graded("Annalena Bartolom Caterina", 20), structure=False),
    "Curves": lambda: ft.curves({"q0": {"a": 1}}, {"x": {"q0": {"a": 1.0}}}, "PR"),
    "DataCheck": lambda: ft.analyse(scores(), n_resamples=99).data,
    "Displacement": lambda: ft.displacement(["a", "b"], [1, 0.5], ["b", "a"]),
    "Distribution": lambda: ft.Distribution.poisson_binomial([0.5, 0.25]),
    "Dominance": lambda: ft.tests.dominance(scores(), "x", "y", n_resamples=99),
    "FriedmanResult": lambda: ft.tests.friedman(scores()),
    "Gate": lambda: ft.gate(scores(), "x", "y", margin=0.1),
    "GroupComparison": lambda: ft.compare_groups(
        scores(), {"ann": "A", "bob": "A", "cat": "B", "dan": "B"}, n_resamples=99
    ),
    "JudgeAgreement": lambda: ft.judge_agreement(
        graded("Annalena Bartolom"), graded("Gpt-four Geminate", 12, 1), n_resamples=99
    ),
    "Judgments": judgments,
    "Membership": lambda: votes().membership(),
    "PredictionPowered": lambda: ft.prediction_powered(
        powered_scores().select(queries=["q0", "q1", "q2", "q3", "q4"]), powered_scores(0.1)
    ),
    "PairwiseAgreement": lambda: ft.pairwise_agreement(judgments(), over="item"),
    "Plurality": lambda: votes().plurality(),
    "Plan": lambda: ft.plan(scores(), half_width=0.4, subjects=[2, 4, 8]),
    "RankBiasedOverlap": lambda: ft.lists.rank_biased_overlap(["a", "b"], ["b", "c"]),
    "NextVotes": lambda: ft.annotate_next(some_votes(), limit=8),
    "RankDistributions": lambda: ft.by_rank(judgments(), RUNS, depth=2),
    "QueryDifferences": lambda: scores().query_differences("x", "y"),
    "RankStability": lambda: ft.rank_stability(scores(), n_resamples=99),
    "Reliability": lambda: ft.reliability(judgments()),
    "Runs": lambda: ft.Runs.from_dict(RUNS),
    "Santini": lambda: ft.santini(
        judged_by_category(),
        RUNS_BY_EXAMPLE,
        k=1,
        n_worlds=20,
        n_resamples=99,
        n_permutations=9,
    ),
    "Scores": scores,
    "SubjectInfluence": lambda: ft.subject_influence(scores(), over="query", n_resamples=99),
    "Superiority": lambda: ft.tests.superiority(scores("independent"), "x", "y"),
    "Taxonomy": lambda: TREE,
    "TestResult": lambda: ft.tests.paired_t(scores(), "x", "y"),
    "Structure": lambda: ft.structure(judged_by_category(), n_permutations=19, n_draws=9),
    "VarianceComponents": lambda: ft.variance_components(scores()),
    "WeightedScores": lambda: ft.reliability(judgments(), level=None).compare(RUNS, ["P@2", "P@1"]),
}


def public_classes() -> set[str]:
    """Classes that are no errors and no warnings."""
    return {
        name
        for name, value in PUBLIC.items()
        if inspect.isclass(value) and not issubclass(value, Exception)
    }
