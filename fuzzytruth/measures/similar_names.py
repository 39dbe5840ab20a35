"""Measures that a name which is not known may stand for."""

from __future__ import annotations

import difflib
import re

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import registry
from fuzzytruth.measures.measure import Measure, read_value

_CUTOFF = re.compile(r"(?:_cut|_at)?[@_.]?(\d+)$")


def similar_measures(name: str, cutoff: str | None) -> tuple[str, ...]:
    """Measures whose spellings are most like a name, each with the cut-off that was written.

    Parameters
    ----------
    name : str
        It may end in a cut-off, as "ndcg10" does.
    cutoff : str or None
        What stood behind @.

    Examples
    --------
    >>> similar_measures("ndgc", "10")[0], similar_measures("precison_5", None)[0]
    ('nDCG@10', 'P@5')
    """
    stem = _CUTOFF.sub("", name.lower()) or name.lower()
    written = _CUTOFF.search(name)
    k = written[1] if cutoff is None and written else cutoff
    near = difflib.get_close_matches(stem, registry.spellings(), n=3, cutoff=0.5)
    known = (found for spelling in near if (found := registry.lookup(spelling)))
    return tuple(dict.fromkeys(_with_cutoff(cls, k) for cls, _ in known))


def _with_cutoff(cls: type[Measure], cutoff: str | None) -> str:
    """A measure's name, with the cut-off if it takes this one."""
    if cutoff is None:
        return cls.name
    try:
        return str(cls(cutoff=read_value(cutoff)))
    except (MeasureError, TypeError):
        return cls.name
