"""Targets: files of runs that `evaluate` reads in blocks, judged by the scores of each query."""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd

import fuzzytruth as ft
from fuzz import plain_parsers as plain
from fuzz.mutators import text_mutator
from fuzz.table_targets import FORMATS, with_packed
from fuzz.target import Row, Target
from fuzzytruth.data import reading, run_stream
from fuzzytruth.io import files, table_files

_GRADES = {
    "q0": {"d0": 1, "d1": 0, "d2": 1},
    "q1": {"d1": 1, "d 3": 1, "d,4": 0},
    "q2": {"d0": 0, "d2": 1},
    "q3": {"\u00e9": 1, "d1": 0},
}
_MEASURES = ("AP", "P@2", "RR")
_COLUMNS = ("system", "query", "item", "score")
_TREC = b"".join(
    b"q%d Q0 d%d %d %s t\n" % (q, d, d, score)
    for q in range(4)
    for d, score in enumerate((b"2.5", b"1", b"2.5", b"-1"))
)
_ROWS = [
    (system, query, item, float((3 * j + k * (s + 1)) % 5) / 2)
    for s, system in enumerate("st")
    for j, query in enumerate(_GRADES)
    for k, item in enumerate(("d0", "d1", "d 3", "\u00e9", 'd"5'))
]
_SMALL = [(files, "_BLOCK_BYTES", 150), (run_stream, "_PART", 100), (table_files, "_ROWS", 4)]


def in_blocks() -> ExitStack:
    """Blocks of a few rows, for tables of any size."""
    stack = ExitStack()
    for module, name, size in [*_SMALL, (reading, "_LARGE", 0)]:
        stack.enter_context(mock.patch.object(module, name, size))
    return stack


def _evaluated(path: Path) -> ft.Scores:
    with in_blocks():
        return ft.evaluate(_GRADES, path, _MEASURES)


def _scores(content: ft.Scores) -> Sequence[Row]:
    frame = content.to_frame()
    columns = [frame[name] for name in ("system", "query", "measure")]
    return list(zip(*columns, frame["value"].round(12), strict=True))


def _scored(rows: Sequence[Row] | None) -> Sequence[Row] | None:
    """Scores of rows of runs, best first, and of equal scores the last id first."""
    if rows is None:
        return None
    lists: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for system, query, item, score in rows:
        single = np.float32(np.clip(score, -3e38, 3e38))  # as trec_eval compares
        lists[system, query].append((float(single), item))
    out: list[Row] = []
    for system in {row[0] for row in rows}:
        for query, grades in _GRADES.items():
            ordered = sorted(lists[system, query], reverse=True)
            gains = [grades.get(item, 0) for _, item in ordered]
            out += [(system, query, name, value) for name, value in _values(gains, grades)]
    return out


def _values(gains: list[int], grades: dict[str, int]) -> list[tuple[str, float]]:
    """Values of the measures of one list."""
    ranks = [rank for rank, gain in enumerate(gains, start=1) if gain]
    precision = [found / rank for found, rank in enumerate(ranks, start=1)]
    return [
        ("AP", round(sum(precision) / sum(grades.values()), 12)),
        ("P@2", sum(gains[:2]) / 2),
        ("RR", round(1 / ranks[0], 12) if ranks else 0.0),
    ]


def _table(ending: str, parse: Any) -> Callable[[bytes], Sequence[Row] | None]:
    def rows(data: bytes) -> Sequence[Row] | None:
        for names in (_COLUMNS[1:], _COLUMNS):
            found = parse(data, names, ("score",), ending=ending)
            if found is not None:
                listed = [tuple(r.get(name, "a") for name in _COLUMNS) for r in found]
                return _scored(plain.some(plain.unique(listed, 3)))
        return None

    return rows


def _shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sample(frac=1, random_state=0)


def _shuffled_lines(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    random.Random(0).shuffle(lines)
    return b"".join(lines)


def _targets() -> list[Target]:
    frame = pd.DataFrame(_ROWS, columns=list(_COLUMNS))
    frames = (frame, _shuffled(frame), frame[frame["system"] == "s"].drop(columns="system"))
    out = [
        Target(
            "streamed-trec",
            "a.run",
            (_TREC, _shuffled_lines(_TREC)),
            text_mutator(b" "),
            _evaluated,
            _scores,
            lambda data: _scored(plain.trec_run("a", data)),
        )
    ]
    for ending, (writers, mutate, parse) in FORMATS.items():
        if ending in table_files.IN_BLOCKS:
            seeds = tuple(write(one) for one in frames for write in writers)
            rows = _table(ending, parse)
            name = f"streamed.{ending}"
            out.append(Target(name, f"a.{ending}", seeds, mutate, _evaluated, _scores, rows))
    return [one for target in out for one in with_packed(target)]


TARGETS = _targets()
