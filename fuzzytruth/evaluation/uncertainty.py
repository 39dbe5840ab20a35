"""What scores under an uncertain truth know beside the expected values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth._typing import Bools, Floats

if TYPE_CHECKING:
    from fuzzytruth.evaluation.simulation import Setting


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """How scores vary over worlds.

    Parameters
    ----------
    worlds : str
        The kind of worlds: "independent", "population" or "subject" (with holes filled).
    std : (systems, measures, queries) float
        Standard deviation over worlds.
    exact : (systems, measures, queries) bool
        Whether expected values are exact and not estimated from drawn worlds.
    mc_error : (systems, measures, queries) float
        Monte Carlo standard error of the expected values; 0 where they are exact.
    world_means : (worlds, systems, measures) float
        Mean over queries in each world, all systems in the same worlds.
    weight : (worlds,) float
        Probability of each world.
    inflation : float
        By how much a variance over worlds must be multiplied to be that of the estimate,
        S / (S - 1) for resamples of S subjects and 1 otherwise.
    drawn : bool
        Whether worlds are a random sample, or all there are.
    n_worlds : int
        Worlds drawn; for resampled subjects, resamples.
    entropy : tuple of int
        What the random generators started from: the same gives the same worlds.
    setting : Setting or None
        All that is needed to look at single queries again; not saved.
    kept : (worlds, systems, measures, queries) float or None
        Every value in every world, where ``keep="worlds"`` asked for it.
    subject_error : (systems, measures, subjects, queries) float or None
        Monte Carlo standard error of each subject's values, where worlds are subjects whose holes
        are filled; 0 where they are exact.
    """

    worlds: str
    std: Floats
    exact: Bools
    mc_error: Floats
    world_means: Floats
    weight: Floats
    inflation: float
    drawn: bool
    n_worlds: int
    entropy: tuple[int, ...]
    setting: Setting | None = None
    kept: Floats | None = None
    subject_error: Floats | None = None
