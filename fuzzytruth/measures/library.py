"""Where the library's measures are defined; a module is imported when one of its is asked for."""

from __future__ import annotations

import importlib

_DEFINED_IN = {
    "average_precision": ("AP", "SetAP", "yaap", "infAP", "bpref"),
    "compat": ("Compat",),
    "counts": (
        *("TP", "FP", "FN", "TN"),
        *("NumRet", "NumRel", "NumRelRet", "NumNonRelJudgedRet", "Utility"),
    ),
    "cwl": ("SDCG", "INSQ", "INST", "BPM", "NERR8", "NERR9", "NERR10", "NERR11"),
    "diversity": (
        *("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"),
        *("AP_IA", "P_IA", "StRecall"),
    ),
    "dynamic_recall": ("ADR", "NN", "FT", "ST"),
    "f_measure": ("F", "E", "EPSB"),
    "gain": ("CG", "nCG", "DCG", "nDCG", "Rndcg", "ndcg_rel", "G", "binG"),
    "interpolated": ("IPrec", "IPrecAvg"),
    "list_similarity": ("RBO", "Kendall", "Footrule"),
    "precision": ("P", "R", "Success", "RelP", "Rprec", "Judged", "RR"),
    "user_models": ("RBP", "RBPResidual", "ERR"),
    "weighted_displacement": ("WD", "WDQ"),
}
#: module of each measure of the library, by name
MODULE_OF = {
    name: f"fuzzytruth.measures.{module}" for module, names in _DEFINED_IN.items() for name in names
}
_IN_LOWER_CASE = {name.lower(): name for name in MODULE_OF}


def define_measure(spelling: str) -> None:
    """Import the measure of this name, in lower case; all of them if it is none."""
    name = _IN_LOWER_CASE.get(spelling)
    if name is None:
        define_all()
    else:
        importlib.import_module(MODULE_OF[name])


def define_all() -> None:
    """Import all measures."""
    for module in dict.fromkeys(MODULE_OF.values()):
        importlib.import_module(module)
