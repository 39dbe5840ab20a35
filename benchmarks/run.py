"""Time fuzzytruth beside other tools on the same files in the same run.

python benchmarks/run.py [--repeats 3] [--only PART ...] [--readme]

Parts are import, start, small, large, in-memory, many, worlds, inference, report and before.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from shapes import LARGE, SMALL, START, Shape

HERE = Path(__file__).parent
MARK = "<!-- figures: written by run.py --readme -->"


class Timing(NamedTuple):
    """Seconds (median and least, and of processor) and memory of the repeats, and their output."""

    seconds: float
    least: float
    cpu: float
    megabytes: float
    printed: str


def process(*arguments: str) -> Timing:
    """Run one tool as a process of its own."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, str(HERE / "whole_process.py"), *arguments], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    printed = child.stdout.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed")
    cpu = usage.ru_utime + usage.ru_stime
    return Timing(seconds, seconds, cpu, usage.ru_maxrss / 1024, printed)


def in_turn(tools: list[tuple[str, ...]], repeats: int) -> list[Timing]:
    """Medians; the tools take turns, so that all see the same load."""
    timings: list[list[Timing]] = [[] for _ in tools]
    for _ in range(repeats):
        for runs, tool in zip(timings, tools, strict=True):
            runs.append(process(*tool))
    return [
        Timing(
            statistics.median(t.seconds for t in runs),
            min(t.seconds for t in runs),
            min(t.cpu for t in runs),
            statistics.median(t.megabytes for t in runs),
            runs[0].printed,
        )
        for runs in timings
    ]


def files(shape: Shape, folder: Path, repeats: int) -> list[str]:
    """From files to five means, each tool as a process."""
    script("generated.py", shape.name, str(folder))
    qrels, run = map(str, shape.files(folder))
    tools = ["ours", "paths", "pytrec", "ir_measures"]
    timings = in_turn([(t, qrels, run) for t in tools] + [("import_pandas",)], repeats)
    mine, by_paths, theirs, _, pandas = timings
    agree = max(agreement(one.printed, theirs.printed) for one in (mine, by_paths))
    together = theirs.least + pandas.least
    lines = [
        f"**{shape.total:,} rows, {shape.queries * shape.judged:,} judgments, whole process**",
        "",
        "| | median | / ours | fastest | / ours | peak memory |",
        "|---|---|---|---|---|---|",
    ]
    labels = ["fuzzytruth", "fuzzytruth, from paths", "pytrec_eval", "ir_measures"]
    labels.append("`import pandas` alone")
    for label, timing in zip(labels, timings, strict=True):
        lines.append(
            f"| {label} | {timing.seconds:.2f} s | {timing.seconds / mine.seconds:.2f} × "
            f"| {timing.least:.2f} s | {timing.least / mine.least:.2f} × "
            f"| {timing.megabytes:.0f} MB |"
        )
    return [
        *lines,
        "",
        f"pytrec_eval and `import pandas` together: {together / mine.least:.1f} × the fastest of "
        f"fuzzytruth, {together / by_paths.least:.1f} × that from paths.",
        f"Largest difference of a mean from pytrec_eval: {agree:.1e}.",
        "",
    ]


def start(folder: Path, repeats: int) -> list[str]:
    """Least processor time of what has little to do: two runs of 50 queries."""
    script("generated.py", START.name, str(folder))
    qrels, run = map(str, START.files(folder))
    tools = {
        "`fuzzytruth evaluate`": ("command", qrels, f"a={run}", f"b={run}"),
        "`ir_measures`": ("ir_measures_command", qrels, run),
        "`ft.evaluate(...).values`": ("values", qrels, run),
        "`print(ft.evaluate(...).mean())`": ("ours", qrels, run),
        "`import pandas`": ("import_pandas",),
        "`import numpy`": ("import_numpy",),
    }
    timings = in_turn(list(tools.values()), max(10, repeats))
    return [
        f"**{START.queries} queries, whole process, processor time**",
        "",
        *(f"- {tool}: {timing.cpu:.2f} s" for tool, timing in zip(tools, timings, strict=True)),
        "",
    ]


