"""Drawn data: judgments of every kind, runs, and options of `evaluate` that go together.

What may meet is a covering array: each pair of a kind of truth, a number of subjects, an order of
ties and so on stands in some row. A seed chooses its row in turn, and draws the data.
"""

from collections.abc import Callable, Collection
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd
from support.covering import covering_array

import fuzzytruth as ft

#: 16 and 32 are boundaries of kernels
SUBJECTS = (1, 2, 15, 16, 17, 33, 40)
#: kind of truth -> kinds of worlds
WORLDS = {
    "grades": ("crisp",),
    "probability": ("independent",),
    "count": ("independent",),
    "subject": ("subject", "independent", "population"),
    "repeat": ("subject", "independent", "population"),
    "example": ("subject", "independent", "population"),
    "item": ("subject", "independent", "population"),
}
PAIRS = ("grades", "probability", "count", "subject", "repeat")
IDS = ["system", "query", "item", "subject", "category"]
NAMES: dict[str, Callable[[int], Any]] = {
    "texts": "n{}".format,
    "numbers": int,
    "odd": "n é{}\u2028,".format,
}
MEASURES = ("AP", "P@2", "RR", "R@3", "Rprec", "Success@2", "RBP(p=0.8)", "F@3")
GRADED = ("nDCG@3", "nDCG", "DCG@2")
NO_EXPECTED_TIES = ("IPrec@0.5", "ERR@3")
CRISP = ("bpref", "Judged@2", "NumRel", "infAP")
DESIGN = covering_array(
    {
        "kind": list(WORLDS),
        "n_subjects": SUBJECTS,
        "worlds": range(3),
        "ties": ["trec", "order", "expected"],
        "missing": ["nonrelevant", "exclude", "pooled"],
        "undefined": ["zero", "exclude"],
        "names": list(NAMES),
        "kept": [1.0, 0.75],
        "top": [1, 2, 3],
        "levels": [3, 1000],
        "rel": [None, 1],
        "exclude_self": [False, False, True],
    }
)


