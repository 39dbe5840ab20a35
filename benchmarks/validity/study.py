"""All cells of the study. Finished cells are kept, so that an interrupted run continues.

python -m validity.study [--sets 10000] [--resamples 999] [--results FILE] [--only NAME]
    [--report FILE]

in the folder benchmarks; `make validity` also writes docs/validity.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validity.crossed import crossed
from validity.many_systems import ERRORS, many_systems
from validity.margins import MEASURES
from validity.rates import Counts
from validity.report import write_report
from validity.two_systems import two_systems

QUERIES = (10, 25, 50, 100)
SUBJECTS = (2, 3, 5, 10, 30)
#: variances of queries, subjects and the rest
VARIANCES = ((1.0, 1.0, 1.0), (1.0, 0.2, 1.0), (0.2, 0.2, 1.0), (0.2, 1.0, 1.0), (1.0, 0.0, 1.0))
_RESULTS = Path(__file__).parent / "results.jsonl"


@dataclass(frozen=True)
class Size:
    """Size of the study.

    Parameters
    ----------
    sets : int
        Data sets in each cell.
    slow : int
        Data sets for methods that resample one data set at a time.
    resamples : int
    """

    sets: int = 10_000
    slow: int = 2_000
    resamples: int = 999


@dataclass(frozen=True)
class Cell:
    """One design: kind, settings, and the simulation."""

    kind: str
    settings: dict[str, Any]
    run: Callable[[], Counts]

    @property
    def key(self) -> str:
        """Its key among the results."""
        return json.dumps([self.kind, self.settings], sort_keys=True)


def cells(size: Size) -> Iterator[Cell]:
    """All designs, each with a seed of its own."""
    number = 0

    def cell(kind: str, call: Callable[..., Counts], named: dict[str, Any], **more: Any) -> Cell:
        nonlocal number
        number += 1
        seed = [20190721, number]
        settings = {**named, "sets": size.sets, "resamples": size.resamples}
        return Cell(
            kind,
            settings,
            lambda: call(**named, **more, sets=size.sets, resamples=size.resamples, seed=seed),
        )

    for measure in MEASURES:
        for n in QUERIES:
            for truth in ("null", "fitted", "near"):
                named = {"measure": measure, "n": n, "truth": truth}
                yield cell("two systems", two_systems, named)

    def families(errors: str) -> Iterator[Cell]:
        for n in QUERIES:
            for unequal in (False, True):
                for shift in (0.0, 1.0, 5.0):
                    named = {"errors": errors, "n": n, "unequal": unequal, "shift": shift}
                    yield cell("many systems", many_systems, named, label_sets=size.slow // 10)

    for errors in ERRORS[:-1]:
        yield from families(errors)
    for variances in VARIANCES:
        for n_q in QUERIES:
            for n_s in SUBJECTS:
                for missing in (0.0, 0.3):
                    if missing and n_s == 2:
                        continue  # most queries would have one subject
                    named = {
                        "variances": variances,
                        "n_queries": n_q,
                        "n_subjects": n_s,
                        "missing": missing,
                    }
                    yield cell("crossed", crossed, named, pigeonhole_sets=size.slow)
    yield from families(ERRORS[-1])  # last, so that the others keep their seeds


def done(path: Path) -> dict[str, Any]:
    """Results so far, by key."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {json.dumps([row["kind"], row["settings"]], sort_keys=True): row for row in rows}


def run(size: Size, path: Path, only: str | None = None) -> None:
    """Simulate the cells that have no result yet, and report progress."""
    wanted = [c for c in cells(size) if only is None or c.kind == only]
    results = done(path)
    remaining = [c for c in wanted if c.key not in results]
    print(f"{len(wanted) - len(remaining)} of {len(wanted)} cells are done", file=sys.stderr)
    for number, cell in enumerate(remaining, start=1):
        start = time.perf_counter()
        counts = cell.run()
        seconds = round(time.perf_counter() - start, 1)
        row = {"kind": cell.kind, "settings": cell.settings, "counts": counts, "seconds": seconds}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{number}/{len(remaining)} {cell.key} {seconds} s", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=Size.sets)
    parser.add_argument("--resamples", type=int, default=Size.resamples)
    parser.add_argument("--results", type=Path, default=_RESULTS)
    parser.add_argument("--only", choices=["two systems", "many systems", "crossed"])
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    run(Size(given.sets, resamples=given.resamples), given.results, given.only)
    if given.report is not None:
        write_report(list(done(given.results).values()), given.report)


if __name__ == "__main__":
    main()
