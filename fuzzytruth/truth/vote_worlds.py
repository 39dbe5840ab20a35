"""Which kinds of worlds votes for categories have."""

from __future__ import annotations

from fuzzytruth.errors import counted
from fuzzytruth.truth.protocol import Worlds


def why_not(
    worlds: Worlds, subjects: tuple[str, ...] | None, *, uncertain: bool = False, n_differ: int = 0
) -> str | None:
    """Why votes by these subjects have no such worlds; None if they have.

    Parameters
    ----------
    worlds : {"crisp", "subject", "independent", "population"}
    subjects : tuple of str or None
        None: nobody knows who voted.
    uncertain : bool
        Whether some subject judged an item repeatedly and differently.
    n_differ : int
        Number of items on which votes differ.
    """
    if worlds == "independent":
        return None
    if subjects is None:
        return _why_not_without_names(worlds, n_differ)
    if worlds == "crisp" and len(subjects) > 1:
        return (
            f"these votes have {len(subjects)} subjects; use worlds='subject' for each one's "
            "truth, or keep one subject's votes"
        )
    if worlds == "crisp" and uncertain:
        return (
            "the subject judged some items repeatedly and differently; use worlds='independent', "
            "or keep one repetition"
        )
    if worlds == "population" and len(subjects) < 2:
        return too_few_subjects("votes", len(subjects))
    return None


def too_few_subjects(what: str, n_subjects: int) -> str:
    """Why so few subjects are not resampled."""
    return f"resampling subjects needs at least two of them, and these {what} have {n_subjects}"


def _why_not_without_names(worlds: Worlds, n_differ: int) -> str | None:
    """Why votes by nobody in particular have no such worlds."""
    if worlds != "crisp":
        return (
            "these votes are counts or probabilities without names, so that nobody's own "
            "labels are known; use worlds='independent', or read votes with a column that "
            "names who voted"
        )
    if n_differ:
        return (
            f"the votes on {counted(n_differ, 'item')} differ, so that there is no single "
            "truth; use worlds='independent'"
        )
    return None
