"""Targets: exports of annotation tools, logs of evaluation harnesses, and saved scores."""

import io
import json
import random
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from support.damaged_files import DAMAGES
from support.forms_of_tools import EXPORTS, QUESTION, votes_of
from support.harness_logs import (
    as_zstandard,
    harness_sample,
    inspect_log,
    inspect_sample,
    write_eval,
)

import fuzzytruth as ft
from fuzz import plain_parsers as plain
from fuzz.json_mutators import json_mutator
from fuzz.mutators import damaged, text_mutator
from fuzz.table_targets import rows_of, score_rows
from fuzz.target import Row, Target

_VOTES = rows_of("subject", "item", "category")


def _exported(write: Any) -> tuple[str, bytes]:
    """Name and content of an export of votes."""
    with tempfile.TemporaryDirectory() as folder:
        path: Path = write(Path(folder), votes_of("assignments"))
        return path.name, path.read_bytes()


def _prodigy(record: dict[str, Any]) -> Row:
    (label,) = record["accept"]
    assert record["answer"] == "accept"
    return record["_annotator_id"], record["image"], label


def _doccano(record: dict[str, Any]) -> Row:
    (label,) = record["label"]
    return record["user"], record["image"], label


def _potato(record: dict[str, Any]) -> Row:
    ((label, chosen),) = record["label_annotations"][QUESTION].items()
    assert chosen is True
    return record["user_id"], record["image"], label


#: tools -> the vote of a record, of the form that the seed has
_VOTE: dict[str, Callable[[dict[str, Any]], Row]] = {
    "Prodigy": _prodigy,
    "doccano": _doccano,
    "Potato": _potato,
}


def _by_record(seed: bytes, vote: Callable[[dict[str, Any]], Row]) -> Any:
    """Votes of records with the same keys and types as those of the seed; else no opinion."""
    keys = set(json.loads(seed.splitlines()[0]))

    def rows(data: bytes) -> Sequence[Row] | None:
        lines = data.removeprefix(plain.BOM.encode()).splitlines()
        records = [plain.json_value(line) for line in lines if line.strip()]
        try:
            votes = [vote(record) for record in records if set(record) == keys]
        except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
            return None
        plain_text = all(
            isinstance(cell, str) and cell and cell.strip() == cell for v in votes for cell in v
        )
        known = len(votes) == len(records) and plain_text and len(set(votes)) == len(votes)
        return votes if known and len({vote[:2] for vote in votes}) == len(votes) else None

    return rows


def _export_targets() -> list[Target]:
    out = []
    for tool, write in EXPORTS.items():
        name, seed = _exported(write)
        ending = name.rpartition(".")[2]
        mutate = {
            "csv": text_mutator(b","),
            "tsv": text_mutator(b"\t"),
            "json": json_mutator(),
            "jsonl": json_mutator(lines=True),
        }[ending]
        parse = _by_record(seed, _VOTE[tool]) if tool in _VOTE else _no_opinion
        label = f"export-{tool.lower().replace(', ', '-').replace(' ', '-')}"
        out.append(Target(label, name, (seed,), mutate, ft.read_assignments, _VOTES, parse))
    return out


def _no_opinion(data: bytes) -> None:
    """For formats whose only parser is ours: no crash, no NaN, no hang."""


_INSPECT = inspect_log(*(inspect_sample(f"s{n}", accuracy=v) for n, v in enumerate("CIP")))
_SAMPLES = "\n".join(json.dumps(harness_sample(n, {"acc": n / 2})) for n in range(3)).encode()


def _mutate_eval(data: bytes, rng: random.Random) -> bytes:
    """A damaged archive, or one with a member that is damaged, lost or double."""
    if rng.random() < 0.4:
        return damaged(data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    at = rng.randrange(len(members))
    name, content = members[at]
    match rng.randrange(5):
        case 0:
            del members[at]
        case 1:
            members.append((name + rng.choice(("x", ".json")), content))
        case _:
            members[at] = name, json_mutator()(content, rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def _eval(packed: Callable[[Path], Path] = Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return packed(write_eval(Path(folder) / "log.eval", _INSPECT)).read_bytes()


def _saved(**options: Any) -> bytes:
    """Saved scores of two systems by two subjects."""
    judged = {
        "query": ["a", "a", "b", "b"] * 2,
        "item": ["x", "y"] * 4,
        "subject": ["s"] * 4 + ["t"] * 4,
        "grade": [1, 0, 1, 0, 0, 1, 1, 0],
    }
    runs = {name: {q: {"x": 1.0, "y": s} for q in "ab"} for name, s in (("m", 0.5), ("n", 2.0))}
    scores = ft.evaluate(ft.Judgments.from_frame(judged), runs, ["P@1"], rng=0, **options)
    with tempfile.TemporaryDirectory() as folder:
        scores.save(Path(folder) / "s.parquet")
        return (Path(folder) / "s.parquet").read_bytes()


def _mutate_saved(data: bytes, rng: random.Random) -> bytes:
    """The damages that the tests of saved scores know."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.parquet"
        path.write_bytes(data)
        rng.choice(DAMAGES)(path, np.random.default_rng(rng.randrange(2**32)))
        return path.read_bytes()


TARGETS = [
    *_export_targets(),
    Target(
        "log-inspect.json",
        "log.json",
        (json.dumps(_INSPECT).encode(),),
        json_mutator(),
        ft.read_scores,
        score_rows,
        _no_opinion,
    ),
    Target(
        "log-inspect.eval",
        "log.eval",
        (_eval(),),
        _mutate_eval,
        ft.read_scores,
        score_rows,
        _no_opinion,
    ),
    Target(
        "log-inspect-zstandard.eval",
        "log.eval",
        (_eval(as_zstandard),),
        damaged,
        ft.read_scores,
        score_rows,
        _no_opinion,
    ),
    Target(
        "log-lm-evaluation-harness",
        "samples_task_2024-05-01T10-00-00.1.jsonl",
        (_SAMPLES,),
        json_mutator(lines=True),
        ft.read_scores,
        score_rows,
        _no_opinion,
    ),
    Target(
        "scores-saved",
        "saved.parquet",
        (_saved(worlds="subject"), _saved(worlds="independent", keep_worlds=True, n_worlds=5)),
        _mutate_saved,
        ft.Scores.load,
        score_rows,
        _no_opinion,
    ),
]
