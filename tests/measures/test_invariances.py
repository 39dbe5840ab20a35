"""What holds of all measures, or of all of a kind."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.building import batch_of, query
from support.golden import value

from fuzzytruth.measures import registry

EVERY = [entry[0] for name in registry.MODULE_OF if (entry := registry.lookup(name))]
LIFTED = "P@3 R@3 AP AP@4 nDCG nDCG@3 nDCG(dcg=burges)@5 RR RBP ERR DCG@3 bpref ADR F@3 Rprec NN"
LIFTED += " FT ST IPrec@0.5 Success@2 CG@2 nCG@3 infAP F(points=max) F(points=mean) RelP@3 TP@3"


@settings(max_examples=100)
@given(data=st.data(), text=st.sampled_from(LIFTED.split()))
def test_lifting_a_better_item_never_lowers(data: st.DataObject, text: str) -> None:
    graded = st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.0])
    ranked = data.draw(st.lists(graded, min_size=2, max_size=8))
    missed = data.draw(st.lists(graded, max_size=3))
    j = data.draw(st.integers(0, len(ranked) - 2))
    assume(ranked[j] < ranked[j + 1])
    lifted = [*ranked[:j], ranked[j + 1], ranked[j], *ranked[j + 2 :]]
    before, after = (value(text, batch_of(query(r, missed))) for r in (ranked, lifted))
    assert after >= before - 1e-12


def test_a_perfect_list_has_the_value_one() -> None:
    perfect = batch_of(query([3, 3, 2, 1, 1], [0, 0]))
    for text in ("AP", "nDCG", "nDCG@3", "nCG", "Rprec", "bpref", "RR", "FT", "ST", "ADR", "F"):
        assert value(text, perfect) == pytest.approx(1, abs=1e-15), text


def test_formulas_are_read_by_the_documentation() -> None:
    latex = pytest.importorskip("docutils.utils.math.latex2mathml")
    for measure in EVERY:
        assert "$" not in measure.formula
        assert "<math" in latex.tex2mathml(measure.formula, as_block=True), measure
