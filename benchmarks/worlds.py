"""Time evaluation over worlds, beside a loop as users write it."""

from __future__ import annotations

import resource
import sys
import time
import warnings

import numpy as np

import fuzzytruth as ft

QUERIES, ITEMS, MEASURES = 200, 300, ["AP", "nDCG@10", "P@10"]


def votes(n_subjects: int) -> tuple[ft.Judgments, np.ndarray]:
    """Binary votes on 60,000 items, and the share of yes: (queries, items)."""
    rng = np.random.default_rng(0)
    chance = rng.beta(0.5, 1.5, QUERIES * ITEMS)
    grade = rng.random((QUERIES * ITEMS, n_subjects)) < chance[:, None]
    query = np.repeat([f"q{j}" for j in range(QUERIES)], ITEMS * n_subjects)
    item = np.tile(np.repeat([f"d{j}" for j in range(ITEMS)], n_subjects), QUERIES)
    subject = np.tile([f"s{j}" for j in range(n_subjects)], QUERIES * ITEMS)
    judgments = ft.Judgments.from_columns(query, item, grade.ravel() * 1.0, subject=subject)
    return judgments, grade.mean(axis=1).reshape(QUERIES, ITEMS)


def runs(n_systems: int) -> tuple[ft.Runs, np.ndarray]:
    """Systems that list 1,000 of 1,200 items at random, and the lists of the first one."""
    rng = np.random.default_rng(1)
    names = np.array([f"d{j}" for j in range(1200)])
    lists = np.argsort(rng.random((n_systems, QUERIES, 1200)), axis=-1)[..., :1000]
    made = ft.Runs.from_columns(
        np.tile(np.repeat([f"q{j}" for j in range(QUERIES)], 1000), n_systems),
        names[lists.ravel()],
        score=np.tile(-np.arange(1000.0), QUERIES * n_systems),
        system=np.repeat([f"r{j}" for j in range(n_systems)], QUERIES * 1000),
    )
    return made, lists[0]


def timed(n_systems: int, n_worlds: int) -> float:
    truth, _ = votes(5)
    systems, _ = runs(n_systems)
    start = time.perf_counter()
    scores = ft.evaluate(truth, systems, MEASURES, worlds="independent", n_worlds=n_worlds, rng=0)
    scores.to_frame()  # deviations of AP and nDCG: evaluate itself draws nothing here
    return time.perf_counter() - start


def by_loops(n_worlds: int) -> float:
    """Draw every item's label and score query by query, as is usual with NumPy."""
    _, share = votes(5)
    _, lists = runs(1)
    rng = np.random.default_rng(0)
    discount = 1 / np.log2(np.arange(2, 12))
    start = time.perf_counter()
    for _ in range(n_worlds):
        for q in range(QUERIES):
            label = np.zeros(1200)
            label[:ITEMS] = rng.random(ITEMS) < share[q]
            ranked = label[lists[q]]
            hits = np.cumsum(ranked)
            total = label.sum()
            if total:
                (ranked * hits / np.arange(1, 1001)).sum() / total
                (ranked[:10] * discount).sum() / discount[: int(min(10, total))].sum()
            ranked[:10].mean()
    return time.perf_counter() - start


def main() -> None:
    warnings.simplefilter("ignore", ft.FuzzytruthWarning)
    pairs = QUERIES * ITEMS
    print(f"**{pairs:,} judged pairs, independent worlds × ({', '.join(MEASURES)})**\n")
    one, many = timed(1, 10_000), timed(10, 2_000)
    few = timed(1, 2_000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = one / pairs / 1e4 * 1e9
    print(f"- one system, 10,000 worlds: {one:.1f} s, {each:.1f} ns a pair and world")
    print(f"- ten systems cost {many / few:.1f} × one (2,000 worlds)")
    loops = by_loops(20) / 20
    print(f"- a loop over worlds and queries with NumPy: {loops / (one / 1e4):.0f} × slower")
    print(f"- peak memory {peak:.0f} MB\n")
    truth, _ = votes(8)
    systems, _ = runs(1)
    for n_jobs in (1, 2):
        start = time.perf_counter()
        ft.evaluate(
            truth, systems, ["AP"], worlds="population", n_worlds=2000, rng=0, n_jobs=n_jobs
        )
        print(
            f"- population, 2,000 resamples of 8 subjects, exact E[AP], n_jobs={n_jobs}: "
            f"{time.perf_counter() - start:.0f} s"
        )


if __name__ == "__main__":
    main()
    sys.stdout.flush()
