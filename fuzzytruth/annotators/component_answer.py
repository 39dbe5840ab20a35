"""What is printed of variance components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fuzzytruth.annotators.generalizability import ABSOLUTE, RELATIVE, SHARES
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
    from fuzzytruth.annotators.measure_components import MeasureComponents

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
        (counted(one.table.size(factor), name))
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
        return [f"{one.measure}: of a single system, whose differences are not known."]
    lines = []
    shares = [name for name in SHARES if name in found]
    if shares and found[shares[0]].value == found[shares[0]].value:
        listed = [f"{100 * found[name].value:.0f} % from {_FROM[name]}" for name in shares]
        lines.append(
            f"{one.measure}: of the variance of a difference between two systems, "
            f"{', '.join(listed[:-1]).replace('from', 'comes from', 1)} and {listed[-1]}."
        )
    ends = {
        name: with_interval(found[name].value, found[name].lower, found[name].upper, 2)
        for name in (RELATIVE, ABSOLUTE)
    }
    lines.append(
        f"{'' if lines else one.measure + ': '}"
        f"{'G' if lines else 'g'}eneralizability of the systems' order (relative) "
        f"{ends[RELATIVE]}, of their means (absolute) {ends[ABSOLUTE]}."
    )
    negative = [name for name, value in zip(one.names, one.variance, strict=True) if value < 0]
    if negative:
        what = "estimate counts" if len(negative) == 1 else "estimates count"
        lines.append(f"Negative {what} as 0: {', '.join(negative)}.")
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
