"""Measure objects of ir_measures, read without importing that package.

Such an object has a name (`NAME`), the parameters given to it (`params`) and a table of those it
takes (`SUPPORTED_PARAMS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fuzzytruth.errors import MeasureError, MeasureNameWarning, first_few, shown, warn
from fuzzytruth.measures import registry
from fuzzytruth.measures.measure import Measure

_SCALE = ("min_rel", "max_rel")
#: measures that we have an equal of, and the parameters that ours have, too
SHARED: dict[str, tuple[str, ...]] = {
    "AP": ("cutoff", "rel", "judged_only"),
    "AP_IA": ("rel",),
    "BPM": ("cutoff", "T", *_SCALE),
    "Bpref": ("rel",),
    "Compat": ("p", "normalize"),
    "ERR": ("cutoff",),
    "ERR_IA": ("cutoff", "rel"),
    "INSQ": ("T", *_SCALE),
    "INST": ("T", *_SCALE),
    "IPrec": ("recall", "rel", "judged_only"),
    "Judged": ("cutoff",),
    "NERR10": ("p", *_SCALE),
    "NERR11": ("T", *_SCALE),
    "NERR8": ("cutoff", *_SCALE),
    "NERR9": ("cutoff", *_SCALE),
    "NRBP": ("alpha", "beta", "rel"),
    "NumRel": ("rel",),
    "NumRet": ("rel",),
    "P": ("cutoff", "rel", "judged_only"),
    "P_IA": ("cutoff", "rel"),
    "R": ("cutoff", "rel", "judged_only"),
    "RBP": ("cutoff", "p", "rel"),
    "RR": ("cutoff", "rel", "judged_only"),
    "Rprec": ("rel", "judged_only"),
    "SDCG": ("cutoff", *_SCALE),
    "SetAP": ("rel", "judged_only"),
    "SetF": ("rel", "beta", "judged_only"),
    "SetP": ("rel", "relative", "judged_only"),
    "SetR": ("rel",),
    "StRecall": ("cutoff", "rel"),
    "Success": ("cutoff", "rel", "judged_only"),
    "alpha_DCG": ("cutoff", "alpha", "rel"),
    "alpha_nDCG": ("cutoff", "alpha", "rel"),
    "infAP": ("rel",),
    "nDCG": ("cutoff", "dcg", "gains", "judged_only"),
    "nERR_IA": ("cutoff", "rel"),
    "nNRBP": ("alpha", "beta", "rel"),
}
#: parameters without which ours would be another measure
REQUIRED = {
    "ERR_IA": ("cutoff", "a cut-off, such as ERR_IA@10"),
    "IPrec": ("recall", "a level of recall, such as IPrec@0.1"),
    "P": ("cutoff", "a cut-off, such as P@10; SetP is the precision of the whole list"),
    "R": ("cutoff", "a cut-off, such as R@10; SetR is the recall of the whole list"),
    "Success": ("cutoff", "a cut-off, such as Success@10"),
    **{
        name: ("max_rel", f"max_rel=, the largest grade, such as {name}(max_rel=3)")
        for name, parameters in SHARED.items()
        if "max_rel" in parameters
    },
    "alpha_DCG": ("cutoff", "a cut-off, such as alpha_DCG@10"),
}
_WHOLE = {"cutoff": 1000}  # ranks that cwl-eval looks at
#: what ir_measures means where nothing says so: gdeval's scale of grades
_FIXED: dict[str, dict[str, Any]] = {
    "ERR": {"gmax": 4},
    **dict.fromkeys(("INSQ", "INST", "NERR10", "NERR11"), _WHOLE),
}


def is_measure(value: object) -> bool:
    """Whether this looks like a measure object of ir_measures."""
    params, known = (getattr(value, name, None) for name in ("params", "SUPPORTED_PARAMS"))
    return hasattr(value, "NAME") and isinstance(params, Mapping) and isinstance(known, Mapping)


def read_measure(theirs: Any) -> Measure:
    """Our measure with the same values as a measure object of ir_measures.

    ERR has gdeval's scale, grades from 0 to 4. INST, INSQ, NERR10 and NERR11 stop at rank 1000, as
    cwl-eval does. RBP without `rel` is that of its name here, with grades from 1 on relevant.

    Raises
    ------
    MeasureError
        There is no equal of this measure, or of one of its parameters.

    Warns
    -----
    MeasureNameWarning
        RBP without `rel` has graded gains by the manual of ir_measures.
    """
    name = theirs.NAME
    if name not in SHARED or hasattr(theirs, "runtime_impl"):
        raise MeasureError(
            f"measure {_text(theirs)} of ir_measures has no equal here; its measures that have one "
            f"are {', '.join(SHARED)}"
        )
    given = {key: value for key, value in theirs.params.items() if not _is_default(theirs, key)}
    unknown = [key for key in given if key not in SHARED[name]]
    if unknown:
        named = first_few(f"{key}={shown(given[key])}" for key in unknown)
        raise MeasureError(
            f"measure {_text(theirs)} of ir_measures: {named} has no equal here; the parameters of "
            f"{name} that have one are {', '.join(SHARED[name])}"
        )
    needed, rule = REQUIRED.get(name, ("", ""))
    if needed and needed not in given:
        raise MeasureError(f"measure {_text(theirs)} of ir_measures needs {rule}")
    ours, parameters = respelled(name, given)
    if "recall" in parameters:
        parameters["cutoff"] = parameters.pop("recall")
    known = registry.lookup(ours)
    assert known is not None  # each name in SHARED is a spelling of ours
    measure = known[0](**{**_FIXED.get(name, {}), **parameters})
    if name == "RBP" and "rel" not in given:
        warn(
            f"measure {_text(theirs)} of ir_measures is read as {measure}, in which items are "
            "relevant from grade 1 on; its manual means graded gains, which none of its tools "
            "computes and which have no equal here; rel= says which grades are relevant",
            MeasureNameWarning,
        )
    return measure


def respelled(name: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Name and parameters as we write them.

    ir_measures has one name for two measures, and SetF's beta weighs recall as the square of that
    of F does.

    Examples
    --------
    >>> respelled("NumRet", {"rel": 2}), respelled("SetP", {"relative": True})
    (('NumRelRet', {'rel': 2}), ('SetRelP', {}))
    >>> respelled("SetF", {"beta": 4})
    ('F', {'beta': 2.0})
    """
    parameters = dict(given)
    if name == "NumRet" and "rel" in given:
        return "NumRelRet", parameters
    if name == "SetP" and "relative" in given:
        return ("SetRelP" if parameters.pop("relative") else name), parameters
    beta = parameters.get("beta")
    if name.lower() == "setf" and isinstance(beta, (int, float)) and beta > 0 and beta is not True:
        return "F", {**parameters, "beta": beta**0.5}
    return name, parameters


def _is_default(theirs: Any, key: str) -> bool:
    """Whether a parameter has the value that it has if it is not given."""
    info = theirs.SUPPORTED_PARAMS.get(key)
    value, default = theirs.params[key], getattr(info, "default", None)
    return info is not None and (value is default or bool(value == default))


def _text(theirs: Any) -> str:
    """Name and parameters; `repr` fails if ir_measures does not know a parameter."""
    given = ",".join(f"{key}={shown(value)}" for key, value in theirs.params.items())
    return f"{theirs.NAME}({given})" if given else str(theirs.NAME)
