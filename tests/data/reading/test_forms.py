"""The same data give the same object in every form that can hold them; the others are refused."""

import json
import re
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support import forms
from support.forms import DATA, FILES, MATRICES, TABLES, WIDE, put, write_table
from support.forms_of_tools import EXPORTS, PREFIX, votes_of

import fuzzytruth as ft
from fuzzytruth.io.column_names import COLUMN_ALIASES

OF_TABLE: dict[str, Any] = {
    "judgments": ft.Judgments.from_frame,
    "runs": ft.Runs.from_frame,
    "assignments": ft.Assignments.from_frame,
    "counts": ft.Assignments.from_counts,
    "probabilities": ft.Membership.from_probabilities,
    "scores": ft.Scores.from_frame,
}
OF_FILE: dict[str, Any] = OF_TABLE | {
    "judgments": ft.read_judgments,
    "runs": ft.read_runs,
    "assignments": ft.read_assignments,
    "scores": ft.read_scores,
}
WIDE_OPTIONS: dict[str, Any] = {
    "judgments": {"subjects": forms.SUBJECTS},
    "assignments": {"subjects": forms.VOTERS},
    "scores": {"systems": forms.SYSTEMS},
}


def read(name: str, form: str, folder: Path) -> Any:
    """An object, read in a form, which may be one that cannot hold it."""
    kind, _, detail = form.partition(", ")
    if form in TABLES:
        return OF_TABLE[name](TABLES[form](DATA[name]))
    if form in FILES:
        return OF_FILE[name](write_table(folder, DATA[name], form))
    if kind == "wide":
        options = WIDE_OPTIONS.get(name, {})
        if detail in FILES:
            return OF_FILE[name](write_table(folder, WIDE[name], detail), **options)
        return OF_TABLE[name](TABLES[detail](WIDE[name]), **options)
    if kind == "TREC" and name in ("judgments", "runs"):
        options = {"groups": True} if name == "judgments" else {}
        return OF_FILE[name](forms.write_trec(folder, name, detail), **options)
    if kind == "TREC":
        return OF_FILE[name](forms.write_trec(folder, "judgments", detail))
    if kind == "matrix" and name == "runs":
        ids: Any = (forms.QUERIES, forms.ITEMS)
        paths = {
            system: forms.write_matrix(folder, detail, system, table, *ids)
            for system, table in forms.RUNS.items()
        }
        named = {} if MATRICES[detail] else dict(zip(("queries", "items"), ids, strict=True))
        return ft.read_runs(paths, **named)
    if kind == "matrix":
        ids = ([*forms.VOTES], forms.CATEGORIES)
        values = forms.COUNTS / (4 if name == "probabilities" else 1)
        path = forms.write_matrix(folder, detail, name, values, *ids)
        unnamed = name in ("counts", "probabilities") and not MATRICES[detail]
        named = dict(zip(("items", "categories"), ids, strict=True)) if unnamed else {}
        return OF_FILE[name](path, **named)
    path = EXPORTS[form](folder, votes_of("judgments" if name == "judgments" else "assignments"))
    columns = {"columns": {"query": f"{PREFIX.get(form, '')}query_id"}}
    return OF_FILE[name](path, **(columns if name == "judgments" else {}))


def each_with(names: str, some: Any, n: int) -> list[tuple[str, str]]:
    """Each form with `n` of the objects, in turn."""
    objects = cycle(names.split())
    return [(name, form) for form in some for name in islice(objects, n)]


CELLS = [
    *each_with("judgments runs assignments counts scores probabilities runs", TABLES, 2),
    *each_with("probabilities judgments scores runs assignments counts runs", FILES, 2),
    *each_with("judgments assignments scores counts probabilities", ["wide, pandas"], 5),
    *each_with(
        "judgments assignments scores counts probabilities",
        ["wide, polars", "wide, Arrow", "wide, mapping of columns", "wide, .csv"],
        2,
    ),
    *each_with("judgments runs", ["TREC, .qrels", "TREC, .run", "TREC, .txt.gz"], 2),
    *each_with("runs counts probabilities", [f"matrix, {ending}" for ending in MATRICES], 2),
    *each_with("judgments assignments", EXPORTS, 1),
    *each_with("assignments judgments", EXPORTS, 1),
]


@pytest.mark.parametrize(("name", "form"), CELLS, ids=lambda text: text)
def test_every_form_gives_the_same(name: str, form: str, tmp_path: Path) -> None:
    got = read(name, form, tmp_path)
    frame = got.to_frame(tidy=True) if name == "probabilities" else got.to_frame()
    rows = {*frame[[*DATA[name]]].itertuples(index=False, name=None)}
    given = zip(*DATA[name].values(), strict=True)
    assert {row for row in rows if "all" not in row} == {
        row for row in given if row[-1] or name == "judgments"
    }


TREE = {"1": {"a": 0, "b": 2}, "2": {"a": 1}}
LISTS = {"q1": ["d2", "d1"], "q2": ["d1"]}


