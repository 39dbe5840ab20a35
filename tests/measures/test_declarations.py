"""What the catalogue of measures is written from: each measure declares all of it."""

from __future__ import annotations

import re

import pytest

from fuzzytruth.measures import registry

MEASURES = [entry[0] for name in registry.MODULE_OF if (entry := registry.lookup(name))]
_BRACES = re.compile(r"(?<!\\)[{}]")


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_measure_has_formula_meaning_reference_and_range(measure) -> None:
    assert measure.formula
    assert measure.meaning
    assert measure.meaning[-1] != "."
    assert measure.reference
    assert measure.range[0] < measure.range[1]
    assert (measure.__doc__ or "").strip()


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_formulas_are_balanced(measure) -> None:
    depth = 0
    for brace in _BRACES.findall(measure.formula):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert measure.formula.count(r"\left") == measure.formula.count(r"\right")
    assert "$" not in measure.formula


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_formulas_are_read_by_the_documentation(measure) -> None:
    latex = pytest.importorskip("docutils.utils.math.latex2mathml")
    assert "<math" in latex.tex2mathml(measure.formula, as_block=True)
