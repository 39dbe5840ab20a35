"""Targets: judgments, runs, assignments and scores in all formats of tables."""

import gzip
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from fuzz import plain_parsers as plain
from fuzz.json_mutators import json_mutator
from fuzz.mutators import packed, text_mutator
from fuzz.parquet_mutators import mutate_parquet
from fuzz.target import Row, Target


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of data: two valid tables, how they are read, and what rows they consist of."""

    name: str
    frames: tuple[pd.DataFrame, ...]
    numbers: tuple[str, ...]
    read: Callable[..., Any]
    rows: Callable[[Any], Sequence[Row]]
    n_keys: int  # columns of `rows` in which no two rows are the same


def rows_of(*names: str) -> Callable[[Any], Sequence[Row]]:
    """Rows of a result by its `to_frame`, of the columns that it has of these."""

    def rows(content: Any) -> Sequence[Row]:
        frame = content.to_frame()
        columns = [frame[name].tolist() for name in names if name in frame]
        return list(zip(*columns, strict=True))

    return rows


def ranked_rows(content: ft.Runs) -> Sequence[Row]:
    """Rows of runs, whose scores must not rise from rank to rank."""
    frame = content.to_frame()
    for _, part in frame.groupby(["system", "query"], sort=False):
        assert part["rank"].tolist() == list(range(1, len(part) + 1)), "ranks"
        single = np.clip(part["score"], -1e38, 1e38).astype(np.float32)  # as trec_eval compares
        assert single.is_monotonic_decreasing, "scores rise"
    return rows_of("system", "query", "item", "score")(content)


def score_rows(content: ft.Scores) -> Sequence[Row]:
    """Rows of scores, but for cells without a value."""
    rows = rows_of("system", "query", "measure", "value")(content)
    return [row for row in rows if row[-1] == row[-1]]


_JUDGED = pd.DataFrame(
    {"query": list("aabb"), "item": ["x", "y", "x", "\u00e9"], "grade": [1.0, 0.0, 2.0, 1.5]}
)
_BY_PEOPLE = pd.DataFrame(
    {
        "subject": ["ann", "ann", "bob", "bob", "ann"],
        "query": ["q1", "q1", "q1", "q1", "q2"],
        "item": ["d1", "d2", "d1", "d 3", "d,4"],
        "grade": [1.0, 0.0, 2.0, 1.0, 3.0],
    }
)
_RUN = pd.DataFrame(
    {
        "system": list("stst"),
        "query": list("aabb"),
        "item": ["x", "y", "x", "\u00e9"],
        "score": [1.0, 0.25, -2.0, 1e-3],
    }
)
_LIST = pd.DataFrame({"query": list("aab"), "item": list("xyx"), "score": [1.0, 0.5, 3.0]})
_VOTES = pd.DataFrame({"subject": list("stst"), "item": list("iijj"), "category": list("abab")})
_SCORES = pd.DataFrame(
    {
        "system": list("stst"),
        "query": list("aabb"),
        "measure": ["AP"] * 4,
        "value": [0.1, 0.2, 0.3, 0.4],
    }
)
TREE = ft.Taxonomy.from_children({"r": ["a", "b"]})

KINDS = (
    Kind(
        "judgments",
        (_JUDGED, _BY_PEOPLE),
        ("grade",),
        ft.read_judgments,
        rows_of("query", "item", "subject", "grade"),
        -1,
    ),
    Kind("runs", (_RUN,), ("score",), ft.read_runs, ranked_rows, 3),
    Kind(
        "assignments",
        (_VOTES,),
        (),
        lambda path: ft.read_assignments(path, taxonomy=TREE),
        rows_of("subject", "item", "category"),
        3,
    ),
    Kind(
        "scores",
        (_SCORES,),
        ("value",),
        ft.Scores.load,
        score_rows,
        3,
    ),
)
_ORDER = {
    "judgments": ("query", "item", "subject", "grade"),
    "runs": ("system", "query", "item", "score"),
    "assignments": ("subject", "item", "category"),
    "scores": ("system", "query", "measure", "value"),
}


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as dictionaries."""
    return frame.to_dict(orient="records")


def _parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()


def _csv(separator: str, quoting: int = 0) -> Callable[[pd.DataFrame], bytes]:
    return lambda frame: frame.to_csv(index=False, sep=separator, quoting=quoting).encode()