def script(name: str, *arguments: str) -> list[str]:
    """Run a script in a process of its own, for a child's peak memory includes its parent's."""
    done = subprocess.run(
        [sys.executable, str(HERE / name), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


def agreement(mine: str, theirs: str) -> float:
    def values(text: str) -> dict[str, float]:
        return {n: float(v) for n, v in (line.split() for line in text.splitlines())}

    a, b = values(mine), values(theirs)
    return max(abs(a[name] - b[name]) for name in b)


def imports(repeats: int) -> list[str]:
    tools = [("import_ours",), ("import_numpy",), ("import_pandas",)]
    mine, numpy, pandas, bare = in_turn([*tools, ("bare",)], max(5, repeats))
    return [
        "**Importing, whole process**",
        "",
        f"bare interpreter {bare.seconds:.3f} s, fuzzytruth {mine.seconds:.3f} s, "
        f"NumPy {numpy.seconds:.3f} s, pandas {pandas.seconds:.3f} s.",
        "",
    ]


#: the commit with which the rows below are compared
BEFORE = "926b07a"
COMPARED = [
    "R@10 of 12,000 probabilities",
    "R@10 of 12,000 probabilities, distribution",
    "F, FT, Rprec, nDCG, AP of 4,000 probabilities",
    "fractional grades, 63 systems",
    "fractional grades, missing judgments",
    "deep lists, P@10",
    "worlds, 200 x 300 judged",
    "worlds, 200 x 300 judged, ten systems",
    "population, 2,000 resamples",
    "scores to a frame, 3 M rows",
    "rank stability over both",
]


def before_and_after() -> list[str]:
    """Rows of rows.py beside those of an earlier commit; a clone without it has none."""
    known = subprocess.run(
        ["git", "-C", str(HERE), "cat-file", "-e", f"{BEFORE}^{{commit}}"], capture_output=True
    )
    if known.returncode:
        return [f"This clone lacks commit {BEFORE}, with which rows are compared.", ""]
    table = script("compare.py", BEFORE, "--runs", "2", "--only", *COMPARED)
    return [f"**Before ({BEFORE}) and after, in turns**", "", *table, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--only",
        nargs="*",
        default=[
            *("import", "start", "small", "large", "in-memory", "many", "worlds", "inference"),
            *("report", "before"),
        ],
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "ft-bench")
    parser.add_argument("--readme", action="store_true", help="write the figures into README.md")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    parts: dict[str, Callable[[], list[str]]] = {
        "import": lambda: imports(given.repeats),
        "start": lambda: start(given.folder, given.repeats),
        "small": lambda: files(SMALL, given.folder, max(5, given.repeats)),
        "large": lambda: files(LARGE, given.folder, given.repeats),
        "in-memory": lambda: script("in_memory.py", "rows", str(given.repeats)),
        "worlds": lambda: [*script("worlds.py"), ""],
        "inference": lambda: [*script("inference.py"), ""],
        "many": lambda: script("in_memory.py", "many", str(given.repeats)),
        "report": lambda: [*script("report.py"), ""],
        "before": before_and_after,
    }
    lines = [versions(), ""]
    for name in given.only:
        part = parts[name]()
        print("\n".join(part), flush=True)
        lines += part
    if given.readme:
        readme = HERE / "README.md"
        before = readme.read_text().partition(MARK)[0]
        readme.write_text(before + MARK + "\n\n" + "\n".join(lines).rstrip() + "\n")


def versions() -> str:
    packages = ["fuzzytruth", "numpy", "pandas", "pyarrow", "pytrec-eval-terrier", "ir-measures"]
    named = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in packages)
    return f"Python {platform.python_version()}, {named}; {os.cpu_count()} cores."


if __name__ == "__main__":
    main()
