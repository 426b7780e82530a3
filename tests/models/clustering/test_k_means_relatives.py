"""Relatives of k-means: medoids, medians, weights, kernels, shares, batches."""

import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.cluster import BisectingKMeans as TheirBisecting
from sklearn.metrics import adjusted_rand_score

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import (
    BisectingKMeans,
    GaussianMixture,
    KMeans,
    KMedians,
    KMedoids,
    MiniBatchKMeans,
    SoftKMeans,
    SpectralClustering,
    SphericalKMeans,
)
from infimum.models.kernel import KernelKMeans


def blobs(rng, k=3, n=50, d=2, apart=8.0):
    labels = np.repeat(np.arange(k), n)
    centres = apart * np.eye(max(k, d))[:k, :d]
    return rng.normal(size=(k * n, d)) + centres[labels], labels


def rings(rng, n=120):
    angle, ring = rng.uniform(0, 2 * np.pi, n), np.repeat([1.0, 5.0], n // 2)
    points = np.column_stack([np.cos(angle), np.sin(angle)]) * ring[:, None]
    return points, (ring > 2.0).astype(int)


@pytest.mark.syllabus("S4B-012")
def test_medoids_are_samples_found_from_distances_alone(rng):
    for _ in range(5):
        X = rng.normal(size=(9, 2))
        apart = cdist(X, X)
        model = KMedoids(3, metric="precomputed").fit(apart)
        best = min(
            apart[:, list(some)].min(axis=1).sum() for some in combinations(range(9), 3)
        )
        medoids = model.medoid_indices_
        assert model.inertia_ == pytest.approx(apart[:, medoids].min(axis=1).sum())
        assert model.inertia_ <= 1.1 * best
        for place in range(3):
            for new in range(9):
                other = medoids.copy()
                other[place] = new
                assert model.inertia_ <= apart[:, other].min(axis=1).sum() + 1e-12
        assert (model.predict(apart) == model.labels_).all()
        named = KMedoids(3).fit(X)
        assert named.medoid_indices_.tolist() == medoids.tolist()
        assert (named.cluster_centers_ == X[medoids]).all()


def test_precomputed_distances_must_be_square():
    with pytest.raises(DataError, match="square"):
        KMedoids(2, metric="precomputed").fit(np.ones((3, 4)))


@pytest.mark.syllabus("S4B-013")
def test_a_weight_is_a_number_of_copies_whatever_the_order(rng):
    X, _ = blobs(rng)
    weights = rng.integers(0, 4, len(X))
    rows = rng.permutation(np.repeat(np.arange(len(X)), weights))
    for model in (
        KMeans(5, random_state=3),
        KMeans(5, init="random", n_init=2, random_state=3),
        KMeans(5, init="farthest-first", n_init=2, random_state=3),
        KMedians(5, random_state=3),
        SphericalKMeans(5, random_state=3),
        SoftKMeans(5, random_state=3),
        BisectingKMeans(5, random_state=3),
    ):
        model.fit(X, sample_weight=weights)
        centres = model.cluster_centers_
        repeated = model.fit(X[rows]).cluster_centers_
        np.testing.assert_allclose(centres, repeated, atol=1e-7, err_msg=repr(model))


@pytest.mark.syllabus("S4B-013")
def test_centres_of_k_medians_halve_the_weight_of_their_cluster(rng):
    X, _ = blobs(rng, n=31)
    weights = rng.integers(1, 4, len(X))
    model = KMedians(3, random_state=0).fit(X, sample_weight=weights)
    for place, centre in enumerate(model.cluster_centers_):
        mine = model.labels_ == place
        copies = np.repeat(X[mine], weights[mine], axis=0)
        np.testing.assert_allclose(centre, np.median(copies, axis=0))
    apart = np.abs(X - model.cluster_centers_[model.labels_]).sum(axis=1)
    assert model.inertia_ == pytest.approx(weights @ apart)


@pytest.mark.syllabus("S4B-014")
def test_kernel_k_means_is_lloyd_in_feature_space(rng):
    X = rng.normal(size=(60, 2))
    first = KernelKMeans(4, kernel="linear", n_init=1, max_iter=1, random_state=0)
    start = first.fit(X).labels_
    kernel = first.set_params(max_iter=300).fit(X)
    plain = KMeans(4, init=start, tol=0.0).fit(X)
    assert kernel.labels_.tolist() == plain.labels_.tolist()
    assert kernel.inertia_ == pytest.approx(plain.inertia_)
    circles, truth = rings(rng)
    bent = KernelKMeans(2, gamma=0.2, n_init=20, random_state=0).fit(circles)
    assert adjusted_rand_score(truth, bent.labels_) == 1.0
    assert (
        adjusted_rand_score(truth, KMeans(2, random_state=0).fit_predict(circles)) < 0.5
    )


def test_kernel_k_means_weighs_samples(rng):
    X = rng.normal(size=(30, 2))
    weights = rng.integers(0, 3, 30)
    rows = np.repeat(np.arange(30), weights)
    model = KernelKMeans(3, kernel="linear", random_state=0)
    weighted = model.fit(X, sample_weight=weights).predict(X)
    cost = model.inertia_
    assert weighted.tolist() == model.fit(X[rows]).predict(X).tolist()
    assert cost == pytest.approx(model.inertia_)


@pytest.mark.syllabus("S4B-015")
def test_shares_sum_to_one_and_become_labels_as_the_stiffness_grows(rng):
    X, _ = blobs(rng, apart=3.0)
    start = X[[0, 60, 120]]
    soft = SoftKMeans(3, stiffness=0.3, init=start).fit(X)
    shares = soft.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares.max(axis=1) < 0.9).any()
    hard = KMeans(3, init=start, tol=0.0).fit(X)
    stiff = SoftKMeans(3, stiffness=1e4, init=start, tol=0.0).fit(X)
    assert stiff.labels_.tolist() == hard.labels_.tolist()
    np.testing.assert_allclose(stiff.cluster_centers_, hard.cluster_centers_, atol=1e-9)
    assert stiff.free_energy_ == pytest.approx(hard.inertia_, rel=1e-3)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([SoftKMeans, KMedians, SphericalKMeans]))
