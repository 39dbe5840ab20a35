"""Measures as values: ``nDCG(dcg="jarvelin") @ 10``."""

from __future__ import annotations

import importlib

from fuzzytruth.measures.library import MODULE_OF

TYPE_CHECKING = False  # as `typing` has it, which takes time to import
if TYPE_CHECKING:
    from typing import Any

    from fuzzytruth.measures.average_precision import AP, SetAP, bpref, infAP, yaap
    from fuzzytruth.measures.compat import Compat
    from fuzzytruth.measures.counts import (
        FN,
        FP,
        TN,
        TP,
        NumNonRelJudgedRet,
        NumRel,
        NumRelRet,
        NumRet,
        Utility,
    )
    from fuzzytruth.measures.cwl import BPM, INSQ, INST, NERR8, NERR9, NERR10, NERR11, SDCG
    from fuzzytruth.measures.diversity import (
        AP_IA,
        ERR_IA,
        NRBP,
        P_IA,
        StRecall,
        alpha_DCG,
        alpha_nDCG,
        nERR_IA,
        nNRBP,
    )
    from fuzzytruth.measures.dynamic_recall import ADR, FT, NN, ST
    from fuzzytruth.measures.f_measure import EPSB, E, F
    from fuzzytruth.measures.gain import CG, DCG, G, Rndcg, binG, nCG, nDCG, ndcg_rel
    from fuzzytruth.measures.grammar import parse_measure, parse_measures
    from fuzzytruth.measures.guards import checked
    from fuzzytruth.measures.interpolated import IPrec, IPrecAvg
    from fuzzytruth.measures.list_similarity import RBO, Footrule, Kendall
    from fuzzytruth.measures.measure import Measure
    from fuzzytruth.measures.precision import RR, Judged, P, R, RelP, Rprec, Success
    from fuzzytruth.measures.registry import names, register
    from fuzzytruth.measures.user_models import ERR, RBP, RBPResidual
    from fuzzytruth.measures.weighted_displacement import WD, WDQ

#: other public names -> module
_HOME = {
    "Measure": "fuzzytruth.measures.measure",
    "checked": "fuzzytruth.measures.guards",
    "names": "fuzzytruth.measures.registry",
    "parse_measure": "fuzzytruth.measures.grammar",
    "parse_measures": "fuzzytruth.measures.grammar",
    "register": "fuzzytruth.measures.registry",
}

__all__ = [
    "ADR",
    "AP",
    "AP_IA",
    "BPM",
    "CG",
    "DCG",
    "EPSB",
    "ERR",
    "ERR_IA",
    "FN",
    "FP",
    "FT",
    "INSQ",
    "INST",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NN",
    "NRBP",
    "P_IA",
    "RBO",
    "RBP",
    "RR",
    "SDCG",
    "ST",
    "TN",
    "TP",
    "WD",
    "WDQ",
    "Compat",
    "E",
    "F",
    "Footrule",
    "G",
    "IPrec",
    "IPrecAvg",
    "Judged",
    "Kendall",
    "Measure",
    "NumNonRelJudgedRet",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "RBPResidual",
    "RelP",
    "Rndcg",
    "Rprec",
    "SetAP",
    "StRecall",
    "Success",
    "Utility",
    "alpha_DCG",
    "alpha_nDCG",
    "binG",
    "bpref",
    "checked",
    "infAP",
    "nCG",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "names",
    "ndcg_rel",
    "parse_measure",
    "parse_measures",
    "register",
    "yaap",
]


def __getattr__(name: str) -> Any:
    module = _HOME.get(name) or MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'fuzzytruth.measures' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
