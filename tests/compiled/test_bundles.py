"""Attributes that always come together may be added up once: nothing changes."""

import numpy as np
import pytest
from scipy import sparse

from infimum.compiled.chains.bundles import add_members, bundles, share_out


def tokens_of(rng, kind):
    """Return rows of attributes: words imply endings and shapes; the rest is chance."""
    rows = []
    for _ in range(120):
        word = int(rng.integers(12))
        ids = [word, 12 + word % 4, 16 + word % 3, 20 + int(rng.integers(9))]
        values = [1.0, 1.0, 1.0, 1.0]
        if kind == "weights":
            ids, values = [*ids, 30], [*values, float(rng.integers(3))]
        if kind == "twice" and rng.random() < 0.2:
            ids, values = [*ids, ids[1]], [*values, 1.0]
        if kind == "many" and rng.random() < 0.1:
            ids = [*ids, *range(40, 110)]
            values = [*values, *[1.0] * 70]
        if kind == "empty" and rng.random() < 0.2:
            ids, values = [], []
        rows.append((ids, values))
    return rows


@pytest.mark.parametrize("kind", ["plain", "weights", "twice", "many", "empty"])
def test_bundles_stand_for_their_members(kind):
    rows = tokens_of(np.random.default_rng(0), kind)
    size = 110
    ends = np.cumsum([0, *(len(ids) for ids, _ in rows)]).astype(np.int64)
    ids = np.array([a for each, _ in rows for a in each], dtype=np.int32)
    values = np.array([v for _, each in rows for v in each])
    tokens, fresh, amounts, heads, members = bundles(ends, ids, values, size)
    assert len(heads) > 1
    assert len(fresh) < np.count_nonzero(values)
    table = sparse.csr_array((values, ids, ends), shape=(len(rows), size))
    count = len(heads) - 1
    wide = sparse.csr_array(
        (amounts, fresh, tokens), shape=(len(rows), size + count)
    ).toarray()
    within = sparse.csr_array((np.ones(len(members)), members, heads), (count, size))
    whole = wide[:, :size] + wide[:, size:] @ within.toarray()
    np.testing.assert_array_equal(whole, table.toarray())


def test_slots_of_bundles_are_sums_and_their_counts_are_shared():
    # Attribute 0 goes with both of two labels, attribute 1 with the second only.
    heads, members = np.array([0, 2]), np.array([0, 1])
    starts = np.array([0, 4, 5, 9])
    labels = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1], dtype=np.int32)
    slots = np.array([1.0, 2.0, 0.0, 0.0, 5.0, 9.0, 9.0, 9.0, 9.0])
    add_members(heads, members, starts, labels, slots)
    assert slots[5:].tolist() == [1.0, 7.0, 0.0, 0.0]
    counts = np.array([0.5, 0.5, 0.0, 0.0, 0.25, 3.0, 4.0, 0.0, 0.0])
    share_out(heads, members, starts, labels, counts)
    assert counts[[0, 1, 4]].tolist() == [3.5, 4.5, 4.25]