#: ending -> how a frame is written, how a file is mutated, which parser reads it
FORMATS: dict[str, tuple[list[Callable[[pd.DataFrame], bytes]], Any, Any]] = {
    "csv": ([_csv(","), _csv(";", 1), _csv("\t")], text_mutator(b","), plain.table),
    "tsv": ([_csv("\t")], text_mutator(b"\t"), plain.table),
    "json": ([lambda f: json.dumps(records(f)).encode()], json_mutator(), plain.json_records),
    "jsonl": (
        [lambda f: "\n".join(map(json.dumps, records(f))).encode()],
        json_mutator(lines=True),
        plain.json_records,
    ),
    "parquet": ([_parquet], mutate_parquet, plain.parquet),
}


def _plain(kind: Kind, ending: str, parse: Any) -> Callable[[bytes], Sequence[Row] | None]:
    """Rows by the plain parser, whichever of the seeds' columns the file has."""

    def rows(data: bytes) -> Sequence[Row] | None:
        for frame in kind.frames:
            names = [name for name in _ORDER[kind.name] if name in frame]
            found = parse(data, names, kind.numbers, ending=ending)
            if found is not None:
                listed = [tuple(record[name] for name in names) for record in found]
                plain.some(plain.unique(listed, kind.n_keys))
                return [row for row in listed if row[-1] is not None]
        return None

    return rows


def _unpacked(parse: Callable[[bytes], Sequence[Row] | None]) -> Any:
    def rows(data: bytes) -> Sequence[Row] | None:
        try:
            return parse(gzip.decompress(data))
        except (OSError, EOFError) as error:
            raise ValueError(f"gzip: {error}") from None

    return rows


def with_packed(target: Target) -> list[Target]:
    """A target, and the same with compressed files."""
    seeds = tuple(gzip.compress(seed, mtime=0) for seed in target.seeds)
    packed_target = Target(
        f"{target.name}.gz",
        f"{target.file}.gz",
        seeds,
        packed(target.mutate),
        target.read,
        target.rows,
        _unpacked(target.plain),
    )
    return [target, packed_target]


def _targets() -> list[Target]:
    out = []
    for kind in KINDS:
        for ending, (writers, mutate, parse) in FORMATS.items():
            seeds = tuple(write(frame) for frame in kind.frames for write in writers)
            name = f"{kind.name}.{ending}"
            rows = _plain(kind, ending, parse)
            out += with_packed(Target(name, name, seeds, mutate, kind.read, kind.rows, rows))
    return out


def _nested(data: bytes) -> Sequence[Row] | None:
    """Rows of {system: {query: {item: score}}}."""
    value = plain.json_value(data)
    if not isinstance(value, dict) or not all(
        isinstance(one, dict) and one and all(isinstance(inner, dict) for inner in one.values())
        for one in value.values()
    ):
        return None
    return plain.some(
        [
            (plain.identifier(s), plain.identifier(q), plain.identifier(i), plain.number(v))
            for s, lists in value.items()
            for q, inner in lists.items()
            for i, v in inner.items()
        ]
    )


_TREC_RUN = b"".join(
    b"q%d Q0 d%d %d %d.5 t\n" % (q, d, d, 3 - d) for q in range(3) for d in range(3)
)
_TREC_QRELS = b"".join(b"q%d 0 d%d %d\n" % (q, d, d) for q in range(3) for d in range(3))
_TREC_PEOPLE = b"q1\tann\td1\t1\nq1\tbob\td1\t0\nq1\tann\td2\t2\nq2\tbob\td1\t1\n"

TARGETS = [
    *with_packed(
        Target(
            "trec-run",
            "a.run",
            (_TREC_RUN, _TREC_RUN.replace(b" ", b"\t")),
            text_mutator(b" "),
            ft.read_runs,
            ranked_rows,
            lambda data: plain.trec_run("a", data),
        )
    ),
    *with_packed(
        Target(
            "trec-judgments",
            "a.qrels",
            (_TREC_QRELS, _TREC_PEOPLE),
            text_mutator(b" "),
            ft.read_judgments,
            rows_of("query", "item", "subject", "grade"),
            plain.trec_judgments,
        )
    ),
    *_targets(),
    Target(
        "runs-nested.json",
        "nested.json",
        (b'{"s": {"q": {"a": 1, "b": 0.5}, "r": {"a": 2}}, "t": {"q": {"c": 3}}}',),
        json_mutator(),
        ft.read_runs,
        ranked_rows,
        _nested,
    ),
]
