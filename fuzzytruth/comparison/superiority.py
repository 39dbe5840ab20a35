"""Probability that one system is better than another, over possible truths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth.comparison.pairs import one_measure
from fuzzytruth.evaluation.axes import check_over

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.distribution.distribution import Distribution
    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class Superiority:
    """Probability that one system is better than another in the same world.

    Parameters
    ----------
    better, equal, worse : float
        Probabilities over worlds, jointly: both systems share each world.
    difference : Distribution
        Of the mean of `system` minus that of `other`.
    """

    better: float
    equal: float
    worse: float
    difference: Distribution

    def to_frame(self) -> pd.DataFrame:
        """One row: better, equal, worse, and mean and std of the difference."""
        import pandas as pd

        row = {name: [getattr(self, name)] for name in ("better", "equal", "worse")}
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
    return Superiority(better, equal, worse, difference)
