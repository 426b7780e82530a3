"""Affinity propagation: scikit-learn's exemplars, and what they are worth."""

import warnings

import numpy as np
import pytest
import sklearn.cluster
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import AffinityPropagation


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(80, 3, centers=4, random_state=1)[0]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"preference": -50.0},
        {"preference": -np.linspace(1.0, 90.0, 80)},
        {"damping": 0.9, "convergence_iter": 5},
        {"affinity": "precomputed"},
    ],
    ids=["default", "preference", "preferences", "damping", "precomputed"],
)
def test_exemplars_and_labels_are_those_of_scikit_learn(blobs, settings):
    X = blobs
    if "affinity" in settings:
        X = -euclidean_distances(blobs)
    ours = AffinityPropagation(**settings, random_state=0).fit(X)
    theirs = sklearn.cluster.AffinityPropagation(**settings, random_state=0).fit(X)
    np.testing.assert_array_equal(
        ours.cluster_centers_indices_, theirs.cluster_centers_indices_
    )
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.n_iter_ == theirs.n_iter_


def net_similarity(alike, exemplars, preference):
    return alike[:, exemplars].max(axis=1).sum() + len(exemplars) * preference


def test_a_few_samples_get_the_best_exemplars_of_all(rng):
    X = rng.normal(size=(9, 2)) + np.repeat([[0, 0], [6, 0], [0, 6]], 3, axis=0)
    alike = -euclidean_distances(X, squared=True)
    model = AffinityPropagation(preference=-8.0, random_state=0).fit(X)
    every = [
        [i for i in range(9) if code >> i & 1] for code in range(1, 2**9)
    ]  # all sets of exemplars
    np.fill_diagonal(alike, 0.0)
    best = max(net_similarity(alike, some, -8.0) for some in every)
    found = net_similarity(alike, model.cluster_centers_indices_, -8.0)
    assert found == pytest.approx(best)


def test_a_larger_preference_makes_more_clusters(blobs):
    sizes = [
        len(
            AffinityPropagation(preference=preference, damping=0.8, random_state=0)
            .fit(blobs)
            .cluster_centers_indices_
        )
        for preference in (-200.0, -20.0, -1.0)
    ]
    assert sizes[0] < sizes[1] < sizes[2]


def test_new_samples_join_the_nearest_or_most_similar_exemplar(blobs):
    near = AffinityPropagation(preference=-50.0, random_state=0).fit(blobs)
    np.testing.assert_array_equal(near.predict(blobs), near.labels_)
    thin = AffinityPropagation(preference=-50.0, random_state=0)
    thin.fit(sparse.csr_array(blobs))
    np.testing.assert_array_equal(thin.predict(sparse.csr_array(blobs)), near.labels_)
    alike = -euclidean_distances(blobs, squared=True)
    given = AffinityPropagation(
        preference=-50.0, affinity="precomputed", random_state=0
    ).fit(alike)
    np.testing.assert_array_equal(given.predict(alike), near.labels_)
    np.testing.assert_array_equal(given.affinity_matrix_, alike)


def test_where_nothing_tells_samples_apart_preference_decides():
    with pytest.warns(UserWarning, match="mutually equal"):
        one = AffinityPropagation().fit(np.ones((5, 2)))
    np.testing.assert_array_equal(one.labels_, np.zeros(5))
    with pytest.warns(UserWarning, match="mutually equal"):
        each = AffinityPropagation(preference=1.0).fit(np.ones((5, 2)))
    np.testing.assert_array_equal(each.labels_, np.arange(5))
    alone = AffinityPropagation().fit([[3.0, 4.0]])
    np.testing.assert_array_equal(alone.labels_, [0])


def test_far_from_the_origin_nothing_is_lost(blobs):
    near = AffinityPropagation(preference=-50.0, random_state=0).fit(blobs)
    far = AffinityPropagation(preference=-50.0, random_state=0).fit(blobs + 1e9)
    np.testing.assert_array_equal(far.labels_, near.labels_)


def test_votes_without_an_outcome_are_told(blobs):
    short = AffinityPropagation(preference=-10.0, max_iter=2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="did not settle"):
        short.fit(blobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = AffinityPropagation(max_iter=1, random_state=0).fit(blobs)
    assert not len(model.cluster_centers_indices_)
    with pytest.warns(ConvergenceWarning, match="no exemplars"):
        assert model.predict(blobs[:3]).tolist() == [-1, -1, -1]
    np.testing.assert_array_equal(model.labels_, np.full(80, -1))


def test_what_cannot_be_is_told(blobs):
    with pytest.raises(InvalidParameterError, match="damping must be in"):
        AffinityPropagation(damping=1.0).fit(blobs)
    with pytest.raises(DataError, match="a square matrix, got shape"):
        AffinityPropagation(affinity="precomputed").fit(blobs)
    with pytest.raises(DataError, match="one for each of 80 samples"):
        AffinityPropagation(preference=[1.0, 2.0]).fit(blobs)
