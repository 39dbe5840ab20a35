"""Votes on a few items, and every world that they allow: the reference for scores under worlds."""

import itertools
from math import prod

import numpy as np
import pandas as pd

import fuzzytruth as ft
from support.scores_for_tests import dense


def small(seed, *, top=1, missing=False, n_subjects=3):
    """Votes on three queries of a few items, and two systems that also list unjudged items."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{q}", f"d{d}", f"s{s}", int(rng.integers(0, top + 1)))
        for q in range(3)
        for d in range(4 + q % 2)
        for s in range(n_subjects)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    if missing:
        votes = votes[rng.random(len(votes)) < 0.7]
        votes = votes[votes["query"].isin(votes.query("grade > 0")["query"])]
    runs = {
        system: {
            f"q{q}": {
                f"d{d}": float(score)
                for d, score in enumerate(rng.permutation(9))
                if rng.random() < 0.8
            }
            | {f"d{10 + q}": 20.0}
            for q in range(3)
        }
        for system in ("a", "b")
    }
    return votes, runs


def every_world(votes, chance=None):
    """All ways in which the items of each query may draw one of their votes.

    Returns crisp judgments with a subject for each world, and the worlds' probabilities.
    """
    rows, weights = [], {}
    for query, part in votes.groupby("query"):
        items = [(item, sorted(g["grade"])) for item, g in part.groupby("item")]
        options = [
            [(item, grade, p) for grade, p in (chance or shares)(item, grades)]
            for item, grades in items
        ]
        for w, drawn in enumerate(itertools.product(*options)):
            weights[query, f"w{w}"] = prod(p for _, _, p in drawn)
            rows += [(query, item, f"w{w}", grade) for item, grade, _ in drawn]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"]), weights


def shares(_, grades):
    return [(g, grades.count(g) / len(grades)) for g in sorted(set(grades))]


def enumerated(votes, runs, measures, **options):
    """Values (systems, measures, worlds) and probabilities of each query."""
    frame, weights = every_world(votes)
    scores = ft.evaluate(frame, runs, measures, worlds="subject", **options)
    out = {}
    for j, query in enumerate(scores.queries):
        at = [k for k, name in enumerate(scores.subjects) if (query, name) in weights]
        p = np.array([weights[query, scores.subjects[k]] for k in at])
        out[query] = dense(scores)[:, :, at, j], p
    return out


def moments(values, p, given=None):
    present = ~np.isnan(values)
    weight = present * p
    mean = (np.nan_to_num(values) * weight).sum(-1) / weight.sum(-1)
    square = (np.nan_to_num(values - mean[..., None]) ** 2 * weight).sum(-1) / weight.sum(-1)
    return mean, np.sqrt(square)
