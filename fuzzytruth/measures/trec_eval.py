"""Names of trec_eval 9 that stand for several measures, or for none of a single query."""

from __future__ import annotations

from collections.abc import Mapping

_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")

#: parameters that trec_eval adds to a name that is given without
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "P": _CUTOFFS,
    "Rprec_mult": tuple(f"{j / 5:.2f}" for j in range(1, 11)),
    "iprec_at_recall": tuple(f"{j / 10:.2f}" for j in range(11)),
    "map_cut": _CUTOFFS,
    "ndcg_cut": _CUTOFFS,
    "recall": _CUTOFFS,
    "relative_P": _CUTOFFS,
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
    "map_avgjg": _GROUPS,
    "p_avgjg": _GROUPS,
    "rprec_mult_avgjg": _GROUPS,
    "qrels_jg": _GROUPS,
    "prefs": _PREFERENCES,
    "all_prefs": _PREFERENCES,
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
