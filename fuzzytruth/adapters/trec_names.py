"""trec_eval's names of measures: what they expand to, and the columns that they give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import MeasureError, nearest, shown
from fuzzytruth.measures import Measure, other_tools, parse_measure

_DECIMALS = ("iprec_at_recall", "Rprec_mult")  # whose parameters are printed as 0.10
#: with one parameter of several numbers, which their columns do not name
_UNNAMED = ("11pt_avg", "set_F", "utility", "G", "Rndcg", "ndcg", "ndcg_rel")


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

    def judged_only(self) -> Column:
        """The same of lists without items that are not judged."""
        measures = (replace(measure, judged_only=True) for measure in self.measures)
        return replace(self, measures=tuple(measures))


def _same(values: Floats) -> Floats:
    return values


def _logarithm(values: Floats) -> Floats:
    """Of which trec_eval's geometric means are the mean; values below 1e-5 count as 1e-5."""
    return np.asarray(np.log(np.maximum(values, 1e-5)))


def _one(retrieved: Floats) -> Floats:
    return np.ones_like(retrieved)


def _if_relevant(value: Floats, relevant: Floats) -> Floats:
    """0 without an item of the relevance level, which the value itself does not know."""
    return value * (relevant > 0)


#: columns that are computed from other measures
_DERIVED: dict[str, tuple[tuple[str, ...], Callable[..., Floats]]] = {
    "gm_bpref": (("bpref",), _logarithm),
    "gm_map": (("map",), _logarithm),
    "num_q": (("num_ret",), _one),
    "Rndcg": (("Rndcg", "num_rel"), _if_relevant),
}
#: trec_eval's sets of measures, without the name of the run
NICKNAMES: dict[str, frozenset[str]] = {k: frozenset(v) for k, v in other_tools.NICKNAMES.items()}
NAMES = NICKNAMES["all_trec"]
_WITH_PARAMETERS = re.compile(r"(.+?)[._](-?[\d.]+(?:=-?[\d.]+)?(?:,-?[\d.]+(?:=-?[\d.]+)?)*)")


def columns(names: Iterable[str], level: float, *, judged_only: bool = False) -> tuple[Column, ...]:
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
    given: dict[str, list[str]] = {}
    for text in names:
        for name in other_tools.NICKNAMES.get(text, (text,)):
            base, parameters = _split(name)
            given.setdefault(base, []).extend(parameters)
    out: dict[str, Column] = {}
    for name, values in given.items():
        out |= {column.name: column for column in _columns_of(name, values, level)}
    return tuple(c.judged_only() if judged_only else c for c in out.values())


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
    if match is None or name not in (*other_tools.FAMILIES, *_UNNAMED):
        raise MeasureError(f"measures: {shown(text)}: {name} takes no parameters")
    return name, match[2].split(",")


def _columns_of(name: str, given: list[str], level: float) -> list[Column]:
    """The columns of one name, with its parameters in ascending order."""
    if name in other_tools.FAMILIES:
        parameters = sorted(set(given), key=float) or other_tools.FAMILIES[name]
        return [
            Column(f"{name}_{_printed(name, p)}", (_measure(f"{name}_{p}", level),), _same)
            for p in parameters
        ]
    if name == "set_F" and len(given) > 1:
        raise MeasureError(f"measures: set_F takes one parameter, not {', '.join(given)}")
    parts, value = _DERIVED.get(name, ((name,), _same))
    suffix = f"_{','.join(given)}" if given else ""
    measures = tuple(_measure(part + (suffix if part == name else ""), level) for part in parts)
    return [Column(name, measures, value)]


def _printed(name: str, parameter: str) -> str:
    """A parameter as trec_eval prints it."""
    return f"{float(parameter):.2f}" if name in _DECIMALS else parameter


def _measure(text: str, level: float) -> Measure:
    """Our measure; the level is its threshold where it has one."""
    measure = parse_measure(text)
    if not hasattr(measure, "rel"):
        return measure
    relevant_from: Any = {"rel": level}
    return replace(measure, **relevant_from)
