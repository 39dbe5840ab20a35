"""docs/evidence/mutants.md, written from the results and the classes of the survivors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mutants import places

_CLASSES = Path(__file__).parent / "survivors.json"
_ROOT = Path(__file__).resolve().parents[2]
_MEANING = {
    "equivalent": "no input makes a difference, or none that callers can give",
    "performance": "sizes of blocks, fast paths, `slots`: the same numbers, sooner or later",
    "accuracy": "tolerances and constants of approximations: numbers within the stated error",
    "message": "only the wording of an error or a repr differs",
    "test missing": "a wrong number would go unnoticed by the tests that were run",
    "not yet classed": "nobody has looked at it",
}
_HEAD = """\
# Mutants: would the tests notice a wrong line?

One place of a module is changed at a time (another operator, another constant, a condition turned
round, a loop skipped), and the tests of the module and of the modules that import it are run. A
mutant is *killed* if a test fails. {summary}

| package | places | tried | killed | share | 95 % interval (Wilson) |
|---|---:|---:|---:|---:|---|
{packages}

Without the survivors that compute the same (equivalent, performance), {without}.

## How it is done

`make mutants` tries more mutants, and writes this page; results are kept in
benchmarks/mutants/results.jsonl, so that it can be stopped at any time
(`make mutants MUTANTS="--number 40 --package core"`). Operators are cosmic-ray's, without those
that change annotations, which are never evaluated. Each place is changed in one way, which a hash
chooses, and places are tried in the order of a seeded hash, so that those tried are a random sample
of all. Mutants that are no valid Python are not counted.

Only near tests are run: the module's own test file and examples, then the test files of modules
that import it directly, for a minute of processor time. The whole suite would kill some of the
survivors, so the shares are lower bounds. cosmic-ray's own runner is not used: it starts Python for
every mutant, which takes longer than most of these tests, and changes files in the working tree.

## Survivors

| class | number | what that means |
|---|---:|---|
{classes}

{survivors}
"""


def write_report(path: Path, results: Path, n_places: dict[str, int]) -> None:
    """Write the page; results of modules that have changed since are left out."""
    from mutants.study import known_results

    current = {m.key for package in n_places for m in places.sample(_ROOT, package)}
    rows = [r for k, r in known_results(results).items() if k in current]
    rows = [row for row in rows if row["outcome"] != "invalid"]
    alive = [row for row in rows if row["outcome"] == "survived"]
    text = _HEAD.format(
        summary=f"{_share(rows)}, of {sum(n_places.values()):,} places in all.",
        packages="\n".join(_package(name, n, _of(rows, name)) for name, n in n_places.items()),
        without=_share([r for r in rows if _class_of(r)[0] not in ("equivalent", "performance")]),
        classes=_classes(alive),
        survivors="\n".join(_listed(alive)),
    )
    path.write_text(text, encoding="utf-8")


def _of(rows: list[dict[str, Any]], package: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["key"].startswith(f"fuzzytruth/{package}/")]


def _killed(rows: list[dict[str, Any]]) -> int:
    return sum(row["outcome"] == "killed" for row in rows)


def _interval(rows: list[dict[str, Any]]) -> str:
    from fuzzytruth.stats.proportions import wilson

    lower, upper = wilson(_killed(rows), len(rows))
    return f"{100 * float(lower):.0f} to {100 * float(upper):.0f} %"


def _share(rows: list[dict[str, Any]]) -> str:
    killed = _killed(rows)
    share = f"{100 * killed / len(rows):.0f} %"
    return f"{killed} of {len(rows)} mutants are killed: {share} ({_interval(rows)})"


def _package(name: str, n_places: int, rows: list[dict[str, Any]]) -> str:
    if not rows:
        return f"| `{name}` | {n_places:,} | 0 | | | |"
    killed = _killed(rows)
    share = f"{100 * killed / len(rows):.0f} %"
    return f"| `{name}` | {n_places:,} | {len(rows)} | {killed} | {share} | {_interval(rows)} |"


def _class_of(row: dict[str, Any]) -> tuple[str, str]:
    """Class and reason of a survivor, by its module and the changed line."""
    if row["outcome"] == "killed":
        return "", ""
    name, *_ = row["key"].split(":")
    known = json.loads(_CLASSES.read_text(encoding="utf-8"))
    found = known.get(f"{name}: {' → '.join(row['change'])}", ("not yet classed", ""))
    return found[0], found[1]


def _classes(alive: list[dict[str, Any]]) -> str:
    counts = Counter(_class_of(row)[0] for row in alive)
    return "\n".join(f"| {k} | {counts[k]} | {v} |" for k, v in _MEANING.items() if counts[k])


def _listed(alive: list[dict[str, Any]]) -> Iterable[str]:
    """Each survivor, by class."""
    order = list(_MEANING)
    for row in sorted(alive, key=lambda row: (order.index(_class_of(row)[0]), row["key"])):
        kind, reason = _class_of(row)
        name = row["key"].split(":")[0].removeprefix("fuzzytruth/")
        why = f": {reason}" if reason else ""
        before, after = row["change"] or ("", "")
        yield f"- **{kind}**, `{name}`, line {row['line']}{why}\n"
        yield f"  ```python\n  {before}\n  {after}\n  ```\n"
