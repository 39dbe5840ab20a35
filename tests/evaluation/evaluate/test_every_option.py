"""Every measure under every option, with few and many subjects, against one subject at a time."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from support.covering import covering_array
from support.small_collections import TREE
from support.variants import VARIANTS
from support.worlds_of_items import subtree

import fuzzytruth as ft
from fuzzytruth.evaluation import subject_scores
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import scored
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.example import aligned as example

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


INTENTS = ["alpha_nDCG@5", "alpha_DCG@4", "ERR_IA@4", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA@3"]


INTENTS += ["StRecall@1", "alpha_nDCG(judged_only=True)@3"]


TAX = ft.Taxonomy.from_children(TREE)


NODES = [node for node in TAX.nodes if node != "all"]


FACTORS = {
    "truth": ["pairs", "intents", "example", "category", "similarity", "item"],
    "worlds": ["subject", "exclude", "nonrelevant", "pooled", "independent", "population"],
    "ties": ["trec", "order", "expected"],
    "undefined": ["zero", "exclude"],
    "n_subjects": [1, 15, 16, 40],
    "sparse": [False, True],
    "part": [0, 1, 2],  # of the measures
}


ROWS = covering_array(FACTORS, seed=1)


# From 16 subjects on, those of query by example lie in memory in another way.
ROWS += [
    {**ROWS[0], "truth": "example", "worlds": worlds, "n_subjects": n, "part": place % 3}
    for place, worlds in enumerate(FACTORS["worlds"])
    for n in (15, 16)
]


def runs_of(rng: np.random.Generator, queries: Sequence[str], items: Sequence[str]) -> Any:
    """Lists with ties, of most items and one that nobody judges; scores fall in blocks."""
    return {
        system: {
            q: {i: float(rng.integers(4)) for i in [*items, "unknown"] if rng.random() < 0.9}
            for q in queries
        }
        for system in ("a", "b")
    }


class Pairs:
    """Grades of query and item; all subjects give the top grade somewhere."""

    columns = ("query", "item", "subject", "grade")

    def __init__(self, n_subjects: int, *, complete: bool) -> None:
        rng = np.random.default_rng(n_subjects)
        self.subjects = [f"s{s:02}" for s in range(n_subjects)]
        self.queries, self.items = ("q0", "q1", "q2"), tuple("fedcbag")
        self.runs = runs_of(rng, self.queries, self.items)
        self.frame = pd.DataFrame(self.votes(rng, complete=complete), columns=list(self.columns))

    def votes(self, rng: np.random.Generator, *, complete: bool) -> Iterator[tuple[Any, ...]]:
        for subject in self.subjects:
            yield "top", "a", subject, 3
            for query in self.queries:
                for item in self.items:
                    grade = int(rng.choice([-1, 0, 1, 2, 3], p=[0.1, 0.4, 0.2, 0.15, 0.15]))
                    if complete or rng.random() < 0.8:
                        yield query, item, subject, grade

    def truth(self, frame: pd.DataFrame) -> Any:
        return ft.Judgments.from_frame(frame)

    def measures(self, ties: str) -> list[str]:
        return [name for name in VARIANTS if ties != "expected" or expects_ties(name)]

    def grades(self, subject: str) -> dict[tuple[str, str], float]:
        """Grade that a subject gave to each query and item."""
        own = self.frame[self.frame["subject"] == subject]
        return dict(zip(zip(own["query"], own["item"], strict=True), own["grade"], strict=True))

    def judged(self) -> set[tuple[str, str]]:
        """Queries and items that somebody judged."""
        return set(zip(self.frame["query"], self.frame["item"], strict=True))

    def alone(self, subject: str, missing: str) -> tuple[Any, Any]:
        """A subject's judgments and the lists it sees: crisp, complete."""
        own, missed = self.grades(subject), set()
        if missing != "subject":
            missed = {(q, i) for q, i in self.judged() - set(own) if self.sees(own, q)}
        if missing == "nonrelevant":
            own |= dict.fromkeys(missed, 0.0)
            missed = set()
        rows = [(q, i, g) for (q, i), g in own.items()]
        return pd.DataFrame(rows, columns=["query", "item", "grade"]), self.lists(missed)

    def sees(self, own: dict[tuple[str, str], float], query: str) -> bool:
        """Whether a subject has a value for the query."""
        return any(q == query for q, _ in own)

    def lists(self, left_out: set[tuple[str, str]]) -> Any:
        """The runs without some items."""
        return {
            system: {q: {i: x for i, x in one.items() if (q, i) not in left_out} for q, one in r}
            for system, r in ((system, run.items()) for system, run in self.runs.items())
        }

    def filled(self, subject: str) -> pd.DataFrame:
        """A subject's votes, and those of the others on what it did not judge."""
        key = [c for c in ("query", "item") if c in self.frame]
        own = self.frame["subject"] == subject
        done = pd.MultiIndex.from_frame(self.frame.loc[own, key])
        other = ~pd.MultiIndex.from_frame(self.frame[key]).isin(done)
        return self.frame[own | other]


