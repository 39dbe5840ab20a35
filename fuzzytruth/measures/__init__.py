"""Measures as values: ``nDCG(dcg="jarvelin") @ 10``."""

from fuzzytruth.measures.average_precision import AP, SetAP, infAP
from fuzzytruth.measures.counts import FN, FP, TN, TP, NumRel, NumRelRet, NumRet
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
from fuzzytruth.measures.dynamic_recall import ADR
from fuzzytruth.measures.f_measure import EPSB, E, F
from fuzzytruth.measures.gain import CG, DCG, nCG, nDCG
from fuzzytruth.measures.grammar import parse_measure, parse_measures
from fuzzytruth.measures.guards import checked
from fuzzytruth.measures.interpolated import IPrec, IPrecAvg
from fuzzytruth.measures.list_similarity import RBO, Footrule, Kendall
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.precision import Judged, P, R, RelP, Rprec, Success
from fuzzytruth.measures.preference import bpref
from fuzzytruth.measures.reciprocal_rank import RR
from fuzzytruth.measures.registry import names, register
from fuzzytruth.measures.tiers import FT, NN, ST
from fuzzytruth.measures.user_models import ERR, RBP
from fuzzytruth.measures.weighted_displacement import WD, WDQ

__all__ = [
    "ADR",
    "AP",
    "AP_IA",
    "CG",
    "DCG",
    "EPSB",
    "ERR",
    "ERR_IA",
    "FN",
    "FP",
    "FT",
    "NN",
    "NRBP",
    "P_IA",
    "RBO",
    "RBP",
    "RR",
    "ST",
    "TN",
    "TP",
    "WD",
    "WDQ",
    "E",
    "F",
    "Footrule",
    "IPrec",
    "IPrecAvg",
    "Judged",
    "Kendall",
    "Measure",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "RelP",
    "Rprec",
    "SetAP",
    "StRecall",
    "Success",
    "alpha_DCG",
    "alpha_nDCG",
    "bpref",
    "checked",
    "infAP",
    "nCG",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "names",
    "parse_measure",
    "parse_measures",
    "register",
]
