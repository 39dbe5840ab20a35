"""Change one place of a module at a time, and see whether its tests notice.

python -m mutants.study [--number 500] [--minutes 60] [--package core] [--again] [--report FILE]

in the folder benchmarks; `make mutants` also writes a block of docs/evidence/index.md. `--again`
tries survivors once more, as after tests were added, but those that `survivors.json` puts into a
class.
Results are added to a file as they come, and an interrupted run continues. cosmic-ray has the
operators; its own runner starts Python for each mutant, which takes longer than most of our tests,
and changes the files of the working tree, so that mutants are tried here in forked processes on a
copy.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import py_compile
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from mutants import places, related_tests, trial
from mutants.report import known_results, write_report
from mutants.survivors import UNKNOWN, class_of

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).parent / "results.jsonl"
_NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", "__pycache__", "_build", "data.zip"
)


def main() -> None:
    """Try mutants, package by package in turn, until there are enough or time is up."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=500, help="mutants of each package")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--package", choices=places.PACKAGES, action="append")
    parser.add_argument("--again", action="store_true", help="survivors without a class only")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    chosen = options.package or places.PACKAGES
    samples = {package: places.sample(ROOT, package) for package in chosen}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        _try_all(Path(folder), samples, options)
    if options.report:
        write_report(options.report, options.results, {p: len(s) for p, s in samples.items()})


def _try_all(folder: Path, samples: dict[str, list[places.Mutant]], options: Any) -> None:
    end = time.monotonic() + 60 * options.minutes
    keys = {mutant.key for sample in samples.values() for mutant in sample}
    known = {k: result for k, result in known_results(options.results).items() if k in keys}
    _copy(folder)
    trial.preload()
    for row in zip(*(sample[: 2 * options.number] for sample in samples.values()), strict=False):
        for mutant in row:
            if time.monotonic() > end:
                return
            survived = _is_open(known.get(mutant.key, {}))
            full = mutant.key in known or _tried(known, mutant.package) >= options.number
            if not survived if options.again else full:
                continue
            result = known[mutant.key] = _try(folder, mutant)
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            print(result["seconds"], result["outcome"], mutant.key, result["by"], file=sys.stderr)


def _is_open(result: dict[str, Any]) -> bool:
    """Whether a mutant survived, and nobody has said why."""
    return result.get("outcome") == "survived" and class_of(result)[0] == UNKNOWN


def _tried(known: dict[str, dict[str, Any]], package: str) -> int:
    """How many of a package were tried and are programs."""
    start = f"fuzzytruth/{package}/"
    return sum(r["outcome"] != "invalid" for k, r in known.items() if k.startswith(start))


def _try(folder: Path, mutant: places.Mutant) -> dict[str, Any]:
    """Whether a mutant is killed, by which test, and how long that took."""
    started = time.monotonic()
    text, killer = places.mutated(ROOT, mutant), ""
    target = folder / mutant.path
    original = target.read_text(encoding="utf-8")
    if text is not None:
        target.write_text(text, encoding="utf-8")
        own, near = related_tests.stages(ROOT, mutant.path)
        killer = trial.run_tests(folder, own)
        if not killer:
            killer = trial.run_tests(folder, near)
            if killer == "timeout":  # many tests, which may just take long
                killer = ""
        target.write_text(original, encoding="utf-8")
        killing = killer.partition("::")[0]
        if killer:
            _check_unchanged(folder, (killing,) if (folder / killing).is_file() else tuple(own))
    return {
        "key": mutant.key,
        "line": mutant.line,
        "outcome": "invalid" if text is None else "killed" if killer else "survived",
        "by": killer,
        "change": _changed_line(original, text or original, mutant.line),
        "seconds": round(time.monotonic() - started, 1),
    }


@cache
def _check_unchanged(folder: Path, files: tuple[str, ...]) -> None:
    """Stop unless tests that killed a mutant pass without it, with time to spare."""
    failed = trial.run_tests(folder, list(files), trial.CPU_SECONDS // 3)
    if failed:
        raise SystemExit(f"{failed}: fails on the unchanged code, and cannot kill a mutant")


def _changed_line(before: str, after: str, line: int) -> list[str]:
    """The line as it was and as it is."""
    pairs = list(zip(before.split("\n"), after.split("\n"), strict=False))
    return next(([a.strip(), b.strip()] for a, b in pairs[line - 1 :] if a != b), [])


def _copy(folder: Path) -> None:
    """A copy of the project with its modules compiled, since each trial imports many of them."""
    shutil.copytree(ROOT, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)
    # hashes, not times, tell that a module was changed
    by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder / "fuzzytruth", quiet=1, invalidation_mode=by_hash)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


if __name__ == "__main__":
    main()
