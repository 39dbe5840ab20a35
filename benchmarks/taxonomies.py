"""Time taxonomies, the best of five.

python benchmarks/taxonomies.py [EDGES.csv ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft


def best(work: Callable[[], Any], repeats: int = 5) -> float:
    """Least number of seconds that `work` takes."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def random_graph(n_nodes: int, more: float = 0.2) -> pd.DataFrame:
    """A random tree, each node's parent an earlier one, with a share `more` of further edges."""
    rng = np.random.default_rng(0)
    child = np.concatenate((np.arange(1, n_nodes), rng.integers(1, n_nodes, int(more * n_nodes))))
    parent = (rng.random(len(child)) * child).astype(np.int64)
    return pd.DataFrame({"parent": parent, "child": child}).drop_duplicates()


def report(name: str, edges: pd.DataFrame) -> None:
    """Print how long building a taxonomy and its queries take."""
    tax = ft.Taxonomy.from_frame(edges)
    print(f"{name}: {tax}")
    print(f"  from_frame          {best(lambda: ft.Taxonomy.from_frame(edges)):7.4f} s")

    def close() -> None:
        for kept in ("above", "below"):
            vars(tax).pop(kept, None)
        _ = tax.descendants_of

    print(f"  closure             {best(close):7.4f} s, {len(tax.ancestor_of)} pairs")
    names = np.random.default_rng(1).choice(np.array(tax.nodes, dtype=object), 1_000_000)
    print(f"  codes of 10^6 names {best(lambda: tax.codes(names)):7.4f} s")
    if len(tax) <= 20_000:
        print(f"  distances           {best(tax.distances):7.4f} s")
        for kind in ("path", "wu-palmer", "lin"):
            print(f"  {kind:<19} {best(lambda kind=kind: tax.similarities(kind)):7.4f} s")


if __name__ == "__main__":
    for path in sys.argv[1:]:
        report(path, pd.read_csv(path))
    report("random", random_graph(2_000))
    report("random", random_graph(100_000))