def test_nested_objects_and_lists_are_the_same_in_files(tmp_path: Path) -> None:
    truth = ft.Judgments.from_columns(["1", "1", "2"], ["a", "b", "a"], [0, 2, 1])
    lines = "1 0 a 0\n1 0 b 2\n2 0 a 1\n"
    for name, text in (("a.json.gz", json.dumps(TREE)), ("a", lines), ("a.qrels", lines)):
        assert ft.read_judgments(put(tmp_path / name, text)).checksum == truth.checksum
    assert ft.as_judgments(TREE).checksum == truth.checksum
    path = put(tmp_path / "a.json", json.dumps(LISTS))
    assert ft.read_judgments(path).checksum == ft.as_judgments(LISTS).checksum
    assert ft.read_runs(path).checksums == ft.Runs.from_dict(LISTS, name="a").checksums
    several = {"A": LISTS, "B": {"q1": ["d1"]}, "C": TREE}
    path = put(tmp_path / "b.json", json.dumps(several))
    assert ft.read_runs(path).checksums == ft.Runs.from_dict(several).checksums
    path = put(tmp_path / "c.json", json.dumps({"A": {"q1": ["d", "e", "d"]}}))
    with pytest.raises(
        ft.errors.DataError, match=r"c\.json, system 'A', query 'q1': item 'd' is listed"
    ):
        ft.read_runs(path)
    assert ft.read_runs(path, duplicates="first")["A"].item.to_pylist() == ["d", "e"]
    path = put(tmp_path / "d.json", json.dumps({"q1": [{"item": "d"}]}))
    for reader in (ft.read_runs, ft.read_judgments):
        with pytest.raises(
            ft.errors.DataError, match=r"query 'q1': \[\{'item': 'd'\}\] does not belong"
        ):
            reader(path)
    for nested in (OF_FILE["assignments"], OF_FILE["counts"], ft.read_scores):
        with pytest.raises(ft.errors.DataError, match="do not say what their levels are"):
            nested(put(tmp_path / "e.json", json.dumps(TREE)))
    for table in ("judgments", "assignments", "counts", "probabilities", "scores"):
        with pytest.raises(ft.FuzzytruthError, match="must be a DataFrame"):
            OF_TABLE[table](TREE)


@pytest.mark.parametrize(
    ("names", "form", "message"),
    [
        ("assignments", "TREC, .qrels", "votes need named columns"),
        ("counts probabilities", "TREC, .run", "holds no matrix"),
        ("scores", "TREC, .txt.gz", "holds no scores"),
        ("judgments assignments scores", "matrix, .npy", "names no format that is supported"),
        ("judgments scores", "matrix, .npz", "names no format that is supported"),
        ("judgments assignments scores", "matrix, .csv", "names no known column"),
        ("judgments", "matrix, .txt", "line 1: 3 fields"),
        ("assignments", "matrix, .txt", "votes need named columns"),
        ("scores", "matrix, .txt", "holds no scores"),
        ("runs", "wide, pandas", "no column for 'score"),
        ("runs", "wide, .csv", "no column for 'score"),
        ("runs", "Label Studio, JSON", "no column for 'query"),
        ("scores", "Argilla 2", "no column for 'system"),
        ("counts", "Prodigy", "no column for 'count"),
        ("probabilities", "Toloka", "no column for 'probability"),
    ],
)
def test_other_forms_are_refused(names: str, form: str, message: str, tmp_path: Path) -> None:
    for name in names.split():
        with pytest.raises(ft.FuzzytruthError, match=re.escape(message)):
            read(name, form, tmp_path)


PAIRS: dict[str, list[Any]] = {"query": ["1", "2"], "item": ["a", "b"]}
CATEGORIES: dict[str, list[Any]] = {"item": ["a", "b"], "category": ["x", "y"]}
#: reader and the columns it may have, with two rows of values
ALIASED: list[tuple[str, dict[str, list[Any]]]] = [
    (
        "judgments",
        {**PAIRS, "subject": ["s", "t"], "grade": [1.0, 2.0], "intent": ["x", "y"]}
        | {"position": [1.0, 2.0], "repeat": ["1", "2"]},
    ),
    ("judgments", {**PAIRS, "probability": [0.25, 0.5]}),
    ("judgments", {**PAIRS, "grade": [1.0, 0.0], "count": [3, 4]}),
    ("runs", {"system": ["s", "t"], **PAIRS, "score": [0.5, 1.0], "rank": [1, 1]}),
    ("runs", {**PAIRS, "distance": [1.0, 2.0]}),
    ("assignments", {"subject": ["s", "t"], **CATEGORIES, "weight": [1.0, 2.0], "repeat": [1, 2]}),
    ("assignments", {**CATEGORIES, "count": [3, 4]}),
    ("probabilities", {**CATEGORIES, "probability": [1.0, 1.0]}),
    (
        "scores",
        {"system": ["s", "s"], "query": ["1", "2"], "subject": ["x", "x"], "measure": ["AP"] * 2}
        | {"value": [0.5, 1.0]},
    ),
]


@pytest.mark.parametrize(("name", "columns"), ALIASED)
def test_every_alias_is_read(name: str, columns: dict[str, list[Any]], tmp_path: Path) -> None:
    want = OF_TABLE[name](columns).to_frame().to_dict("list")
    for column in columns:
        for alias in COLUMN_ALIASES[column]:
            own = {alias if key == column else key: values for key, values in columns.items()}
            assert OF_TABLE[name](pd.DataFrame(own)).to_frame().to_dict("list") == want, alias
        path = write_table(tmp_path, own, ".csv", "system")
        assert OF_FILE[name](path).to_frame().to_dict("list") == want, column


def test_every_column_of_these_tables_is_aliased() -> None:
    tried = {column for _, columns in ALIASED for column in columns}
    preferences = {"winner", "loser", "left", "right", "preferred"}
    elsewhere = {"cluster", "stratum", "group", "parent", "child", "seed"} | preferences
    assert {*COLUMN_ALIASES} - tried == elsewhere
