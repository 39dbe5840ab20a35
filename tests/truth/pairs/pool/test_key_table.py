"""Look-up of keys against a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fuzzytruth.truth.pairs.pool import KeyTable

keys = st.one_of(
    st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**63, 2**64 - 1, 2**48, 2**48 + 1])
)


@given(st.lists(keys, min_size=1, max_size=30), st.lists(keys, max_size=30))
def test_the_entry_of_a_key_or_none_of_several(known: list[int], wanted: list[int]) -> None:
    table = KeyTable.of(np.array(known, dtype=np.uint64))
    rows, entries = table.find(np.array([*wanted, *known], dtype=np.uint64))
    expected = {
        (row, known.index(key) if known.count(key) == 1 else -1)
        for row, key in enumerate([*wanted, *known])
        if key in known
    }
    assert sorted(table.shared) == [e for e, key in enumerate(known) if known.count(key) > 1]
    assert set(zip(rows.tolist(), entries.tolist(), strict=True)) == expected
    assert len(rows) == len(expected)
    assert (np.diff(rows) > 0).all()
