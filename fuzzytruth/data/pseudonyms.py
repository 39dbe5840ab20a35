"""Votes in which people have pseudonyms instead of names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.votes import vote_checksum
from fuzzytruth.errors import choice
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import encode, take

#: whether people are called by their names, or by pseudonyms
Names = Literal["show", "hide"]


def named_as(votes: Any, names: Names) -> tuple[Any, dict[str, str]]:
    """The votes with people called as asked, and their pseudonyms.

    Pseudonyms (P01, P02, ...) are in an order that the votes determine, and that cannot be told
    without them: not that of names, nor of rows. Votes without names stay as they are.
    """
    choice("names", names, ("show", "hide"))
    if names == "show" or votes.subjects is None:
        return votes, {}
    of_categories = isinstance(votes, Assignments)
    checksum = vote_checksum(votes) if of_categories else votes.checksum
    rng = np.random.default_rng([*checksum.encode()])
    code, known = (None, votes.subjects) if of_categories else encode(votes.subject)
    digits = max(len(str(len(known))), 2)
    given = [f"P{number + 1:0{digits}}" for number in rng.permutation(len(known)).tolist()]
    array, pseudonyms = string_array(given), dict(zip(known.to_pylist(), given, strict=True))
    if code is None:
        return replace(votes, subjects=array), pseudonyms
    return replace(votes, subject=take(array, code)), pseudonyms
