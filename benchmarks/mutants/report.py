"""docs/evidence/mutants.md, written from the results and the classes of the survivors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mutants import places
from mutants.related_tests import stages
from mutants.survivors import CLASSES, UNKNOWN, class_of

_ROOT = Path(__file__).resolve().parents[2]
#: classes of mutants that compute the same numbers
_SAME = ("equivalent", "performance")
_EXAMPLES = 3
_HEAD = """\
# Mutants: would the tests notice a wrong line?

In mutation testing, one place of a module is changed at a time (another operator, another
constant, a condition negated, a loop skipped), and the tests are run. A mutant is *killed* if a
test fails; one that survives is either the same program in other words, or a mistake that the tests
would miss. {summary}

When first tried, {first} % were killed. Tests were then written for some of the survivors, so that
the shares describe this sample somewhat better than the rest of the code.

| package | places | tried | killed | share | 95 % (Wilson) | different ones | by own tests |
|---|---:|---:|---:|---:|---|---|---:|
{packages}

*Different ones* are those that do not compute the same numbers (equivalent, performance), as far as
their classes below say. *By own tests*: the share of these that the module's own test file, or one
in the folder of its name, kills, so that a failure points at its place.

## Survivors

Each survivor has a class and a reason in `benchmarks/mutants/survivors.json`.

| class | number | what that means |
|---|---:|---|
{classes}

Without those that compute the same numbers (equivalent, performance), {without}.

{survivors}

## How it is done

```console
$ make mutants
```

tries more mutants, and writes this page. It can be stopped at any time, and goes on from the
results in `benchmarks/mutants/results.jsonl`; `make mutants MUTANTS="--number 40 --package core"`
tries a few, `MUTANTS="--number 10000"` all. After tests were added, `MUTANTS=--again` tries the
survivors without a class once more.

- Operators are [cosmic-ray](https://cosmic-ray.readthedocs.io)'s, without those that change
  annotations, which are never evaluated. Each place is changed in one way, chosen by a hash, and
  places are tried in the order of a seeded hash: those tried are a random sample of all. Mutants
  that are no valid Python are not counted.
- Only near tests are run: the module's own test file and examples, then the test files of modules
  that import it directly, and a few of the whole package, for a minute of processor time. The whole
  suite would kill some of the survivors, so the shares are lower bounds.
- A kill counts only if the test file that failed passes on the unchanged code. Running out of time
  counts only for the module's own tests, and only if they need less than a third of that time on
  the unchanged code.
- Results of a module that has changed since are left out.
"""


def known_results(path: Path) -> dict[str, dict[str, Any]]:
    """Results by key of the mutant, the last of each."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["key"]: row for row in rows}


def write_report(path: Path, results: Path, n_places: dict[str, int]) -> None:
    """Write the page; results of modules that have changed since are left out."""
    current = {m.key for package in n_places for m in places.sample(_ROOT, package)}
    rows = [r for k, r in known_results(results).items() if k in current]
    rows = [row for row in rows if row["outcome"] != "invalid"]
    alive = [row for row in rows if row["outcome"] == "survived"]
    text = _HEAD.format(
        first=_first(results, {row["key"] for row in rows}),
        summary=f"{_share(rows)}, of {sum(n_places.values()):,} places in all.",
        packages="\n".join(_package(name, n, _of(rows, name)) for name, n in n_places.items()),
        without=_share(_different(rows)),
        classes=_classes(alive),
        survivors="\n".join(_examples(alive)),
    )
    path.write_text(text, encoding="utf-8")


def _first(results: Path, keys: set[str]) -> str:
    """Percentage that was killed when first tried."""
    lines = results.read_text(encoding="utf-8").splitlines()
    first = {row["key"]: row for row in map(json.loads, reversed(lines))}
    rows = [first[key] for key in keys]
    return f"{100 * _killed(rows) / len(rows):.0f}"


def _of(rows: list[dict[str, Any]], package: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["key"].startswith(f"fuzzytruth/{package}/")]


def _killed(rows: list[dict[str, Any]]) -> int:
    return sum(row["outcome"] == "killed" for row in rows)


def _interval(rows: list[dict[str, Any]]) -> str:
    from fuzzytruth.stats.agreement import wilson

    lower, upper = wilson(_killed(rows), len(rows))
    return f"{100 * float(lower):.0f} to {100 * float(upper):.0f} %"


def _share(rows: list[dict[str, Any]]) -> str:
    killed = _killed(rows)
    share = f"{100 * killed / len(rows):.0f} %"
    return f"{killed} of {len(rows)} mutants are killed: {share} ({_interval(rows)})"


def _package(name: str, n_places: int, rows: list[dict[str, Any]]) -> str:
    if not rows:
        return f"| `{name}` | {n_places:,} | 0 | | | | | |"
    killed, other = _killed(rows), _different(rows)
    cells = (
        f"`{name}`",
        f"{n_places:,}",
        len(rows),
        killed,
        f"{100 * killed / len(rows):.0f} %",
        _interval(rows),
        f"{100 * killed / len(other):.0f} % ({_interval(other)})",
        f"{100 * sum(map(_by_own_tests, rows)) / len(other):.0f} %",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _by_own_tests(row: dict[str, Any]) -> bool:
    own, _ = stages(_ROOT, row["key"].partition(":")[0])
    return row["outcome"] == "killed" and row["by"].partition("::")[0] in {*own, "timeout"}


def _different(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that are not known to compute the same."""
    return [r for r in rows if r["outcome"] == "killed" or class_of(r)[0] not in _SAME]


def _classes(alive: list[dict[str, Any]]) -> str:
    counts = Counter(class_of(row)[0] for row in alive)
    meaning = CLASSES | {UNKNOWN: "nobody has looked at it"}
    return "\n".join(f"| {k} | {counts[k]} | {v} |" for k, v in meaning.items() if counts[k])


def _examples(alive: list[dict[str, Any]]) -> Iterable[str]:
    """The first few survivors of each class."""
    for kind in CLASSES:
        rows = sorted((r for r in alive if class_of(r)[0] == kind), key=lambda row: row["key"])
        if rows:
            yield f"Examples of *{kind}*:\n"
        for row in rows[:_EXAMPLES]:
            name = row["key"].partition(":")[0].removeprefix("fuzzytruth/")
            before, after = row["change"] or ("", "")
            yield f"- `{name}`, line {row['line']}: {class_of(row)[1]}\n"
            yield f"  ```diff\n  - {before}\n  + {after}\n  ```\n"
