"""Valid arguments of public functions and methods, small enough for many calls."""

from __future__ import annotations

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
    scores,
    votes,
)

#: change the registry of measures, return nothing to check, or start a browser
NO_CALLS = {"register", "register_quality", "show_versions"}
_ORDER = {"item": ["a", "b"], "category": ["u", "v"]}
_BY_NAME: dict[str, Any] = {
    "n_resamples": 49,
    "n_worlds": 5,
    "truth": judgments,
    "judgments": judgments,
    "votes": judgments,
    "runs": lambda: RUNS,
    "measures": lambda: ["P@2"],
    "measure": "P@2",
    "text": "P@2",
    "scores": scores,
    "a": "x",
    "b": "y",
    "system": "x",
    "system_a": "x",
    "system_b": "y",
    "systems": lambda: ["x", "y"],
    "query": "q0",
    "queries": lambda: ["q0"],
    "subject": "ann",
    "name": "ann",
    "item": "a",
    "category": "u",
    "margin": 0.1,
    "path": "out.parquet",
    "paths": "none.run",
    "groups": lambda: {"ann": "A", "bob": "A", "cat": "B", "dan": "B"},
    "half_width": 0.4,
    "human": lambda: graded("ann bob cat"),
    "model": lambda: graded("gpt", 12, 1),
    "probabilities": lambda: [0.5, 0.25],
    "level": 0.9,
    "first": lambda: ["a", "b"],
    "second": lambda: ["b", "a"],
    "taxonomy": TREE,
    "names": lambda: {"x": "z2"},
    "frame": lambda: pd.DataFrame({"query": ["q"], "item": ["a"], "grade": [1], "score": [2.0]}),
}
VALID: dict[str, dict[str, Any]] = {
    "evaluate": {"truth": judgments(), "runs": RUNS, "measures": ["P@2"], "n_worlds": 5, "rng": 0},
    "by_rank": {"truth": judgments(), "runs": RUNS, "depth": 2},
    "class_scores": {"truth": votes(), "answers": pd.DataFrame(_ORDER)},
    "bradley_terry": {"preferences": pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"]})},
    "displacement": {
        "subject_items": ["a", "b"],
        "relevances": [1, 0.5],
        "system_items": ["b", "a"],
    },
    "image_text": {"similarity": np.eye(3), "image_of_text": [0, 1, 2]},
    "santini_report": {
        "votes": judged_by_category(),
        "taxonomy": None,
        "runs": RUNS_BY_EXAMPLE,
        "k": 1,
        "n_worlds": 5,
        "n_resamples": 49,
    },
    "plan": {"pilot": scores(), "half_width": 0.4},
}


def quick(name: str) -> Any:
    """A valid value of an argument with this name; None if none is known."""
    value = _BY_NAME.get(name)
    return value() if callable(value) else value
