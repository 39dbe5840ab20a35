"""The measures, each a value: ``nDCG(dcg="jarvelin") @ 10``."""

from fuzzytruth.measures.average_precision import AP, infAP
from fuzzytruth.measures.gain import CG, DCG, nCG, nDCG
from fuzzytruth.measures.grammar import parse_measure, parse_measures
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.precision import EPSB, E, F, Judged, P, R, Rprec, Success
from fuzzytruth.measures.reciprocal_rank import RR
from fuzzytruth.measures.registry import names, register

__all__ = [
    "AP",
    "CG",
    "DCG",
    "EPSB",
    "RR",
    "E",
    "F",
    "Judged",
    "Measure",
    "P",
    "R",
    "Rprec",
    "Success",
    "infAP",
    "nCG",
    "nDCG",
    "names",
    "parse_measure",
    "parse_measures",
    "register",
]
