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


def arrow_probability(
    votes: Sequence[str], children: Mapping[str, Sequence[str]], category: str
) -> float:
    """(8) with its arrow taken as (5) has it: the votes for ν and for each ζ with ν → ζ, over N.

    In (5), ω ← ν says that ω is the parent of ν, so that an arrow leads from a child to its parent,
    and the ζ of (8) are ν's parents. Intended: its children.

    Parameters
    ----------
    votes, children, category
        As for `node_probability`.

    Returns
    -------
    float
        In [0, 1]; of the root, the share of the votes for the root itself.

    Raises
    ------
    DataError
        Nobody voted.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eqs. (5) and (8).

    Examples
    --------
    >>> tree = {"all": ["people", "scenery"], "people": ["crowd"], "scenery": ["city"]}
    >>> arrow_probability(["people", "people", "crowd", "city", "city"], tree, "people")
    0.4
    """
    counted = {category, *(parent for parent, below in children.items() if category in below)}
    return sum(vote in counted for vote in votes) / _n_subjects(votes)


def bottom_up_probability(
    votes: Sequence[str], children: Mapping[str, Sequence[str]], category: str
) -> float:
    """(8) as it is meant, "from the bottom up": the votes for ν over N, and the p of its children.

    Right in a tree. In an acyclic graph, which the paper leaves open, a vote counts once for each
    path to it, so that the root may exceed 1. Instead: the share of subjects whose category lies
    in the subtree.

    Parameters
    ----------
    votes, children, category
        As for `node_probability`; `children` may give a category several parents.

    Returns
    -------
    float
        0 or more; above 1 where votes are counted several times.

    Raises
    ------
    DataError
        Nobody voted.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eq. (8) and the text after it.

    Examples
    --------
    >>> graph = {"all": ["people", "scenery"], "people": ["parade"], "scenery": ["parade"]}
    >>> bottom_up_probability(["parade"], graph, "all")
    2.0
    """
    own = sum(vote == category for vote in votes) / _n_subjects(votes)
    below = children.get(category, ())
    return own + sum(bottom_up_probability(votes, children, child) for child in below)


def _n_subjects(votes: Sequence[str]) -> int:
    if isinstance(votes, str) or not len(votes):
        raise DataError(f"votes={votes!r}: must be a list with one category a subject, not empty")
    return len(votes)
