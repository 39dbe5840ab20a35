"""trec_eval's names of measures: what they expand to, and the columns that they give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import MeasureError, nearest, shown
from fuzzytruth.measures import Measure, parse_measure

_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_TENTHS = tuple(f"{j / 10:.2f}" for j in range(11))
_FIFTHS = tuple(f"{j / 5:.2f}" for j in range(1, 11))
_DECIMALS = ("iprec_at_recall", "Rprec_mult")  # whose parameters are printed as 0.10

#: parameters by default; a name with none stands for itself
FAMILIES: dict[str, tuple[str, ...]] = {
    "P": _CUTOFFS,
    "Rprec_mult": _FIFTHS,
    "iprec_at_recall": _TENTHS,
    "map_cut": _CUTOFFS,
    "ndcg_cut": _CUTOFFS,
    "recall": _CUTOFFS,
    "relative_P": _CUTOFFS,
    "success": ("1", "5", "10"),
}
_SINGLE = (
    *("Rprec", "bpref", "infAP", "map", "ndcg", "num_rel", "num_rel_ret", "num_ret", "recip_rank"),
    *("set_P", "set_map", "set_recall", "set_relative_P"),
)
#: with at most one parameter, which their columns do not name
_UNNAMED = ("11pt_avg", "set_F")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of results.

    Parameters
    ----------
    name : str
        As trec_eval prints it.
    measures : tuple of Measure
    value : callable
        Their values, (queries,) each → (queries,).
    """

    name: str
    measures: tuple[Measure, ...]
    value: Callable[..., Floats]


def _same(values: Floats) -> Floats:
    return values


def _logarithm(values: Floats) -> Floats:
    """Of which trec_eval's geometric means are the mean; values below 1e-5 count as 1e-5."""
    return np.asarray(np.log(np.maximum(values, 1e-5)))


def _one(retrieved: Floats) -> Floats:
    return np.ones_like(retrieved)


def _difference(minuend: Floats, subtrahend: Floats) -> Floats:
    return minuend - subtrahend


def _utility(relevant: Floats, retrieved: Floats) -> Floats:
    """Relevant minus other retrieved items."""
    return 2 * relevant - retrieved


#: columns that are computed from other measures
_DERIVED: dict[str, tuple[tuple[str, ...], Callable[..., Floats]]] = {
    "gm_bpref": (("bpref",), _logarithm),
    "gm_map": (("map",), _logarithm),
    "num_nonrel_judged_ret": (("NumRelRet(rel=0)", "num_rel_ret"), _difference),
    "num_q": (("num_ret",), _one),
    "utility": (("num_rel_ret", "num_ret"), _utility),
}

NAMES = frozenset((*FAMILIES, *_SINGLE, *_UNNAMED, *_DERIVED))
#: trec_eval's sets of measures, without the name of the run
NICKNAMES: dict[str, frozenset[str]] = {
    "official": frozenset(
        {
            *("P", "Rprec", "bpref", "gm_map", "iprec_at_recall", "map"),
            *("num_q", "num_rel", "num_rel_ret", "num_ret", "recip_rank"),
        }
    ),
    "set": frozenset(
        {
            *("num_q", "num_rel", "num_rel_ret", "num_ret", "utility"),
            *("set_F", "set_P", "set_map", "set_recall", "set_relative_P"),
        }
    ),
}
_WITH_PARAMETERS = re.compile(r"(.+?)[._](\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)")


def columns(names: Iterable[str], level: float) -> tuple[Column, ...]:
    """The columns of measures with trec_eval's names; items are relevant from grade `level` on.

    Raises
    ------
    MeasureError
        A name has no equal here, or takes no (or no such) parameters.

    Examples
    --------
    >>> [column.name for column in columns(["map", "ndcg_cut.10,5", "success"], 1)]
    ['map', 'ndcg_cut_5', 'ndcg_cut_10', 'success_1', 'success_5', 'success_10']
    """
    given: dict[str, set[str]] = {}
    for text in names:
        for name in NICKNAMES.get(text, (text,)):
            base, parameters = _split(name)
            given.setdefault(base, set()).update(parameters)
    out: dict[str, Column] = {}
    for name, values in given.items():
        ordered = sorted(values, key=float)
        out |= {column.name: column for column in _columns_of(name, ordered, level)}
    return tuple(out.values())


def _split(text: str) -> tuple[str, list[str]]:
    """A name and its parameters, ``ndcg_cut.5,10`` or ``ndcg_cut_5,10``."""
    if text in NAMES:
        return text, []
    match = _WITH_PARAMETERS.fullmatch(text) if isinstance(text, str) else None
    name = text if match is None else match[1]
    if name not in NAMES:
        known = f"those that have one are {', '.join(sorted(NAMES))}"
        raise MeasureError(
            f"measures: {shown(text)} has no equal here{nearest(str(name), sorted(NAMES))}; {known}"
        )
    if match is None or name not in (*FAMILIES, *_UNNAMED):
        raise MeasureError(f"measures: {shown(text)}: {name} takes no parameters")
    return name, match[2].split(",")


def _columns_of(name: str, parameters: list[str], level: float) -> list[Column]:
    """The columns of one name, with its parameters in ascending order."""
    if name in _DERIVED:
        parts, value = _DERIVED[name]
        measures = tuple(_measure(part, level) for part in parts)
        return [Column(name, measures, value)]
    if name in FAMILIES:
        return [
            Column(f"{name}_{_printed(name, p)}", (_measure(f"{name}_{p}", level),), _same)
            for p in parameters or FAMILIES[name]
        ]
    if name == "set_F" and len(parameters) > 1:
        raise MeasureError(f"measures: set_F takes one parameter, not {', '.join(parameters)}")
    text = f"{name}_{','.join(parameters)}" if parameters else name
    return [Column(name, (_measure(text, level),), _same)]


def _printed(name: str, parameter: str) -> str:
    """A parameter as trec_eval prints it."""
    return f"{float(parameter):.2f}" if name in _DECIMALS else parameter


def _measure(text: str, level: float) -> Measure:
    """Our measure; the level is its threshold where it has one and none is written."""
    measure = parse_measure(text)
    if measure.threshold is None or "rel=" in text:
        return measure
    relevant_from: Any = {"rel": level}
    return replace(measure, **relevant_from)
