"""Linkage: the trees of SciPy, the cuts of scikit-learn, and hard cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering as Theirs
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.clustering import AgglomerativeClustering, Dendrogram, linkage
from infimum.models.clustering.hierarchy._merging import METHODS, merge_matrix
from infimum.models.clustering.hierarchy._tree import grow

every_method = pytest.mark.parametrize("method", METHODS)


def sample(n=150, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@every_method
def test_trees_are_those_of_scipy(method):
    X = sample()
    np.testing.assert_allclose(linkage(X, method), hierarchy.linkage(X, method))


@every_method
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_samples_have_small_trees(method, n):
    X = sample(n)
    tree = linkage(X, method)
    assert tree.shape == (n - 1, 4)
    if n > 1:
        np.testing.assert_allclose(tree, hierarchy.linkage(X, method))


@pytest.mark.parametrize("metric, name", [("manhattan", "cityblock"), ("cosine",) * 2])
@pytest.mark.parametrize("method", ["single", "complete", "average", "weighted"])
def test_other_distances_grow_the_same_trees(method, metric, name):
    X = sample(60)
    theirs = hierarchy.linkage(X, method, name)
    np.testing.assert_allclose(linkage(X, method, metric), theirs, rtol=1e-7)
    given = squareform(pdist(X, name))
    np.testing.assert_allclose(linkage(given, method, "precomputed"), theirs)


@pytest.mark.parametrize("method", ["complete", "average", "weighted", "ward"])
def test_chains_and_rounds_grow_the_same_tree(method):
    """Points with ever larger gaps: only one pair at a time prefers each other."""
    X = np.cumsum(1.3 ** np.arange(60.0))[:, None]
    np.testing.assert_allclose(
        linkage(X, method), hierarchy.linkage(X, method), rtol=1e-9
    )


def test_ward_with_many_features_uses_distances_and_agrees():
    X = sample(80, 100)
    np.testing.assert_allclose(linkage(X, "ward"), hierarchy.linkage(X, "ward"))
    weights = np.random.default_rng(1).integers(1, 4, 80)
    again = linkage(np.repeat(X, weights, axis=0), "ward")[:, 2]
    ours = linkage(X, "ward", sample_weight=weights)[:, 2]
    np.testing.assert_allclose(ours, again[again > 0])


@pytest.mark.parametrize(
    "method", ["single", "complete", "average", "ward", "centroid"]
)
def test_a_weight_of_k_is_k_copies(method):
    X, weights = sample(40), np.random.default_rng(1).integers(1, 4, 40)
    repeated = linkage(np.repeat(X, weights, axis=0), method)
    weighted = linkage(X, method, sample_weight=weights)
    np.testing.assert_allclose(weighted[:, 2], repeated[repeated[:, 2] > 0, 2])
    assert weighted[-1, 3] == weights.sum()


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.integers(1, 3), st.sampled_from(METHODS))
def test_ties_and_duplicates_still_give_a_valid_tree(n, d, method):
    X = np.random.default_rng(n).integers(0, 3, size=(n, d)).astype(float)
    tree = linkage(X, method)
    assert hierarchy.is_valid_linkage(tree)
    if method not in ("centroid", "median"):
        assert (np.diff(tree[:, 2]) >= 0).all()
    if method == "single":  # the only one whose heights ties leave alone
        np.testing.assert_allclose(tree[:, 2], hierarchy.linkage(X, method)[:, 2])


def test_equal_points_merge_at_height_0():
    assert not linkage(np.ones((9, 2)), "average")[:, 2].any()
    assert not linkage(np.ones((9, 2)), "ward")[:, 2].any()


def test_preferences_that_go_in_a_circle_end():
    """Rounding can make distances differ by side; then nobody is preferred back."""
    D = np.array([[np.inf, 1.0, 2.0], [2.0, np.inf, 1.0], [1.0, 2.0, np.inf]])
    tree = grow(merge_matrix(D, "complete", np.ones(3)), np.ones(3), "unions")
    assert hierarchy.is_valid_linkage(tree)


@pytest.mark.parametrize("kind", ["ward", "complete", "average", "single"])
def test_flat_clusters_are_those_of_scikit_learn(kind):
    X = sample(200)
    ours = AgglomerativeClustering(6, linkage=kind).fit(X)
    theirs = Theirs(6, linkage=kind, compute_distances=True).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_allclose(ours.distances_, theirs.distances_)
    # Between two heights: at one of them rounding decides.
    cut = float(np.sort(ours.distances_)[99:101].mean())
    ours = AgglomerativeClustering(None, linkage=kind, distance_threshold=cut).fit(X)
    theirs = Theirs(None, linkage=kind, distance_threshold=cut).fit(X)
    assert ours.n_clusters_ == theirs.n_clusters_
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0


@pytest.mark.parametrize("kind", ["ward", "complete", "average", "single"])
def test_a_graph_constrains_the_merges_as_in_scikit_learn(kind):
    X = sample(200)
    graph = kneighbors_graph(X, 8)
    ours = AgglomerativeClustering(5, linkage=kind, connectivity=graph).fit(X)
    theirs = Theirs(
        5, linkage=kind, connectivity=graph + graph.T, compute_full_tree=True,
        compute_distances=True,
    ).fit(X)  # fmt: skip
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_allclose(ours.distances_, theirs.distances_)


def test_a_graph_in_parts_is_joined_with_a_warning():
    X = np.array([[0.0], [1.0], [5.0], [6.0]])
    graph = np.zeros((4, 4))
    graph[0, 1] = graph[2, 3] = 1
    model = AgglomerativeClustering(2, connectivity=csr_array(graph))
    with pytest.warns(UserWarning, match="2 connected components"):
        model.fit(X)
    assert model.labels_.tolist() == [0, 0, 1, 1]
    assert model.n_connected_components_ == 2


@pytest.mark.parametrize("metric", ["manhattan", "cosine", "precomputed"])
def test_parts_of_a_graph_are_joined_where_the_metric_says_they_are_closest(metric):
    X = sample(30, 3)
    far = pdist(X, "cosine" if metric == "cosine" else "cityblock")
    given = squareform(far) if metric == "precomputed" else X
    model = AgglomerativeClustering(
        2, metric=metric, linkage="single", connectivity=np.zeros((30, 30))
    )
    with pytest.warns(UserWarning, match="30 connected components"):
        model.fit(given)
    heights = hierarchy.linkage(far, "single")[:, 2]
    np.testing.assert_allclose(np.sort(model.distances_), heights)


def test_manhattan_lengths_along_a_graph():
    X = sample(30, 2)
    graph = np.ones((30, 30))
    free = linkage(X, "complete", "manhattan")
    model = AgglomerativeClustering(
        3, metric="manhattan", linkage="complete", connectivity=lambda _: graph
    ).fit(X)
    np.testing.assert_allclose(model.distances_, free[:, 2])


@pytest.mark.parametrize("kind", METHODS)
def test_new_points_join_the_cluster_that_is_closest_by_the_same_linkage(kind):
    draw = np.random.default_rng(0)
    X = np.concatenate([draw.normal(c, 0.3, size=(20, 2)) for c in (0, 5, 10)])
    model = AgglomerativeClustering(3, linkage=kind).fit(X)
    assert np.array_equal(model.predict(X), model.labels_)
    assert model.predict([[10.3, 9.8]])[0] == model.labels_[-1]


def test_each_linkage_has_its_own_idea_of_the_closest_cluster():
    long, short = np.arange(0.0, 10.0, 0.5), np.array([14.0, 14.2])
    X = np.concatenate([long, short])[:, None]
    found = {}
    for kind in ("single", "complete", "average", "ward", "centroid"):
        given = AgglomerativeClustering(2, linkage=kind).fit(X)
        given.labels_ = np.repeat([0, 1], [len(long), len(short)])
        found[kind] = given.predict([[10.5], [8.0]]).tolist()
    assert found["single"] == [0, 0]
    assert found["average"] == found["centroid"] == [1, 0]
    assert found["complete"] == [1, 1]
    assert found["ward"] == [1, 0]


def test_precomputed_distances_predict_from_distances():
    X = np.array([[0.0], [0.5], [4.0], [4.5]])
    model = AgglomerativeClustering(2, metric="precomputed", linkage="average")
    model.fit(squareform(pdist(X)))
    assert model.predict(np.abs(np.array([[3.0], [0.1]]) - X.T)).tolist() == [1, 0]


def test_cuts_by_height_respect_inversions():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]])
    tree = Dendrogram(linkage(X, "centroid"))
    assert tree.has_inversions
    assert tree.cut(height=0.95).tolist() == [0, 1, 2]
    assert tree.cut(height=1.0).tolist() == [0, 0, 0]


def test_a_figure_shows_every_merge_and_colours_the_clusters():
    tree = Dendrogram(linkage(sample(20), "average"))
    figure = tree.plot(n_clusters=3, labels=[f"s{i}" for i in range(20)])
    brackets = sum(np.isnan(trace.y).sum() for trace in figure.data)
    assert brackets == 19
    clusters = {trace.name for trace in figure.data}
    assert "above the cut" in clusters
    assert set(figure.layout.xaxis.ticktext) == {f"s{i}" for i in range(20)}
    assert len(Dendrogram(linkage(sample(200), "ward")).plot().data) == 1


@pytest.mark.parametrize(
    "change, error, words",
    [
        ({"n_clusters": 9}, DataError, "as many samples as clusters"),
        ({"n_clusters": None}, InvalidParameterError, "Exactly one of"),
        ({"linkage": "nearest"}, InvalidParameterError, "linkage must be one of"),
        ({"metric": "manhattan"}, IncompatibleError, "Euclidean"),
        ({"connectivity": np.eye(3)}, DataError, r"shape \(4, 4\)"),
    ],
)
def test_bad_questions_get_one_sentence(change, error, words):
    with pytest.raises(error, match=words):
        AgglomerativeClustering(**change).fit(sample(4))


def test_bad_distances_and_weights_get_one_sentence():
    with pytest.raises(DataError, match="symmetric square"):
        linkage([[0.0, 1.0], [2.0, 0.0]], metric="precomputed")
    with pytest.raises(DataError, match="positive sample weights"):
        linkage(sample(3), sample_weight=[1, 0, 1])
    with pytest.raises(InvalidParameterError, match="either n_clusters or height"):
        Dendrogram(linkage(sample(3))).cut()
    with pytest.raises(InvalidParameterError, match="n_clusters must be"):
        Dendrogram(linkage(sample(3))).cut(n_clusters=4)
