"""Valid arguments of public functions and methods, small enough for many calls."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from support.results import (
    RUNS,
    RUNS_BY_EXAMPLE,
    TREE,
    graded,
    judged_by_category,
    judgments,
    powered_scores,
    scores,
    two_schools,
    votes,
)

import fuzzytruth as ft

#: not called, for these reasons
NO_CALLS = {
    # change the registry of measures
    *("register", "register_quality"),
    # prints what is installed
    "show_versions",
    # takes what other modules have checked, and is no part of the documentation
    *("Assignments.from_tables", "Assignments.rows", "Judgments.from_table", "Judgments.present"),
    *("Runs.each_block", "Runs.of_labels", "Taxonomy.codes", "Taxonomy.from_given"),
    *("RankDistributions.hit_pmfs", "RankDistributions.hits_at"),
    # of every mapping: what cannot be hashed raises TypeError
    *("Plurality.get", "Runs.get"),
}
#: their objects lack what the method needs, so that every call is refused
REFUSED = {
    *("Assignments.self_agreement", "BradleyTerry.to_judgments", "BradleyTerry.to_scores"),
    *("Judgments.self_agreement", "Reliability.membership", "Distribution.difference"),
    *("Distribution.prob_equal", "Distribution.prob_greater", "mcnemar"),
    *("Comparison.by_collection", "Comparison.predict"),
}
_VOTES = {"subject": ["ann", "bob"], "item": ["a", "b"], "category": ["u", "v"]}
_ROWS = {"query": ["q0", "q0"], "item": ["a", "b"]}
_VALUES = {"system": ["x", "y"], "query": ["q", "q"], "value": [0.5, 0.25]}
_EDGES = {"parent": ["r", "r"], "child": ["a", "b"]}
_PROBABILITIES = [[0.5, 0.5], [0.25, 0.75]]
#: files that stand in the folder where calls are made
FILES = {
    "judgments.csv": "query,item,grade\nq,a,1\nq,b,0\n",
    "runs.csv": "query,item,score\nq,a,2\nq,b,1\n",
    "votes.csv": "subject,item,category\nann,a,u\nbob,a,v\n",
    "scores.csv": "system,query,value\nx,q,0.5\ny,q,0.25\n",
    "tree.csv": "parent,child\nr,a\nr,b\n",
    "tree.cla": "PSB 1\n2 2\n\nr 0 1\nm1\n\na r 1\nm2\n",
}
_BY_NAME: dict[str, Any] = {
    "n_resamples": 49,
    "n_worlds": 20,
    "truth": judgments,
    "judgments": judgments,
    "votes": judgments,
    "runs": lambda: RUNS,
    "measures": lambda: ["P@2"],
    "measure": "P@2",
    "text": "P@2",
    "scores": scores,
    "a": lambda: ["a", "b"],
    "b": lambda: ["b", "a"],
    "p": lambda: [0.5, 0.25],
    "k": 1,
    "rel": 1,
    "how": "mean",
    "success": 0.5,
    "system": "x",
    "other": "y",
    "new": "x",
    "old": "y",
    "system_a": "x",
    "system_b": "y",
    "systems": lambda: ["x", "y"],
    "query": "q0",
    "queries": lambda: ["q0"],
    "subject": "ann",
    "name": "ann",
    "names": lambda: {"x": "z2"},
    "item": "a",
    "category": "u",
    "margin": 0.1,
    "path": "out.parquet",
    "groups": lambda: {"ann": "A", "bob": "A", "cat": "B", "dan": "B"},
    "half_width": 0.4,
    "model": lambda: graded("gpt", 12, 1),
    "probabilities": lambda: [0.5, 0.25],
    "level": 0.9,
    "first": lambda: ["a", "b"],
    "second": lambda: ["b", "a"],
    "taxonomy": TREE,
}
#: of the methods of a class
_BY_CLASS: dict[str, dict[str, Any]] = {
    "BradleyTerry": {"a": "a", "b": "b"},
    "Distribution": {
        "x": 1,
        "q": 0.5,
        "confidence": 0.9,
        "other": lambda: ft.Distribution.point(1),
        "value": 1,
        "values": lambda: [0, 1],
        "probabilities": lambda: [0.5, 0.5],
        "func": lambda: np.sqrt,
    },
    "Taxonomy": {"name": "u", "a": "u", "b": "v"},
}


@cache
def valid_arguments() -> dict[str, dict[str, Any]]:
    """Function or method -> arguments, where those of `quick` do not do."""
    return {
        "Analysis.report": {"path": "out.html"},
        "Assignments.coarsened": {"depth": 1},
        "Assignments.from_columns": _VOTES,
        "Assignments.from_counts": {"counts": [[1, 2], [2, 1]]},
        "Assignments.from_frame": {"frame": pd.DataFrame(_VOTES)},
        "Comparison.report": {"path": "out.html"},
        "Distribution.mixture": {
            "distributions": [ft.Distribution.point(0), ft.Distribution.point(1)],
            "weights": [0.5, 0.5],
        },
        "Judgments.from_columns": _ROWS | {"grade": [1, 0]},
        "Judgments.from_dict": {"grades": {"q": {"a": 1}}},
        "Judgments.from_frame": {"frame": pd.DataFrame(_ROWS | {"grade": [1, 0]})},
        "Judgments.from_probabilities": _ROWS | {"probability": [0.5, 1]},
        "Membership.from_probabilities": {"matrix": _PROBABILITIES},
        "Assignments.select": {"subjects": "ann"},
        "Communities.membership": {"group": "group 1"},
        "Plan.predict": {"queries": 5},
        "Runs.by_similarity": {"labels": {"a": "u", "b": "v"}, "tree": TREE},
        "Runs.from_columns": _ROWS | {"score": [1, 0]},
        "Runs.from_frame": {"frame": pd.DataFrame(_ROWS | {"score": [1, 0]})},
        "Runs.from_dict": {"runs": RUNS},
        "Runs.from_labels": {"frame": pd.DataFrame(_VOTES)[["item", "category"]]},
        "Runs.from_matrix": {"matrix": np.eye(2), "queries": ["a", "b"], "items": ["a", "b"]},
        "Crowd.report": {"path": "out.html"},
        "Santini.cloud": {"system": "x", "query": "a"},
        "Santini.distribution": {"system": "x", "query": "a"},
        "Santini.measure_at_k": {"measure": "P"},
        "Santini.report": {"path": "out.html"},
        "Scores.from_frame": {"frame": pd.DataFrame(_VALUES)},
        "Scores.load": {"path": "scores.csv"},
        "Taxonomy.flat": {"labels": ["a", "b"]},
        "Taxonomy.from_children": {"children": {"r": ["a", "b"]}},
        "Taxonomy.from_edges": {"edges": [("r", "a"), ("r", "b")]},
        "Taxonomy.from_frame": {"frame": pd.DataFrame(_EDGES)},
        "Taxonomy.from_nested": {"nested": {"r": {"a": {}, "b": {}}}},
        "Taxonomy.from_networkx": {"graph": TREE.to_networkx()},
        "Taxonomy.from_parents": {"parents": {"a": "r", "b": "r"}},
        "Taxonomy.totals": {"direct": {"u": 1.0, "v": 0.5}},
        "judge_agreement": {"votes": graded("ann bob cat"), "model": graded("gpt", 12, 1)},
        "alternative_annotator": {
            "votes": graded("ann bob cat", 20),
            "model": graded("gpt", 20, 1),
        },
        "analyse": {"truth": judgments(), "runs": RUNS, "measures": "P@2", "n_resamples": 49},
        "as_judgments": {"given": {"q": {"a": 1}}},
        "as_runs": {"given": RUNS},
        "evaluate": {
            "truth": judgments(),
            "runs": RUNS,
            "measures": ["P@2"],
            "n_worlds": 5,
            "rng": 0,
        },
        "by_rank": {"truth": judgments(), "runs": RUNS, "depth": 2},
        "class_scores": {"truth": votes(), "answers": pd.DataFrame(_VOTES)[["item", "category"]]},
        "concat": {"scores": [scores().select(systems=["x"]), scores().select(systems=["y"])]},
        "hierarchical_scores": {
            "truth": votes(),
            "answers": pd.DataFrame(_VOTES)[["item", "category"]],
        },
        "bradley_terry": {"preferences": pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"]})},
        "displacement": {
            "subject_items": ["a", "b"],
            "relevances": [1, 0.5],
            "system_items": ["b", "a"],
        },
        "Distribution.f_measure": {"retrieved": [0.5, 0.25], "rest": [0.5]},
        "image_text": {"similarity": np.eye(3), "image_of_text": [0, 1, 2]},
        "plan": {"pilot": scores(), "half_width": 0.4, "queries": range(2, 200)},
        "prediction_powered": {
            "human": powered_scores().select(queries=["q0", "q1", "q2", "q3", "q4"]),
            "model": powered_scores(0.1),
        },
        "gate": {"scores": scores(), "new": "x", "old": "y", "margin": 0.1},
        "annotate_next": {
            "votes": judgments(),
            "runs": RUNS,
            "measure": "P@2",
            "systems": ["x", "y"],
            "n_worlds": 20,
        },
        "communities": {"votes": two_schools(), "n_permutations": 9, "n_splits": 2},
        "structure": {"votes": judged_by_category(), "n_permutations": 9, "n_draws": 3},
        "probability_scores": {
            "votes": votes(),
            "p": _PROBABILITIES,
            "items": ["a", "b"],
            "categories": ["u", "v"],
        },
        "read_assignments": {"path": "votes.csv"},
        "read_cla": {"path": "tree.cla"},
        "read_judgments": {"path": "judgments.csv"},
        "read_runs": {"paths": "runs.csv"},
        "read_scores": {"paths": "scores.csv"},
        "read_taxonomy": {"path": "tree.csv"},
        "Distribution.recall": {"retrieved": [0.5, 0.25], "rest": [0.5]},
        "santini": {
            "votes": judged_by_category(),
            "runs": RUNS_BY_EXAMPLE,
            "k": 1,
            "n_worlds": 5,
            "n_resamples": 49,
            "n_permutations": 9,
        },
        "subject_influence": {
            "votes": judgments(),
            "runs": RUNS,
            "measures": "P@2",
            "n_resamples": 49,
        },
        "superiority": {"scores": scores("independent"), "system": "x", "other": "y"},
    }


def quick(function: str, name: str) -> Any:
    """A valid value of an argument with this name; None if none is known."""
    of_class = _BY_CLASS.get(function.partition(".")[0], {})
    value = of_class[name] if "." in function and name in of_class else _BY_NAME.get(name)
    return value() if callable(value) else value


def write_files(folder: Path) -> None:
    """Write the files that valid arguments name."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
