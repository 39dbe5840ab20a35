"""Checksums of votes for categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import U64
from fuzzytruth.core.checksums import bits_of, checksum, digest, row_keys, set_keys, total
from fuzzytruth.io.ids import hash_ids, string_array

if TYPE_CHECKING:
    from fuzzytruth.core.label_sets import LabelSets
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Asked, Votes


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
