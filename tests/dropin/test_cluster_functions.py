"""All names of scikit-learn's clustering are here, and its functions do the same."""

import inspect

import numpy as np
import pytest
import sklearn.cluster
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import manhattan_distances, rbf_kernel
from sklearn.neighbors import kneighbors_graph

from infimum.dropin import cluster
from infimum.errors import DataError, InvalidParameterError

X = make_blobs(80, 2, centers=3, random_state=0)[0]
#: A path through the samples, along which all of them are connected.
ALONG = np.eye(80, k=1) + np.eye(80, k=-1)


def test_every_name_drops_in():
    assert set(cluster.__all__) == set(sklearn.cluster.__all__)


@pytest.mark.parametrize("name", sklearn.cluster.__all__)
def test_parameters_and_their_defaults_are_those_of_scikit_learn(name):
    theirs = inspect.signature(getattr(sklearn.cluster, name)).parameters
    ours = inspect.signature(getattr(cluster, name)).parameters
    by_place = [p.name for p in theirs.values() if p.kind != p.KEYWORD_ONLY]
    assert list(ours)[: len(by_place)] == by_place
    assert [name for name in ours if name in theirs] == list(theirs)
    for parameter in theirs.values():
        assert ours[parameter.name].default == parameter.default
        assert ours[parameter.name].kind == parameter.kind
    for extra in set(ours) - set(theirs):
        assert ours[extra].default is not inspect.Parameter.empty


def same_parts(ours, theirs):
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other)


def test_k_means_returns_centres_labels_objective_and_iterations():
    settings = {"init": X[:3], "n_init": 1, "return_n_iter": True}
    ours = cluster.k_means(X, 3, **settings)
    same_parts(ours[:3], sklearn.cluster.k_means(X, 3, **settings)[:3])
    assert len(ours) == 4
    assert len(cluster.k_means(X, 3, random_state=0)) == 3


def test_density_functions_return_what_scikit_learn_returns():
    for settings in ({}, {"eps": 0.8, "min_samples": 3, "p": 1}):
        ours = cluster.dbscan(X, **settings)
        same_parts(ours, sklearn.cluster.dbscan(X, **settings))
    settings = {
        "min_samples": 4, "max_eps": 3.0, "metric": "minkowski", "p": 2,
        "metric_params": None, "algorithm": "auto", "leaf_size": 30, "n_jobs": None,
    }  # fmt: skip
    ours = cluster.compute_optics_graph(X, **settings)
    same_parts(ours, sklearn.cluster.compute_optics_graph(X, **settings))


def test_mean_shift_and_messages_return_what_scikit_learn_returns():
    ours = cluster.mean_shift(X, bandwidth=2.0)
    same_parts(ours, sklearn.cluster.mean_shift(X, bandwidth=2.0))
    S = -manhattan_distances(X)
    settings = {"preference": -9.0, "return_n_iter": True, "random_state": 0}
    ours = cluster.affinity_propagation(S, **settings)
    same_parts(ours, sklearn.cluster.affinity_propagation(S, **settings))
    assert len(cluster.affinity_propagation(S, random_state=0)) == 2


def test_spectral_labels_are_those_of_scikit_learn():
    W = rbf_kernel(X, gamma=0.5)
    ours = cluster.spectral_clustering(W, n_clusters=3, random_state=0)
    theirs = sklearn.cluster.spectral_clustering(W, n_clusters=3, random_state=0)
    assert adjusted_rand_score(ours, theirs) == 1.0


@pytest.mark.parametrize("graph", ["none", "neighbors", "path"])
def test_ward_trees_are_those_of_scikit_learn(graph):
    connectivity = {
        "none": None, "neighbors": kneighbors_graph(X, 40), "path": ALONG
    }[graph]  # fmt: skip
    settings = {"connectivity": connectivity, "return_distance": True}
    ours = cluster.ward_tree(X, **settings)
    theirs = sklearn.cluster.ward_tree(X, **settings)
    np.testing.assert_array_equal(ours[0], theirs[0])
    assert ours[1:3] == theirs[1:3]
    if connectivity is not None:
        np.testing.assert_array_equal(ours[3], theirs[3])
    np.testing.assert_allclose(ours[4], theirs[4])


@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
@pytest.mark.parametrize("affinity", ["euclidean", "l1", manhattan_distances])
def test_linkage_trees_are_those_of_scikit_learn(linkage, affinity):
    settings = {"linkage": linkage, "affinity": affinity, "return_distance": True}
    ours = cluster.linkage_tree(X, **settings)
    theirs = sklearn.cluster.linkage_tree(X, **settings)
    np.testing.assert_allclose(np.sort(ours[4]), np.sort(theirs[4]))
    np.testing.assert_array_equal(np.sort(ours[0]), np.sort(theirs[0]))
    assert ours[1:4] == (1, 80, None)


def test_trees_along_a_graph_stop_where_they_should():
    settings = {"connectivity": ALONG, "n_clusters": 5, "linkage": "complete"}
    ours = cluster.linkage_tree(X, **settings)
    theirs = sklearn.cluster.linkage_tree(X, **settings)
    assert ours[0].shape == (75, 2)
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_array_equal(ours[3], theirs[3])
    with pytest.raises(DataError, match="more clusters than samples"):
        cluster.ward_tree(X, connectivity=ALONG, n_clusters=81)
    with pytest.raises(InvalidParameterError, match="linkage must be one of"):
        cluster.linkage_tree(X, linkage="ward")
    assert cluster.ward_tree(X[:, 0])[0].shape == (79, 2)
