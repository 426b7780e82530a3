"""OPTICS: the order of reachability, and clusters read off it."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn import cluster
from sklearn.datasets import make_blobs

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import (
    DBSCAN,
    OPTICS,
    cluster_optics_dbscan,
    cluster_optics_xi,
)


def blobs(seed, n=300, d=2):
    X = make_blobs(n, d, centers=4, cluster_std=0.7, random_state=seed)[0]
    return np.concatenate([X, np.random.default_rng(seed).uniform(-12, 12, (40, d))])


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_eps": 1.5},
        {"min_samples": 0.04, "xi": 0.1},
        {"metric": "manhattan", "min_cluster_size": 12},
        {"predecessor_correction": False},
        {"cluster_method": "dbscan", "eps": 0.8},
        {"cluster_method": "dbscan", "max_eps": 1.0},
    ],
    ids=lambda settings: "-".join(settings) or "default",
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_order_and_labels_are_those_of_scikit_learn(settings, seed):
    X = blobs(seed, d=2 + seed)
    ours, theirs = OPTICS(**settings).fit(X), cluster.OPTICS(**settings).fit(X)
    assert ours.ordering_.tolist() == theirs.ordering_.tolist()
    assert ours.predecessor_.tolist() == theirs.predecessor_.tolist()
    np.testing.assert_allclose(ours.reachability_, theirs.reachability_)
    np.testing.assert_allclose(ours.core_distances_, theirs.core_distances_)
    assert ours.labels_.tolist() == theirs.labels_.tolist()
    if settings.get("cluster_method") != "dbscan":
        assert ours.cluster_hierarchy_.tolist() == theirs.cluster_hierarchy_.tolist()


def test_each_sample_is_reached_at_the_least_distance_from_those_before():
    X = blobs(3)
    model = OPTICS(min_samples=6).fit(X)
    apart = cdist(X, X)
    radii = np.sort(apart, axis=1)[:, 5]
    np.testing.assert_allclose(model.core_distances_, radii)
    reach = np.maximum(apart, radii[:, None])
    order = model.ordering_
    for place in range(1, len(order)):
        rest = reach[np.ix_(order[:place], order[place:])]
        np.testing.assert_allclose(model.reachability_[order[place]], rest.min())


def test_a_level_gives_the_core_samples_of_dbscan():
    X = blobs(4)
    model = OPTICS(min_samples=5).fit(X)
    for eps in (0.4, 0.8, 1.5):
        labels = cluster_optics_dbscan(
            reachability=model.reachability_,
            core_distances=model.core_distances_,
            ordering=model.ordering_,
            eps=eps,
        )
        peer = DBSCAN(eps=eps, min_samples=5).fit(X)
        core = peer.core_sample_indices_
        pairs = set(zip(labels[core], peer.labels_[core], strict=True))
        assert len(pairs) == len(set(labels[core])) == peer.labels_.max() + 1


def test_old_samples_keep_their_labels_and_far_ones_are_noise():
    X = blobs(5)
    model = OPTICS().fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert model.predict([[1e3, 1e3]]).tolist() == [-1]


def test_all_forms_of_the_same_samples_have_one_order():
    X = blobs(6, 120)
    model = OPTICS().fit(X)
    given = OPTICS(metric="precomputed").fit(cdist(X, X))
    np.testing.assert_allclose(
        np.sort(given.reachability_), np.sort(model.reachability_)
    )
    assert given.predict(cdist(X[:9], X)).tolist() == given.labels_[:9].tolist()
    thin = OPTICS(metric="manhattan").fit(csr_array(X))
    dense = OPTICS(metric="manhattan").fit(X)
    assert thin.labels_.tolist() == dense.labels_.tolist()


def test_repeated_samples_lie_together():
    X = np.repeat([[0.0], [5.0]], 10, axis=0)
    model = OPTICS(cluster_method="dbscan", eps=1.0).fit(X)
    assert model.labels_.tolist() == [0] * 10 + [1] * 10


def test_what_cannot_be_ordered_is_told_in_one_sentence():
    X = blobs(7)
    for settings, name in [
        ({"min_samples": 1}, "min_samples"),
        ({"min_samples": 999}, "min_samples"),
        ({"xi": 1.0}, "xi"),
        ({"max_eps": -1.0}, "max_eps"),
        ({"eps": 2.0, "max_eps": 1.0}, "eps"),
        ({"cluster_method": "best"}, "cluster_method"),
    ]:
        with pytest.raises(InvalidParameterError, match=f"OPTICS.{name}"):
            OPTICS(**settings).fit(X)
    with pytest.raises(DataError, match="without missing or negative entries"):
        OPTICS(metric="precomputed").fit(X)
    with pytest.raises(DataError, match=r"in a square matrix, got shape \(3, 2\)"):
        OPTICS(metric="precomputed").fit(np.ones((3, 2)))
    model = OPTICS().fit(X)
    with pytest.raises(InvalidParameterError, match="min_cluster_size"):
        cluster_optics_xi(
            reachability=model.reachability_, predecessor=model.predecessor_,
            ordering=model.ordering_, min_samples=5, min_cluster_size=1,
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_equal_samples_are_predicted_to_be_like_the_first_of_them(seed):
    X = np.random.default_rng(seed).integers(0, 6, size=(40, 2)).astype(float)
    model = OPTICS(min_samples=4).fit(X)
    first = (cdist(X, X) == 0.0).argmax(axis=1)
    assert model.predict(X).tolist() == model.labels_[first].tolist()
