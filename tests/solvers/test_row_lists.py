"""Lists of entries, one for each row, that grow with the columns that join."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from infimum.data.designs import SparseDesign
from infimum.solvers.coordinates._column_access import SparseColumns
from infimum.solvers.support_vectors._row_lists import RowLists


def test_lists_keep_what_they_hold_when_they_move(rng):
    lists, held = RowLists(7), [[] for _ in range(7)]
    for turn in range(40):
        rows = rng.integers(0, 7, rng.integers(0, 6))
        lists.make_room(rows)
        for row in rows:
            at = lists.begins[row] + lists.lengths[row]
            lists.owners[at], lists.values[at] = turn, row + 0.5 * turn
            lists.lengths[row] += 1
            held[row].append((turn, row + 0.5 * turn))
    for row, expected in enumerate(held):
        at = slice(lists.begins[row], lists.begins[row] + lists.lengths[row])
        found = zip(lists.owners[at].tolist(), lists.values[at].tolist(), strict=True)
        assert list(found) == expected
    lists.clear()
    assert not lists.lengths.any()


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_columns_that_join_bit_by_bit_fill_their_gram_matrix(rng, index):
    X = sparse.random_array((30, 25), density=0.3, rng=1, format="csc")
    # Entries that are written down in parts are added up.
    X = sparse.csc_array(
        (
            np.repeat(X.data, 2) * np.tile([0.25, 0.75], X.nnz),
            np.repeat(X.indices, 2).astype(index),
            (2 * X.indptr).astype(index),
        ),
        shape=X.shape,
    )
    shares, members = rng.random(30), rng.permutation(25)
    columns, gram = SparseColumns(SparseDesign(X)), np.full((26, 26), np.nan)
    cuts = [0, 1, 4, 4, 17, 25]
    for size, total in pairwise(cuts):
        assert columns.join(members[:total], size, shares, gram) == size
    dense = X.toarray()[:, members]
    np.testing.assert_allclose(gram[:25, :25], dense.T @ (shares[:, None] * dense))
    columns.retain(np.arange(5))
    kept = members[:9]
    assert columns.join(kept, 5, shares, gram) == 0
    few = X.toarray()[:, kept]
    np.testing.assert_allclose(gram[:9, :9], few.T @ (shares[:, None] * few))
