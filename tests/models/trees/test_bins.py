"""A table in bins keeps every order that splits can see."""

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import DataError, InvalidParameterError
from infimum.models.trees.bins import BinnedTable


def test_few_distinct_values_have_a_bin_each_and_midpoints_between(rng):
    X = rng.integers(0, 40, size=(500, 3)) * 0.5
    table = BinnedTable.of(X)
    for j in range(3):
        values = np.unique(X[:, j])
        np.testing.assert_allclose(table.edges[j], (values[1:] + values[:-1]) / 2)
        np.testing.assert_array_equal(table.codes[j], np.searchsorted(values, X[:, j]))


def test_many_values_share_bins_of_like_weight_in_their_order(rng):
    X = rng.normal(size=(20_000, 2))
    table = BinnedTable.of(X, max_bins=50)
    counts = np.bincount(table.codes[0])
    assert len(counts) == 50
    assert counts.min() >= 399
    assert counts.max() <= 401
    assert (np.diff(table.codes[0][np.argsort(X[:, 0])].astype(int)) >= 0).all()


def test_a_heavy_value_takes_one_bin_only(rng):
    x = np.concatenate([np.zeros(9_000), rng.normal(size=1_000)])
    table = BinnedTable.of(x[:, None], max_bins=101)
    assert table.n_bins[0] == 101
    assert len(np.unique(x[table.codes[0] == table.codes[0][0]])) <= 12


def test_a_weight_of_k_makes_the_cuts_of_k_copies(rng):
    X = rng.normal(size=(3_000, 2))
    counts = rng.integers(0, 4, size=3_000)
    weighted = BinnedTable.of(X, 64, sample_weight=counts.astype(float))
    repeated = BinnedTable.of(np.repeat(X, counts, axis=0), 64)
    for one, other in zip(weighted.edges, repeated.edges, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_values_lie_between_the_edges_of_their_bins(kind, rng):
    X = rng.normal(size=(5_000, 1)).astype(kind)
    X[rng.random(5_000) < 0.1] = np.nan
    X[:2] = [[np.inf], [-np.inf]]
    table = BinnedTable.of(X)
    codes, edges = table.codes[0], table.edges[0]
    missing = np.isnan(X[:, 0])
    assert table.has_missing[0]
    assert (codes[missing] == table.n_bins[0]).all()
    padded = np.concatenate([[-np.inf], edges, [np.inf]])
    low, high = padded[codes[~missing]], padded[codes[~missing].astype(int) + 1]
    assert ((X[~missing, 0] > low) | (codes[~missing] == 0)).all()
    assert (X[~missing, 0] <= high).all()


def test_neighbouring_floats_are_kept_apart():
    low = np.nextafter(1.0, 2.0)
    table = BinnedTable.of(np.array([[1.0], [low], [np.finfo(float).max], [-np.inf]]))
    np.testing.assert_array_equal(table.codes[0], [1, 2, 3, 0])


def test_a_sparse_table_has_the_bins_of_the_dense_one(rng):
    X = rng.normal(size=(400, 5)) * (rng.random((400, 5)) < 0.3)
    dense, thin = BinnedTable.of(X), BinnedTable.of(sparse.csr_array(X))
    np.testing.assert_array_equal(dense.codes, thin.codes)
    np.testing.assert_array_equal(thin.encode(sparse.csc_matrix(X)), dense.encode(X))


def test_levels_are_bins_and_strangers_are_missing():
    X = np.array([[7.0], [0.0], [7.0], [np.nan], [-1.0], [3.0]])
    table = BinnedTable.of(X, categorical=[True])
    np.testing.assert_array_equal(table.codes[0], [2, 0, 2, 3, 3, 1])
    np.testing.assert_array_equal(table.encode([[3.0], [5.0]]), [[1, 3]])


def test_a_million_categories_keep_the_heaviest(rng):
    x = np.concatenate([np.arange(1_000_000.0), np.full(50, 123.0)])
    table = BinnedTable.of(x[:, None], categorical=[True], random_state=0)
    assert table.n_bins[0] == 255
    assert 123.0 in table.edges[0]


def test_a_column_without_values_is_one_bin():
    table = BinnedTable.of(np.full((3, 1), np.nan))
    assert table.n_bins[0] == 1
    np.testing.assert_array_equal(table.codes, [[1, 1, 1]])


def test_what_is_no_category_and_no_number_of_bins_is_refused():
    with pytest.raises(DataError, match=r"Feature 0 is categorical.*got 0\.5"):
        BinnedTable.of([[0.5]], categorical=[True])
    with pytest.raises(InvalidParameterError, match=r"whole number in \[2, 255\]"):
        BinnedTable.of([[0.5]], max_bins=256)
