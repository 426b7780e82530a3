"""Sparse samples far from the origin: distances lose no digits there either."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs

from infimum.models.clustering import HDBSCAN, AffinityPropagation, KMeans
from infimum.models.clustering.centres import _sparse_distances
from infimum.models.clustering.centres._sparse_distances import squared_distances

NEAR = make_blobs(60, 3, centers=3, random_state=0)[0]
FAR = NEAR + 1e9


def rows(X):
    return sparse.csr_array(X)


@pytest.mark.parametrize("block", [2**22, 1000])
def test_squares_are_those_of_differences(block, rng, monkeypatch):
    monkeypatch.setattr(_sparse_distances, "BLOCK", block)
    mixed = np.where(rng.uniform(size=FAR.shape) < 0.5, FAR, 0.0)
    mixed[3] = mixed[8]
    for X in (NEAR, FAR, mixed, np.zeros((4, 2))):
        exact = cdist(X, X, "sqeuclidean")
        scale = 1e-9 * exact.max()
        np.testing.assert_allclose(squared_distances(rows(X)), exact, atol=scale)
        found = squared_distances(rows(X), X[:5])
        np.testing.assert_allclose(found, exact[:, :5], atol=scale)


def test_twins_of_many_features_are_not_written_out():
    wide = sparse.random_array((300, 10**6), density=1e-5, rng=0, format="csr")
    X = sparse.csr_array(sparse.vstack([wide, wide]))
    tracemalloc.start()
    found = squared_distances(X)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**28  # the rows themselves would take 4.8 GB
    assert (np.diag(found, 300) == 0.0).all()
    assert found[0, 1] == pytest.approx(wide[[0, 1]].power(2).sum())


def test_exemplars_are_those_of_dense_samples():
    dense = AffinityPropagation(random_state=0).fit(FAR)
    found = AffinityPropagation(random_state=0).fit(rows(FAR))
    assert found.labels_.tolist() == dense.labels_.tolist()
    assert len(set(found.labels_)) > 1


def test_distances_to_centres_are_those_of_dense_samples():
    model = KMeans(3, init=FAR[:3], n_init=1).fit(FAR)
    np.testing.assert_allclose(
        model.transform(rows(FAR)), model.transform(FAR), rtol=1e-6, atol=1e-6
    )


def test_given_distances_may_be_of_any_size():
    distances = cdist(NEAR, NEAR)
    plain = HDBSCAN(metric="precomputed").fit(distances)
    for unit in (2.0**-700, 2.0**700):
        found = HDBSCAN(metric="precomputed").fit(unit * distances)
        assert found.labels_.tolist() == plain.labels_.tolist()
