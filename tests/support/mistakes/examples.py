"""A mistake, and the small files, frames and truths that mistakes are made with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import fuzzytruth as ft


@dataclass(frozen=True)
class Mistake:
    id: str
    reader: str
    call: Callable[[Path], object]
    names: tuple[str, ...]
    why: str
    kind: str = "error"  # or "warning"


# ---------------------------------------------------------------- small files, frames and truths


def text(folder: Path, name: str, *lines: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


def data(folder: Path, name: str, value: object) -> Path:
    return text(folder, name, json.dumps(value))


def jsonl(folder: Path, name: str, *rows: object) -> Path:
    return text(folder, name, *map(json.dumps, rows))


def npy(folder: Path, name: str, matrix: object) -> Path:
    path = folder / name
    np.save(path, np.asarray(matrix))
    return path


def frame(columns: str, *rows: tuple, index: Sequence[object] | None = None) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=columns.split(), index=index)


def line(n: int) -> str:
    """`line 3`, `lines 2 and 3`, `lines 2, 3` or `file:3`."""
    return rf"(?:\bline\s|\blines\s(?:\d+(?:,\s|\sand\s|,\sand\s))*|:){n}\b"


QRELS = ("q1 0 d1 1", "q1 0 d2 0", "q2 0 d1 1", "q2 0 d3 0")
RUN = ("q1 Q0 d1 1 2.0 tag", "q1 Q0 d2 2 1.0 tag", "q2 Q0 d1 1 2.0 tag", "q2 Q0 d3 2 1.0 tag")
TREE = ("all", "  people", "    group", "    crowd", "  scenery", "    city", "    sea")
TRUTH = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d3": 0}}
RUNS = {"sys": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d3": 1.0}}}
EYE = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.3], [0.1, 0.3, 1.0]])
SHARES = np.array([[0.7, 0.3], [0.4, 0.6]])
ITEM_RUN = {"sys": {"i1": ["i2", "i3"], "i2": ["i3", "i1"], "i3": ["i2", "i1"]}}
LABEL_RUN = {"net": {"i1": ["city", "sea"], "i2": ["sea", "crowd"], "i3": ["crowd", "city"]}}


def qrels(folder: Path) -> str:
    return str(text(folder, "qrels.txt", *QRELS))


def run(folder: Path, name: str = "a.run") -> str:
    return str(text(folder, name, *RUN))


def tree():
    return ft.Taxonomy.from_children(
        {"all": ["people", "scenery"], "people": ["group", "crowd"], "scenery": ["city", "sea"]}
    )


LABELS = frame(
    "subject item category",
    *[("ann", "i1", "city"), ("bob", "i1", "city"), ("ann", "i2", "sea"), ("bob", "i2", "city")],
    *[("ann", "i3", "crowd"), ("bob", "i3", "crowd")],
)


def labels():
    return ft.Assignments.from_frame(LABELS, taxonomy=tree())


def flat():
    return ft.Assignments.from_frame(LABELS)


def two(rows: Sequence[tuple[str, str, str, float]]):
    """Judgments by named subjects."""
    return ft.Judgments.from_frame(frame("query item subject grade", *rows))


BOTH = [
    *[
        ("q1", "d1", "ann", 4),
        ("q1", "d2", "ann", 0),
        ("q2", "d1", "ann", 5),
        ("q2", "d3", "ann", 1),
    ],
    *[
        ("q1", "d1", "bob", 4),
        ("q1", "d2", "bob", 1),
        ("q2", "d1", "bob", 5),
        ("q2", "d3", "bob", 0),
    ],
]


def table(*systems: str, n: int = 6) -> pd.DataFrame:
    rows = [
        (s, f"q{q}", "AP", ((3 * i + 5 * q) % 7) / 7)
        for i, s in enumerate(systems)
        for q in range(1, n + 1)
    ]
    return frame("system query measure value", *rows)


def scores(*systems: str, n: int = 6):
    return ft.Scores.from_frame(table(*systems, n=n))


def table_csv(folder: Path, name: str, *systems: str) -> str:
    return str(text(folder, name, table(*systems).to_csv(index=False).strip()))


def duels(*rows: tuple, index: Sequence[object] | None = None) -> pd.DataFrame:
    return frame("left right winner", *rows, index=index)


def inspect_log(*samples: dict, status: str = "success", n: int | None = None) -> dict:
    """A log of inspect_ai, as JSON."""
    dataset = {"name": "gpqa", "samples": len(samples) if n is None else n}
    model = {"task": "gpqa", "model": "openai/gpt-4o", "dataset": dataset}
    return {"version": 2, "status": status, "eval": model, "samples": list(samples)}


def sample(name: str, value: object = "C") -> dict:
    return {
        "id": name,
        "epoch": 1,
        "target": "A",
        "scores": {"choice": {"value": value, "answer": "A"}},
    }


def lm_eval(doc: int, **others: object) -> dict:
    """A line of samples_*.jsonl of lm-evaluation-harness."""
    return {
        "doc_id": doc,
        "doc": {"q": "?"},
        "target": "A",
        "filtered_resps": ["A"],
        "acc": 1.0,
    } | others


def image_text_arguments(truth: Path, *matrices: object) -> list[str]:
    return ["image-text", *map(str, matrices), "--image-of-text", str(truth)]