class Case:
    """Judgments, runs and options drawn from a seed, of one of some kinds of truth and worlds.

    Attributes
    ----------
    votes : DataFrame
        Judgments, or votes for categories.
    runs : DataFrame
        Lists of three systems, with ties, items that nobody judged, and early ends.
    """

    def __init__(
        self, seed: int, kinds: Collection[str] = tuple(WORLDS), worlds: str | None = None
    ) -> None:
        rows = [row for row in DESIGN if row["kind"] in kinds]
        self.row = row = rows[seed % len(rows)]
        self.seed, self.rng, self.kind = seed, np.random.default_rng(seed), row["kind"]
        of_kind = WORLDS[self.kind]
        self.worlds = worlds or of_kind[row["worlds"] % len(of_kind)]
        of_people = len(of_kind) > 1
        self.n_subjects = row["n_subjects"] if of_people else 1
        if self.worlds == "population":
            self.n_subjects = max(2, self.n_subjects)
        self.options = {
            "worlds": self.worlds,
            "ties": row["ties"],
            "missing": row["missing"] if self.kind in ("subject", "repeat") else "error",
            "undefined": row["undefined"],
            "rel": row["rel"] if self.kind in PAIRS and self.kind != "probability" else None,
            "exclude_self": row["exclude_self"] and self.kind != "example",
            "n_worlds": 20,
            "rng": int(self.rng.integers(99)),
        }
        name = NAMES[row["names"]]
        self.queries = [name(j) for j in range(self.rng.integers(3, 7))]
        self.items = [name(j) for j in range(self.rng.integers(3, 9))]
        self.subjects = [f"s{j:02}" for j in range(self.n_subjects)]
        if self.kind in ("example", "item"):
            self.queries = self.items
            self.categories = ["sea", "town", "wood"]
            self.votes = self._categories()
        else:
            self.votes = self._judgments()
        self.listed = self.categories if self.kind == "item" else [*self.items, "u1", "u2"]
        self.runs = self._lists()
        few = [*MEASURES, *(GRADED if self.kind in PAIRS else ())]
        few += NO_EXPECTED_TIES if row["ties"] != "expected" else ()
        few += CRISP if self.worlds == "crisp" and row["ties"] == "trec" else ()
        self.measures = [str(measure) for measure in self.rng.choice(few, 3, replace=False)]

    def ask_for_bounds(self) -> None:
        """Bounds of unjudged items, for a part of the cases that may have them."""
        known = self.kind == "grades" or (self.kind == "subject" and self.worlds == "subject")
        if known and not {*self.measures} & {*CRISP}:
            missing = "error" if self.kind == "grades" else "nonrelevant"
            self.options |= {"unjudged": "bounds", "ties": "trec", "missing": missing}

    def _judgments(self) -> pd.DataFrame:
        """Judgments of most pairs; relevant are about as many as not."""
        rng, top, rows = self.rng, self.row["top"], []
        for query in self.queries:
            for item in self.items:
                for subject in self.subjects:
                    if rng.random() > self.row["kept"]:
                        continue
                    grade = int(rng.integers(0, top + 1))
                    if self.kind == "count":
                        counts = enumerate(rng.integers(0, 4, top + 1) + (np.arange(top + 1) == 1))
                        rows += [(query, item, g, int(n)) for g, n in counts]
                    elif self.kind == "probability":
                        rows.append((query, item, 1, float(rng.random())))
                    elif self.kind == "grades":
                        rows.append((query, item, grade - int(rng.random() < 0.1)))
                    elif self.kind == "subject":
                        rows.append((query, item, grade, subject))
                    else:
                        times = range(int(rng.integers(1, 3)))
                        rows += [(query, item, (grade + t) % 2, subject, t) for t in times]
        more = {"count": ["count"], "probability": ["probability"], "subject": ["subject"]}
        more["repeat"] = ["subject", "repeat"]
        return pd.DataFrame(rows, columns=["query", "item", "grade", *more.get(self.kind, [])])

    def _categories(self) -> pd.DataFrame:
        """Everybody's vote for a category of every item."""
        rng = self.rng
        rows = [
            (subject, item, self.categories[(j + (rng.random() < 0.4)) % 3])
            for j, item in enumerate(self.items)
            for subject in self.subjects
        ]
        return pd.DataFrame(rows, columns=["subject", "item", "category"])

    def _lists(self) -> pd.DataFrame:
        rng = self.rng
        rows = [
            (system, query, item, float(rng.integers(self.row["levels"])))
            for system in "abc"
            for query in self.queries
            for item in rng.permutation(np.array(self.listed, object))[
                : rng.integers(2, len(self.listed) + 1)
            ]
        ]
        return pd.DataFrame(rows, columns=["system", "query", "item", "score"])

    def judged(self, votes: pd.DataFrame | None = None) -> ft.Judgments | ft.Assignments:
        """Votes of this case, or others, as the library holds them."""
        votes = self.votes if votes is None else votes
        of_pairs = self.kind in PAIRS
        return ft.Judgments.from_frame(votes) if of_pairs else ft.Assignments.from_frame(votes)

    def truth_of(self, votes: pd.DataFrame) -> Any:
        """The truth that votes with these columns make."""
        judged = self.judged(votes)
        if isinstance(judged, ft.Judgments):
            return judged
        return judged.by_example() if self.kind == "example" else judged.by_item()

    @cached_property
    def truth(self) -> Any:
        return self.truth_of(self.votes)

    @cached_property
    def scores(self) -> ft.Scores:
        return self.evaluate()

    @cached_property
    def one(self) -> ft.Scores:
        """Scores of one measure."""
        return self.scores.select(measures=self.scores.measures[0])

    def evaluate(
        self, truth: Any = None, runs: Any = None, measures: Any = None, **more: Any
    ) -> ft.Scores:
        """Scores with the options of this case, unless others are given."""
        return ft.evaluate(
            self.truth if truth is None else truth,
            self.runs if runs is None else runs,
            self.measures if measures is None else measures,
            **(self.options | more),
        )


def dicts(frame: pd.DataFrame, *keys: str) -> Any:
    """A frame as nested dicts; the last column has the values."""
    if not keys:
        return frame.iloc[0, -1]
    groups = frame.groupby(keys[0], sort=False)
    return {name: dicts(rows, *keys[1:]) for name, rows in groups}


