"""What holds of all measures, or of all of a kind."""

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.building import batch_of, query
from support.golden import value
from support.variants import VARIANTS

from fuzzytruth.measures import Measure, parse_measure, registry

MEASURES = [parse_measure(text) for text in VARIANTS]
EVERY = [entry[0] for name in registry.MODULE_OF if (entry := registry.lookup(name))]
#: measures that count judged non-relevant items
COUNT_JUDGED = ("Judged", "RBPResidual", "bpref", "infAP", "NumNonRelJudgedRet")
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


def test_missing_grades_count_as_not_relevant() -> None:
    """NaN, this world has no grade of the item: as if unjudged; to infAP, pooled but unjudged."""

    def score(measure: Measure, grade: float | None) -> float:
        return measure.score(batch_of(query([1, grade, 0, 2], [1, 0]))).item()

    batch = batch_of(query([1, 0, 0, 2], [1, 0]))
    batch.gain[0, 1] = np.nan
    batch = dataclasses.replace(batch, judged=batch_of(query([1, None, 0, 2], [1, 0])).levels)
    for measure in MEASURES:
        scored = measure.score(batch).item()
        assert scored == score(measure, -1 if measure.name == "infAP" else None), measure
        if measure.name not in COUNT_JUDGED and measure.threshold != 0:
            assert scored == score(measure, 0), measure


def test_measures_describe_themselves() -> None:
    for measure in EVERY:
        assert measure.meaning
        assert "\n" not in measure.meaning
        assert measure.meaning[-1] != "."
        assert measure.reference
        assert measure.range[0] < measure.range[1]
        assert (measure.__doc__ or "").strip()
    for name in ("P", "Success", "NN", "RBP", "DCG", "ERR", "TP", "NumRel", "WD"):  # 0 is a value
        assert not registry.lookup(name)[0].needs_relevant
    worse = {m.name for m in EVERY if not m.higher_is_better}
    assert worse == {
        *("E", "FP", "FN", "NumNonRelJudgedRet", "RBPResidual", "WD", "Kendall", "Footrule")
    }


def test_formulas_are_read_by_the_documentation() -> None:
    latex = pytest.importorskip("docutils.utils.math.latex2mathml")
    for measure in EVERY:
        assert "$" not in measure.formula
        assert "<math" in latex.tex2mathml(measure.formula, as_block=True), measure
