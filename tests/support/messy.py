"""Runs and judgments with all that real ones have: ties, gaps, unjudged items, odd grades."""

import numpy as np

Grades = dict[str, dict[str, int]]
Rankings = dict[str, dict[str, float]]


def messy(
    rng: np.random.Generator, *, n_queries: int = 30, n_items: int = 60
) -> tuple[Grades, Rankings]:
    """A truth and one system's run, as dictionaries.

    Ids sort differently as text and as numbers; scores have few distinct values, some closer than
    a 32-bit float can tell; grades run from -1 to 3; some queries have nothing relevant, some are
    missing from the run, some have items nobody judged.
    """
    ids = np.array([f"d{j}" for j in range(n_items)])
    truth: Grades = {}
    run: Rankings = {}
    for q in range(n_queries):
        judged = rng.choice(ids, size=rng.integers(1, n_items), replace=False)
        grade = rng.choice([-1, 0, 1, 2, 3], p=[0.1, 0.5, 0.2, 0.1, 0.1], size=len(judged))
        if q % 10 == 3:
            grade = np.minimum(grade, 0)
        truth[f"q{q}"] = dict(zip(judged.tolist(), grade.tolist(), strict=True))
        if q % 10 == 7:
            continue
        listed = rng.choice(ids, size=rng.integers(1, n_items), replace=False)
        score = rng.integers(-3, 6, size=len(listed)) / 2 + 1
        score += rng.choice([0, 1e-9], size=len(listed))
        run[f"q{q}"] = dict(zip(listed.tolist(), score.tolist(), strict=True))
    return truth, run