_RESAMPLED = {"n_resamples": 49, "rng": 1}


@cache
def verbs() -> dict[str, Callable[[Case], Any]]:
    """Public verbs on the data of a case; some refuse some kinds."""
    found: dict[str, Callable[[Case], Any]] = {
        "agreement": lambda c: ft.agreement(c.judged()),
        "analyse": lambda c: ft.analyse(c.scores, **_RESAMPLED),
        "annotate_next": lambda c: ft.annotate_next(
            c.truth, c.runs, c.measures[0], systems=("a", "b"), n_worlds=20
        ),
        "by_rank": lambda c: ft.by_rank(c.truth, c.runs, depth=3),
        "compare": lambda c: ft.compare(c.scores, **_RESAMPLED),
        "compare_baseline": lambda c: ft.compare(c.one, "a", correction="holm", **_RESAMPLED),
        "compare_both": lambda c: ft.compare(c.one, over=("query", "subject"), **_RESAMPLED),
        "compare_groups": lambda c: ft.compare_groups(
            c.one,
            {s: "AB"[j % 2] for j, s in enumerate(c.one.subjects or c.subjects)},
            **_RESAMPLED,
        ),
        "curves": lambda c: ft.curves(c.truth, c.runs, "PR", missing=c.options["missing"]),
        "difference_intervals": lambda c: ft.tests.difference_intervals(c.one, **_RESAMPLED),
        "displacement": lambda c: ft.displacement(
            list("abc"), sorted(c.rng.random(3), reverse=True), list("bca")
        ),
        "distribution": lambda c: c.one.distribution("a", c.one.queries[0], c.one.measures[0]),
        "friedman": lambda c: ft.tests.friedman(c.one),
        "gate": lambda c: ft.gate(c.one, "a", "b", margin=0.1),
        "judged": lambda c: c.judged(),
        "mean_distribution": lambda c: c.one.mean_distribution("a", c.one.measures[0]),
        "next_votes": lambda c: ft.annotate_next(c.judged(), rng=1),
        "pairwise_agreement": lambda c: ft.pairwise_agreement(c.judged()),
        "plan": lambda c: ft.plan(c.one, half_width=0.3, queries=range(2, 30)),
        "query_differences": lambda c: c.one.query_differences("a", "b"),
        "rank_biased_overlap": lambda c: ft.lists.rank_biased_overlap(
            [*c.rng.permutation([*"abcde"])], [*"abfg"]
        ),
        "rank_stability": lambda c: ft.rank_stability(c.one, **_RESAMPLED),
        "crowd": lambda c: ft.crowd(c.judged(), n_permutations=3),
        "reliability": lambda c: ft.reliability(c.judged(), n_simulated=3),
        "runs": lambda c: ft.as_runs(c.runs),
        "santini": lambda c: ft.santini(
            c.judged(), c.runs, k=2, n_worlds=20, n_permutations=5, **_RESAMPLED
        ),
        "scores": lambda c: c.scores,
        "communities": lambda c: ft.communities(c.truth, n_permutations=5, n_splits=1, rng=1),
        "structure": lambda c: ft.structure(
            c.truth, c.runs, c.measures, n_permutations=5, n_draws=3, rng=1
        ),
        "subject_influence": lambda c: ft.subject_influence(c.one, **_RESAMPLED),
        "summary": lambda c: c.scores.summary(),
        "summary_subjects": lambda c: c.scores.summary(over="subject"),
        "variance_components": lambda c: ft.variance_components(c.one),
    }
    tests = ("bootstrap_shift", "dominance", "mcnemar", "paired_t", "sign_flip", "sign_test")
    for name in (*tests, "superiority", "wasserstein", "wilcoxon"):
        found[name] = lambda c, name=name: getattr(ft.tests, name)(c.one, "a", "b")
    for name in ("equivalence", "non_inferiority"):
        found[name] = lambda c, name=name: getattr(ft.tests, name)(c.one, "a", "b", margin=0.1)
    return found
