"""Fuzz the readers: damaged files of every format, each judged beside a plain parser.

Run in the folder `tests`::

    python -m fuzz.run --inputs 100000 --seed 0
    python -m fuzz.run --target judgments.csv --first 5000 --inputs 1000

Input n of a target depends on the seed, the target and n alone, so that a run that was stopped goes
on from `--first`. Findings are written to `--keep`, and fail the run.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fuzz.target import Target
from fuzz.targets import TARGETS
from fuzz.verdict import judge


@dataclass(slots=True)
class Tally:
    """What came of the inputs of one target."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0


def fuzz(target: Target, seed: int, numbers: range, keep: Path | None = None) -> Tally:
    """Judge these inputs of one target."""
    tally = Tally()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            data = target.input(seed, number)
            verdict = judge(target, data, Path(folder))
            tally.counts[verdict.kind] += 1
            if verdict.kind == "finding":
                tally.findings[number] = verdict.text
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    name = f"{target.name}--{sha256(data).hexdigest()[:8]}"
                    (keep / name).write_bytes(data)
    tally.seconds = time.perf_counter() - start
    return tally


def main(arguments: list[str] | None = None) -> int:
    """Fuzz as the command line says, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.run", description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=100_000, help="in all, spread over targets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first input of each")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), default=[])
    parser.add_argument("--keep", type=Path, help="folder for the inputs that found something")
    given = parser.parse_args(arguments)
    chosen = [TARGETS[name] for name in given.target] or list(TARGETS.values())
    share, rest = divmod(given.inputs, len(chosen))
    total = Tally()
    header = f"{'target':32}{'inputs':>8}{'refused':>9}{'checked':>9}{'read':>7}{'findings':>10}"
    print(header, flush=True)
    for j, target in enumerate(chosen):
        numbers = range(given.first, given.first + share + (j < rest))
        tally = fuzz(target, given.seed, numbers, given.keep)
        _print_row(target.name, tally)
        for number, text in list(tally.findings.items())[:3]:
            print(f"    input {number}: {text[:300]}", flush=True)
        total.counts += tally.counts
        total.seconds += tally.seconds
    _print_row(f"all ({total.seconds:.0f} s)", total)
    return int(total.counts["finding"] > 0)


def _print_row(name: str, tally: Tally) -> None:
    counts = tally.counts
    numbers = f"{counts.total():8,}{counts['refused']:9,}{counts['checked']:9,}"
    print(f"{name:32}{numbers}{counts['read']:7,}{counts['finding']:10,}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
