"""Parsing of measures: every common spelling is accepted, one is printed.

``Name(param=value,...)@k``, and the names of trec_eval, ir_measures and ranx: `ndcg_cut_10`,
`P_10`, `map`, `recall.20`, `mrr`, `precision@5`, `iprec_at_recall_0.10`, `ndcg.1=3.5,2=9`. Measure
objects of ir_measures are read, too, and trec_eval's names of several measures, such as `official`
and `ndcg_cut` (`other_tools`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from fuzzytruth.errors import MeasureError, MeasureNameWarning, first_few, warn
from fuzzytruth.measures import other_tools, registry
from fuzzytruth.measures.measure import Measure, read_value

# Measures that a name which is not known may stand for.


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
    import difflib

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


_FULL = re.compile(
    r"\s*(?P<name>[^\s()@=]+?)\s*(?:\((?P<args>[^()]*)\))?\s*(?:@\s*(?P<k>[^\s@()=,]+))?\s*"
)
_SUFFIXED = re.compile(r"(?P<name>.+?)(?:_cut|_at)?[_.](?P<suffix>[-\d.,]*\d)")
#: gains as parameters of trec_eval, after a name
_NUMBER = r"-?[\d.]+"
_GAINS = re.compile(rf"([^()@=]+?)[._]({_NUMBER}={_NUMBER}(?:,{_NUMBER}={_NUMBER})*)")
#: commas between parameters, outside braces
_COMMA = re.compile(r",(?![^{}]*\})")
_CUTOFF_NAMES = ("cutoff", "k", "top_k")
_NOTHING = object()  # the value of a parameter written without one
_HITS = re.compile(r"\s*hits(?![a-z])", re.IGNORECASE)


def parse_measure(text: str | Measure | type[Measure] | Any) -> Measure:
    """Parse one measure.

    Parameters
    ----------
    text : str, Measure, subclass of Measure, or measure object of ir_measures
        Such as ``"nDCG@10"``, ``"ndcg_cut_10"``, ``"P(rel=2)@5"``. A measure is returned as it is,
        a class with default parameters. An object of ir_measures (``ir_measures.AP(rel=2) @ 100``)
        gives the measure with the same values.

    Returns
    -------
    Measure

    Raises
    ------
    MeasureError
        The name is unknown (the closest ones are shown), a parameter is unknown, or a value is
        not allowed. Or there is no equal of the object of ir_measures, or of its parameters.

    Examples
    --------
    >>> [parse_measure(t) for t in ("ndcg_cut_10", "map", "precision@5", "P( rel = 2 )@10")]
    [nDCG@10, AP, P@5, P(rel=2)@10]
    """
    try:
        return _parsed(text)
    except _UnknownMeasureError as error:
        message = str(error)
    raise MeasureError(message)  # here, so that nothing keeps the other error


def _parsed(text: Any) -> Measure:
    """See `parse_measure`; an unknown name is an error of its own, which no user sees."""
    if isinstance(text, Measure):
        return text
    if isinstance(text, type) and issubclass(text, Measure):
        return text()
    if other_tools.is_measure(text):
        return other_tools.read_measure(text)
    if not isinstance(text, str):
        raise MeasureError(f"a measure is a text such as 'nDCG@10' or a Measure, not {text!r}")
    return _parse_text(text)


def _refuse_several(text: str) -> None:
    names = re.split(r"[\s,]+(?![^()]*\))", text.strip())
    if len(names) > 1 and all(name[:1].isalpha() and _FULL.fullmatch(name) for name in names):
        raise MeasureError(f"measure {text!r}: give several as a list of texts")


def _parse_text(text: str) -> Measure:
    """See `parse_measure`."""
    why = other_tools.why_none(text)
    if why is not None:
        raise MeasureError(f"measure {text!r} {why}")
    several = other_tools.members(text.strip())
    if several is not None:
        some = first_few(several[0], 3, unit="measure")
        raise MeasureError(f"measure {text!r} stands for several measures, {some}; name one")
    match = _FULL.fullmatch(_with_gains(text))
    if match is None:
        _refuse_several(text)
        raise MeasureError(f"measure {text!r}: write Name(param=value,...)@k, such as P(rel=2)@10")
    given = _arguments(match["args"] or "", text)
    name, given = other_tools.respelled(match["name"], given)
    parameters: dict[str, Any] = {}
    known = registry.lookup(name)
    if known is None and (suffixed := _SUFFIXED.fullmatch(name)) is not None:
        known = registry.lookup(suffixed["name"])
        if known is not None:
            parameters = _read_suffix(known[1], suffixed["suffix"], text)
    if known is None:
        _refuse_several(text)
        raise _UnknownMeasureError(text, similar_measures(name, match["k"]))
    cls, spelling = known
    parameters = {**spelling.parameters, **parameters, **_checked(cls, given, text)}
    if match["k"] is not None:
        if "cutoff" in parameters:
            raise MeasureError(f"measure {text!r}: the cut-off is given twice")
        parameters["cutoff"] = read_value(match["k"])
    return cls(**parameters)


def parse_measures(texts: Iterable[Any] | str | Measure) -> tuple[Measure, ...]:
    """Parse several measures; duplicates are dropped.

    Parameters
    ----------
    texts : measure or iterable of measures
        As in `parse_measure`. trec_eval's lists of cut-offs, ``"P.5,10"``, are several measures,
        and so are its names of sets, "official", "set" and "all_trec", and "ndcg_cut", "map_cut",
        "iprec_at_recall" and "Rprec_mult" without a parameter.

    Returns
    -------
    tuple of Measure

    Raises
    ------
    MeasureError
        As `parse_measure`, for all measures at once, or there is no measure.

    Warns
    -----
    MeasureNameWarning
        ``hits@k`` is a count; in the literature on knowledge graphs it is ``Success@k``. Or a set
        of trec_eval's holds names of what is no measure of a query, which are left out.

    Examples
    --------
    >>> parse_measures(["P.5,10", "map", "AP"])
    (P@5, P@10, AP)
    """
    if isinstance(texts, (str, Measure, type)) or other_tools.is_measure(texts):
        texts = [texts]
    if isinstance(texts, Mapping):
        raise MeasureError(
            f"measures: give names, such as ['AP', 'nDCG@10'], not {type(texts).__name__}; "
            "evaluate takes truth, runs and measures, in this order"
        )
    if not isinstance(texts, Iterable):
        raise MeasureError(f"measures={texts!r}: give one or several, such as ['AP', 'nDCG@10']")
    parts = [part for text in _members(texts) for part in _split_cutoffs(text)]
    measures = _parse_all(parts)
    if not measures:
        raise MeasureError("no measure given; name at least one, such as 'AP'")
    _warn_of_hits(parts, measures)
    return tuple(dict.fromkeys(measures))


#: said of a name that is like no other
_KNOWN = "known are P@1 (of classifiers, the accuracy), AP, RR, nDCG@10 and more: measures.names()"


class _UnknownMeasureError(MeasureError):
    """A name is not known.

    Parameters
    ----------
    text : str
    near : tuple of str
        Names like it.
    """

    def __init__(self, text: str, near: tuple[str, ...]) -> None:
        self.text, self.near = text, near
        meant = f"did you mean {' or '.join(near)}?" if near else _KNOWN
        super().__init__(f"measure {text!r} is not known; {meant}")


def _parse_all(parts: list[Any]) -> list[Measure]:
    """All measures, or one error about all that are wrong."""
    measures: list[Measure] = []
    errors: dict[str, MeasureError] = {}
    for part in parts:
        try:
            measures.append(_parsed(part))
        except MeasureError as error:
            errors.setdefault(str(error), error)
    if errors:
        raise MeasureError(_all_faults(list(errors.values())))
    return measures


def _all_faults(errors: list[MeasureError]) -> str:
    """One message of all errors: unknown names first, each with its nearest."""
    if len(errors) == 1:
        return str(errors[0])
    unknown = [error for error in errors if isinstance(error, _UnknownMeasureError)]
    faults = [str(error) for error in errors if error not in unknown]
    if unknown:
        each = (
            f"{e.text!r} (did you mean {' or '.join(e.near)}?)" if e.near else f"{e.text!r}"
            for e in unknown
        )
        verb = "is" if len(unknown) == 1 else "are"
        faults.insert(0, f"{first_few(each, len(unknown))} {verb} not known")
        if not all(e.near for e in unknown):
            faults.append(_KNOWN)
    return f"measures: {'; '.join(faults)}"


def _members(texts: Iterable[Any]) -> list[Any]:
    """The measures that trec_eval's names of several stand for, and all others."""
    out: list[Any] = []
    for text in texts:
        several = other_tools.members(text.strip()) if isinstance(text, str) else None
        if several is None:
            out.append(text)
            continue
        named, left_out = several
        out += named
        if left_out:
            warn(
                f"measures: {text!r} is evaluated without {', '.join(left_out)}, which are no "
                "values of single queries",
                MeasureNameWarning,
            )
    return out


