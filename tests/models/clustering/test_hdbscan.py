"""HDBSCAN: the tree of all densities, its branches and the clusters chosen."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.cluster import HDBSCAN as PEER
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.clustering import DBSCAN, HDBSCAN


def blobs(seed, n=400, d=3, spread=0.8):
    return make_blobs(n, d, centers=4, cluster_std=spread, random_state=seed)[0]


def reaches(X, enough, scale=1.0):
    apart = cdist(X, X)
    radii = np.sort(apart, axis=1)[:, enough - 1]
    return np.maximum(np.maximum(apart / scale, radii), radii[:, None])


@pytest.mark.parametrize(("n", "d"), [(300, 2), (900, 3), (700, 20)])
@pytest.mark.parametrize("scale", [1.0, 1.7])
def test_the_tree_is_a_minimum_spanning_tree_of_mutual_reachabilities(n, d, scale):
    X = blobs(1, n, d)
    model = HDBSCAN(min_samples=6, alpha=scale).fit(X)
    whole = minimum_spanning_tree(np.triu(reaches(X, 6, scale), 1))
    heights = np.sort(whole.data)
    np.testing.assert_allclose(model.dendrogram_.heights, heights, rtol=1e-12)


@pytest.mark.parametrize("method", ["eom", "leaf"])
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_clusters_and_probabilities_are_those_of_scikit_learn(method, single, metric):
    settings = {
        "min_cluster_size": 12,
        "min_samples": 1,  # radii of 0: no two heights are equal, and trees unique
        "cluster_selection_method": method,
        "allow_single_cluster": single,
        "metric": metric,
    }
    X = blobs(2)
    ours = HDBSCAN(**settings).fit(X)
    theirs = PEER(**settings, copy=True).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    assert ((ours.labels_ == -1) == (theirs.labels_ == -1)).all()
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-9)


def test_default_settings_agree_with_scikit_learn_on_clear_clusters():
    X = blobs(3, spread=0.4)
    ours, theirs = HDBSCAN().fit(X), PEER(copy=True).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-9)
    assert ours.labels_.max() == 3


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"min_samples": 10, "min_cluster_size": 4},
        {"min_cluster_size": 9, "cluster_selection_method": "leaf"},
        {"cluster_selection_epsilon": 0.4, "allow_single_cluster": True},
        {"max_cluster_size": 60},
    ],
    ids=lambda settings: "-".join(settings) or "default",
)
def test_clusters_do_not_depend_on_the_order_of_equal_distances(settings):
    draw = np.random.default_rng(4)
    X = np.round(draw.normal(size=(300, 2)) + 3.0 * draw.integers(0, 3, (300, 1)), 1)
    order = draw.permutation(300)
    one, two = HDBSCAN(**settings).fit(X), HDBSCAN(**settings).fit(X[order])
    assert adjusted_rand_score(one.labels_[order], two.labels_) == 1.0
    np.testing.assert_allclose(one.probabilities_[order], two.probabilities_)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"alpha": 1.5, "min_samples": 2},
        {"allow_single_cluster": True, "min_cluster_size": 150},
        {"metric": "manhattan", "cluster_selection_epsilon": 0.7},
    ],
    ids=lambda settings: "-".join(settings) or "default",
)
def test_old_samples_are_predicted_their_labels(settings):
    X = blobs(5)
    model = HDBSCAN(**settings).fit(X)
    assert model.predict(X).tolist() == model.labels_.tolist()


def test_new_samples_join_clusters_or_are_noise():
    X = blobs(6, spread=0.4)
    model = HDBSCAN(store_centers="both").fit(X)
    assert model.predict(model.medoids_).tolist() == [0, 1, 2, 3]
    near = model.centroids_ + 1e-3
    assert model.predict(near).tolist() == [0, 1, 2, 3]
    far = np.full((1, 3), 1e3)
    assert model.predict(far).tolist() == [-1]
    means = [
        np.average(X[model.labels_ == c], 0, model.probabilities_[model.labels_ == c])
        for c in range(4)
    ]
    np.testing.assert_allclose(model.centroids_, means)
    theirs = PEER(copy=True, store_centers="both").fit(X)
    middles = {tuple(row) for row in theirs.medoids_}
    assert {tuple(row) for row in model.medoids_} == middles


def test_epsilon_joins_what_split_below_it():
    draw = np.random.default_rng(7)
    X = np.concatenate([draw.normal(c, 0.05, (40, 1)) for c in (0.0, 1.0, 20.0, 21.0)])
    fine = HDBSCAN(min_cluster_size=20).fit(X)
    assert fine.labels_.max() == 3
    coarse = HDBSCAN(cluster_selection_epsilon=3.0).fit(X)
    assert coarse.labels_.max() == 1
    assert (coarse.labels_[:80] == 0).all()
    assert (coarse.labels_[80:] == 1).all()
    one = HDBSCAN(cluster_selection_epsilon=30.0, allow_single_cluster=True).fit(X)
    assert (one.labels_ == 0).all()


def test_a_cut_is_dbscan_without_border_samples():
    X = blobs(8)
    model = HDBSCAN(min_samples=5).fit(X)
    for radius in (0.3, 0.5, 0.9):
        cut = model.dbscan_clustering(radius, min_cluster_size=1)
        peer = DBSCAN(eps=np.nextafter(radius, 0), min_samples=5).fit(X)
        core = peer.core_sample_indices_
        assert adjusted_rand_score(cut[core], peer.labels_[core]) == 1.0
        rest = np.setdiff1d(np.arange(len(X)), core)
        assert len(set(cut[rest])) == len(rest)
    small = model.dbscan_clustering(0.5, min_cluster_size=30)
    assert all(np.sum(small == label) >= 30 for label in range(small.max() + 1))


def test_samples_that_cannot_be_compared_have_labels_of_their_own():
    X = blobs(9)
    broken = X.copy()
    broken[3, 0], broken[7, 1], broken[8] = np.inf, np.nan, (np.nan, np.inf, 0.0)
    model = HDBSCAN().fit(broken)
    assert model.labels_[[3, 7, 8]].tolist() == [-2, -3, -3]
    assert model.probabilities_[3] == 0.0
    assert np.isnan(model.probabilities_[[7, 8]]).all()
    keep = np.setdiff1d(np.arange(len(X)), [3, 7, 8])
    assert model.labels_[keep].tolist() == HDBSCAN().fit(X[keep]).labels_.tolist()
    assert model.predict(broken[[3, 7, 8]]).tolist() == [-2, -3, -3]
    assert model.dbscan_clustering(0.5)[[3, 7]].tolist() == [-2, -3]


def test_sparse_and_precomputed_samples_have_the_same_clusters():
    X = blobs(10)
    labels = HDBSCAN().fit(X).labels_
    thin = HDBSCAN().fit(sparse.csr_array(X))
    assert adjusted_rand_score(thin.labels_, labels) == 1.0
    given = HDBSCAN(metric="precomputed").fit(cdist(X, X))
    assert given.labels_.tolist() == labels.tolist()
    assert given.predict(cdist(X[:9], X)).tolist() == labels[:9].tolist()


@pytest.mark.parametrize(
    "later",
    [
        {"min_cluster_size": 60},
        {"min_samples": 40},
        {"cluster_selection_epsilon": 50.0, "allow_single_cluster": True},
        {"cluster_selection_method": "leaf"},
        {"alpha": 0.1},
        {"metric": "precomputed"},
    ],
    ids=str,
)
def test_parameters_set_after_a_fit_do_not_change_its_predictions(later):
    queries = blobs(3, 200, spread=2.0)
    model = HDBSCAN().fit(blobs(3))
    before = model.predict(queries)
    assert model.set_params(**later).predict(queries).tolist() == before.tolist()


def test_repeated_samples_are_one_place():
    X = np.repeat([[0.0], [5.0], [9.0]], 8, axis=0)
    model = HDBSCAN().fit(X)
    assert model.labels_.tolist() == np.repeat([0, 1, 2], 8).tolist()
    assert (model.probabilities_ == 1.0).all()
    alone = HDBSCAN(allow_single_cluster=True).fit(np.zeros((9, 2)))
    assert (alone.labels_ == 0).all()
    assert (HDBSCAN().fit(np.zeros((9, 2))).labels_ == -1).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_cluster_size": 1}, "min_cluster_size"),
        ({"alpha": 0.0}, "alpha"),
        ({"cluster_selection_method": "best"}, "cluster_selection_method"),
        ({"store_centers": "all"}, "store_centers"),
        ({"min_samples": 0}, "min_samples"),
    ],
)
def test_settings_out_of_their_domain_are_named(settings, message):
    with pytest.raises(InvalidParameterError, match=f"HDBSCAN.{message}"):
        HDBSCAN(**settings).fit(blobs(0))


def test_what_cannot_be_clustered_is_told_in_one_sentence():
    with pytest.raises(DataError, match="at least 5 finite samples"):
        HDBSCAN().fit(blobs(0)[:4])
    with pytest.raises(DataError, match="symmetric"):
        HDBSCAN(metric="precomputed").fit(np.arange(9.0).reshape(3, 3))
    with pytest.raises(IncompatibleError, match="store_centers must be None"):
        HDBSCAN(metric="precomputed", store_centers="medoid").fit(np.zeros((6, 6)))