class Intents(Pairs):
    """Grades by intent."""

    columns = ("query", "item", "intent", "subject", "grade")

    def votes(self, rng: np.random.Generator, *, complete: bool) -> Iterator[tuple[Any, ...]]:
        for query, item, subject, grade in super().votes(rng, complete=complete):
            for intent in ("x", "y") if query != "top" else ("x",):
                shown = rng.random() < 0.7 or query == "top"
                yield query, item, intent, subject, grade if shown else 0

    def measures(self, ties: str) -> list[str]:
        return INTENTS

    def alone(self, subject: str, missing: str) -> tuple[Any, Any]:
        frame, lists = super().alone(subject, missing)
        own = self.frame[self.frame["subject"] == subject].drop(columns="subject")
        keys = set(zip(own["query"], own["item"], strict=True))
        new = [(q, i) not in keys for q, i in zip(frame["query"], frame["item"], strict=True)]
        return pd.concat([own, frame[new].assign(intent="x")]), lists


class Example(Pairs):
    """Categories of items: relevant is what a subject puts under its category of the query."""

    columns = ("subject", "item", "category")

    def __init__(self, n_subjects: int, *, complete: bool) -> None:
        super().__init__(n_subjects, complete=complete)
        self.runs = runs_of(np.random.default_rng(n_subjects), self.items, self.items)

    def votes(self, rng: np.random.Generator, *, complete: bool) -> Iterator[tuple[Any, ...]]:
        for subject in self.subjects:
            for item in self.items:
                category = str(rng.choice(NODES))
                if complete or rng.random() < 0.8:
                    yield subject, item, category

    def truth(self, frame: pd.DataFrame) -> Any:
        return ft.Assignments.from_frame(frame, taxonomy=TAX).by_example()

    def measures(self, ties: str) -> list[str]:
        every = super().measures(ties)
        return [n for n in every if "rel=2" not in n and "max_rel" not in n and "min_rel" not in n]

    def relevance(self, asked: str, given: str) -> float:
        return float(given in subtree(TAX, asked))

    def asked(self, own: dict[str, str], query: str) -> str | None:
        return own.get(query)

    def grades(self, subject: str) -> dict[tuple[str, str], float]:
        rows = self.frame[self.frame["subject"] == subject]
        own = dict(zip(rows["item"], rows["category"], strict=True))
        grades = {("top", "a"): 1.0}
        for query in self.items:
            asked = self.asked(own, query)
            if asked is not None:
                grades |= {(query, i): self.relevance(asked, c) for i, c in own.items()}
        return {key: grade for key, grade in grades.items() if key[0] != key[1]}

    def judged(self) -> set[tuple[str, str]]:
        items = set(self.frame["item"])
        return {(q, i) for q in self.items for i in items if q != i}

    def lists(self, left_out: set[tuple[str, str]]) -> Any:
        return super().lists(left_out | {(i, i) for i in self.items})


class Category(Example):
    """The same with a given category for each query."""

    given: ClassVar[dict[str, str]] = dict(zip("fedcbag", (NODES * 2)[:7], strict=True))

    def truth(self, frame: pd.DataFrame) -> Any:
        votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
        return votes.by_example(category=self.given)

    def asked(self, own: dict[str, str], query: str) -> str | None:
        return self.given[query]


class Similarity(Example):
    """The same graded by the similarity of categories."""

    table = TAX.similarities(kind="wu-palmer").round(2)

    def truth(self, frame: pd.DataFrame) -> Any:
        votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
        return votes.by_example(relevance="wu-palmer", digits=2)

    def relevance(self, asked: str, given: str) -> float:
        return float(self.table[TAX.code(asked), TAX.code(given)])


class Item(Example):
    """Items as queries for categories; the pool is those that somebody gave the item."""

    def __init__(self, n_subjects: int, *, complete: bool) -> None:
        super().__init__(n_subjects, complete=complete)
        self.runs = runs_of(np.random.default_rng(n_subjects), self.items, TAX.nodes)
        for run in self.runs.values():
            for one in run.values():
                one.pop("unknown", None)

    def truth(self, frame: pd.DataFrame) -> Any:
        return ft.Assignments.from_frame(frame, taxonomy=TAX).by_item()

    def grades(self, subject: str) -> dict[tuple[str, str], float]:
        rows = self.frame[self.frame["subject"] == subject]
        own = dict(zip(rows["item"], rows["category"], strict=True))
        pool = self.frame[self.frame["item"].isin(list(own))]
        pairs = zip(pool["item"], pool["category"], strict=True)
        grades = {(item, node): float(node == own[item]) for item, node in pairs}
        return grades | {("top", "a"): 1.0}

    def judged(self) -> set[tuple[str, str]]:
        return set()

    def lists(self, left_out: set[tuple[str, str]]) -> Any:
        return self.runs


CASES = {
    "pairs": Pairs,
    "intents": Intents,
    "example": Example,
    "category": Category,
    "similarity": Similarity,
    "item": Item,
}


def expects_ties(name: str) -> bool:
    return ft.measures.parse_measure(name).expects_ties


