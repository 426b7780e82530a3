"""DBSCAN and level sets: scikit-learn's labels, weights, and new samples."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn import cluster
from sklearn.datasets import make_moons

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import (
    DBSCAN,
    AgglomerativeClustering,
    LevelSetClustering,
)
from infimum.models.density import KernelDensity

CASES = [
    (1200, 2, 0.053, 5),
    (1500, 3, 0.3, 10),
    (400, 1, 0.01, 4),
    (600, 5, 0.8, 5),
    (300, 2, 5.0, 5),
    (300, 2, 1e-9, 5),
    (200, 2, 0.1, 1),
    (200, 40, 8.0, 5),
]


@pytest.mark.parametrize("n, d, eps, enough", CASES)
@pytest.mark.parametrize("settings", [{}, {"metric": "manhattan"}], ids=["l2", "l1"])
def test_labels_are_those_of_scikit_learn(n, d, eps, enough, settings):
    X = np.random.default_rng(n).normal(size=(n, d))
    ours = DBSCAN(eps, min_samples=enough, **settings).fit(X)
    theirs = cluster.DBSCAN(eps, min_samples=enough, **settings).fit(X)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert np.array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    assert np.array_equal(ours.components_, theirs.components_)
    assert np.array_equal(ours.predict(X), ours.labels_)


@pytest.mark.parametrize("algorithm, d", [("auto", 20), ("auto", 70), ("brute", 3)])
def test_tiles_of_products_find_clusters_among_many_features(algorithm, d):
    draw = np.random.default_rng(d)
    labels, weights = draw.integers(0, 8, 1300), draw.integers(1, 4, 1300)
    X = 2.0 * draw.normal(size=(8, d))[labels] + draw.normal(size=(1300, d))
    eps = 1.2 * np.sqrt(d)
    theirs = cluster.DBSCAN(eps, min_samples=6, algorithm="kd_tree")
    theirs.fit(X, sample_weight=weights)
    cases = [(X, 1.0), (1e150 * X, 1e150), (X.astype(np.float32), 1.0), (X + 1e6, 1.0)]
    for samples, unit in cases:
        ours = DBSCAN(eps * unit, min_samples=6, algorithm=algorithm)
        ours.fit(samples, sample_weight=weights)
        assert np.array_equal(ours.labels_, theirs.labels_)
        assert np.array_equal(ours.predict(samples), ours.labels_)
    assert ours.predict(np.full((1, d), 1e200)).tolist() == [-1]


def test_products_that_rounding_could_decide_are_decided_by_differences():
    draw = np.random.default_rng(3)
    # Whole numbers: many distances are exactly eps, and count as near.
    X = draw.integers(0, 3, (700, 18)).astype(float)
    eps = np.sqrt(8.0)
    ours = DBSCAN(eps, min_samples=3).fit(X)
    near = cdist(X, X, "sqeuclidean") <= 8.0
    assert np.count_nonzero(cdist(X, X, "sqeuclidean") == 8.0) > 600
    core = near.sum(axis=1) >= 3
    assert np.array_equal(ours.core_sample_indices_, np.flatnonzero(core))
    count, _ = connected_components(csr_array(near[np.ix_(core, core)]))
    assert ours.labels_.max() + 1 == count


def test_a_weight_of_k_is_k_copies_and_a_heavy_sample_is_a_core():
    draw = np.random.default_rng(0)
    X, weights = draw.normal(size=(400, 2)), draw.integers(1, 4, 400)
    ours = DBSCAN(0.15, min_samples=6).fit(X, sample_weight=weights)
    theirs = cluster.DBSCAN(0.15, min_samples=6).fit(X, sample_weight=weights)
    assert np.array_equal(ours.labels_, theirs.labels_)
    weights[::5] = 0  # such samples may join a cluster, but do not make one
    ours.fit(X, sample_weight=weights)
    copies = DBSCAN(0.15, min_samples=6).fit(np.repeat(X, weights, axis=0))
    assert np.array_equal(ours.predict(X) < 0, copies.predict(X) < 0)
    kept = np.repeat(np.arange(400), weights)
    pairs = set(zip(ours.labels_[kept], copies.labels_, strict=True))
    assert len(pairs) == copies.labels_.max() + 2
    alone = DBSCAN(0.5, min_samples=5).fit([[0.0], [9.0]], sample_weight=[5, 4])
    assert alone.labels_.tolist() == [0, -1]


@pytest.mark.parametrize("form", ["sparse", "precomputed", "brute", "mahalanobis"])
def test_every_way_to_measure_finds_the_same_clusters(form):
    X = np.round(np.random.default_rng(1).normal(size=(300, 2)), 3)
    labels = DBSCAN(0.2123).fit(X).labels_
    if form == "sparse":
        model, given = DBSCAN(0.2123), csr_array(X)
    elif form == "precomputed":
        model, given = DBSCAN(0.2123, metric="precomputed"), squareform(pdist(X))
    elif form == "brute":
        model, given = DBSCAN(0.2123, algorithm="brute"), X
    else:
        rule = {"metric": "mahalanobis", "metric_params": {"VI": np.eye(2)}}
        model, given = DBSCAN(0.2123, **rule), X
    assert np.array_equal(model.fit(given).labels_, labels)
    assert np.array_equal(model.predict(given), labels)


def test_duplicates_one_point_and_noise_only():
    assert DBSCAN().fit(np.zeros((5, 3))).labels_.tolist() == [0] * 5
    one = DBSCAN().fit([[1.0, 2.0]])
    assert one.labels_.tolist() == [-1]
    assert one.predict([[1.0, 2.0]]).tolist() == [-1]
    with pytest.raises(InvalidParameterError, match=r"DBSCAN.eps must be"):
        DBSCAN(0.0).fit([[1.0]])
    # What a sparse matrix of distances does not hold is far away.
    apart = DBSCAN(0.5, min_samples=2, metric="precomputed").fit(csr_array(np.eye(3)))
    assert apart.labels_.tolist() == [-1, -1, -1]


@pytest.mark.syllabus("S1-142")
def test_level_set_clusters_are_components_of_the_samples_above_the_level():
    X, moon = make_moons(400, noise=0.06, random_state=0)
    model = LevelSetClustering(bandwidth=0.12, level=0.1).fit(X)
    above = np.exp(KernelDensity(bandwidth=0.12).fit(X).score_samples(X)) > 0.1
    assert np.array_equal(model.labels_ >= 0, above)
    assert model.eps_ == 0.12  # that of the windows unless given
    graph = csr_array(cdist(X[above], X[above]) <= 0.12)
    count, part = connected_components(graph, directed=False)
    assert count == model.labels_.max() + 1
    assert len(set(zip(part, model.labels_[above], strict=True))) == count
    big = np.flatnonzero(np.bincount(model.labels_[above]) > 20)
    assert len(big) == 2
    inside = np.isin(model.labels_, big)
    assert len(set(zip(moon[inside], model.labels_[inside], strict=True))) == 2
    assert inside.mean() > 0.9


def test_level_sets_assign_new_samples_and_the_old_ones_as_before():
    X, _ = make_moons(300, noise=0.06, random_state=1)
    model = LevelSetClustering(bandwidth=0.15, noise_share=0.1).fit(X)
    assert np.array_equal(model.predict(X), model.labels_)
    assert np.mean(model.labels_ < 0) == pytest.approx(0.1, abs=0.01)
    assert model.predict([[9.0, 9.0]]).tolist() == [-1]
    with pytest.raises(InvalidParameterError, match=r"LevelSetClustering.bandwidth"):
        LevelSetClustering(bandwidth=-1.0).fit(X)
    empty = LevelSetClustering(level=1e9).fit(X)
    assert set(empty.labels_) == {-1}
    assert empty.predict(X[:2]).tolist() == [-1, -1]


@pytest.mark.parametrize(
    "model",
    [
        DBSCAN(0.3),
        LevelSetClustering(bandwidth=0.3, kernel="epanechnikov"),
        AgglomerativeClustering(3, linkage="average"),
    ],
    ids=["dbscan", "level-sets", "linkage"],
)
def test_saved_clusters_assign_as_before(model, tmp_path):
    X = np.random.default_rng(0).normal(size=(120, 2))
    new = np.random.default_rng(1).normal(size=(30, 2))
    model.fit(X)
    infimum.save(model, tmp_path / "clusters.model")
    again = infimum.load(tmp_path / "clusters.model")
    assert np.array_equal(again.labels_, model.labels_)
    assert np.array_equal(again.predict(new), model.predict(new))
    copied = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copied.predict(new), model.predict(new))


def test_distances_that_equal_the_reach_count_however_they_are_measured():
    """Far from the origin products lose the digits that decide; differences do not."""
    X = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
    X = np.hstack([X + 1e5, np.full((64, 20), 1e5)])
    for reach, count in ((1.0, 1), (np.nextafter(1.0, 0.0), 64)):
        for algorithm in ("auto", "brute"):
            model = DBSCAN(reach, min_samples=1, algorithm=algorithm).fit(X)
            assert model.labels_.max() + 1 == count
        tree = DBSCAN(reach, min_samples=1).fit(X[:, :2])
        assert np.array_equal(tree.labels_, model.labels_)


def test_level_sets_of_copies_and_constant_columns():
    X = np.array([0.0, 0.1, 0.2, 4.0, 4.1, 4.2])[:, None]
    model = LevelSetClustering(bandwidth=0.3, noise_share=0.0)
    plain = model.fit_predict(X)
    assert plain.tolist() == [0, 0, 0, 1, 1, 1]
    flat = np.column_stack([X, np.full(6, 7.0)])
    assert np.array_equal(model.fit_predict(flat), plain)
    assert np.array_equal(model.fit_predict(X.repeat(5, axis=0)), plain.repeat(5))
    assert model.fit_predict(np.ones((8, 2))).tolist() == [0] * 8
    with pytest.raises(DataError, match="copies of it"):
        LevelSetClustering(bandwidth="local").fit(np.ones((20, 2)))
