"""Ballots against a dictionary of sets."""

import itertools

import numpy as np
import pytest

from fuzzytruth.core.shares import group_ballots


@pytest.mark.parametrize(("seed", "single"), [(0, False), (1, True), (2, False), (3, True)])
def test_ballots_equal_a_dictionary(seed: int, single: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    item, subject = rng.integers(0, 6, n), rng.integers(0, 4, n)
    label = rng.integers(-1, 5, n)
    if single:  # one row for each pair
        kept = np.unique(item * 4 + subject, return_index=True)[1]
        item, subject, label = item[kept], subject[kept], label[kept]
    labels: dict[tuple[int, int], set[int]] = {}
    rows: dict[tuple[int, int], set[int]] = {}
    columns = (item.tolist(), subject.tolist(), label.tolist())
    for row, (i, s, c) in enumerate(zip(*columns, strict=True)):
        labels.setdefault((i, s), set()).update([c] if c >= 0 else [])
        rows.setdefault((i, s), set()).add(row)
    ballots = group_ballots(item, subject, label)
    pairs = list(zip(ballots.item.tolist(), ballots.subject.tolist(), strict=True))
    assert pairs == sorted(labels)
    bounds = ballots.sets.offsets.tolist()
    members = [ballots.sets.label[a:b].tolist() for a, b in itertools.pairwise(bounds)]
    assert all(m == sorted(set(m)) for m in members)
    assert len({tuple(m) for m in members}) == len(members) == len(ballots.sets)
    for pair, label_set, row in zip(
        pairs, ballots.label_set.tolist(), ballots.first_row.tolist(), strict=True
    ):
        assert set(members[label_set]) == labels[pair]
        assert row in rows[pair]
    assert set(ballots.label_set.tolist()) == set(range(len(members)))
    table = ballots.sets.members(5).toarray()
    assert [np.flatnonzero(row).tolist() for row in table] == members
    assert set(table.ravel().tolist()) <= {0.0, 1.0}
