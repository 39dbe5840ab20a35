"""How often intervals over queries and subjects hold the truth, with missing cells.

``python benchmarks/crossed_coverage.py [tables]``: coverage of nominal 95 % intervals of a mean by
variance components, by the pigeonhole bootstrap, and by t over queries only, on normal data.
"""

from __future__ import annotations

import itertools
import sys

import numpy as np

import fuzzytruth as ft

MISSING, REST = 0.3, 1.0
METHODS = (("query", "subject"), "auto"), (("query", "subject"), "pigeonhole"), (("query",), "auto")


def tables(rng: np.random.Generator, shape: tuple[int, int], of: tuple[float, float]) -> ft.Scores:
    """One table of subjects x queries whose mean is 0, as scores of one system."""
    subjects, queries = shape
    y = rng.normal(0, of[1] ** 0.5, (subjects, 1)) + rng.normal(0, of[0] ** 0.5, (1, queries))
    y += rng.normal(0, REST**0.5, shape)
    y[rng.random(shape) < MISSING] = np.nan
    return ft.Scores(
        systems=("system",),
        queries=tuple(f"q{j}" for j in range(queries)),
        measures=("m",),
        values=y[None, None],
        judged=~np.isnan(y),
        subjects=tuple(f"s{j}" for j in range(subjects)),
        higher_is_better=(True,),
    )


def main(n_tables: int) -> None:
    print("queries subjects var_q var_s  components  pigeonhole  queries only")
    for queries, subjects in itertools.product((25, 50), (5, 10)):
        for of in itertools.product((0.0, 0.2, 1.0), repeat=2):
            hits = np.zeros(3)
            for number in range(n_tables):
                rng = np.random.default_rng([queries, subjects, number])
                scores = tables(rng, (subjects, queries), of)
                for place, (over, method) in enumerate(METHODS):
                    row = scores.summary(over=over, method=method, n_resamples=400).iloc[0]
                    hits[place] += row["lower"] <= 0 <= row["upper"]
            shares = "  ".join(f"{share:.3f}" for share in hits / n_tables)
            print(f"{queries:7} {subjects:8} {of[0]:5} {of[1]:5}  {shares}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