def _with_gains(text: str) -> str:
    """trec_eval's ``ndcg.1=3.5,2=9`` as ``ndcg(gains={1:3.5,2:9})``; other texts unchanged."""
    match = _GAINS.fullmatch(text.strip())
    if match is None:
        return text
    return f"{match[1]}(gains={{{match[2].replace('=', ':')}}})"


def _split_cutoffs(text: Any) -> list[Any]:
    """``P.5,10`` as ``P_5`` and ``P_10``; anything else unchanged."""
    match = _SUFFIXED.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or "," not in match["suffix"]:
        return [text]
    known = registry.lookup(match["name"])
    if known is None or _accepts(known[1], match["suffix"]):
        return [text]
    return [f"{match['name']}_{part}" for part in match["suffix"].split(",") if part]


def _accepts(spelling: registry.Spelling, suffix: str) -> bool:
    """Whether the whole list is one parameter, such as the levels of an 11-point average."""
    try:
        return spelling.suffix is not None and bool(spelling.suffix(suffix))
    except ValueError:
        return False


def _read_suffix(spelling: registry.Spelling, suffix: str, text: str) -> dict[str, Any]:
    """Parameters from a suffix: the cut-off, unless the spelling defines it otherwise."""
    if spelling.suffix is None:
        return {"cutoff": read_value(suffix)}
    try:
        return dict(spelling.suffix(suffix))
    except ValueError:
        raise MeasureError(f"measure {text!r}: {suffix!r} is not a number") from None


