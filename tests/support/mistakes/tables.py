"""Of readers, and of what makes judgments, runs, votes, taxonomies and scores of objects."""

import numpy as np
import pandas as pd
import polars as pl

import fuzzytruth as ft
from support.mistakes.examples import (
    COUNTS,
    EYE,
    LABELS,
    RUNS,
    TREE,
    TRUTH,
    flat,
    frame,
    labels,
    table,
)


def graded(grade):
    return ft.Judgments.from_columns(["q"], ["a"], grade)


def judged(names: str, *rows: tuple, **options):
    return ft.Judgments.from_frame(frame(names, *rows), **options)


def ran(columns: str, *rows: tuple):
    return ft.Runs.from_frame(frame(columns, *rows))


def assigned(columns: str, *rows: tuple):
    return ft.Assignments.from_frame(frame(columns, *rows), taxonomy=TREE)


def scored(columns: str, *rows: tuple, **options):
    return ft.Scores.from_frame(frame(columns, *rows), **options)


def matrix(values, n_queries: int = 3):
    return ft.Runs.from_matrix(values, queries=list("abc")[:n_queries], items=list("abc"))


def counted(numbers):
    return ft.Assignments.from_counts(
        np.array(numbers), items=["i1", "i2"], categories=["city", "sea"]
    )


def probable(numbers, categories=("city", "sea")):
    return ft.Membership.from_probabilities(
        np.array(numbers), items=["i1", "i2"], categories=list(categories)
    )


