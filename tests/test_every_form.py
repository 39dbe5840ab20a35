"""The same data give the same object in every form that can hold them; the others are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.forms import DATA, TABLES, WIDE, put, write_table
from support.reading_forms import CELLS, OBJECTS, OF_FILE, OF_TABLE
from support.refused_forms import FORMS, REFUSED, SAME, Refused, arguments, give

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.io.column_names import COLUMN_ALIASES


def canonical(given: Any) -> Any:
    """What is equal if and only if two objects are, whatever the order of their rows."""
    if isinstance(given, ft.Judgments):
        return given.checksum
    if isinstance(given, ft.Runs):
        return {system: ranking.checksum for system, ranking in given.items()}
    if isinstance(given, ft.Assignments) and given.subjects is not None:
        return given.by_item().checksum
    if isinstance(given, ft.Scores):
        rows = given.to_frame()[["system", "query", "measure", "value"]]
        return sorted(rows.itertuples(index=False, name=None))
    if isinstance(given, ft.Assignments):
        rows = given.to_frame()[["item", "category", "count"]]
        return sorted(rows.itertuples(index=False, name=None))
    table = given.to_frame() if isinstance(given, ft.Membership) else given
    return {item: table.loc[item].to_dict() for item in sorted(table.index)}


#: made column by column; of tables of membership, whatever they are made from
EXPECTED = {
    ft.Judgments: ft.Judgments.from_columns(**DATA["judgments"]),
    ft.Runs: ft.Runs.from_columns(**DATA["runs"]),
    ft.Assignments: ft.Assignments.from_columns(**DATA["assignments"]),
    ft.Scores: ft.Scores.from_frame(pd.DataFrame(dict(DATA["scores"]))),
    ft.Membership: ft.Assignments.from_columns(**DATA["assignments"]).membership(),
}


@pytest.mark.parametrize(("name", "form"), CELLS, ids=lambda text: text)
def test_every_form_gives_the_same(name: str, form: str, tmp_path: Path) -> None:
    got = CELLS[name, form](tmp_path)
    if name == "counts" and isinstance(got, ft.Assignments):
        assert canonical(got) == canonical(ft.Assignments.from_columns(None, **DATA["counts"]))
        got = got.membership()
    kind = type(got) if type(got) in EXPECTED else ft.Membership
    assert canonical(got) == canonical(EXPECTED[kind])


def test_scores_are_those_of_the_judgments_and_runs() -> None:
    truth = EXPECTED[ft.Judgments].aggregate("min")
    assert canonical(ft.evaluate(truth, EXPECTED[ft.Runs], "RR")) == canonical(EXPECTED[ft.Scores])


#: truths of one author, which nested objects hold
CRISP = ft.Judgments.from_columns(["1", "1", "2"], ["a", "b", "a"], [0, 2, 1])
NESTED = {"1": {"a": 0, "b": 2}, "2": {"a": 1}}


@pytest.mark.parametrize("ending", ["", ".json", ".json.gz", ".qrels"])
def test_judgments_without_subjects(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{ending}"
    rows = [(q, 0, d, g) for q, grades in NESTED.items() for d, g in grades.items()]
    lines = "".join(" ".join(map(str, row)) + "\n" for row in rows)
    put(path, json.dumps(NESTED) if ".json" in ending else lines)
    assert ft.read_judgments(path).checksum == CRISP.checksum
    assert ft.as_judgments(NESTED).checksum == CRISP.checksum


LISTS = {"q1": ["d2", "d1"], "q2": ["d1"]}


def test_nested_lists_are_the_same_in_files(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", json.dumps(LISTS))
    assert ft.read_judgments(path).checksum == ft.as_judgments(LISTS).checksum
    assert canonical(ft.read_runs(path)) == canonical(ft.Runs.from_dict(LISTS, name="a"))
    several = {"A": LISTS, "B": {"q1": ["d1"]}}
    path = put(tmp_path / "b.json", json.dumps(several))
    assert canonical(ft.read_runs(path)) == canonical(ft.Runs.from_dict(several))
    path = put(tmp_path / "c.json", json.dumps({"A": {"q1": ["d", "e", "d"]}}))
    with pytest.raises(
        ft.DataError, match=r"c\.json, system 'A', query 'q1': item 'd' is listed 2"
    ):
        ft.read_runs(path)
    kept = ft.read_runs(path, duplicates="first")
    assert kept["A"].item.to_pylist() == ["d", "e"]
    path = put(tmp_path / "d.json", json.dumps({"q1": [{"item": "d"}]}))
    for read in (ft.read_runs, ft.read_judgments):
        with pytest.raises(ft.DataError, match=r"query 'q1': \[\{'item': 'd'\}\] does not belong"):
            read(path)


@pytest.mark.parametrize(
    ("refused", "name", "form"),
    [(refused, *cell) for refused in REFUSED for cell in refused.cells()],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_other_forms_are_refused(
    refused: Refused, name: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not form.startswith("fuzzytruth"):
        with pytest.raises(ft.FuzzytruthError, match=re.escape(refused.message)):
            give(name, form, tmp_path)
        return
    with pytest.raises(SystemExit) as stop:
        main(tuple(map(str, arguments(name, form, tmp_path))))
    assert stop.value.code == 1
    assert refused.message in capsys.readouterr().err


def test_every_cell_is_held_or_refused() -> None:
    refused = [cell for one in REFUSED for cell in one.cells()]
    assert len(set(refused)) == len(refused)
    assert all(one.cells() for one in REFUSED)
    left = {(name, form) for name in OBJECTS for form in FORMS} - {*CELLS, *refused}
    assert {(name, " ".join(form.split()[:2])) for name, form in left} == SAME


#: table -> the columns it may have, with two rows of values
ALIASED: dict[str, tuple[str, dict[str, list[Any]]]] = {
    "judgments": (
        "judgments",
        {"query": ["1", "2"], "item": ["a", "b"], "subject": ["s", "t"], "grade": [1.0, 2.0]}
        | {"intent": ["x", "y"], "position": [1.0, 2.0], "repeat": ["1", "2"]},
    ),
    "probable judgments": (
        "judgments",
        {"query": ["1", "2"], "item": ["a", "b"], "probability": [0.25, 0.5]},
    ),
    "counted judgments": (
        "judgments",
        {"query": ["1", "2"], "item": ["a", "b"], "grade": [1.0, 0.0], "count": [3, 4]},
    ),
    "runs": (
        "runs",
        {"system": ["s", "t"], "query": ["1", "2"], "item": ["a", "b"], "score": [0.5, 1.0]}
        | {"rank": [1, 1]},
    ),
    "runs by distance": ("runs", {"query": ["1", "2"], "item": ["a", "b"], "distance": [1.0, 2.0]}),
    "votes": (
        "assignments",
        {"subject": ["s", "t"], "item": ["a", "b"], "category": ["x", "y"]}
        | {"weight": [1.0, 2.0], "repeat": ["1", "2"]},
    ),
    "counted votes": ("assignments", {"item": ["a", "b"], "category": ["x", "y"], "count": [3, 4]}),
    "soft labels": (
        "probabilities",
        {"item": ["a", "b"], "category": ["x", "y"], "probability": [1.0, 1.0]},
    ),
    "scores": (
        "scores",
        {"system": ["s", "s"], "query": ["1", "2"], "subject": ["x", "x"], "measure": ["AP"] * 2}
        | {"value": [0.5, 1.0]},
    ),
}


def content(given: Any) -> Any:
    """All rows of an object."""
    return given.to_frame().to_dict("list")


@pytest.mark.parametrize(
    ("table", "column"),
    [(table, column) for table, (_, columns) in ALIASED.items() for column in columns],
)
def test_every_alias_is_read(table: str, column: str, tmp_path: Path) -> None:
    name, columns = ALIASED[table]
    want = content(OF_TABLE[name](columns))
    for alias in COLUMN_ALIASES[column]:
        own = {alias if key == column else key: values for key, values in columns.items()}
        assert content(OF_TABLE[name](pd.DataFrame(own))) == want, alias
        path = write_table(tmp_path, own, ".csv", "system")
        assert content(OF_FILE[name](path)) == want, alias


@pytest.mark.parametrize("form", [form for form in TABLES if form != "pandas, index"])
@pytest.mark.parametrize("name", ["counts", "probabilities"])
def test_every_alias_of_the_items_of_a_wide_table(name: str, form: str, tmp_path: Path) -> None:
    values = WIDE[name] | {"item": [11, 12]}
    want = content(OF_TABLE[name](WIDE[name] | {"item": ["11", "12"]}))
    for alias in COLUMN_ALIASES["item"]:
        own = {alias if key == "item" else key: column for key, column in values.items()}
        assert content(OF_TABLE[name](TABLES[form](own))) == want, alias
        if form == "pandas":
            assert content(OF_FILE[name](write_table(tmp_path, own, ".csv", "wide"))) == want, alias


def test_every_column_of_these_tables_is_aliased() -> None:
    elsewhere = {"cluster", "stratum", "parent", "child", "winner", "loser"}
    tried = {column for _, columns in ALIASED.values() for column in columns}
    assert {*COLUMN_ALIASES} - tried == elsewhere | {"left", "right", "preferred"}
