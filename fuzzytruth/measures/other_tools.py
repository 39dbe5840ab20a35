"""Names and measure objects of other tools: trec_eval 9 and ir_measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fuzzytruth.errors import MeasureError, MeasureNameWarning, first_few, shown, warn
from fuzzytruth.measures import registry
from fuzzytruth.measures.measure import Measure

# Names of trec_eval that stand for several measures, or for none of a single query.

_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")

#: parameters that trec_eval adds to a name that is given without
FAMILIES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("P", "map_cut", "ndcg_cut", "recall", "relative_P"), _CUTOFFS),
    "Rprec_mult": tuple(f"{j / 5:.2f}" for j in range(1, 11)),
    "iprec_at_recall": tuple(f"{j / 10:.2f}" for j in range(11)),
    "success": ("1", "5", "10"),
}
#: those that are no measures without parameters, here as little as there
_ONLY_FAMILIES = ("Rprec_mult", "iprec_at_recall", "map_cut", "ndcg_cut")

_OFFICIAL = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref"),
    *("recip_rank", "iprec_at_recall", "P"),
)
_OF_SETS = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
#: trec_eval's names of sets of measures, without the texts runid and relstring
NICKNAMES: Mapping[str, tuple[str, ...]] = {
    "official": _OFFICIAL,
    "set": ("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_OF_SETS),
    "all_trec": (
        *(*_OFFICIAL, "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
        *("binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P"),
        *("success", *_OF_SETS, "num_nonrel_judged_ret"),
    ),
}

_GEOMETRIC = (
    "summarises all queries; evaluate {0}, and take Scores.summary(statistic='geometric_mean'), "
    "which, unlike trec_eval, does not raise values below 0.00001 to that"
)
_GROUPS = "averages over groups of judgments; name them as subjects, and use worlds='subject'"
_PREFERENCES = "is of judged preferences, not of grades; bpref is the measure of preferences here"
_NO_MEASURES: Mapping[str, str] = {
    "gm_map": _GEOMETRIC.format("AP"),
    "gm_bpref": _GEOMETRIC.format("bpref"),
    "num_q": "is the number of queries, len(Scores.queries), and not a value of a single query",
    "runid": "is the name of a run, and no number",
    "relstring": "is a text of grades, and no number",
    **dict.fromkeys(("map_avgjg", "p_avgjg", "rprec_mult_avgjg", "qrels_jg"), _GROUPS),
    **dict.fromkeys(("prefs", "all_prefs"), _PREFERENCES),
}


def why_none(name: str) -> str | None:
    """Why one of trec_eval's names is no measure of a query; None of all other names.

    Examples
    --------
    >>> why_none("runid"), why_none("map")
    ('is the name of a run, and no number', None)
    """
    base = name.strip().lower()
    if base.startswith("prefs_"):
        return _PREFERENCES
    # with parameters: P_avgjg_10
    return next((why for key, why in _NO_MEASURES.items() if _is_or_starts(base, key)), None)


def _is_or_starts(name: str, key: str) -> bool:
    return name == key or (key.endswith("_avgjg") and name.startswith((f"{key}_", f"{key}.")))


def members(name: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Measures that one of trec_eval's names stands for, and what of it is no measure of a query.

    None of a name that is one measure, or unknown.

    Examples
    --------
    >>> members("ndcg_cut")[0][:2], members("set")[1], members("map")
    (('ndcg_cut_5', 'ndcg_cut_10'), ('num_q',), None)
    """
    if name in _ONLY_FAMILIES:
        return expanded(name), ()
    if name not in NICKNAMES:
        return None
    named = NICKNAMES[name]
    left_out = tuple(each for each in named if why_none(each) is not None)
    return tuple(one for each in named if each not in left_out for one in expanded(each)), left_out


def expanded(name: str) -> tuple[str, ...]:
    """A name with each of the parameters that trec_eval adds to it."""
    return tuple(f"{name}_{each}" for each in FAMILIES[name]) if name in FAMILIES else (name,)


# Measure objects of ir_measures, read without importing that package.
#
# Such an object has a name (`NAME`), the parameters given to it (`params`) and a table of those it
# takes (`SUPPORTED_PARAMS`).

#: parameters that measures of ours have, too, and which measures these are
_SHARED = {
    "cutoff rel judged_only": "AP P R RR Success",
    "rel": "AP_IA Bpref NumRel NumRet SetR infAP",
    "cutoff T min_rel max_rel": "BPM",
    "p normalize": "Compat",
    "cutoff": "ERR Judged",
    "cutoff rel": "ERR_IA P_IA StRecall nERR_IA",
    "T min_rel max_rel": "INSQ INST NERR11",
    "recall rel judged_only": "IPrec",
    "p min_rel max_rel": "NERR10",
    "cutoff min_rel max_rel": "NERR8 NERR9 SDCG",
    "alpha beta rel": "NRBP nNRBP",
    "cutoff p rel": "RBP",
    "rel judged_only": "Rprec SetAP",
    "rel beta judged_only": "SetF",
    "rel relative judged_only": "SetP",
    "cutoff alpha rel": "alpha_DCG alpha_nDCG",
    "cutoff dcg gains judged_only": "nDCG",
}
_EQUALS = sorted((name, shared) for shared, names in _SHARED.items() for name in names.split())
#: measures that we have an equal of, and the parameters that ours have, too
SHARED = {name: tuple(shared.split()) for name, shared in _EQUALS}
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
