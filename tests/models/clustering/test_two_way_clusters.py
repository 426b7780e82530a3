"""Rows and columns clustered at once: hidden blocks and boards are found again."""

import numpy as np
import pytest
import sklearn.cluster
from scipy import sparse
from sklearn.datasets import make_biclusters, make_checkerboard
from sklearn.metrics import adjusted_rand_score, consensus_score

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.clustering import (
    FeatureAgglomeration,
    SpectralBiclustering,
    SpectralCoclustering,
)

BLOCKS = make_biclusters((60, 40), 4, noise=5, random_state=0)
BOARD = make_checkerboard((60, 40), (4, 3), noise=5, random_state=0)


@pytest.mark.parametrize("mini_batch", [False, True])
def test_hidden_blocks_are_found(mini_batch):
    X, rows, columns = BLOCKS
    model = SpectralCoclustering(4, mini_batch=mini_batch, random_state=0).fit(X)
    assert consensus_score(model.biclusters_, (rows, columns)) == 1.0
    np.testing.assert_array_equal(model.predict(X), model.row_labels_)
    assert model.rows_.shape == (4, 60)
    assert (model.rows_.sum(axis=0) == 1).all()


@pytest.mark.parametrize("method", ["bistochastic", "scale", "log"])
def test_a_hidden_board_is_found(method):
    X, rows, columns = BOARD
    model = SpectralBiclustering((4, 3), method=method, random_state=0).fit(X)
    assert consensus_score(model.biclusters_, (rows, columns)) == 1.0
    np.testing.assert_array_equal(model.predict(X), model.row_labels_)
    assert model.rows_.shape == (12, 60)
    assert model.columns_.shape == (12, 40)


def test_sparse_tables_have_the_same_clusters():
    X, _, _ = BLOCKS
    thin = np.where(X > 20, X, 0.0)
    dense = SpectralCoclustering(4, random_state=0).fit(thin)
    other = SpectralCoclustering(4, random_state=0).fit(sparse.csr_array(thin))
    assert adjusted_rand_score(dense.row_labels_, other.row_labels_) == 1.0
    np.testing.assert_array_equal(
        other.predict(sparse.csr_array(thin)), other.row_labels_
    )
    for method in ("bistochastic", "scale"):
        board = SpectralBiclustering(4, method=method, random_state=0)
        labels = board.fit(thin).row_labels_
        other = board.fit(sparse.csr_array(thin)).row_labels_
        assert adjusted_rand_score(labels, other) == 1.0


@pytest.mark.parametrize("shape", [(700, 400), (400, 700)])
def test_large_tables_take_a_few_vectors_only(shape):
    X, rows, columns = make_biclusters(shape, 3, noise=5, random_state=1)
    model = SpectralCoclustering(3, random_state=0).fit(X)
    assert consensus_score(model.biclusters_, (rows, columns)) == 1.0


def test_balanced_tables_have_equal_sums(rng):
    from infimum.models.clustering.spectral._two_way import balance

    X = balance(rng.uniform(1.0, 9.0, size=(6, 4)))
    np.testing.assert_allclose(X.sum(axis=1), X.sum(axis=1).mean(), rtol=1e-4)
    np.testing.assert_allclose(X.sum(axis=0), X.sum(axis=0).mean(), rtol=1e-4)


def test_a_row_without_entries_has_a_cluster_too():
    X = np.array([[5.0, 4.0, 0.0], [4.0, 5.0, 0.0], [0.0, 0.0, 6.0], [0.0, 0.0, 0.0]])
    model = SpectralCoclustering(2, random_state=0).fit(X)
    assert model.row_labels_[0] == model.row_labels_[1] != model.row_labels_[2]


@pytest.mark.parametrize("shape", [(12, 9), (400, 310)])
def test_a_table_of_one_block_is_one_cluster_to_old_rows_and_new(shape, rng):
    X = np.outer(rng.uniform(1.0, 2.0, shape[0]), rng.uniform(1.0, 2.0, shape[1]))
    model = SpectralCoclustering(4, random_state=0).fit(X)
    # All vectors but the first are any: nothing tells rows apart.
    assert not model.row_labels_.any()
    np.testing.assert_array_equal(model.predict(X), model.row_labels_)
    board = SpectralBiclustering(2, random_state=0).fit(X)
    np.testing.assert_array_equal(board.predict(X), board.row_labels_)


def test_new_rows_of_a_lifted_table_may_be_sparse():
    X = BLOCKS[0] - 20.0
    model = SpectralCoclustering(4, random_state=0).fit(X)
    thin = sparse.csr_array(np.maximum(X, 0.0))
    np.testing.assert_array_equal(model.predict(thin), model.predict(thin.toarray()))


def test_what_cannot_be_is_told():
    X, _, _ = BLOCKS
    with pytest.raises(InvalidParameterError, match="n_clusters must be a whole"):
        FeatureAgglomeration("three").fit(X)
    with pytest.raises(DataError, match="as many rows as clusters of them, got 60"):
        SpectralCoclustering(61).fit(X)
    with pytest.raises(DataError, match="as many columns as clusters of them, got 40"):
        SpectralBiclustering((2, 41)).fit(X)
    with pytest.raises(InvalidParameterError, match="or two, for rows and columns"):
        SpectralBiclustering((2, 2, 2)).fit(X)
    with pytest.raises(IncompatibleError, match="no logarithm of 0"):
        SpectralBiclustering(2, method="log").fit(sparse.csr_array(X))
    with pytest.raises(DataError, match="without negative entries"):
        SpectralCoclustering(2).fit(sparse.csr_array(X - 50.0))


@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "single"])
def test_features_are_agglomerated_as_by_scikit_learn(rng, linkage):
    X = np.repeat(rng.normal(size=(30, 4)), 3, axis=1) + rng.normal(size=(30, 12)) / 5
    settings = {"n_clusters": 5, "linkage": linkage}
    ours = FeatureAgglomeration(**settings).fit(X)
    theirs = sklearn.cluster.FeatureAgglomeration(**settings).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    order = [theirs.labels_[ours.labels_ == label][0] for label in range(5)]
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X)[:, order])


def test_pooled_features_go_back_to_their_columns(rng):
    X = np.repeat(rng.normal(size=(10, 3)), 2, axis=1)
    model = FeatureAgglomeration(3, pooling_func=np.median).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X)
    np.testing.assert_allclose(model.inverse_transform([1.0, 2.0, 3.0])[::2], [1, 2, 3])
    assert model.dendrogram_.n_leaves == 6
    with pytest.raises(DataError, match="has 3 clusters of features, got X of shape"):
        model.inverse_transform(X)
    with pytest.raises(DataError, match="n_features=6 for n_clusters=7"):
        FeatureAgglomeration(7).fit(X)