def test_the_objectives_of_the_relatives_never_rise(seed, kind):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    history = kind(4, random_state=seed).fit(X).history_
    assert (np.diff(history) <= 1e-9 * abs(history[0])).all()


@pytest.mark.syllabus("S4B-017")
def test_many_centres_quantise_and_few_clusters_of_any_shape_ask_for_a_graph(rng):
    pixels = rng.beta(0.4, 0.7, size=(3000, 3))
    palettes = [KMeans(k, random_state=0).fit(pixels) for k in (4, 100)]
    errors = [np.sqrt(model.inertia_ / len(pixels)) for model in palettes]
    assert errors[1] < 0.35 * errors[0]
    palette = palettes[1]
    quantised = palette.cluster_centers_[palette.predict(pixels)]
    assert len(np.unique(quantised, axis=0)) == 100
    shapes, truth = rings(rng)
    graph = SpectralClustering(2, affinity="nearest_neighbors", random_state=0)
    assert adjusted_rand_score(truth, graph.fit_predict(shapes)) == 1.0
    assert (
        adjusted_rand_score(truth, KMeans(2, random_state=0).fit_predict(shapes)) < 0.5
    )


def test_directions_cluster_whatever_their_lengths(rng):
    X, labels = blobs(rng, d=3)
    X = X * rng.uniform(0.01, 100.0, size=(len(X), 1))
    model = SphericalKMeans(3, random_state=0).fit(X)
    assert adjusted_rand_score(labels, model.labels_) > 0.95
    np.testing.assert_allclose(np.linalg.norm(model.cluster_centers_, axis=1), 1.0)
    assert (model.predict(7.0 * X) == model.labels_).all()


