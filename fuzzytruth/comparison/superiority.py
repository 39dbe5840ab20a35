"""Probability that one system is better than another, over possible truths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.pair_result import one_measure
from fuzzytruth.errors import counted, printable
from fuzzytruth.evaluation.scores.axes import check_over
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    level_text,
    number_text,
    numbers_format,
    written,
    written_interval,
)

if TYPE_CHECKING:
    from fuzzytruth.data.distribution.distribution import Distribution
    from fuzzytruth.evaluation.scores.scores import Scores

_LEVEL = 0.95  # of the printed interval


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Superiority(Result):
    """Probability that one system is better than another in the same world.

    Parameters
    ----------
    better, equal, worse : float
        Probabilities over worlds, jointly: both systems share each world.
    difference : Distribution
        Of the mean of `system` minus that of `other`.
    system, other, measure : str
    """

    better: float
    equal: float
    worse: float
    difference: Distribution
    system: str
    other: str
    measure: str

    def __repr__(self) -> str:
        return printable(
            f"Superiority({self.system} and {self.other} on {self.measure}: better "
            f"{self.better:.4g}, equal {self.equal:.4g}, worse {self.worse:.4g})"
        )

    def _answer(self) -> Printed:
        pair = f"{self.system} and {self.other} on {self.measure}"
        difference = self.difference
        mean, (low, high) = difference.mean(), difference.interval(_LEVEL)
        style = numbers_format((mean, low, high))
        ends = written_interval(low, high, style, signed=True)
        columns = (
            *(
                Column(name, (number_text(getattr(self, name), 3),))
                for name in ("better", "equal", "worse")
            ),
            Column("difference", (written(mean, style, signed=True),)),
            Column(f"{level_text(_LEVEL)} of worlds", (ends,)),
        )
        drawn = "exact" if difference.exact else counted(difference.n_samples or 0, "world")
        return Printed.of(
            f"{pair}, over the worlds of this uncertain truth ({drawn})",
            Sentences.of(
                f"{self.system} is better than {self.other} with probability {self.better:.3f}, "
                f"worse with {self.worse:.3f}"
            ),
            Table(columns),
            Sentences.of(
                f"Difference: expected mean of {self.system} minus that of {self.other}. Brackets: "
                f"the central {level_text(_LEVEL)} of the worlds.",
                "They say how uncertain the truth of these queries is, and nothing about other "
                "queries or people.",
            ),
        )

    def to_frame(self) -> pd.DataFrame:
        """One row: system, other, measure, better, equal, worse, mean and std of the difference."""
        names = ("system", "other", "measure", "better", "equal", "worse")
        row = {name: [getattr(self, name)] for name in names}
        return pd.DataFrame(
            row | {"mean": [self.difference.mean()], "std": [self.difference.std()]}
        )


def superiority(scores: Scores, system: str, other: str, measure: str | None = None) -> Superiority:
    """P(A better than B) over worlds, of their means over these queries.

    Estimand: the probability that `system` is the better one in a world drawn from this uncertain
    truth. No hypothesis about other queries is tested.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.

    Raises
    ------
    OptionError
        The scores have no worlds.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    >>> scores = ft.evaluate(truth, runs, ["P@1"], n_worlds=4000, rng=0)
    >>> abs(ft.superiority(scores, "x", "y").better - 0.9 * 0.5) < 0.03
    True
    """
    check_over("world", scores)
    m = one_measure(scores, measure)
    difference = scores.difference(system, other, scores.measures[m])
    above, equal = float(difference.sf(0.0)), float(difference.pmf(0.0))
    below = max(0.0, float(difference.cdf(0.0)) - equal)
    better, worse = (above, below) if scores.higher_is_better[m] else (below, above)
    return Superiority(better, equal, worse, difference, system, other, scores.measures[m])
