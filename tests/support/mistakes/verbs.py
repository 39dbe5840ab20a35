"""Of what evaluates, compares, measures agreement and plans."""

import functools

import numpy as np
import pandas as pd

import fuzzytruth as ft
from support.mistakes.examples import (
    COUNTS,
    EYE,
    ITEM_RUN,
    RUNS,
    TRUTH,
    TWO,
    flat,
    frame,
    judged,
    labels,
    scores,
    table,
    voted,
)

HALF = ft.Distribution.from_atoms([0, 1], [0.5, 0.5])
GRADES = [("q1", "d1", 4), ("q1", "d2", 0), ("q2", "d1", 5), ("q2", "d3", 1)]
BOTH = [(query, item, who, grade) for who in ("ann", "bob") for query, item, grade in GRADES]
LABEL_RUN = {"i1": ["city", "sea"], "i2": ["sea", "crowd"], "i3": ["crowd", "city"]}
COLLECTION = ["i1", "i2", "i3"]
CATEGORIES = ["city", "sea", "crowd"]

first = functools.partial(ft.evaluate, measures="P@1")


def by_subject(votes=BOTH, **options):
    return ft.evaluate(judged(*votes), RUNS, options.pop("measures", "P@1"), **options)


def agreed(**options):
    return ft.agreement(voted("s", "t"), **options)


def pairs(**options):
    return ft.pairwise_agreement(voted("ann", "bob"), **options)


def counted():
    return ft.Assignments.from_counts(
        np.array([[3, 1], [1, 3], [4, 0]]), items=COLLECTION, categories=["city", "sea"]
    )


def probable(p, items=COLLECTION, categories=CATEGORIES):
    return ft.classification.probability_scores(
        flat(), np.array(p), items=items, categories=categories
    )


def classified(*answers: tuple, **options):
    return ft.classification.class_scores(
        labels(), frame("system item category", *answers), **options
    )


def duels(*rows: str):
    """Each `left right winner`, after one that each of a and b wins."""
    both = ("a", "b", "a"), ("b", "a", "b")
    return ft.bradley_terry(frame("left right winner", *both, *(row.split() for row in rows)))


def components(**options):
    return ft.variance_components(scores("a", "b"), **options)


def asked(**options):
    return ft.annotate_next(COUNTS, TWO, "AP", **options)


def against(**options):
    return ft.compare(scores("bm25", "dense"), **options)


def planned(**options):
    return ft.plan(**{"components": {"residual": 1}, "half_width": 1} | options)


