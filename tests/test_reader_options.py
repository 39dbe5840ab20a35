"""Readers of tables call the same option by the same name, in the same order."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning, OptionError

#: options of tables, in the order in which every reader has them
ORDER = ("clusters", "columns", "grades", "drop", "subjects", "systems")

#: reader -> which of them it takes
OPTIONS: dict[str, tuple[str, ...]] = {
    "Judgments.from_frame": ("columns", "grades", "drop", "subjects"),
    "read_judgments": ("columns", "grades", "drop", "subjects"),
    "Runs.from_frame": ("columns",),
    "Runs.from_labels": ("columns", "drop"),
    "read_runs": ("columns",),
    "Assignments.from_frame": ("columns", "drop", "subjects"),
    "Assignments.from_counts": ("columns",),
    "read_assignments": ("columns", "drop", "subjects"),
    "Membership.from_probabilities": ("columns",),
    "Scores.from_frame": ("clusters", "columns", "drop", "systems"),
    "Scores.load": ("clusters", "columns", "drop", "systems"),
    "read_scores": ("clusters", "columns", "drop", "systems"),
    "Taxonomy.from_frame": ("columns",),
    "read_taxonomy": ("columns",),
    "bradley_terry": ("columns", "drop"),
    "class_scores": ("columns", "drop"),
    "hierarchical_scores": ("columns", "drop"),
}
DEFAULTS = {"drop": (), "subjects": (), "systems": ()}


def reader(name: str) -> Callable[..., Any]:
    found: Any = ft
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found)
    return found


def public_readers() -> set[str]:
    """Public functions and alternative constructors that take `columns`, the names of columns."""
    found = {name: getattr(ft, name) for name in ft.__all__}
    for name, value in list(found.items()):
        if inspect.isclass(value):
            members = inspect.getmembers(value, inspect.ismethod)
            found |= {f"{name}.{key}": method for key, method in members if key[0] != "_"}
    return {
        name
        for name, value in found.items()
        if (inspect.isfunction(value) or inspect.ismethod(value))
        and getattr(inspect.signature(value).parameters.get("columns"), "kind", None)
        is inspect.Parameter.KEYWORD_ONLY
    }


def test_every_reader_is_listed() -> None:
    assert public_readers() == {*OPTIONS}


@pytest.mark.parametrize("name", OPTIONS)
def test_names_order_and_defaults(name: str) -> None:
    parameters = inspect.signature(reader(name)).parameters
    assert tuple(option for option in parameters if option in ORDER) == OPTIONS[name]
    assert OPTIONS[name] == tuple(option for option in ORDER if option in OPTIONS[name])
    for option in OPTIONS[name]:
        assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[option].default == DEFAULTS.get(option)


@pytest.mark.parametrize("name", OPTIONS)
def test_documentation(name: str) -> None:
    doc = inspect.getdoc(reader(name)) or ""
    prose, _, raised = doc.partition("\nRaises\n")
    raised, _, warned = raised.partition("\nWarns\n")
    for option in OPTIONS[name]:
        assert option in prose
    assert "OptionError" in raised
    if "drop" in OPTIONS[name]:
        assert "LeftOutWarning" in warned


VOTES = ft.Assignments.from_columns(["s", "t"], ["a", "b"], ["cat", "dog"])
LABELS = pd.DataFrame({"thing": ["a", "b"], "best": ["cat", "?"]})
COLUMNS = {"item": "thing", "category": "best"}
ANSWERS: dict[str, Callable[..., list[float]]] = {
    "class_scores": lambda **o: (
        ft.class_scores(VOTES, LABELS, **o).to_frame()["precision"].tolist()
    ),
    "hierarchical_scores": lambda **o: ft.hierarchical_scores(VOTES, LABELS, **o)[
        "precision"
    ].tolist(),
    "Runs.from_labels": lambda **o: np.ones(
        len(ft.Runs.from_labels(LABELS, **o)["system"])
    ).tolist(),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_labels_that_are_none(name: str) -> None:
    with pytest.warns(LeftOutWarning, match=r"1 row of 2 left out, column 'best': '\?'$"):
        assert ANSWERS[name](columns=COLUMNS, drop="?") == [1]
    with pytest.raises(OptionError, match="columns: 'clas' is no column that is read here"):
        ANSWERS[name](columns={"clas": "best"})
