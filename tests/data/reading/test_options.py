"""Readers of tables call the same option by the same name, in the same order."""

import inspect
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from support.public import PUBLIC

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning, OptionError

#: options of tables, in the order in which every reader has them
ORDER = ("clusters", "columns", "grades", "drop", "subjects", "systems")
DEFAULTS = {"drop": (), "subjects": (), "systems": ()}
#: reader -> which of them it takes
OPTIONS = {
    "Judgments.from_frame": "columns grades drop subjects",
    "read_judgments": "columns grades drop subjects",
    "Runs.by_similarity": "columns drop",
    "Runs.from_frame": "columns",
    "Runs.from_labels": "columns drop",
    "read_runs": "columns",
    "Assignments.from_frame": "columns drop subjects",
    "Assignments.from_counts": "columns",
    "read_assignments": "columns drop subjects",
    "Membership.from_probabilities": "columns",
    "Scores.from_frame": "clusters columns drop systems",
    "Scores.load": "clusters columns drop systems",
    "read_scores": "clusters columns drop systems",
    "Taxonomy.from_frame": "columns",
    "read_taxonomy": "columns",
    "bradley_terry": "columns drop",
    "class_scores": "columns drop",
    "hierarchical_scores": "columns drop",
}


def public_readers() -> dict[str, Callable[..., Any]]:
    """Public functions and alternative constructors that take `columns`, the names of columns."""
    found = dict(PUBLIC)
    for name, value in list(found.items()):
        if inspect.isclass(value):
            members = inspect.getmembers(value, inspect.ismethod)
            found |= {f"{name}.{key}": method for key, method in members if key[0] != "_"}
    return {
        name: value
        for name, value in found.items()
        if (inspect.isfunction(value) or inspect.ismethod(value))
        and getattr(inspect.signature(value).parameters.get("columns"), "kind", None)
        is inspect.Parameter.KEYWORD_ONLY
    }


def test_names_order_defaults_and_documentation() -> None:
    readers = public_readers()
    assert {*readers} == {*OPTIONS}
    for name, reader in readers.items():
        parameters = inspect.signature(reader).parameters
        options = [option for option in parameters if option in ORDER]
        assert " ".join(options) == OPTIONS[name]
        assert options == sorted(options, key=ORDER.index)
        prose, _, raised = (inspect.getdoc(reader) or "").partition("\nRaises\n")
        raised, _, warned = raised.partition("\nWarns\n")
        for option in options:
            assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
            assert parameters[option].default == DEFAULTS.get(option)
            assert option in prose, name
        assert "OptionError" in raised, name
        assert "drop" not in options or "LeftOutWarning" in warned, name


VOTES = ft.Assignments.from_columns(["s", "t"], ["a", "b"], ["cat", "dog"])
LABELS = pd.DataFrame({"thing": ["a", "b"], "best": ["cat", "?"]})


@pytest.mark.parametrize(
    "read",
    [
        lambda **o: (
            ft.classification.class_scores(VOTES, LABELS, **o).to_frame()["precision"].tolist()
        ),
        lambda **o: ft.classification.hierarchical_scores(VOTES, LABELS, **o)["precision"].tolist(),
        lambda **o: ft.Runs.from_labels(LABELS, **o).to_frame()["rank"].tolist(),
    ],
)
def test_labels_that_are_none(read: Callable[..., list[float]]) -> None:
    with pytest.warns(LeftOutWarning, match=r"1 row of 2 left out, column 'best': '\?'$"):
        assert read(columns={"item": "thing", "category": "best"}, drop="?") == [1]
    with pytest.raises(OptionError, match="columns: 'clas' is no column that is read here"):
        read(columns={"clas": "best"})