def _arguments(args: str, text: str) -> dict[str, Any]:
    """The values in parentheses, by the names written there."""
    out: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in _COMMA.split(args))):
        key, equals, value = (s.strip() for s in part.partition("="))
        if key in out:
            raise MeasureError(f"measure {text!r}: {key} is given twice")
        out[key] = read_value(value) if equals else _NOTHING
    return out


def _checked(cls: type[Measure], given: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The values given for the parameters of a measure."""
    known = list(cls.parameters())
    out: dict[str, Any] = {}
    for key, value in given.items():
        name = "cutoff" if key in _CUTOFF_NAMES and key not in known else key
        if value is _NOTHING or name not in (*known, "cutoff"):
            listed = ", ".join(known) or "none"
            raise MeasureError(f"measure {text!r}: no parameter {key!r}; {cls.name} has: {listed}")
        if name in out:
            raise MeasureError(f"measure {text!r}: {name} is given twice")
        out[name] = value
    return out


def _warn_of_hits(texts: Iterable[Any], measures: Iterable[Measure]) -> None:
    """Warn of `hits@k`, a count here and in ranx, and the success rate in other fields."""
    cutoffs = {
        text.strip(): measure.cutoff
        for text, measure in zip(texts, measures, strict=True)
        if isinstance(text, str) and _HITS.match(text) and measure.name == "NumRelRet"
    }
    ks = list(dict.fromkeys(str(k) for k in cutoffs.values() if k is not None))
    if not ks:
        return
    names = first_few(repr(name) for name, k in cutoffs.items() if k is not None)
    counts, rates = (first_few(f"{name}@{k}" for k in ks) for name in ("NumRelRet", "Success"))
    warn(
        f"measures: {names} counts relevant items, as {counts} does; the share of queries with a "
        f"relevant item among the first k, Hits@k of knowledge graphs, is {rates}",
        MeasureNameWarning,
    )


# Whether larger values of a measure of another tool are better, by its name.


#: words in the names of measures of errors, losses and costs
_LOWER = frozenset(
    {"perplexity", "ppl", "loss", "nll", "brier", "ece", "error", "errors", "err", "distance"}
    | {"mse", "rmse", "mae", "mape", "rmsle", "wer", "cer", "ter", "eer", "mer", "fid", "kid"}
    | {"latency", "runtime", "seconds", "duration", "cost", "regret", "hallucination", "toxicity"}
)
_NAMES = frozenset({"log score", "bits per byte", "bits per character", "time"})


def lower_is_better(name: str) -> bool:
    """Whether a name is that of an error, a loss or a cost.

    Examples
    --------
    >>> [lower_is_better(name) for name in ("word_perplexity", "Brier", "bits_per_byte", "acc")]
    [True, True, True, False]
    """
    words = re.findall(r"[a-z]+", name.lower())
    return not _LOWER.isdisjoint(words) or " ".join(words) in _NAMES