def evaluated(truth: Any, runs: Any, row: dict[str, Any], names: list[str], **options: Any) -> Any:
    shared = {"ties": row["ties"], "undefined": row["undefined"], "rng": 5}
    return ft.evaluate(truth, runs, names, **shared, **options)


def end_to_end(measures: Sequence[Measure], batch: Batch) -> Iterator[Any]:
    """The small layout for every measure, which is that of few worlds."""
    return (scored(measure, batch.end_to_end()) for measure in measures)


def test_each_pair_of_options_occurs() -> None:
    for one, two in itertools.combinations(FACTORS, 2):
        assert {(row[one], row[two]) for row in ROWS} == {
            *itertools.product(FACTORS[one], FACTORS[two])
        }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(map(str, row.values())))
def test_every_measure_is_that_of_one_subject_at_a_time(
    row: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if row["sparse"]:
        monkeypatch.setattr(example, "_DENSE", 0)
        monkeypatch.setattr(example, "_SMALL", 0)
    if row["truth"] == "intents" and row["ties"] == "expected":
        row = {**row, "ties": "order"}  # no measure of diversity knows expected ties
    kind = row["worlds"]
    if kind in ("independent", "population"):
        check_drawn(row, monkeypatch)
        return
    case = CASES[row["truth"]](
        row["n_subjects"], complete=kind == "subject" or row["n_subjects"] == 1
    )
    names = case.measures(row["ties"])[row["part"] :: 3]
    missing = "error" if kind == "subject" else kind
    options = {"worlds": "subject", "missing": missing, "n_worlds": 100}
    every = evaluated(case.truth(case.frame), case.runs, row, names, **options)
    for subject in {case.subjects[0], case.subjects[row["n_subjects"] // 2]}:
        if kind == "pooled":
            check_pooled(case, row, every, subject, names)
        else:
            frame, lists = case.alone(subject, kind)
            check_alone(every, subject, evaluated(frame, lists, row, names))


def check_alone(every: ft.Scores, subject: str, alone: ft.Scores) -> None:
    """Values of a subject are those of a crisp truth with its judgments."""
    own = values_of(every, subject)
    reference = alone.to_frame().set_index(["system", "query", "measure"])["value"]
    shared = own.index.intersection(reference.index)
    assert set(own.index.get_level_values("query")) - {"top"} <= set(alone.queries)
    assert len(shared) >= len(every.measures)
    np.testing.assert_allclose(own[shared], reference[shared], atol=1e-12)


def check_pooled(case: Pairs, row: Any, every: ft.Scores, subject: str, names: list[str]) -> None:
    """Missing judgments are drawn from those of the others, one item at a time."""
    own, error = values_of(every, subject), values_of(every, subject, "mc_error")
    truth = case.truth(case.filled(subject))
    filled = evaluated(truth, case.runs, row, names, worlds="independent", n_worlds=100)
    other = filled.to_frame().set_index(["system", "query", "measure"])
    shared = own.index.intersection(other.index)
    assert len(shared) >= len(every.measures)
    gap = own[shared] - other.loc[shared, "value"]
    assert (gap.isna() == (own[shared].isna() & other.loc[shared, "value"].isna())).all()
    limit = 5 * np.hypot(error[shared], other.loc[shared, "mc_error"]) + 1e-9
    assert not (gap.abs() > limit).any(), gap[gap.abs() > limit]


def values_of(scores: ft.Scores, subject: str, column: str = "value") -> pd.Series:
    frame = scores.to_frame().assign(**({} if scores.uncertainty else {"mc_error": 0.0}))
    own = frame[frame["subject"] == subject]
    return own.set_index(["system", "query", "measure"])[column]


def check_drawn(row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn worlds have the values of the small layout; those of equal subjects are one's own."""
    case = CASES[row["truth"]](row["n_subjects"], complete=row["sparse"])
    names = case.measures(row["ties"])[row["part"] :: 3]
    options = {"worlds": row["worlds"], "n_worlds": 33}
    if row["worlds"] == "population" and row["n_subjects"] == 1:
        with pytest.raises(ft.FuzzytruthError, match="subject"):
            evaluated(case.truth(case.frame), case.runs, row, names, **options)
        return
    drawn = evaluated(case.truth(case.frame), case.runs, row, names, **options)
    first = CASES[row["truth"]](1, complete=True)
    alike = pd.concat([first.frame.assign(subject=name) for name in case.subjects[:17]])
    equal = evaluated(case.truth(alike), case.runs, row, names, **options)
    one = evaluated(first.truth(first.frame), case.runs, row, names, worlds="subject")
    np.testing.assert_allclose(equal.values, one.values, atol=1e-9)
    assert equal.uncertainty is not None
    assert not np.nan_to_num(equal.uncertainty.std).max() > 1e-7
    monkeypatch.setattr(simulation, "scored_each", end_to_end)
    monkeypatch.setattr(subject_scores, "scored_each", end_to_end)
    again = evaluated(case.truth(case.frame), case.runs, row, names, **options)
    np.testing.assert_allclose(drawn.values, again.values, atol=1e-12)