ERRORS = {
    # --- evaluate
    "run 'sys' and the judgments have no query in common: the run has 101, the judgments Q101": (
        lambda: first({"Q101": {"d1": 1}}, {"sys": {"101": {"d1": 1.0}}})
    ),
    "P@1: an item is relevant from grade 1, but the largest grade is 0.9, ... from_probabilities": (
        lambda: first({"q1": {"d1": 0.9}, "q2": {"d1": 0.6}}, RUNS)
    ),
    "rel: 'bobby' is not among the subjects (nearest: 'bob'): ann, bob": (
        lambda: by_subject(worlds="subject", rel={"ann": 3, "bobby": 1})
    ),
    "no threshold for 1 subject: bob": lambda: by_subject(worlds="subject", rel={"ann": 3}),
    "rel={'ann': 3, 'bob': 1}: leaves grades 0 and 1, and P(rel=2)@1 set thresholds ... of their": (
        lambda: by_subject(measures="P(rel=2)@1", worlds="subject", rel={"ann": 3, "bob": 1})
    ),
    "1 by 'bob' for query 'q2'); ...missing=": lambda: by_subject(BOTH[:-1], worlds="subject"),
    "have no subjects; leave out worlds=, or": lambda: first(TRUTH, RUNS, worlds="subject"),
    "worlds='subject': these votes are counts ...; use worlds='independent'": (
        lambda: first(counted().by_example(), ITEM_RUN, worlds="subject")
    ),
    "worlds='population': these votes are counts ...; use worlds='independent'": (
        lambda: first(counted().by_example(), ITEM_RUN, worlds="population")
    ),
    "by_example: none of the queries ... 'i1', and a run has 'photo1'; ...category={query: cat": (
        lambda: first(labels().by_example(), {"sys": {"photo1": ["i1"]}})
    ),
    "the run has city, the judgments i1, i2, i3; check the ids; by_item has items as queries": (
        lambda: first(flat().by_item(), {"net": {"city": ["i1"]}})
    ),
    "WD(unseen=optimist): compares whole lists of one subject; ... give judgments with grades": (
        lambda: ft.evaluate(labels().by_example(), ITEM_RUN, "WD(unseen=optimist)")
    ),
    "n_jobs=0: must be 1 or more, or -1": lambda: first(TRUTH, RUNS, n_jobs=0),
    "rng=True: must be None, a whole number from 0": lambda: first(TRUTH, RUNS, rng=True),
    "progress=True: must be a function": lambda: first(TRUTH, RUNS, progress=True),
    "measures=None: give one or several": lambda: ft.evaluate(TRUTH, RUNS, None),
    "measures=3: give one or several": lambda: ft.evaluate(TRUTH, RUNS, 3),
    "register: 3 is not a measure; give a function": lambda: ft.measures.register(3),
    "<class 'int'> is not a measure": lambda: ft.measures.register(int),
    # --- scores and distributions
    "query=None: name a query": lambda: scores("a").distribution("a", None, "AP"),
    "measure None is not among": lambda: scores("a").mean_distribution("a", None),
    "groups=3: must be {query: group}": lambda: scores("a").mean(groups=3),
    "full=<NA>: must be True or False": lambda: scores("a").summary(full=pd.NA),
    "statistic: is called as statistic(values, axis=-1)": (
        lambda: scores("a").summary(statistic=int, method="percentile")
    ),
    "rng='12': must be None": lambda: HALF.rvs(rng="12"),
    "size='x': must be a whole number": lambda: HALF.rvs(size="x"),
    "func=3: must be a function of one": lambda: HALF.expect(3),
    "distributions[0]=1: ...; Distribution.po": lambda: ft.Distribution.mixture([1, 2], [0.5, 0.5]),
    "distributions=...: must be a list of dist": lambda: ft.Distribution.mixture(HALF, [1]),
    "other=3: must be a Distribution": lambda: HALF.prob_greater(3, independent=True),
    "other=4: must be a Distribution": lambda: HALF.prob_equal(4, independent=True),
    "other=5: must be a Distribution": lambda: HALF.difference(5, independent=True),
    "other=None: must be a Distribution": lambda: HALF.wasserstein(None),
    "other='b': must be a Distribution": lambda: HALF.dominates("b"),
    # --- compare
    "over='annotator': must be": lambda: against(over="annotator"),
    "over='subject': these scores have no subjects; evaluate with worlds='subject'": (
        lambda: against(over=("query", "subject"))
    ),
    "compare: the scores have a single system, 'bm25'": lambda: ft.compare(scores("bm25")),
    "join both first: compare(concat(": lambda: ft.compare(scores("bm25"), scores("dense")),
    "measure 'nDCG@20' is not among these scores; they have AP": (
        lambda: against(measures="nDCG@20")
    ),
    "correction=<NA>: must be None": lambda: ft.compare(scores("a", "b"), correction=pd.NA),
    # --- image_text
    "similarity 'B': its shape is (2, 2), and that of 'A' (3, 3)": (
        lambda: ft.image_text({"A": EYE, "B": EYE[:2, :2]}, [0, 1, 2])
    ),
    "must be 3 whole ...; similarity 'A' has shape": lambda: ft.image_text({"A": EYE}, [0, 1]),
    "text 2 has image 3, but images are 0 to 2": lambda: ft.image_text({"A": EYE}, [1, 2, 3]),
    "text 2 has image -1": lambda: ft.image_text({"A": EYE}, [0, 1, -1]),
    "image_of_text: image 2 has no text": lambda: ft.image_text({"A": EYE}, [0, 1, 1]),
    "cutoffs=5: must be a list of whole numb": lambda: ft.image_text(EYE, [0, 1, 2], cutoffs=5),
    # --- probability_scores, class_scores
    "item 'i1', category 'city': value 7 is no ... softmax": lambda: probable(EYE * 10 - 3),
    "p of system 'system', item 'i2': the row sums to 1.25, not 1": (
        lambda: probable([[0.5, 0.25, 0.25], [0.5, 0.25, 0.5], [0.25, 0.25, 0.5]])
    ),
    "categories: 2 votes are ... without a column: 'crowd' (the first on item 'i3'); add columns": (
        lambda: probable(np.full((3, 2), 0.5), categories=["city", "sea"])
    ),
    "none of them has votes; items are such as 'i1.png', and the votes are on such as 'i1'": (
        lambda: probable(np.full((1, 3), 1 / 3), items=["i1.png"])
    ),
    "category 'city': probability 0, but there are ...clip=": lambda: probable(np.eye(3)),
    "row 1 (index 'r1'), ...'crwod' ...: 'crowd')": lambda: classified(("net", "i2", "crwod")),
    "categories, row 1, column 'category': value 'citty' ... (nearest: 'city')": (
        lambda: classified(("net", "i1", "city"), categories=["citty"])
    ),
    "'i1' is assigned to 'city' twice": lambda: classified(*[("net", "i1", "city")] * 2),
    "answers: no column for 'category', but ... ('city', 'sea'); ... with probability_scores": (
        lambda: ft.classification.class_scores(
            labels(), frame("system item city sea", ("net", "i1", 0.9, 0.1))
        )
    ),
    "truth=...: must be Assignments or Membership": lambda: ft.classification.class_scores(
        TRUTH, COUNTS
    ),
    # --- bradley_terry
    "row 3 (index 'r3'), column 'winner': value 'c' is neither": lambda: duels("a b c"),
    "'left' and 'right' both hold 'gpt'; an item cannot": lambda: duels("gpt gpt gpt"),
    "no comparisons connect 'a', 'b' with 'x', 'y', ...prior=1": lambda: duels("x y x", "y x y"),
    "'best' won every ... give prior=1": lambda: duels("best a best", "best b best"),
    "preferences: no column for 'preferred' ... columns={'preferred': 'verdict'}": (
        lambda: ft.bradley_terry(frame("left right verdict", ("a", "b", "a"), ("b", "a", "b")))
    ),
    # --- agreement
    "votes: give Judgments, Assignments, a frame, ... not 3": lambda: ft.agreement(3),
    "one truth by an unknown author": lambda: ft.agreement(TRUTH),
    "coefficient='beta': must be one of 'alpha'": lambda: agreed(coefficient="beta"),
    "metric: a matrix of shape () does not fit": lambda: agreed(metric=3),
    "metric=None: must be the name of a metric": lambda: agreed(metric=None),
    "over=3: must be 'item', 'query', 'subject'": lambda: agreed(over=3),
    "over=(): must be 'item', 'query'": lambda: agreed(over=()),
    "queries are clusters of items": lambda: agreed(over=["item", "query"]),
    "subjects=3: must be names": lambda: agreed(subjects=3),
    "subject 'sx' is not among ... (nearest: 's')": lambda: agreed(subjects="sx"),
    "name of a subject is given twice": lambda: agreed(subjects=["s", "s"]),
    "level=95: must lie between 0 and 1": lambda: agreed(level=95),
    "scale=3: must be the lowest and the highest grade": lambda: agreed(scale=3),
    "scale='a': must be a finite": lambda: agreed(scale=("a", 3)),
    "scale=(3, 0): must be the lowest": lambda: agreed(scale=(3, 0)),
    "rng='x': must be None, a whole": lambda: agreed(rng="x"),
    "votes: give Judgments, ... not None": lambda: ft.pairwise_agreement(None),
    "votes: these judgments are one truth": lambda: ft.pairwise_agreement(TRUTH),
    "coefficient=3: must be one of 'percent'": lambda: pairs(coefficient=3),
    "metric=None: must be one of 'nominal'": lambda: pairs(metric=None),
    "over=[]: must be one of 'item'": lambda: pairs(over=[]),
    "level='x': must be a number between 0 and 1": lambda: pairs(level="x"),
    "threshold='all': must be a finite number": lambda: pairs().duplicates("all"),
    # --- people and models
    "human=3: give Judgments, Assignments": lambda: ft.alternative_annotator(3, voted("m")),
    "model=3: give Judgments, Assignm": lambda: ft.alternative_annotator(voted("a", "b", "c"), 3),
    "model=Runs...: give Judgments, Assignments": (
        lambda: ft.alternative_annotator(voted("a", "b", "c"), ft.Runs.from_dict(RUNS))
    ),
    "epsilon=None: must be a number": (
        lambda: ft.alternative_annotator(voted("a", "b", "c"), voted("m"), epsilon=None)
    ),
    "human=4: give Judgments, Assignments, a frame": lambda: ft.judge_agreement(4, voted("m")),
    "runs: give Runs, ..., not 3": lambda: ft.judge_agreement(voted("a"), voted("m"), 3),
    "missing=3: must be one of": lambda: ft.judge_agreement(voted("a"), voted("m"), TWO, missing=3),
    "rng='y': must be None, a whole": lambda: ft.judge_agreement(voted("a"), voted("m"), rng="y"),
    "human=3: ...; or Scores of both": lambda: ft.prediction_powered(3, TRUTH, RUNS, "AP"),
    "runs=None: judgments need runs and measures": lambda: ft.prediction_powered(TRUTH, TRUTH),
    "human: 2 judged ...from 3 on": lambda: ft.prediction_powered(TRUTH, TRUTH, RUNS, "AP"),
    "unit='item': must be 'query': items of a query vary together": (
        lambda: ft.prediction_powered(scores("a"), scores("a"), unit="item")
    ),
    "by='model': must be one of None, 'judge'": (
        lambda: ft.prediction_powered(scores("a"), scores("a"), by="model")
    ),
    "truth: give Judgments": lambda: ft.subject_influence(3, RUNS, "AP"),
    "runs=None: votes take runs": lambda: ft.subject_influence(TRUTH),
    "votes: give Judgments, Assignments, a frame, ... not 4": lambda: ft.reliability(4),
    "one truth by an unknown author; give those of several": lambda: ft.reliability(TRUTH),
    "method='best': must be one of": lambda: ft.reliability(TRUTH, "best"),
    "copies=2: must be one of": lambda: ft.reliability(TRUTH, copies=2),
    "prior=-1": lambda: ft.reliability(TRUTH, prior=-1),
    "n_simulated=-1": lambda: ft.reliability(TRUTH, n_simulated=-1),
    # --- annotate_next
    "measure='AP': is for the difference of two systems": lambda: ft.annotate_next(
        COUNTS, measure="AP"
    ),
    "nobody is named": lambda: ft.annotate_next(COUNTS),
    "category='1': is for votes without runs": lambda: asked(category="1"),
    "votes: give Judgments, votes.by_example(), ... not 3": lambda: ft.annotate_next(3, RUNS, "AP"),
    "runs: give Runs, a frame, ... not 3": lambda: ft.annotate_next(COUNTS, 3, "AP"),
    "a measure is a text ..., not 3": lambda: ft.annotate_next(COUNTS, RUNS, 3),
    "systems=3: must be two different": lambda: asked(systems=3),
    "systems: 1 is not among the": lambda: asked(systems=(1, 2)),
    "k='1': must be a whole number": lambda: asked(k="1"),
    "prior={}: must have votes for each": lambda: asked(prior={}),
    "prior=[1]: must be a finite": lambda: asked(prior=[1]),
    "unjudged='no': must be True or": lambda: asked(unjudged="no"),
    "limit=1.5: must be a whole": lambda: asked(limit=1.5),
    # --- components of variance, plan
    "scores: give Scores, ... make them, not [1]": lambda: ft.variance_components([1]),
    "replicate_of=3: must be {run: ": lambda: components(replicate_of=3),
    "level='x': must be a number bet": lambda: components(level="x"),
    "design=3: must be one of": lambda: components(design=3),
    "measures=3: must be names of m": lambda: components(measures=3),
    "measures: name at least one": lambda: components(measures=[]),
    "scores: give Scores, ..., not 3": lambda: ft.plan(3, half_width=1),
    "components=[1]: must be {component: variance}": lambda: planned(components=[1]),
    "of=3: must be one of": lambda: planned(of=3),
    "over=3: must be 'query', 'subject', or both": lambda: planned(over=3),
    "queries=1.5: must be a whole number, or several": lambda: planned(queries=1.5),
    "family=True: must be 'all pairs'": lambda: planned(family=True),
    "budget='much': must be a finite number": lambda: planned(budget="much", half_width=None),
    "systems: '3' is not": lambda: ft.plan(scores("a", "b"), half_width=1, systems=3),
    "measure '3' is not": lambda: ft.plan(scores("a", "b"), half_width=1, measure=3),
    "replicate_of=3": lambda: ft.plan(scores("a", "b"), half_width=1, replicate_of=3),
    "queries='x': must be a whole number": lambda: planned().predict("x"),
}