ERRORS = {
    # --- paths
    "path=None: must be the path of a file": lambda: ft.Scores.load(None),
    "path='-': names no file here; write /dev/stdin": lambda: ft.read_judgments("-"),
    "paths=...: must be {name: path}; Runs.from_dict takes": lambda: ft.read_runs(RUNS),
    "none/*.run: no file matches this pattern": lambda: ft.read_runs("none/*.run"),
    # --- judgments
    "line 3, ... (first: ..., line 2); ...'reviewer_code'}": lambda: ft.read_judgments("coded.csv"),
    "words.csv, line 3, ... 'rating': ... drop=['unsure']": lambda: ft.read_judgments("words.csv"),
    "line 1: 6 fields ... (read_runs reads it)": lambda: ft.read_judgments("a.run"),
    "frame, row 2 (index 'r2'), column 'n': value nan is not a finite ... drop=[None]": (
        lambda: judged("query item n", ("q", "d", 1), ("q", "e", np.nan), columns={"grade": "n"})
    ),
    "judged twice ... by subject 'ann' (first: frame, row 1 (index 'r1')); ... column 'repeat'": (
        lambda: judged("query item subject day grade", *[("q", "d", "ann", day, 1) for day in "mt"])
    ),
    "frame, row 1, column 'rel': value 'yes' is not a number; ... grades={'yes': 1}": (
        lambda: ft.Judgments.from_frame(pl.DataFrame({"query": "q", "item": "d", "rel": ["yes"]}))
    ),
    "subjects=[['a']]: must be the name": lambda: ft.Judgments.from_frame(COUNTS, subjects=[["a"]]),
    "must be a DataFrame ...; Judgments.from_dict": lambda: ft.Judgments.from_frame(TRUTH),
    "judgments=[1]: must be {query: {item: grade}}": lambda: ft.Judgments.from_dict([1]),
    "query 'q1', item 'd1', column 'grade': value 'good' is not ... to Judgments.from_frame": (
        lambda: ft.Judgments.from_dict({"q1": {"d1": "good"}})
    ),
    "query 'ann', item 'q1': {'d1': 1} is a dict and no grade; ... with a column subject": (
        lambda: ft.Judgments.from_dict({"ann": {"q1": {"d1": 1}}})
    ),
    "'101' is judged twice for query 'q1' (first: judgments, query 'q1', item '101'); if several": (
        lambda: ft.Judgments.from_dict({"q1": {101: 1, "101": 0}})
    ),
    "row 1, column 'query': must be a column": lambda: ft.Judgments.from_columns(3, ["a"], [1]),
    "column 'grade': value np.datetime64('2020-01-01') is not a number": (
        lambda: graded(np.array(["2020-01-01"], dtype="datetime64[D]"))
    ),
    "value np.complex128(1+2j) is not a number": lambda: graded(np.array([1 + 2j])),
    # --- runs
    "new/bm25.run: its system is called 'bm25', ... old/bm25.run; ... read_runs({name: path": (
        lambda: ft.read_runs(["old/bm25.run", "new/bm25.run"])
    ),
    "line 1: 4 fields ... (read_judgments reads it)": lambda: ft.read_runs("qrels.txt"),
    "twice.run, line 3, ... 'd1' is listed twice ... (first: twice.run, line 1); ... s='first'": (
        lambda: ft.read_runs("twice.run")
    ),
    "row 2 (index 'r2'), column 'item': value 'd' is ... columns={'system': 'engine'}; else": (
        lambda: ran("query item engine score", ("q", "d", "v1", 2.0), ("q", "d", "v2", 1.0))
    ),
    "no column for 'score' ... columns={'distance': 'l2_distance'}": (
        lambda: ran("query item l2_distance", ("q1", "d1", 0.1))
    ),
    "name the levels of its index, such as frame.index.names = ['query', 'item']": (
        lambda: ft.Runs.from_frame(
            pd.DataFrame({"score": [2.0]}, index=pd.MultiIndex.from_tuples([("q1", "d1")]))
        )
    ),
    "must be a DataFrame ...; Runs.from_dict": lambda: ft.Runs.from_frame(RUNS),
    "runs=[1]: must be {system: {query": lambda: ft.Runs.from_dict([1]),
    "names=3: must be {old name": lambda: ft.Runs.from_dict(RUNS).rename(3),
    "votes=3: must be Judgments": lambda: ft.Runs.from_judgments(3),
    "queries=3: must be a list of ids": lambda: ft.Runs.from_matrix([[1]], queries=3, items=["b"]),
    "shape (3, 2) does not fit 2 queries and 3 items; rows are queries, so transpose it": (
        lambda: matrix(np.ones((3, 2)), n_queries=2)
    ),
    "shape (3, 2) does not fit ...; items= needs 2": lambda: matrix({"A": EYE, "B": EYE[:, :2]}),
    "its shape is (2, 3, 3); ... by name: {name: matrix}": lambda: matrix(np.stack([EYE, EYE])),
    # --- votes for categories
    "typed.csv, line 3, column 'category': value 'ctiy' is not among the 7 ... (nearest: 'city')": (
        lambda: ft.read_assignments("typed.csv", taxonomy="tree.txt")
    ),
    "joined.csv, line 3, ... 'city;sea' is not among ... it names 2 of them, so split it into 2": (
        lambda: ft.read_assignments("joined.csv", taxonomy="tree.txt")
    ),
    "'subject' ... in a column count": lambda: ft.read_assignments("prodigy.jsonl"),
    "row 2 (index 'r2'), column 'category': value 'City' is not among ... (nearest: 'city')": (
        lambda: assigned("subject item category", ("ann", "i", "city"), ("bob", "i", "City"))
    ),
    "value '3' is not among the 7 categories of the taxonomy (2 such rows, 2 names)": (
        lambda: assigned("subject item label", ("ann", "i", 3), ("bob", "i", 5))
    ),
    "no column for 'subject' or 'count'": lambda: assigned("item category", ("i1", "city")),
    "row 1 (index 'r1'), column 'weight': value -1 must be above 0; leave out the votes": (
        lambda: assigned("subject item category weight", ("ann", "i1", "city", -1.0))
    ),
    "taxonomy={...: must be a Taxonomy, not a dict; ... Taxonomy.from_children": (
        lambda: ft.Assignments.from_frame(LABELS, taxonomy={"all": ["city", "sea", "crowd"]})
    ),
    "category 'city': value 0.7 ... from_probabilities": lambda: counted([[0.7, 0.3], [0.4, 0.6]]),
    "all numbers of 1 item are 0, the first is 'i2'; leave such": lambda: counted([[3, 1], [0, 0]]),
    "counts: no column for 'count' ... columns={'count': 'n_people'}": (
        lambda: ft.Assignments.from_counts(frame("item category n_people", ("i1", "city", 3)))
    ),
    "row 2 (item 'i2'): ... add up to 0.8, not 1": lambda: probable([[0.7, 0.3], [0.4, 0.4]]),
    "category 'sea': value -1.3 ... softmax": lambda: probable([[4.2, -1.3], [-0.5, 2.0]]),
    "shape (2, 3) does not fit 3 items and 2 categories; rows are items, so transpose it": (
        lambda: ft.Membership.from_probabilities(
            np.full((2, 3), 0.5), items=list("abc"), categories=["city", "sea"]
        )
    ),
    "categories: 'crane' is listed twice among the categories, at places 1 and 2": (
        lambda: probable([[0.7, 0.3], [0.4, 0.6]], categories=["crane", "crane"])
    ),
    # --- truths by votes
    "category of query 'photo1': must add up to 1, but add up to 1.2": (
        lambda: labels().by_example(category={"photo1": {"sea": 0.7, "city": 0.5}})
    ),
    "relevance='path': ... or relevance='subtree'": lambda: flat().by_example(relevance="path"),
    "relevance='resnik': must be one of 'subtree'": lambda: labels().by_example(relevance="resnik"),
    "relevance='wu-palmer': ... equally similar": lambda: flat().by_item(relevance="wu-palmer"),
    # --- taxonomies
    "edges form a cycle: pet → cat → kitten → pet": lambda: ft.read_taxonomy("cycle.csv"),
    "2 roots, ...'poeple' (nearest: 'people'); ... root='all'": lambda: ft.read_taxonomy(
        "roots.json"
    ),
    # --- scores
    "(index 'r2'): system 'a', query 'q1' has a value ... columns={'subject': 'judge_nick'}": (
        lambda: scored(
            "system query judge_nick value", ("a", "q1", "x", 0.1), ("a", "q1", "y", 0.2)
        )
    ),
    "measure 'AP', query 'q' has a value already (frame, row 1 (index 'r1')); keep one": (
        lambda: scored("system query measure value", ("a", "q", "AP", 0.1), ("a", "q", "AP", 0.2))
    ),
    "'query' ..., and for 'value' ... {'query': '...', ": lambda: scored("system MRR", ("a", 0.31)),
    "clusters='image_no': is not a column of the frame (nearest: 'image_nr'); it has 'system'": (
        lambda: scored("system query image_nr value", ("a", "q1", "x", 0.1), clusters="image_no")
    ),
    "query 'q' has topic 'dogs', and 'cats' before (frame, row 1 (index 'r1')); a query has one": (
        lambda: scored(
            "system query topic value",
            *[("a", "q", "cats", 0.1), ("b", "q", "dogs", 0.2)],
            clusters="topic",
        )
    ),
    "'gpqa' already (logs/mon_gpqa.json); ... read_scores({": lambda: ft.read_scores("logs/*.json"),
    "s.csv: ... the name must end in .parq": lambda: ft.Scores.from_frame(table("a")).save("s.csv"),
}

WARNINGS = {
    "not used: 'assessor_nick'; if 'assessor_nick' says who judged, name it: columns={'subject'": (
        lambda: judged(
            "query item assessor_nick grade",
            *[(q, d, who, 1) for q in "qr" for d, who in (("d", "ann"), ("e", "bob"))],
        )
    ),
    "'relevance' has the grades, and 'rating', ... columns={'grade': 'rating'}": (
        lambda: judged("query item relevance rating", ("q1", "d1", 1, 4))
    ),
    "matrix 'A': ... as distances have; ... larger_is_better": lambda: matrix({"A": 1 - EYE}),
}
