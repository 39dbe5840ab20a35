"""What is printed of a distribution."""

from __future__ import annotations

import numpy as np

from fuzzytruth.data.distribution.discrete import DiscreteDistribution
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import (
    level_text,
    numbers_format,
    values_format,
    written,
    written_interval,
)

MOST_ATOMS = 12
LEVEL = 0.95  # of the printed interval


def distribution_answer(given: DiscreteDistribution) -> Printed:
    """What `print` shows: moments, a central interval and the most probable values."""
    mean, (low, high) = given.mean(), given.interval(LEVEL)
    style = numbers_format((mean, low, high, *given.support()))
    source = "exact"
    if given.n_samples is not None:
        source = f"{counted(given.n_samples, 'sample')}, Monte Carlo error {given.mc_error:.2g}"
    columns = (
        Column("mean", (written(mean, style),)),
        Column("std", (written(given.std(), style),)),
        Column(f"central {level_text(LEVEL)}", (written_interval(low, high, style),)),
        Column("lowest, highest", (written_interval(*given.support(), style),), "extra"),
    )
    return Printed.of(
        f"Distribution of {counted(len(given.values), 'value')}, {source}",
        Table(columns),
        _atoms(given),
        Sentences.of(
            f"Brackets: the central {level_text(LEVEL)} of the distribution, between its quantiles "
            f"{(1 - LEVEL) / 2:.3g} and {(1 + LEVEL) / 2:.3g}; and its whole range.",
            "More: .to_frame(), .cdf(x), .ppf(q), .interval(level), .plot()",
        ),
    )


def _atoms(given: DiscreteDistribution) -> Table:
    """The most probable values, in ascending order; quantiles if these are a minority."""
    n, which = len(given.values), np.arange(len(given.values))
    title = ""
    if n > MOST_ATOMS:
        # of equally probable ones the lower
        which = np.sort(np.argsort(-given.probabilities, kind="stable")[:MOST_ATOMS])
        together = float(given.probabilities[which].sum())
        if together < 0.5:
            return _quantiles(given)
        title = (
            f"The {MOST_ATOMS} most probable of {n:,} values, together of probability "
            f"{together:.3g}"
        )
    values = given.values[which].tolist()
    style = values_format(values)
    columns = (
        Column("value", tuple(written(value, style) for value in values)),
        Column("probability", tuple(f"{p:.4g}" for p in given.probabilities[which].tolist())),
    )
    return Table(columns, title)


def _quantiles(given: DiscreteDistribution) -> Table:
    """Where the distribution is, of many values."""
    shares = (0.05, 0.25, 0.5, 0.75, 0.95)
    values = given.ppf(shares).tolist()
    style = numbers_format(values)
    columns = (
        Column("quantile", tuple(level_text(share) for share in shares)),
        Column("value", tuple(written(value, style) for value in values)),
    )
    return Table(columns, f"Quantiles of {len(given.values):,} values")
