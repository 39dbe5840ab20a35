"""Santini's (6) to (8) as printed: from the subjects' votes on one item to probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fuzzytruth.errors import DataError


def leaf_probability(votes: Sequence[str], category: str) -> float:
    """(6), and (7) with it: {q | Ω(s, q) = ω, s = 1..N} / N.

    This is a set of images q, and q is given, so that it has at most one member however many
    subjects agree; (6) also lacks the bars around the set. Intended: a set of subjects,
    |{s | Ω(s, q) = ω}| / N.

    Parameters
    ----------
    votes : sequence of str
        The category that each of the N subjects gave to the item.
    category : str

    Returns
    -------
    float
        1/N if somebody gave the category, else 0.

    Raises
    ------
    DataError
        Nobody voted.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eqs. (6) and (7).

    Examples
    --------
    >>> leaf_probability(["city", "city", "crowd", "crowd", "crowd"], "crowd")
    0.2
    """
    return float(category in votes) / _n_subjects(votes)


def node_probability(
    votes: Sequence[str], children: Mapping[str, Sequence[str]], category: str
) -> float:
    """(8): the votes for a category and for each of its children, over N.

    Votes for grandchildren are lost, so that the root does not have the probability 1 that the
    paper states. Intended: the children's probabilities, "from the bottom up".

    Parameters
    ----------
    votes : sequence of str
        The category that each of the N subjects gave to the item.
    children : mapping from category to its children
        Leaves need no entry.
    category : str

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    DataError
        Nobody voted.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (8).

    Examples
    --------
    >>> tree = {"all": ["people", "scenery"], "people": ["crowd"], "scenery": ["city"]}
    >>> node_probability(["people", "people", "crowd", "city", "city"], tree, "all")
    0.4
    """
    counted = {category, *children.get(category, ())}
    return sum(vote in counted for vote in votes) / _n_subjects(votes)


def _n_subjects(votes: Sequence[str]) -> int:
    if isinstance(votes, str) or not len(votes):
        raise DataError(f"votes={votes!r}: must be a list with one category a subject, not empty")
    return len(votes)
