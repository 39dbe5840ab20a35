"""How scores under an uncertain truth vary over worlds."""

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
        The kind of worlds: "independent", "population" or "subject" (with missing judgments
        imputed from other subjects).
    std : (systems, measures, cells) float or None
        Standard deviation over worlds; None where each subject is a world.
    exact : (systems, measures, cells) bool
        Whether expected values are exact and not estimated from drawn worlds.
    mc_error : (systems, measures, cells) float
        Monte Carlo standard error of the expected values; 0 where they are exact.
    world_means : (worlds, systems, measures) float
        Mean over queries in each world, all systems in the same worlds.
    weight : (worlds,) float
        Probability of each world.
    inflation : float
        Factor from a variance over worlds to that of the estimate: S / (S - 1) for resamples of S
        subjects, else 1.
    drawn : bool
        Whether worlds are a random sample, or all possible ones.
    n_worlds : int
        Worlds drawn; for resampled subjects, resamples.
    entropy : tuple of int
        Seed of the random generators: the same gives the same worlds.
    setting : Setting or None
        All that is needed to compute single queries again; not saved.
    kept : (worlds, systems, measures, queries) float or None
        Every value in every world, under ``keep_worlds=True``; None where each subject is a world.
    """

    worlds: str
    std: Floats | None
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
