"""What is printed of a cloud of precision and recall, and of their distributions by rank."""

from __future__ import annotations

from collections.abc import Sequence

from fuzzytruth._typing import Array
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import few_ranks
from fuzzytruth.io.number_text import level_text, with_interval

LEVEL = 0.95  # of printed intervals


def cloud_answer(
    name: str, rank: Array, recall: Array, precision: Array, probability: Array
) -> Printed:
    """What `print` shows: expected precision and recall at a few ranks, with intervals.

    `name` is the repr of the `Cloud`, the arrays are its points.
    """
    ranks = few_ranks(int(rank.max(initial=0)), 8)
    both = []
    for values in (precision, recall):
        at = (rank == k for k in ranks)
        both.append([Distribution.from_atoms(values[k], probability[k]) for k in at])
    columns = (Column.label("rank", ranks), *precision_and_recall(*both))
    return Printed.of(
        f"Precision and recall together: {name.partition('(')[2].removesuffix(')')}",
        Table(columns),
        legend(),
        Sentences.of("More: .to_frame(), .mean_curve(), .bands(), .plot()"),
    )


def precision_and_recall(
    precision: Sequence[Distribution], recall: Sequence[Distribution]
) -> tuple[Column, ...]:
    """Expected values and intervals."""
    return tuple(
        Column(
            name, tuple(with_interval(one.mean(), *one.interval(LEVEL)) for one in distributions)
        )
        for name, distributions in (("precision", precision), ("recall", recall))
    )


def legend() -> Sentences:
    """What the numbers and brackets are."""
    return Sentences.of(
        f"Expected values. Brackets: the central interval that holds {level_text(LEVEL)} of the "
        "worlds of this query's uncertain truth; they say nothing about other queries or people."
    )
