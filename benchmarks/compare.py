"""Time this checkout against another one, row by row, as a Markdown table.

python benchmarks/compare.py OLD_CHECKOUT | REVISION [--runs 7] [--only ROW ...]

A revision is checked out into a temporary folder. Each run of a row is a process of its own. Old
and new take turns, and the ratio is that of the fastest runs. MB: memory that calls took beside
what the process had before. The rows are the functions of rows.py; `import`, and `help` of the
command, time the whole process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import rows

HERE = Path(__file__).resolve().parent
PROCESSES = {
    "import": ["-c", "import fuzzytruth"],
    "help": ["-m", "fuzzytruth", "--help"],
}
#: threads of BLAS that wait for a busy core cost far more than the work itself
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
LIMIT = 1.1


def python(checkout: Path, *arguments: str) -> str:
    """Run Python with the package of a checkout; what it prints."""
    environment = os.environ | {"PYTHONPATH": str(checkout)} | ONE_THREAD
    done = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=tempfile.gettempdir(),
        env=environment,
    )
    if done.returncode:
        raise SystemExit(f"{checkout}: {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


class Cost(NamedTuple):
    """Least seconds, CPU seconds, and megabytes of some runs."""

    seconds: float
    cpu: float
    megabytes: float


def cost(checkout: Path, row: str, folder: Path) -> Cost:
    """Cost of one run."""
    if row in PROCESSES:
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        python(checkout, *PROCESSES[row])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Cost(time.perf_counter() - start, used, 0.0)
    home, values = python(checkout, str(HERE / "rows.py"), row, str(folder)).splitlines()[-2:]
    if Path(home) != checkout:
        raise SystemExit(f"{checkout}: Python imports fuzzytruth from {home} instead")
    return Cost(*map(float, values.split()))


def least(old: Path, new: Path, row: str, folder: Path, runs: int) -> list[Cost]:
    """Least cost of old and new; every other time the new one goes first."""
    costs: dict[Path, list[Cost]] = {old: [], new: []}
    for number in range(runs):
        for checkout in (old, new) if number % 2 == 0 else (new, old):
            costs[checkout].append(cost(checkout, row, folder))
    return [Cost(*map(min, zip(*costs[c], strict=True))) for c in (old, new)]


@contextmanager
def checkout_of(old: str) -> Iterator[Path]:
    """A folder, or a revision checked out into a temporary one."""
    if Path(old).is_dir():
        yield Path(old).resolve()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "old"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(folder), old], check=True)
        try:
            yield folder
        finally:
            subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def compare(old: str, names: Sequence[str], runs: int) -> None:
    """Print a Markdown table of the rows."""
    print("| row | old | new | new / old | CPU | MB old | MB new |\n|---|---|---|---|---|---|---|")
    slower = []
    with tempfile.TemporaryDirectory() as name, checkout_of(old) as checkout:
        rows.write_files(Path(name))
        for row in names:
            before, after = least(checkout, HERE.parent, row, Path(name), runs)
            ratio, cpu = after.seconds / before.seconds, after.cpu / before.cpu
            shown = f"{ratio:.3f}" if ratio <= LIMIT else f"**{ratio:.2f}**"
            print(
                f"| {row} | {before.seconds:.3f} s | {after.seconds:.3f} s | {shown} | {cpu:.3f} "
                f"| {before.megabytes:.0f} | {after.megabytes:.0f} |",
                flush=True,
            )
            slower += [row] * (ratio > LIMIT)
    listed = ", ".join(slower) or "none"
    print(f"\nLeast of {runs} runs each, in turns. Above {LIMIT}: {listed}.")
    print("CPU: the ratio of CPU times, which other load disturbs less.")


def main() -> None:
    names = [*rows.ROWS, *PROCESSES]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", metavar="OLD_CHECKOUT | REVISION")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", nargs="*", choices=names, default=names, metavar="ROW")
    given = parser.parse_args()
    compare(given.old, given.only, given.runs)


if __name__ == "__main__":
    main()
