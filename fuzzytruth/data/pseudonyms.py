"""Votes in which people have pseudonyms instead of names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import taken
from fuzzytruth.data.votes import vote_checksum
from fuzzytruth.errors import choice
from fuzzytruth.io.columns import string_array

#: whether people are called by their names, or by pseudonyms
Names = Literal["show", "hide"]


def named_as(votes: Any, names: Names) -> tuple[Any, dict[str, str]]:
    """The votes with people called as asked, and their pseudonyms.

    Pseudonyms (P01, P02, ...) are in an order that the votes determine, whatever their own, and
    that cannot be told without them; votes then are in the order of pseudonyms. Votes without names
    stay as they are.
    """
    choice("names", names, ("show", "hide"))
    if names == "show" or votes.subjects is None:
        return votes, {}
    checksum = vote_checksum(votes) if isinstance(votes, Assignments) else votes.checksum
    column = votes.subjects if isinstance(votes, Assignments) else votes.subject
    known = sorted(set(column.to_pylist()))
    order = np.random.default_rng([*checksum.encode()]).permutation(len(known))
    digits = max(len(str(len(known))), 2)
    given = {name: f"P{place + 1:0{digits}}" for name, place in zip(known, order, strict=True)}
    array = string_array([given[name] for name in column.to_pylist()])
    if isinstance(votes, Assignments):  # ballots of an item are in the order of people
        rank = np.argsort(np.argsort(array.to_numpy(zero_copy_only=False)))
        names = string_array(sorted(given.values()))
        again = replace(votes, subjects=names, subject=rank[votes.subject])
        return again._taken(np.lexsort((again.subject, again.item))), given
    rows = np.argsort(array.to_numpy(zero_copy_only=False), kind="stable")
    return taken(votes, rows, subject=array.take(rows)), given
