from __future__ import annotations

import subprocess
import sys

import pytest

import fuzzytruth as ft
from fuzzytruth import measures
from fuzzytruth.measures import registry
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import MODULE_OF


def test_each_measure_is_in_the_module_that_is_named() -> None:
    known = {name: registry.lookup(name)[0].__module__ for name in MODULE_OF}
    assert known == MODULE_OF


def test_all_measures_are_listed_in_one_order() -> None:
    own = [name for name in ft.measures.names() if name in MODULE_OF]
    assert own == list(MODULE_OF)
    classes = (getattr(measures, name) for name in measures.__all__)
    public = {c.name for c in classes if isinstance(c, type) and c is not Measure}
    assert public == set(MODULE_OF)
    assert dir(measures) == sorted(measures.__all__)


def test_other_names_are_no_attributes() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nDGC'"):
        _ = measures.nDGC


def modules_after(code: str) -> set[str]:
    """Modules of measures that a new process has imported."""
    code += "; import sys; print(*(m for m in sys.modules if m in MODULES))"
    code = f"import fuzzytruth as ft; MODULES = {set(MODULE_OF.values())!r}; {code}"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.rpartition(".")[2] for name in out.stdout.split()}


@pytest.mark.parametrize(
    ("code", "imported"),
    [
        ("ft.parse_measure('RBP'), ft.measures.P", {"user_models", "gain", "counts"}),
        ("ft.parse_measure('map')", {"average_precision"}),
        (
            "[ft.parse_measure(name) for name in ('Set-F_2', 'P_10', '11pt_avg')]",
            {"counts", "recall"},
        ),
    ],
)
def test_only_measures_asked_for_are_imported(code: str, imported: set[str]) -> None:
    assert modules_after(code) == imported


@pytest.mark.parametrize("name", MODULE_OF)
def test_every_spelling_is_found_in_the_head_of_its_measure(name: str, monkeypatch) -> None:
    spellings = (name.lower(), *registry.spellings_of(name))
    imported: list[str] = []
    monkeypatch.setattr(registry.importlib, "import_module", imported.append)
    for spelling in spellings:
        imported.clear()
        registry.define_measure(spelling)
        assert MODULE_OF[name] in imported, spelling


def test_without_sources_all_modules_are_imported(monkeypatch) -> None:
    monkeypatch.setattr(registry, "MODULE_OF", {})
    imported: list[str] = []
    monkeypatch.setattr(registry.importlib, "import_module", imported.append)
    registry.define_measure("ndcg")
    assert set(MODULE_OF.values()) <= set(imported)


def test_all_are_imported_where_a_name_may_be_of_any() -> None:
    every = {module.rpartition(".")[2] for module in MODULE_OF.values()}
    for code in (
        "ft.measures.names()",
        "ft.register(lambda batch: None, name='Mine')",
    ):
        assert modules_after(code) == every
    taken = "ft.register(lambda batch: None, name='Mine', aliases=('mrr',))"
    with pytest.raises(subprocess.CalledProcessError) as caught:
        modules_after(taken)
    assert "measure name 'mrr' is taken by RR" in caught.value.stderr
