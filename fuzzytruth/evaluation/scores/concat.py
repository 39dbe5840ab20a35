"""Scores evaluated one after the other, or on several collections, as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.validation import option_text
from fuzzytruth.errors import DataError, OptionError, counted, first_few, require, shown, warn
from fuzzytruth.evaluation.scores.replicates import joined as joined_runs
from fuzzytruth.evaluation.scores.score_arrays import NUMBERS, Attributes, Provenance, ScoreArrays
from fuzzytruth.evaluation.scores.score_tables import kept_cells
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.worlds.setting import joined
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty, WorldValues, apart
from fuzzytruth.io.columns import check_id
from fuzzytruth.stats.settings import Axis

# Scores of the same queries and cells, put in the same order.


def in_order_of(first: Scores, part: Scores, where: str, *, systems: bool) -> Scores:
    """Scores with their queries, cells and measures (or `systems`) in the order of the first.

    Raises
    ------
    DataError
        They are not the same.
    """
    queries = places_of(first.queries, part.queries, "query", where)
    subjects = None
    if first.subjects is not None and part.subjects is not None:
        subjects = places_of(first.subjects, part.subjects, "subject", where)
    system, measure = np.arange(len(part.systems)), np.arange(len(part.measures))
    if systems:
        system = places_of(first.systems, part.systems, "system", where)
    else:
        measure = places_of(first.measures, part.measures, "measure", where)
        _check_directions(first, part, measure, where)
    cells, order = kept_cells(part.cells, queries, subjects)
    _check_cells(first, cells, where)
    return part._take(system, measure, queries, subjects, cells, order)


def places_of(names: tuple[str, ...], others: tuple[str, ...], what: str, where: str) -> Ints:
    """Place of each name among the others, who must be the same: (names,)."""
    if names == others:
        return np.arange(len(names))
    differing = set(names) ^ set(others)
    if differing:
        name = next(name for name in (*names, *others) if name in differing)
        only = "scores[0]" if name in names else where
        raise DataError(f"{where}: {what} {shown(name)} is in {only} only")
    code = {name: place for place, name in enumerate(others)}
    return np.array([code[name] for name in names])


def _check_cells(first: ScoreArrays, cells: Cells, where: str) -> None:
    """Raise unless the same subjects judged the same queries."""
    pairs, others = (c.query * c.n_subjects + c.subject_codes for c in (first.cells, cells))
    if np.array_equal(pairs, others):
        return
    differing = np.setxor1d(pairs, others)[0]
    query, subject = divmod(int(differing), cells.n_subjects)
    who = f" and subject {shown(first.subjects[subject])}" if first.subjects else ""
    only = "scores[0]" if differing in pairs else where
    raise DataError(f"{where}: query {shown(first.queries[query])}{who} has values in {only} only")


def _check_directions(first: ScoreArrays, part: ScoreArrays, measures: Ints, where: str) -> None:
    for name, mine, place in zip(first.measures, first.higher_is_better, measures, strict=True):
        if part.higher_is_better[place] != mine:
            better = "higher" if mine else "lower"
            raise DataError(
                f"{where}: {better} values of {name} are better in scores[0], and not in these"
            )


# Whether scores come from the same truth, options and worlds.


_OPTIONS = ("worlds", "ties", "undefined", "missing", "unjudged")


def check_origin(first: ScoreArrays, other: ScoreArrays, where: str) -> None:
    """Raise unless scores can be joined to the first.

    Raises
    ------
    DataError
        The message names what differs.
    """
    _same("the kind of worlds", (_kind(first), _kind(other)), where)
    _same("the design", (first.design, other.design), where)
    made, others = first.provenance, other.provenance
    if made is not None and others is not None:
        check_made(made, others, where)
    _check_bounds(first, other, where)
    _check_worlds(first, other, where)


def _kind(scores: ScoreArrays) -> str:
    """What worlds the scores are of."""
    if scores.subjects is not None:
        return "subject" if scores.uncertainty is None else "subject, missing='pooled'"
    return "crisp" if scores.uncertainty is None else scores.uncertainty.worlds


def _same(
    what: str, both: tuple[Any, Any], where: str, advice: str = "", of: str = "scores[0]"
) -> None:
    """Raise unless both are the same."""
    first, other = both
    if first != other:
        raise DataError(
            f"{where}: {what} is {shown(other)}, and that of {of} {shown(first)}{advice}"
        )


def check_made(made: Provenance, other: Provenance, where: str, of: str = "scores[0]") -> None:
    """Raise unless truth and options are the same, and runs of a system that both have.

    Messages call the scores made first `of`.
    """
    if None not in (made.truth, other.truth):
        checksums = made.truth, other.truth
        _same(
            "the checksum of the truth", checksums, where, "; evaluate with the same judgments", of
        )
    for name in _OPTIONS:
        one, two = getattr(made, name), getattr(other, name)
        if name != "missing" or None not in (one, two):
            _same(f"the option {name}", (one, two), where, of=of)
    runs = dict(made.runs)
    for system, checksum in other.runs:
        before = runs.get(system, checksum)
        _same(f"the checksum of the run of {shown(system)}", (before, checksum), where, of=of)


def _check_bounds(first: ScoreArrays, other: ScoreArrays, where: str) -> None:
    bounds = first.lower is not None, other.lower is not None
    _same("whether there are bounds", bounds, where)
    if all(bounds) and set(first.systems) != set(other.systems):
        raise DataError(
            f"{where}: bounds depend on what all systems retrieved; evaluate these systems "
            "together, or without unjudged='bounds'"
        )


def _check_worlds(first: ScoreArrays, other: ScoreArrays, where: str) -> None:
    """The same worlds were drawn: the same seed, number and version."""
    spread, another = first.uncertainty, other.uncertainty
    if spread is None or another is None:
        return
    advice = "; worlds are shared, and differences paired, only if all of this is the same"
    _same("the seed", (spread.entropy, another.entropy), where, advice)
    made, others = first.provenance, other.provenance
    if made is None or others is None or None in (made.truth, others.truth):
        raise DataError(
            f"{where}: nothing tells whether these scores come from the truth of scores[0], and "
            "so share their worlds; evaluate them together"
        )
    _same("n_worlds", (made.n_worlds, others.n_worlds), where, advice)
    _same("the groups", (made.groups, others.groups), where, advice)
    _same("the version of fuzzytruth", (made.version, others.version), where, advice)


_SYSTEMS, _MEASURES = 0, 1


def concat(scores: Iterable[Scores] | Mapping[str, Scores], *, as_: str | None = None) -> Scores:
    """Join scores of other systems or measures by the same truth, or of several collections.

    Under worlds, scores with the same seed share their worlds, so that differences of systems
    evaluated one after the other are paired: concatenated scores are those of one evaluation.

    Parameters
    ----------
    scores : sequence of Scores, or mapping of str to Scores
        With distinct systems and the same measures, or with the same systems and distinct measures.
        Queries, subjects and measures may be in another order, and get that of the first scores.
        A mapping has the scores of each collection, with queries and a truth of its own, by the
        collection's name: kept are the systems and measures that all have. Query q1 of nq becomes
        nq/q1, so that queries of the same name stay apart; a subject's name is one subject in all.
    as_ : str, optional
        Of a mapping: the attribute of queries that has the names, "collection" by default, for
        ``compare(over="collection")`` and ``strata="collection"``.

    Returns
    -------
    Scores
        The worlds of single queries are kept if all scores keep them. Of scores without
        provenance (`Scores.from_frame`), `provenance` says nothing: its `runs` and `measures` are
        those that other scores name, and its options are theirs. Attributes of queries are those
        that any of the scores knows. Of several collections, values are kept (expected ones under
        worlds), but neither bounds, worlds nor provenance, for each collection has its own.

    Raises
    ------
    DataError
        The scores differ in the truth (compared where both know theirs: `Scores.from_frame` does
        not), queries, subjects, options, kind of worlds or seed; a system has two values of a
        measure; a query has two values of an attribute; or bounds are joined, which depend on all
        systems of an evaluation. Collections share no system or no measure; or differ in their
        design, in whether there are subjects, or in whether higher is better.
    OptionError
        There are no scores, or something else; `as_` is not for a mapping, or is an attribute
        already.

    Warns
    -----
    LeftOutWarning
        Systems or measures are not in all collections, with their number.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    >>> old = ft.evaluate(truth, {"x": {"q": {"a": 2, "b": 1}}}, ["P@1"], rng=0)
    >>> new = ft.evaluate(truth, {"y": {"q": {"b": 2, "a": 1}}}, ["P@1"], rng=0)
    >>> both = ft.concat([old, new])
    >>> round(both.difference("x", "y", "P@1", "q").sf(0), 9)
    0.45
    >>> queries = ft.concat({"nq": old, "fiqa": old}).query_attributes
    >>> queries
    {'collection': ('nq', 'fiqa')}
    """
    if isinstance(scores, Iterator):
        scores = [*scores]
    if isinstance(scores, Iterable):
        parts = scores.values() if isinstance(scores, Mapping) else scores
        if any(isinstance(part, Scores) and part.replicates for part in parts):
            return _of_runs(scores, as_)
    if isinstance(scores, Mapping):
        return _of_collections(scores, option_text("as_", "collection" if as_ is None else as_))
    require("as_", as_, as_ is None, "is for a mapping {name: scores} of collections")
    parts = _checked(scores)
    if len(parts) == 1:
        return parts[0]
    axis = _axis_of(parts)
    first = parts[0]
    matched, known = [first], 0  # scores that know their truth
    for number, part in enumerate(parts[1:], start=1):
        where = f"scores[{number}]"
        check_origin(first, part, where)
        made = parts[known].provenance
        if made is None:
            known = number
        elif part.provenance is not None:
            check_made(made, part.provenance, where, f"scores[{known}]")
        matched.append(in_order_of(first, part, where, systems=axis == _MEASURES))
    names: dict[str, Any] = {
        field: tuple(chain(*(getattr(part, field) for part in matched)))
        for field in (("systems",) if axis == _SYSTEMS else ("measures", "higher_is_better"))
    }
    numbers: dict[str, Any] = {
        field: _joined([getattr(part, field) for part in matched], axis)
        for field in NUMBERS.values()
    }
    return replace(
        first,
        uncertainty=_uncertainty(matched, axis),
        provenance=_provenance(matched),
        query_attributes=_attributes(matched),
        ranges=_ranges(matched, axis),
        **names,
        **numbers,
    )


def _of_runs(scores: Any, as_: str | None) -> Scores:
    """Scores some of which are means over runs: their runs are joined.

    Raises
    ------
    DataError
        A run is one of two systems.
    """
    system_of: dict[str, str] = {}
    fixed: dict[str, None] = {}
    parts = scores.values() if isinstance(scores, Mapping) else scores
    several = {
        name: n
        for part in parts
        if isinstance(part, Scores) and part.replicates is not None
        for name, n in part.replicates.sizes.items()
        if n > 1
    }

    def runs_of(part: Any) -> Any:
        if not isinstance(part, Scores):
            return part
        known = part.replicates
        named = (known.system_of, known.deterministic) if known else (part.systems, ())
        if twice := [name for name in part.systems if known is None and name in several]:
            raise DataError(
                f"concat: {shown(twice[0])} has {several[twice[0]]} runs in some of the scores, "
                "and others do not say which run they are of; join the runs before they are "
                "named, with_replicates(), or leave it out of one"
            )
        for run, system in zip(part._runs, named[0], strict=True):
            if system_of.setdefault(run, system) != system:
                raise DataError(
                    f"concat: the run {shown(run)} is a replicate of two systems, "
                    f"{shown(system_of[run])} and {shown(system)}"
                )
        fixed.update(dict.fromkeys(named[1]))
        return known.runs if known else part

    if isinstance(scores, Mapping):
        runs = concat({name: runs_of(part) for name, part in scores.items()}, as_=as_)
    else:
        runs = concat([runs_of(part) for part in scores], as_=as_)
    like = next(part.replicates for part in parts if part.replicates is not None)
    names = tuple(system_of[run] for run in runs.systems)
    return joined_runs(runs, replace(like, runs=runs, system_of=names, deterministic=tuple(fixed)))


def _ranges(parts: list[Scores], axis: int) -> tuple[tuple[float, float], ...]:
    """Those of all measures, if all parts name them, the same for all systems."""
    given = [part.ranges for part in parts]
    if axis == _SYSTEMS:
        return given[0] if len(set(given)) == 1 else ()
    return tuple(chain.from_iterable(given)) if all(given) else ()


def _checked(scores: Any) -> list[Scores]:
    listed = isinstance(scores, Iterable) and not hasattr(scores, "columns")  # a frame
    if isinstance(scores, (Scores, str)) or not listed:
        raise OptionError(f"scores={shown(scores)}: must be a list of Scores")
    parts = list(scores)
    for number, part in enumerate(parts):
        if not isinstance(part, Scores):
            raise OptionError(f"scores[{number}]={shown(part)}: must be Scores")
    if not parts:
        raise OptionError("scores=[]: give at least one")
    return parts


def _axis_of(parts: list[Scores]) -> int:
    """Whether systems or measures are joined; the others must be the same.

    Raises
    ------
    DataError
        A name is in two scores, or not in all.
    """
    same_systems = all(set(part.systems) == set(parts[0].systems) for part in parts)
    same_measures = all(set(part.measures) == set(parts[0].measures) for part in parts)
    if same_systems and not same_measures:
        _check_distinct([part.measures for part in parts], "measure")
        return _MEASURES
    _check_distinct([part.systems for part in parts], "system")
    for number, part in enumerate(parts[1:], start=1):
        places_of(parts[0].measures, part.measures, "measure", f"scores[{number}]")
    return _SYSTEMS


def _check_distinct(names: list[tuple[str, ...]], what: str) -> None:
    """Raise if two scores have a name in common."""
    first: dict[str, int] = {}
    for number, name in ((n, name) for n, listed in enumerate(names) for name in listed):
        if name in first:
            raise DataError(
                f"scores[{number}]: {what} {shown(name)} is in scores[{first[name]}] already; "
                "leave it out of one of them, with select(), or evaluate all queries together"
            )
        first[name] = number


def _joined(arrays: Sequence[Array | None], axis: int) -> Any:
    """Arrays side by side; None if one is missing."""
    given = [array for array in arrays if array is not None]
    return np.concatenate(given, axis=axis) if len(given) == len(arrays) else None


def _attributes(parts: list[Scores]) -> Attributes:
    """Attributes of all scores, whose queries are the same: what any of them knows.

    Raises
    ------
    DataError
        Two of them differ.
    """
    out: dict[str, tuple[str | None, ...]] = {}
    for number, part in enumerate(parts):
        for name, values in part.query_attributes.items():
            known = out.get(name, values)
            for query, one, other in zip(part.queries, known, values, strict=True):
                if None not in (one, other) and one != other:
                    raise DataError(
                        f"scores[{number}]: query {shown(query)} has {name} {shown(other)}, and "
                        f"{shown(one)} in scores before; a query has one"
                    )
            pairs = zip(known, values, strict=True)
            out[name] = tuple(other if one is None else one for one, other in pairs)
    return out


def _uncertainty(parts: list[Scores], axis: int) -> Uncertainty | None:
    """How the values vary over the worlds that all scores share."""
    spreads = [part.uncertainty for part in parts if part.uncertainty is not None]
    if not spreads:
        return None
    in_worlds = Lazy(lambda: _in_worlds(spreads, axis + 1))
    joined_spread = replace(
        spreads[0],
        exact=_joined([s.exact for s in spreads], axis),
        mc_error=_joined([s.mc_error for s in spreads], axis),
        spread=Lazy(lambda: _joined([s.std for s in spreads], axis)),
        in_worlds=in_worlds,
        has_means=all(s.has_means for s in spreads),
        has_kept=all(s.has_kept for s in spreads),
        has_within=all(s.has_within for s in spreads),
        kept_is_joint=all(s.kept_is_joint for s in spreads),
        sources=joined(
            [s.sources for s in spreads],
            [(len(part.systems), len(part.measures)) for part in parts],
            axis,
        ),
    )
    if axis == _SYSTEMS and joined_spread.kept_in_full:
        return replace(joined_spread, joint_spread=joined_spread.within_of(in_worlds))
    return replace(joined_spread, joint_spread=Lazy(lambda: _within(spreads, axis)))


def _within(spreads: list[Uncertainty], axis: int) -> Floats | None:
    """Variances of differences, side by side; of systems of two scores they are not known."""
    blocks = [block for s in spreads if (block := s.within) is not None]
    if len(blocks) < len(spreads):
        return None
    return np.concatenate(blocks) if axis == _MEASURES else apart(blocks)


def _in_worlds(spreads: list[Uncertainty], axis: int) -> WorldValues:
    """Values in each world, side by side."""
    means = _joined([s.world_means for s in spreads], axis)
    return WorldValues(means, _joined([s.kept for s in spreads], axis))


def _provenance(parts: list[Scores]) -> Provenance | None:
    """That of the scores that have one, together."""
    known = [part.provenance for part in parts if part.provenance is not None]
    if not known:
        return None
    missing = [made.missing for made in known if made.missing is not None]
    shared = {part._queries_share_items for part in parts}
    return replace(
        known[0],
        queries_share_items=True in shared or (None if None in shared else False),
        version=", ".join(dict.fromkeys(made.version for made in known)),
        missing=missing[0] if missing else None,
        n_missing=known[0].n_missing if len({made.n_missing for made in known}) == 1 else None,
        runs=tuple(dict(chain(*(made.runs for made in known))).items()),
        measures=tuple(dict.fromkeys(chain(*(made.measures for made in known)))),
    )


# Scores on several collections, each with queries and a truth of its own.


def _of_collections(given: Mapping[str, Scores], attribute: str) -> Scores:
    """See `concat`."""
    names = [check_id(name, attribute, "scores") for name in given]
    parts = _checked(given.values())
    systems = _common([part.systems for part in parts], names, "system")
    measures = _common([part.measures for part in parts], names, "measure")
    parts = [part.select(systems=systems, measures=measures) for part in parts]
    first, of = parts[0], f"scores[{shown(names[0])}]"
    rows = []
    for name, part in zip(names, parts, strict=True):
        where = f"scores[{shown(name)}]"
        _check_directions(first, part, np.arange(len(measures)), where)
        _same("the design", (first.design, part.design), where, of=of)
        has = first.subjects is not None, part.subjects is not None
        _same("whether there are subjects", has, where, of=of)
        if attribute in {*part.query_attributes, *get_args(Axis)}:
            raise OptionError(f"as_={shown(attribute)}: {where} have it already; give another name")
        rows.append(_rows(part, name, attribute))
    kept = [*dict.fromkeys(chain(*(part.query_attributes for part in parts))), attribute]
    better: Any = dict(zip(measures, first.higher_is_better, strict=True))
    out = Scores.from_frame(
        pd.concat(rows), higher_is_better=better, design=first.design, clusters=kept
    )
    ends = np.array([[part._range_of(m) for m in range(len(measures))] for part in parts])
    widest = zip(ends[..., 0].min(axis=0).tolist(), ends[..., 1].max(axis=0).tolist(), strict=True)
    return replace(out, ranges=tuple(widest) if np.isfinite(ends).all() else ())


def _rows(part: Scores, name: str, attribute: str) -> pd.DataFrame:
    """One row a value, with the attributes of its query."""
    table = part.to_frame()[[*part._labels, "value"]]
    known = {
        key: table["query"].map(dict(zip(part.queries, values, strict=True)))
        for key, values in part.query_attributes.items()
    }
    return table.assign(**known, **{attribute: name}, query=f"{name}/" + table["query"])


def _common(listed: list[tuple[str, ...]], collections: list[str], what: str) -> list[str]:
    """Names that all collections have, in the order of the first; warns of others.

    Raises
    ------
    DataError
        There are none.
    """
    common = [name for name in listed[0] if all(name in names for names in listed)]
    if not common:
        names = (first_few(each, 5, show=shown) for each in listed)
        has = "; ".join(map("{} has {}".format, map(shown, collections), names))
        raise DataError(f"concat: no {what} is in all collections: {has}")
    others = [name for name in dict.fromkeys(chain(*listed)) if name not in common]
    if others:
        left_out = counted(len(others), f"{what} is", f"{what}s are")
        text = f"{left_out} not in all {len(listed)} collections, and left out: "
        warn(text + first_few(others, 5), errors.LeftOutWarning)
    return common
