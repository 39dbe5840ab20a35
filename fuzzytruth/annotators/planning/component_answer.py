"""What is printed of variance components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from fuzzytruth.annotators.planning.generalizability import ABSOLUTE, RELATIVE, SHARES, Coefficient
from fuzzytruth.core.random_effects import QUERY, REPLICATE, SUBJECT, SYSTEM
from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import (
    level_text,
    number_text,
    numbers_format,
    with_interval,
    written,
    written_interval,
)

if TYPE_CHECKING:
    from fuzzytruth.annotators.planning.measure_components import MeasureComponents

_MOST_MEASURES = 2
_FROM = {
    "share of queries": "queries",
    "share of subjects": "who judged",
    "share of query:subject": "both together",
    "share of replicates": "replicates",
}


class Components(Protocol):
    """A `VarianceComponents`, as far as it is printed."""

    @property
    def of_measures(self) -> tuple[MeasureComponents, ...]:
        """Components of each measure."""
        ...

    @property
    def level(self) -> float:
        """Of intervals."""
        ...


def component_answer(result: Components) -> Printed:
    """What `print` shows: what a difference varies by, then a table for each measure."""
    shown = result.of_measures[:_MOST_MEASURES]
    measures = [one.measure for one in result.of_measures]
    rest = f", the first of {counted(len(measures), 'measure')}" if len(measures) > 1 else ""
    return Printed.of(
        f"Variance components of {_size(shown[0])}: {first_few(measures, _MOST_MEASURES)}",
        *(Sentences.of(*_words(one)) for one in shown),
        _table(shown[0], result.level, rest),
        _legend(shown[0], result.level),
        Sentences.of("More: .to_frame(full=True), .coefficients(), .variances(measure), .reml()"),
    )


def _size(one: MeasureComponents) -> str:
    """Number of levels of each factor."""
    sizes = [
        counted(one.table.size(factor), name)
        for factor, name in (
            (SYSTEM, "system"),
            (REPLICATE, "replicate"),
            (QUERY, "query"),
            (SUBJECT, "subject"),
        )
        if factor in one.table.factors
    ]
    return ", ".join(sizes)


def _words(one: MeasureComponents) -> list[str]:
    """What is found, in sentences."""
    found = {each.name: each for each in one.coefficients}
    if not found:
        return [f"{one.measure}: of a single system; how systems differ is not known."]
    if not one.share.any():
        return [f"{one.measure}: all values agree, so that coefficients are unknown."]
    return [_of_differences(one, found), _of_order(found), *_of_negatives(one)]


def _of_differences(one: MeasureComponents, found: Mapping[str, Coefficient]) -> str:
    """What a difference between two systems varies by."""
    shares = [found[name] for name in SHARES if name in found]
    what = "of the variance of a difference between two systems,"
    if found[RELATIVE].value == 1:
        return f"{one.measure}: systems differ by the same everywhere, with no error."
    if not shares:
        source = "queries" if QUERY in one.table.factors else "who judged"
        return f"{one.measure}: {what} all comes from {source}, as nothing else is random."
    listed = [f"{100 * share.value:.0f} % from {_FROM[share.name]}" for share in shares]
    listed[0] = listed[0].replace("from", "comes from")
    return f"{one.measure}: {what} {', '.join(listed[:-1])} and {listed[-1]}."


def _of_order(found: Mapping[str, Coefficient]) -> str:
    """Both generalizability coefficients."""
    order, means = (
        with_interval(found[name].value, found[name].lower, found[name].upper, 2)
        for name in (RELATIVE, ABSOLUTE)
    )
    return (
        f"Generalizability of the systems' order (relative) {order}, of their means (absolute) "
        f"{means}."
    )


def _of_negatives(one: MeasureComponents) -> list[str]:
    """Which estimates are below 0, and which so far that it is not chance."""
    below = [name for name, value in zip(one.names, one.variance, strict=True) if value < 0]
    far = [name for name in below if one.upper[one.names.index(name)] == 0]
    lines = []
    if below:
        what = "estimate counts" if len(below) == 1 else "estimates count"
        lines.append(f"Negative {what} as 0: {', '.join(below)}.")
    if far:
        lines.append(
            f"{', '.join(far)}: further below 0 than chance explains, as where scores must add "
            "up to a constant."
        )
    return lines


def _table(one: MeasureComponents, level: float, rest: str) -> Table:
    """Component, variance, interval, share."""
    style = numbers_format(one.variance)
    ends = zip(one.lower, one.upper, strict=True)
    return Table(
        (
            Column.label("component", one.names),
            Column("variance", tuple(written(value, style) for value in one.variance)),
            Column(
                f"{level_text(level)} interval",
                tuple(written_interval(low, high, style) for low, high in ends),
            ),
            Column("share", tuple(number_text(share, 3) for share in one.share)),
        ),
        one.measure + rest,
    )


def _legend(one: MeasureComponents, level: float) -> Sentences:
    """What intervals and shares are."""
    how = "generalised pivotal" if one.layout.is_balanced else "approximate (unbalanced data)"
    residual = [*one.table.names][-1]
    holds = "" if residual & REPLICATE else _in_residual(residual)
    return Sentences.of(
        f"Brackets: {level_text(level)} {how} intervals; all effects are taken as random samples.",
        f"Share: of the variance of a single score.{holds}",
    )


def _in_residual(residual: int) -> str:
    factors = [(SYSTEM, "system"), (QUERY, "query"), (SUBJECT, "subject")]
    names = ":".join(name for factor, name in factors if residual & factor)
    return f" The residual includes {names}: a cell has one value."