WARNINGS = {
    "was judged, in any query, for 1 run: dense (such as 'D1.txt', where 'd1' is judged)": (
        lambda: first(TRUTH, RUNS | {"dense": {"q1": ["D1.txt", "D2.txt"], "q2": ["D1.txt"]}})
    ),
    "every judged item counts as relevant for P@2: all 4 grades are from 1 to 5, ... rel=5": (
        lambda: ft.evaluate({"q1": {"d1": 1, "d2": 5}, "q2": {"d1": 3, "d3": 2}}, RUNS, "P@2")
    ),
    "'hits@10' counts ... is Success@10": lambda: ft.evaluate(TRUTH, RUNS, "hits@10"),
    "grades of 1 subject of 2 keep to a shorter scale (ann 0 to 5) ... (up to 100, as bob)": (
        lambda: by_subject(
            [
                ("q1" if d < 4 else "q2", f"d{d}", who, grade * times)
                for who, times in (("ann", 1), ("bob", 20))
                for d, grade in enumerate((5, 0, 3, 1, 4, 2, 5, 1))
            ],
            worlds="subject",
        )
    ),
    "queries without a category (category=) are left out of sys (1: photo2)": (
        lambda: first(
            labels().by_example(collection=COLLECTION, category={"photo1": "city"}),
            {"sys": {"photo1": ["i1"], "photo2": ["i3"]}},
        )
    ),
    "no votes on 1 of 4 items of the collection, which count as not relevant: i9": (
        lambda: first(labels().by_example(collection=[*COLLECTION, "i9"]), ITEM_RUN)
    ),
    "not in the taxonomy, ... net (1, such as 'citty' (nearest: 'city')); by_item has items as": (
        lambda: first(labels().by_item(), {"net": LABEL_RUN | {"i1": ["citty"]}})
    ),
    "sys (6, such as 'i2'); ... (by_example retrieves": lambda: first(flat().by_item(), ITEM_RUN),
    "queries without votes are left out of net (1: i99)": (
        lambda: first(flat().by_item(), {"net": LABEL_RUN | {"i99": ["sea", "city"]}})
    ),
    "1 value is missing where another system has one (the first: system 'dense', query 'q6')": (
        lambda: ft.compare(ft.Scores.from_frame(table("bm25", "dense").iloc[:-1]))
    ),
    "left out: 1 row of probabilities, of items without votes: 'i77'": (
        lambda: probable(np.full((4, 3), 1 / 3), items=[*COLLECTION, "i77"])
    ),
    "left out: 1 of 4 answers, on items without votes: 'i55'": (
        lambda: classified(
            *[("net", item, label) for item, (label, _) in LABEL_RUN.items()],
            ("net", "i55", "city"),
        )
    ),
}
