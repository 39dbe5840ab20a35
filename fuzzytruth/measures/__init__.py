"""Measures as values: ``nDCG(dcg="jarvelin") @ 10``."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as `typing` has it, which takes time to import
if TYPE_CHECKING:
    from typing import Any

    from fuzzytruth.measures.average_precision import *
    from fuzzytruth.measures.counts import *
    from fuzzytruth.measures.diversity import *
    from fuzzytruth.measures.gain import *
    from fuzzytruth.measures.grammar import parse_measure as parse_measure
    from fuzzytruth.measures.grammar import parse_measures as parse_measures
    from fuzzytruth.measures.guards import checked as checked
    from fuzzytruth.measures.list_similarity import *
    from fuzzytruth.measures.measure import Measure as Measure
    from fuzzytruth.measures.recall import *
    from fuzzytruth.measures.registry import names as names
    from fuzzytruth.measures.registry import register as register
    from fuzzytruth.measures.user_models import *
    from fuzzytruth.measures.weighted_displacement import *

#: public names beside those of the measures -> module
_HOME = {
    "Measure": "fuzzytruth.measures.measure",
    "checked": "fuzzytruth.measures.guards",
    "names": "fuzzytruth.measures.registry",
    "parse_measure": "fuzzytruth.measures.grammar",
    "parse_measures": "fuzzytruth.measures.grammar",
    "register": "fuzzytruth.measures.registry",
    "register_quality": "fuzzytruth.measures.weighted_displacement",
}


def __getattr__(name: str) -> Any:
    from fuzzytruth.measures.registry import MODULE_OF

    known = _HOME | MODULE_OF
    if name == "__all__":
        return sorted(known)
    if name not in known:
        raise AttributeError(f"module 'fuzzytruth.measures' has no attribute {name!r}")
    value = getattr(importlib.import_module(known[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
