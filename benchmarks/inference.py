"""Time inference beside SciPy's functions and, if ranx is installed, its randomisation test.

python benchmarks/inference.py
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.intervals import bootstrap
from fuzzytruth.stats.sign_flips import max_t, sign_flip_p

RNG = np.random.default_rng(0)


def seconds(call: Callable[[], Any], repeats: int = 5) -> float:
    """Median time of a call, the first one left out."""
    if repeats > 1:
        call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def mean(values: np.ndarray, axis: int) -> Any:
    return values.mean(axis=axis)


def all_pairs() -> None:
    """All pairs of 63 systems on 53 queries, 9,999 flips and resamples."""
    values = RNG.normal(size=(53, 63))
    first, second = np.triu_indices(63, 1)
    differences = values[:, first] - values[:, second]
    using = ft.stats.Resampling(9999, rng=0)
    mine = seconds(lambda: max_t(differences, using))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # nothing else has run yet
    few = 10

    def scipys() -> None:
        for column in differences.T[:few]:
            stats.permutation_test(
                (column,), mean, permutation_type="samples", n_resamples=9999, rng=0
            )

    theirs = seconds(scipys, 1) / few * len(first)
    print(
        f"- max-t, 63 systems x 53 queries, 1,953 pairs, 9,999 flips: {mine:.3f} s, peak memory "
        f"of the process {peak:.0f} MB; SciPy's "
        f"permutation_test pair by pair (unadjusted, {few} timed) {theirs:.0f} s, "
        f"{theirs / mine:.0f} x"
    )
    scores = ft.Scores(
        systems=tuple(f"s{j}" for j in range(63)),
        queries=tuple(f"q{j}" for j in range(53)),
        measures=("m",),
        values=values.T[:, None].copy(),
        cells=Cells.of_queries(53),
        higher_is_better=(True,),
    )
    moderated = seconds(lambda: ft.stats.moderated_max_t(differences, using))
    print(
        f"- moderated bootstrap max-t of these, 9,999 resamples: {moderated:.3f} s; ft.compare, "
        f"with all its columns: {seconds(lambda: ft.compare(scores)):.2f} s"
    )


def over_both() -> None:
    """All pairs of 63 systems on 53 queries and 10 subjects."""
    cells = Cells.complete(53, 10)
    scores = ft.Scores(
        systems=tuple(f"s{j}" for j in range(63)),
        queries=tuple(f"q{j}" for j in range(53)),
        measures=("m",),
        values=RNG.normal(size=(63, 1, len(cells))),
        cells=cells,
        subjects=tuple(f"u{j}" for j in range(10)),
        higher_is_better=(True,),
    )
    over = ("query", "subject")
    print(
        "- generalised pivotal intervals, 1,953 pairs over 53 queries x 10 subjects, with all "
        f"columns of ft.compare: {seconds(lambda: ft.compare(scores, over=over)):.2f} s; with each "
        f"axis alone, too: {seconds(lambda: ft.compare(scores, over=over).beside):.2f} s"
    )


def one_pair() -> None:
    """100,000 flips of 1,000 queries."""
    a, b = RNG.beta(1, 2, 1000), RNG.beta(1, 2, 1000)
    using = ft.stats.Resampling(100_000, rng=0)
    mine = seconds(lambda: sign_flip_p((a - b)[:, None], using))
    theirs = seconds(
        lambda: stats.permutation_test(
            (a - b,), mean, permutation_type="samples", n_resamples=100_000, batch=1000, rng=0
        ),
        1,
    )
    text = f"- sign flips, 100,000 x 1,000 queries: {mine:.3f} s; SciPy {theirs:.1f} s, "
    text += f"{theirs / mine:.0f} x"
    try:
        from ranx.statistical_tests import fisher_randomization_test
    except ImportError:
        print(text + "; ranx is not installed")
        return
    ranxs = seconds(lambda: fisher_randomization_test(a, b, 100_000), 3)
    print(text + f"; ranx {ranxs:.1f} s, {ranxs / mine:.0f} x")


def resampling() -> None:
    """Bootstrap of 100 systems on 250 queries."""
    values = RNG.beta(1, 2, size=(100, 250))
    using = ft.stats.Resampling(9999, rng=0)
    for name, theirs_name in (("percentile", "percentile"), ("bca", "BCa")):
        method: Any = name
        mine = seconds(
            lambda method=method: bootstrap(
                values, np.mean, method=method, level=0.95, resampling=using
            )
        )
        theirs = seconds(
            lambda theirs_name=theirs_name: stats.bootstrap(
                (values,), np.mean, axis=1, n_resamples=9999, batch=100, method=theirs_name, rng=0
            ),
            1,
        )
        print(
            f"- bootstrap ({name}), 100 systems x 250 queries x 9,999: {mine:.3f} s; SciPy "
            f"{theirs:.1f} s, {theirs / mine:.0f} x"
        )


def main() -> None:
    print("**Inference**\n")
    all_pairs()
    over_both()
    one_pair()
    resampling()


if __name__ == "__main__":
    main()
    sys.stdout.flush()
