"""Whether scores come from the same truth, options and worlds."""

from __future__ import annotations

from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.evaluation.provenance import Provenance
from fuzzytruth.evaluation.score_arrays import ScoreArrays

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
    _same("the version of fuzzytruth", (made.version, others.version), where, advice)