def test_bisecting_gives_a_tree_that_predicts(rng):
    X, labels = blobs(rng, k=4, d=4, apart=12.0)
    model = BisectingKMeans(4, n_init=3, random_state=0).fit(X)
    assert adjusted_rand_score(labels, model.labels_) == 1.0
    assert model.tree_children_.shape == (7, 2)
    assert (model.predict(X) == model.labels_).all()
    theirs = TheirBisecting(4, n_init=3, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(theirs.inertia_)


def test_batches_of_a_stream_end_near_k_means(rng):
    X, labels = blobs(rng, n=400)
    X = X[order := rng.permutation(len(X))]
    whole = KMeans(3, random_state=0).fit(X)
    stream = MiniBatchKMeans(3, random_state=0)
    for start in range(0, len(X), 100):
        stream.partial_fit(X[start : start + 100])
    assert stream.counts_.sum() == pytest.approx(len(X))
    assert -stream.score(X) < 1.05 * whole.inertia_
    table = MiniBatchKMeans(3, batch_size=100, random_state=0).fit(X)
    assert table.inertia_ < 1.05 * whole.inertia_
    assert adjusted_rand_score(labels[order], table.labels_) > 0.98


def test_equal_narrow_components_are_k_means(rng):
    X, _ = blobs(rng, apart=4.0)
    start = X[[0, 60, 120]]
    hard = KMeans(3, init=start, tol=0.0).fit(X)
    narrow = SoftKMeans(3, stiffness=0.5 / 1e-6, init=start, tol=0.0).fit(X)
    mixture = GaussianMixture(
        3,
        covariance_type="spherical",
        weights_init=np.full(3, 1 / 3),
        means_init=hard.cluster_centers_,
        precisions_init=np.full(3, 1e6),
        max_iter=1,
        tol=1e9,
        reg_covar=0.0,
    )
    with pytest.warns(match="did not settle"):
        mixture.fit(X)
    np.testing.assert_allclose(mixture.means_, hard.cluster_centers_, atol=1e-9)
    assert narrow.labels_.tolist() == hard.labels_.tolist()


def test_batches_are_drawn_from_samples_with_weight():
    X = np.random.default_rng(0).normal(size=(200, 2))
    X[:20] += 8.0
    weights = (np.arange(200) < 40).astype(float)
    settings = {"batch_size": 2, "init": X[:2], "random_state": 0, "max_iter": 3}
    settings |= {"max_no_improvement": None, "reassignment_ratio": 0.0}
    some = MiniBatchKMeans(2, **settings).fit(X, sample_weight=weights)
    assert some.n_steps_ == 60
    assert some.counts_.sum() == 120


@pytest.mark.parametrize("init", ["k-means++", "random", "farthest-first"])
def test_named_starts_are_made_on_some_of_the_samples(init, monkeypatch, rng):
    seen, module = [], sys.modules[MiniBatchKMeans.__module__]
    start = module.start_centres

    def watched(owner, init, k, rows, draw):
        seen.append(rows.n)
        return start(owner, init, k, rows, draw)

    monkeypatch.setattr(module, "start_centres", watched)
    X = rng.normal(size=(400, 2))
    for chosen, size in (
        ({"init_size": 30}, 30),
        ({"batch_size": 50}, 150),
        ({"init_size": 1}, 2),
        ({"init_size": 999}, 400),
    ):
        seen.clear()
        MiniBatchKMeans(2, init=init, n_init=1, random_state=0, **chosen).fit(X)
        assert seen == [size]


def test_given_labels_start_batches_even_where_samples_weigh_nothing(rng):
    X = np.repeat([[0.0], [9.0]], 20, axis=0) + rng.normal(size=(40, 1))
    labels, weights = np.repeat([0, 1], 20), np.tile([0.0, 1.0], 20)
    model = MiniBatchKMeans(2, init=labels, random_state=0)
    model.fit(X, sample_weight=weights)
    np.testing.assert_array_equal(model.labels_, labels)
    with pytest.raises(InvalidParameterError, match="init_size must be"):
        MiniBatchKMeans(2, init_size=0).fit(X)


@pytest.mark.parametrize("rule", [KMeans, MiniBatchKMeans, SphericalKMeans])
def test_distances_of_sparse_samples_are_as_precise_as_the_samples(rule, rng):
    X = sparse.csr_array(blobs(rng)[0].astype(np.float32))
    assert rule(3, random_state=0).fit_transform(X).dtype == np.float32
