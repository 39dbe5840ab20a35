"""Checksums of votes for categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._typing import U64
from fuzzytruth.core.checksums import bits_of, checksums, digest, row_keys, set_keys, total
from fuzzytruth.io.ids import hash_ids, string_array

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Asked, Votes


def vote_checksums(votes: Votes, *about: object) -> tuple[str, str]:
    """Checksum of votes whatever their order, and one that depends on it; also of `about`."""
    keys = row_keys(_ballots(votes, votes), bits_of(votes.weight))
    asked = None if votes.asked is None else total(_ballots(votes, votes.asked))
    rest = (of_taxonomy(votes.taxonomy), asked, *about)
    return checksums(keys.__getitem__, len(keys), rest)


def of_taxonomy(taxonomy: Taxonomy) -> str:
    """Checksum of categories and edges, whatever their order."""
    nodes = _hashes(taxonomy.nodes)
    parents = set_keys(row_keys(nodes[taxonomy.up.targets]), taxonomy.up.offsets)
    return digest(total(row_keys(nodes, parents)))


def _ballots(votes: Votes, ballots: Votes | Asked) -> U64:
    """Keys of item, subject and label set: (ballots,)."""
    item, subject = hash_ids(votes.items), hash_ids(votes.subjects)
    labels = row_keys(_hashes(votes.taxonomy.nodes)[ballots.sets.label])
    sets = set_keys(labels, ballots.sets.offsets)
    return row_keys(item[ballots.item], subject[ballots.subject], sets[ballots.label_set])


def _hashes(names: tuple[str, ...]) -> U64:
    return hash_ids(string_array(names))
