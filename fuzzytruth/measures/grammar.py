"""From text to measures: every spelling in use goes in, one comes out.

``Name(param=value,...)@k``, and the names of trec_eval, ir_measures and ranx: `ndcg_cut_10`,
`P_10`, `map`, `recall.20`, `mrr`, `precision@5`, `iprec_at_recall_0.10`.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable
from typing import Any

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import registry
from fuzzytruth.measures.measure import Measure

_FULL = re.compile(
    r"\s*(?P<name>[^\s()@=]+?)\s*(?:\((?P<args>[^()]*)\))?\s*(?:@\s*(?P<k>[0-9.eE+]+))?\s*"
)
_SUFFIXED = re.compile(r"(?P<name>.+?)(?:_cut|_at)?[_.](?P<k>\d+(?:\.\d+)?)")


def parse_measure(text: str | Measure | type[Measure]) -> Measure:
    """Read one measure.

    Parameters
    ----------
    text : str or Measure
        Such as ``"nDCG@10"``, ``"ndcg_cut_10"``, ``"P(rel=2)@5"``. A measure is returned as it is,
        a measure's class with its defaults.

    Raises
    ------
    MeasureError
        The name is unknown (the nearest ones are shown) or a parameter is.

    Examples
    --------
    >>> [parse_measure(t) for t in ("ndcg_cut_10", "map", "precision@5", "P( rel = 2 )@10")]
    [nDCG@10, AP, P@5, P(rel=2)@10]
    """
    if isinstance(text, Measure):
        return text
    if isinstance(text, type) and issubclass(text, Measure):
        return text()
    if not isinstance(text, str):
        raise MeasureError(f"a measure is a text such as 'nDCG@10' or a Measure, not {text!r}")
    match = _FULL.fullmatch(text)
    if match is None:
        raise MeasureError(f"measure {text!r}: write Name(param=value,...)@k, such as P(rel=2)@10")
    name, k = match["name"], match["k"]
    found = registry.lookup(name)
    if found is None and k is None:
        suffixed = _SUFFIXED.fullmatch(name)
        if suffixed is not None:
            found, k = registry.lookup(suffixed["name"]), suffixed["k"]
    if found is None:
        raise MeasureError(f"measure {text!r} is not known{_nearest(name)}")
    cls, parameters = found
    parameters |= _parameters(cls, match["args"] or "", text)
    if k is not None:
        parameters["cutoff"] = _number(k, text)
    return cls(**parameters)


def parse_measures(texts: Iterable[Any] | str | Measure) -> tuple[Measure, ...]:
    """Read several measures; one that is named twice is kept once."""
    if isinstance(texts, (str, Measure, type)):
        texts = [texts]
    out = tuple(dict.fromkeys(parse_measure(t) for t in texts))
    if not out:
        raise MeasureError("no measure given; name at least one, such as 'AP'")
    return out


def _parameters(cls: type[Measure], args: str, text: str) -> dict[str, Any]:
    fields = {f.name: f for f in dataclasses.fields(cls) if f.name != "cutoff"}
    out: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in args.split(","))):
        key, equals, value = (s.strip() for s in part.partition("="))
        if not equals or key not in fields:
            known = ", ".join(fields) or "none"
            raise MeasureError(f"measure {text!r}: no parameter {key!r}; {cls.name} has: {known}")
        out[key] = _value(value, fields[key].default)
    return out


def _value(text: str, default: Any) -> Any:
    """A number where the text is one, else a word; a float where the default is one."""
    try:
        number = float(text)
    except ValueError:
        return text
    return number if isinstance(default, float) else int(number) if number % 1 == 0 else number


def _number(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise MeasureError(f"measure {whole!r}: cut-off {text!r} is not a number") from None


def _nearest(name: str) -> str:
    stem = re.sub(r"[@_.]?\d+$", "", name.lower())
    near = difflib.get_close_matches(stem, registry.spellings(), n=3, cutoff=0.5)
    close = dict.fromkeys(found[0].name for n in near if (found := registry.lookup(n)))
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; known are {', '.join(registry.names())}"
