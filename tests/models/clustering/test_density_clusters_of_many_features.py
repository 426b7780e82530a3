"""DBSCAN among many features: tiles of products, most of which are passed over."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN as PEER
from sklearn.metrics import adjusted_rand_score

from infimum.models.clustering import DBSCAN


def blobs(n, spread=1.0, noise=0.2):
    draw = np.random.default_rng(3)
    X = 4.0 * draw.normal(size=(6, 20))[draw.integers(0, 6, n)]
    X += spread * draw.normal(size=(n, 20))
    X[: int(noise * n)] = 6.0 * draw.normal(size=(int(noise * n), 20))
    return X[draw.permutation(n)]


@pytest.mark.parametrize("eps", [3.5, 4.5, 6.0, 30.0])
@pytest.mark.parametrize("enough", [1, 5, 80])
def test_labels_are_those_of_scikit_learn(eps, enough):
    X = blobs(2500)
    ours = DBSCAN(eps=eps, min_samples=enough).fit(X)
    theirs = PEER(eps=eps, min_samples=enough).fit(X)
    assert ours.labels_.tolist() == theirs.labels_.tolist()
    assert ours.predict(X[:50]).tolist() == ours.labels_[:50].tolist()


@pytest.mark.parametrize("weights", [(0, 1, 2), (0, 3, 40), (0.1, 0.2, 0.3)])
def test_border_samples_are_found_whatever_the_weights(weights):
    X = blobs(900)
    mass = np.random.default_rng(4).choice(weights, len(X)).astype(float)
    model = DBSCAN(eps=4.2, min_samples=6).fit(X, sample_weight=mass)
    apart = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    core = ((apart <= 4.2) @ mass >= 6) & (mass > 0)
    assert model.core_sample_indices_.tolist() == np.flatnonzero(core).tolist()
    for i in np.flatnonzero(~core):
        near = core & (apart[i] <= 4.2)
        least = model.labels_[near].min() if near.any() else -1
        assert model.labels_[i] == least


def test_the_order_of_samples_changes_names_only():
    X = blobs(1500)
    order = np.random.default_rng(5).permutation(len(X))
    one = DBSCAN(eps=4.5).fit(X)
    two = DBSCAN(eps=4.5).fit(X[order])
    core = np.isin(order, one.core_sample_indices_)
    assert np.flatnonzero(core).tolist() == two.core_sample_indices_.tolist()
    again = one.labels_[order]
    assert adjusted_rand_score(again[core], two.labels_[core]) == 1.0
    assert ((again == -1) == (two.labels_ == -1)).all()
