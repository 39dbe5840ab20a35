"""The block on mutants of docs/evidence/index.md, from the results and the survivors' classes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from mutants import places
from mutants.related_tests import stages
from mutants.survivors import CLASSES, UNKNOWN, class_of

_ROOT = Path(__file__).resolve().parents[2]
#: classes of mutants that compute the same numbers
_SAME = ("equivalent", "performance")
#: where the block begins and ends on its page
MARKS = ("<!-- mutants: written by `make mutants` -->", "<!-- end of mutants -->")
_BLOCK = """\
{summary} Without those that compute the same numbers, {without}. When first tried, {first} % were
killed; tests were then written for some of the survivors.

| package | places | tried | killed | share | 95 % (Wilson) | different ones | by own tests |
|---|---:|---:|---:|---:|---|---|---:|
{packages}

| survivors | number | what that means |
|---|---:|---|
{classes}
"""


def known_results(path: Path) -> dict[str, dict[str, Any]]:
    """Results by key of the mutant, the last of each."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["key"]: row for row in rows}


def write_report(path: Path, results: Path, n_places: dict[str, int]) -> None:
    """Write the block of a page; results of modules that have changed since are left out."""
    current = {m.key for package in n_places for m in places.sample(_ROOT, package)}
    rows = [r for k, r in known_results(results).items() if k in current]
    rows = [row for row in rows if row["outcome"] != "invalid"]
    alive = [row for row in rows if row["outcome"] == "survived"]
    block = _BLOCK.format(
        first=_first(results, {row["key"] for row in rows}),
        summary=f"{_share(rows)}, of {sum(n_places.values()):,} places in all.",
        packages="\n".join(_package(name, n, _of(rows, name)) for name, n in n_places.items()),
        without=_share(_different(rows)),
        classes=_classes(alive),
    )
    before, _, rest = path.read_text(encoding="utf-8").partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    text = f"{before}{MARKS[0]}\n{block}{mark}{after}"
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
