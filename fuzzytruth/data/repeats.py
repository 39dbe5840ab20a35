"""Repeated judgments: groups of them, their weights, and how far a subject agrees with itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.checksums import bits_of, checksum, digest, row_keys, set_keys, total
from fuzzytruth.io.columns import encode, hash_ids, string_array

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from fuzzytruth.core.label_sets import LabelSets
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Asked, Votes


_ROOM = 1 << 62  # places of 64-bit keys
_LARGEST = 1 << 32  # common multiple up to which weights are whole numbers


def groups_of(columns: Sequence[pa.LargeStringArray]) -> Ints:
    """The group of each row; rows of a group have equal ids in all columns: (rows,)."""
    return groups_of_codes([encode(column)[0] for column in columns])


def groups_of_codes(columns: Sequence[Array]) -> Ints:
    """The same for whole numbers from 0, each below the number of rows."""
    group, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for code in columns:
        n = int(code.max(initial=0)) + 1
        if size * n > _ROOM:
            group = codes_of(group)
            size = int(group.max(initial=0)) + 1
        group, size = group * n + code, size * n
    return codes_of(group)


def codes_of(values: Array) -> Ints:
    """The place of each value among the distinct ones: (values,)."""
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def repeat_weights(columns: Sequence[pa.LargeStringArray]) -> Floats:
    """Weight of each row, in inverse proportion to the number of rows with the same ids: (rows,).

    Whole numbers where their least common multiple is small, so that sums of them are exact.
    """
    group = groups_of(columns)
    number = np.bincount(group)[group]
    multiple = math.lcm(*np.unique(number).tolist())
    return (multiple if multiple <= _LARGEST else 1) / number


def agreement_of_repeats(
    subject: pa.LargeStringArray, judged: Sequence[pa.LargeStringArray], grade: Floats
) -> pd.DataFrame:
    """Pairs of repeats of one subject's judgments, and the share of them with equal grades.

    Parameters
    ----------
    subject : (rows,)
    judged : sequence of (rows,)
        What is judged; rows of a subject with equal ids are repeats.
    grade : (rows,) float

    Returns
    -------
    DataFrame
        Columns subject, n_pairs, agreement (NaN without pairs).
    """
    import pandas as pd

    code, names = encode(subject)
    group = groups_of([subject, *judged])
    pairs = _pairs_by(code, group, len(names))
    equal = _pairs_by(code, groups_of_codes([group, codes_of(grade)]), len(names))
    return pd.DataFrame(
        {
            "subject": names.to_pylist(),
            "n_pairs": pairs.astype(np.int64),
            "agreement": divide(equal, pairs, fill=np.nan),
        }
    )


def _pairs_by(owner: Array, group: Ints, n_owners: int) -> Floats:
    """Pairs of rows of the same group, summed up by the owner of the group: (owners,)."""
    _, first, size = np.unique(group, return_index=True, return_counts=True)
    out: Any = np.bincount(owner[first], weights=size * (size - 1) / 2, minlength=n_owners)
    return np.asarray(out, dtype=np.float64)


# Checksums of votes for categories.


def vote_checksum(votes: Votes, *about: object) -> str:
    """Checksum of votes whatever their order; also of `about`."""
    keys = row_keys(_ballots(votes, votes), bits_of(votes.weight))
    asked = None if votes.asked is None else total(_ballots(votes, votes.asked))
    rest = (of_taxonomy(votes.taxonomy), asked, *about)
    if votes.subjects is None:
        rest += ("counts" if votes.are_counts else "probabilities",)
    if votes.repeats is not None:
        keys = row_keys(keys, hash_ids(votes.repeats.ids)[votes.repeats.code])
    return checksum(keys.__getitem__, len(keys), rest)


def of_taxonomy(taxonomy: Taxonomy) -> str:
    """Checksum of categories and edges, whatever their order."""
    nodes = _hashes(taxonomy.nodes)
    parents = set_keys(row_keys(nodes[taxonomy.up.targets]), taxonomy.up.offsets)
    return digest(total(row_keys(nodes, parents)))


def _ballots(votes: Votes, ballots: Votes | Asked) -> U64:
    """Keys of item, subject and label set: (ballots,)."""
    item = hash_ids(votes.items)
    subject = np.zeros(1, np.uint64) if votes.subjects is None else hash_ids(votes.subjects)
    sets = label_set_keys(votes.taxonomy, ballots.sets)
    return row_keys(item[ballots.item], subject[ballots.subject], sets[ballots.label_set])


def label_set_keys(taxonomy: Taxonomy, sets: LabelSets) -> U64:
    """Keys of label sets by the names of their categories, whatever the order: (sets,)."""
    return set_keys(row_keys(_hashes(taxonomy.nodes)[sets.label]), sets.offsets)


def _hashes(names: tuple[str, ...]) -> U64:
    return hash_ids(string_array(names))
