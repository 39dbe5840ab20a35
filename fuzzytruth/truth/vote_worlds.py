"""Which kinds of worlds votes for categories have."""

from __future__ import annotations

from fuzzytruth.truth.protocol import Worlds


def why_not(
    worlds: Worlds, subjects: tuple[str, ...] | None, *, uncertain: bool = False
) -> str | None:
    """Why votes by these subjects have no such worlds; None if they have.

    Parameters
    ----------
    worlds : {"crisp", "subject", "independent", "population"}
    subjects : tuple of str or None
        None: nobody knows who voted.
    uncertain : bool
        Whether some subject judged an item repeatedly and differently.
    """
    if subjects is None:
        if worlds == "independent":
            return None
        return "these votes do not say who voted; use worlds='independent'"
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
        return "resampling subjects needs at least two of them, and these votes have one"
    return None
