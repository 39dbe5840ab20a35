"""Time this checkout against another one, row by row, as a Markdown table.

python benchmarks/compare.py OLD_CHECKOUT [--runs 7] [--only ROW ...]

Each run of a row is a process of its own. Old and new take turns, and the ratio is that of the
fastest runs. The rows are the functions of rows.py; `import` and `--help` time the whole process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rows

HERE = Path(__file__).resolve().parent
PROCESSES = {
    "import": ["-c", "import fuzzytruth"],
    "--help": ["-m", "fuzzytruth", "--help"],
}
LIMIT = 1.1


def python(checkout: Path, *arguments: str) -> str:
    """Run Python with the package of a checkout; what it prints."""
    environment = os.environ | {"PYTHONPATH": str(checkout)}
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


def seconds(checkout: Path, row: str, folder: Path) -> float:
    """Time of one run."""
    if row in PROCESSES:
        start = time.perf_counter()
        python(checkout, *PROCESSES[row])
        return time.perf_counter() - start
    home, value = python(checkout, str(HERE / "rows.py"), row, str(folder)).splitlines()[-2:]
    if Path(home) != checkout:
        raise SystemExit(f"{checkout}: Python imports fuzzytruth from {home} instead")
    return float(value)


def fastest(old: Path, new: Path, row: str, folder: Path, runs: int) -> tuple[float, float]:
    """The fastest run of each; every other time the new one goes first."""
    times: dict[Path, list[float]] = {old: [], new: []}
    for number in range(runs):
        for checkout in (old, new) if number % 2 == 0 else (new, old):
            times[checkout].append(seconds(checkout, row, folder))
    return min(times[old]), min(times[new])


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
    print("| row | old | new | new / old |\n|---|---|---|---|")
    slower = []
    with tempfile.TemporaryDirectory() as name:
        rows.write_files(Path(name))
        for row in given.only:
            before, after = fastest(old, new, row, Path(name), given.runs)
            ratio = after / before
            shown = f"{ratio:.2f}" if ratio <= LIMIT else f"**{ratio:.2f}**"
            print(f"| {row} | {before:.3f} s | {after:.3f} s | {shown} |", flush=True)
            slower += [row] * (ratio > LIMIT)
    listed = ", ".join(slower) or "none"
    print(f"\nFastest of {given.runs} runs each, in turns. Above {LIMIT}: {listed}.")


if __name__ == "__main__":
    main()
