"""Time this checkout against another one, row by row, as a Markdown table.

python benchmarks/compare.py OLD_CHECKOUT [--runs 7] [--only ROW ...]

Each run of a row is a process of its own. Old and new take turns, and the ratio is that of the
fastest runs. The rows are the functions of rows.py; `import`, and `help` of the command, time the
whole process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def seconds(checkout: Path, row: str, folder: Path) -> tuple[float, float]:
    """Time and CPU time of one run."""
    if row in PROCESSES:
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        python(checkout, *PROCESSES[row])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return time.perf_counter() - start, used
    home, values = python(checkout, str(HERE / "rows.py"), row, str(folder)).splitlines()[-2:]
    if Path(home) != checkout:
        raise SystemExit(f"{checkout}: Python imports fuzzytruth from {home} instead")
    wall, cpu = map(float, values.split())
    return wall, cpu


def fastest(old: Path, new: Path, row: str, folder: Path, runs: int) -> list[tuple[float, float]]:
    """Least time and CPU time of old and new; every other time the new one goes first."""
    times: dict[Path, list[tuple[float, float]]] = {old: [], new: []}
    for number in range(runs):
        for checkout in (old, new) if number % 2 == 0 else (new, old):
            times[checkout].append(seconds(checkout, row, folder))
    return [
        (min(wall for wall, _ in times[c]), min(cpu for _, cpu in times[c])) for c in (old, new)
    ]


def main() -> None:
    names = [*rows.ROWS, *PROCESSES]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path, metavar="OLD_CHECKOUT")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", nargs="*", choices=names, default=names, metavar="ROW")
    given = parser.parse_args()
    old, new = given.old.resolve(), HERE.parent
    print("| row | old | new | new / old | CPU |\n|---|---|---|---|---|")
    slower = []
    with tempfile.TemporaryDirectory() as name:
        rows.write_files(Path(name))
        for row in given.only:
            (before, cpu_before), (after, cpu_after) = fastest(
                old, new, row, Path(name), given.runs
            )
            ratio, cpu = after / before, cpu_after / cpu_before
            shown = f"{ratio:.2f}" if ratio <= LIMIT else f"**{ratio:.2f}**"
            print(f"| {row} | {before:.3f} s | {after:.3f} s | {shown} | {cpu:.2f} |", flush=True)
            slower += [row] * (ratio > LIMIT)
    listed = ", ".join(slower) or "none"
    print(f"\nFastest of {given.runs} runs each, in turns. Above {LIMIT}: {listed}.")
    print("CPU: the ratio of CPU times, which other load disturbs less.")


if __name__ == "__main__":
    main()
