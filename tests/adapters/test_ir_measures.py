"""The provider of ir_measures: the same numbers as its own, in every form of input."""

import subprocess
import sys

import ir_measures as irm
import numpy as np
import pandas as pd
import pytest
from support.messy import messy

from fuzzytruth.adapters.ir_measures import install, provider
from fuzzytruth.measures import parse_measure
from fuzzytruth.measures.other_tools import SHARED
from fuzzytruth.measures.registry import lookup

MEASURES = [
    *(irm.AP, irm.AP(rel=2) @ 5, irm.P @ 5, irm.P(rel=3) @ 5, irm.R @ 5, irm.RR, irm.RR(rel=2)),
    *(irm.nDCG, irm.nDCG @ 10, irm.Success @ 1, irm.Bpref, irm.infAP, irm.Rprec, irm.SetAP),
    *(irm.SetP, irm.SetR, irm.SetF, irm.SetF(beta=2.0), irm.SetRelP, irm.IPrec @ 0.1),
    *(irm.NumRet, irm.NumRelRet, irm.NumRel),
    *(irm.AP(judged_only=True) @ 5, irm.nDCG(judged_only=True) @ 5, irm.P(judged_only=True) @ 3),
    *(irm.RR(judged_only=True), irm.SetP(judged_only=True), irm.Rprec(judged_only=True, rel=2)),
    *(irm.nDCG(gains={0: 1, 1: 3}) @ 5, irm.nDCG(gains={1: 2, 2: 0}, judged_only=True)),
]


def values_of(metrics) -> dict[tuple[str, str], float]:
    """Values by measure and query; NaN of an empty list is 0 here."""
    out = {(str(m.measure), m.query_id): float(np.nan_to_num(m.value)) for m in metrics}
    return dict(sorted(out.items()))


def test_equal_to_the_provider_with_pytrec_eval() -> None:
    for seed in range(2):
        qrels, run = messy(np.random.default_rng(seed))
        expected = values_of(irm.pytrec_eval.iter_calc(MEASURES, qrels, run))
        assert len(expected) == len(MEASURES) * len(qrels)
        assert values_of(provider.iter_calc(MEASURES, qrels, run)) == pytest.approx(expected)
        # sums of counts, else means, over all judged queries
        totals = irm.pytrec_eval.calc_aggregate(MEASURES, qrels, run)
        found = provider.calc_aggregate(MEASURES, qrels, run)
        assert {str(m): v for m, v in found.items()} == pytest.approx(
            {str(m): v for m, v in totals.items()}
        )


def test_an_evaluator_serves_several_runs() -> None:
    qrels, run = messy(np.random.default_rng(13))
    evaluator = provider.evaluator([irm.AP, irm.P @ 3], qrels)
    both = [evaluator.calc_aggregate(r) for r in (run, {"q1": run["q1"]}, {}, run)]
    assert both[0] == both[3]
    assert both[0][irm.AP] > both[1][irm.AP] > both[2][irm.AP] == 0


def test_ids_that_are_numbers() -> None:
    qrels = pd.DataFrame({"query_id": [1, 1], "doc_id": [7, 8], "relevance": [1, 0]})
    run = pd.DataFrame({"query_id": [1, 1], "doc_id": [7, 8], "score": [0.5, 1.0]})
    [metric] = provider.iter_calc([irm.AP], qrels, run)
    assert (metric.query_id, metric.value) == ("1", 0.5)


def test_install_puts_it_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(irm.DefaultPipeline, "providers", list(irm.DefaultPipeline.providers))
    install()
    install()
    assert irm.DefaultPipeline.providers.count(provider) == 1
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    # pytrec_eval refuses grades that are no whole numbers
    result = irm.calc_aggregate([irm.nDCG @ 10, irm.NumQ], qrels, run)
    assert result[irm.NumQ] == 1
    fractions = {"q": {"a": 0.5, "b": 1.5}}
    expected = (0.5 + 1.5 / np.log2(3)) / (1.5 + 0.5 / np.log2(3))
    assert irm.calc_aggregate([irm.nDCG], fractions, run)[irm.nDCG] == pytest.approx(expected)


def test_what_is_supported_has_an_equal() -> None:
    of_intents = {name for name in SHARED if lookup(name)[0].needs_intents}
    assert {m.NAME for m in provider.SUPPORTED_MEASURES} == set(SHARED) - of_intents
    for measure in (irm.alpha_nDCG @ 5, irm.NumQ, irm.Accuracy):
        assert not provider.supports(measure)
    for measure in (
        *MEASURES,
        irm.ERR,
        irm.ERR @ 5,
        irm.RBP(rel=1),
        irm.nDCG(dcg="exp-log2"),
        irm.Judged,
    ):
        assert provider.supports(measure)
        parse_measure(measure)


def test_without_ir_measures() -> None:
    code = "import sys; sys.modules['ir_measures'] = None; import fuzzytruth.adapters.ir_measures"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "MissingPackageError" in done.stderr
    assert "pip install 'fuzzytruth[ir-measures]'" in done.stderr
