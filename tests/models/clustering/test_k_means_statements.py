"""k-means as the texts state it: objective, iteration, local optima, Voronoi cells."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans as TheirKMeans

from infimum.models.clustering import (
    KMeans,
    k_means_lower_bound,
    k_means_steps,
    pairwise_cost,
    within_between_ratio,
)

GAPS = np.array([[0.0], [3.0], [13.0], [14.0]])


def blobs(rng, k=4, n=40, apart=8.0):
    corners = apart * np.array(list(product((0, 1), repeat=2)))[:k]
    labels = np.repeat(np.arange(k), n)
    return rng.normal(size=(k * n, 2)) + corners[labels], labels


def partitions(n, k):
    """Return all ways to put n things into exactly k clusters, each named once."""
    for labels in product(range(k), repeat=n):
        firsts = list(dict.fromkeys(labels))
        if firsts == list(range(k)):
            yield np.array(labels)


def cost(X, labels):
    return sum(
        ((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum()
        for j in np.unique(labels)
    )


def cheapest(X, k):
    return min(cost(X, labels) for labels in partitions(len(X), k))


@pytest.mark.syllabus("S0A-059", "S1-144", "S4A-249")
def test_the_objective_is_the_sum_of_squares_to_the_nearest_centre(rng):
    X, _ = blobs(rng)
    start = X[:4]
    model = KMeans(4, init=start).fit(X)
    squares = cdist(X, model.cluster_centers_, "sqeuclidean")
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum())
    assert model.inertia_ == pytest.approx(squares[np.arange(160), model.labels_].sum())
    theirs = TheirKMeans(4, init=start, n_init=1).fit(X)
    assert model.inertia_ == pytest.approx(theirs.inertia_, rel=1e-12)
    assert -model.score(X) == pytest.approx(model.inertia_)
    # It is not convex: the middle of two good choices of centres is a bad one.
    swapped = model.cluster_centers_[[1, 0, 2, 3]]
    middle = (model.cluster_centers_ + swapped) / 2
    halfway = cdist(X, middle, "sqeuclidean").min(axis=1).sum()
    assert halfway > 1.5 * model.inertia_


@pytest.mark.syllabus("S0A-060", "S1-145", "S4A-250")
@pytest.mark.parametrize("seed", range(4))
def test_lloyd_alternates_nearest_centres_and_means_until_nothing_moves(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    start = X[rng.choice(300, 7, replace=False)]
    centres, labels = start, None
    while True:
        moved = cdist(X, centres).argmin(axis=1)
        if labels is not None and (moved == labels).all():
            break
        labels = moved
        centres = np.array([X[labels == j].mean(axis=0) for j in range(7)])
    model = KMeans(7, init=start, tol=0.0).fit(X)
    assert model.labels_.tolist() == labels.tolist()
    np.testing.assert_allclose(model.cluster_centers_, centres, atol=1e-12)
    theirs = TheirKMeans(7, init=start, n_init=1, tol=0.0).fit(X)
    assert model.labels_.tolist() == theirs.labels_.tolist()
    assert model.n_iter_ == theirs.n_iter_


@pytest.mark.syllabus("S1-146", "S4A-252", "S4B-001")
@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 3))
def test_the_objective_never_rises_and_no_partition_comes_twice(seed, k, d):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(25, d)) * rng.choice([1.0, 3.0]), 1)
    start = np.unique(X, axis=0)[:k]
    model = KMeans(len(start), init=start, tol=0.0, max_iter=10_000).fit(X)
    slack = 1e-12 * float((X**2).sum())
    assert (np.diff(model.history_) <= slack).all()
    assert model.n_iter_ < 10_000
    seen = [tuple(labels) for labels in k_means_steps(X, start).labels]
    assert len(set(seen[:-1])) == len(seen) - 1
    assert seen[-1] == seen[-2]
    assert model.lower_bound_ <= model.inertia_


@pytest.mark.syllabus("S4A-251")
def test_the_demonstration_shows_every_iteration(rng):
    X, _ = blobs(rng)
    steps = k_means_steps(X, X[:4])
    assert len(steps.labels) > 2
    assert (np.diff(steps.objectives) <= 1e-9).all()
    figure = steps.plot()
    assert len(figure.frames) == len(steps.labels)
    crosses = np.column_stack(
        [figure.frames[-1].data[-1].x, figure.frames[-1].data[-1].y]
    )
    np.testing.assert_allclose(crosses, steps.centers[-1])
    assert len(figure.layout.sliders[0].steps) == len(steps.labels)


@pytest.mark.syllabus("S4A-253", "S4B-002", "S1-146")
@pytest.mark.parametrize(("a", "b", "c"), [(3.0, 10.0, 1.0), (50.0, 99.0, 0.5)])
def test_a_local_optimum_can_be_worse_by_any_factor(a, b, c):
    X = np.array([[0.0], [a], [a + b], [a + b + c]])
    good = KMeans(3, init=X[[0, 1, 2]]).fit(X)
    bad = KMeans(3, init=X[[0, 2, 3]]).fit(X)
    assert good.inertia_ == pytest.approx(c**2 / 2)
    assert good.inertia_ == pytest.approx(cheapest(X, 3))
    assert bad.inertia_ == pytest.approx(a**2 / 2)
    assert bad.inertia_ / good.inertia_ == pytest.approx((a / c) ** 2)


@pytest.mark.syllabus("S1-143", "S4A-261", "S4B-010")
def test_clusters_are_voronoi_cells_with_flat_borders(rng):
    X, _ = blobs(rng, apart=3.0)
    model = KMeans(4, random_state=0).fit(X)
    fresh = rng.uniform(-3, 6, size=(500, 2))
    labels = model.predict(fresh)
    apart = cdist(fresh, model.cluster_centers_)
    assert labels.tolist() == apart.argmin(axis=1).tolist()
    assert (apart[np.arange(500), labels, None] <= apart + 1e-12).all()
    pairs = rng.integers(0, 500, size=(2000, 2))
    pairs = pairs[labels[pairs[:, 0]] == labels[pairs[:, 1]]]
    share = rng.uniform(size=(len(pairs), 1))
    between = share * fresh[pairs[:, 0]] + (1 - share) * fresh[pairs[:, 1]]
    assert (model.predict(between) == labels[pairs[:, 0]]).all()
    for one, two in ((0, 1), (0, 2), (1, 3)):
        sides = np.where(model.labels_ == one, 1.0, -1.0)
        some = np.isin(model.labels_, (one, two))
        rows = -sides[some, None] * np.column_stack([X[some], np.ones(some.sum())])
        split = linprog(np.zeros(3), rows, -np.ones(some.sum()), bounds=(None, None))
        assert split.status == 0  # a line separates them


@pytest.mark.syllabus("S4B-010")
def test_what_is_not_convex_is_not_found(rng):
    angle = rng.uniform(0, 2 * np.pi, 200)
    ring = np.repeat([1.0, 4.0], 100)
    X = np.column_stack([ring * np.cos(angle), ring * np.sin(angle)])
    labels = KMeans(2, n_init=10, random_state=0).fit_predict(X)
    outer = labels[100:]
    assert 20 < outer.sum() < 80  # the outer ring is cut through


@pytest.mark.syllabus("S4A-260", "S4B-009")
def test_the_objective_from_distances_between_samples(rng):
    X = rng.normal(size=(7, 1))
    for labels in partitions(7, 3):
        assert pairwise_cost(X, labels) == pytest.approx(cost(X, labels), rel=1e-12)
    line = np.array([[0.0], [1.0], [4.0], [8.0]])
    model = KMeans(2, n_init=10, random_state=0).fit(line)
    assert model.inertia_ == pytest.approx(8.5)
    assert pairwise_cost(line, model.labels_) == pytest.approx(8.5)

    def misprinted(labels):
        return sum(
            cdist(line[labels == j], line[labels == j], "sqeuclidean").sum()
            / (labels == j).sum() ** 2
            for j in (0, 1)
        )

    # With weights 1/|C|² another partition would win, so that cannot be k-means.
    wrong = min(partitions(4, 2), key=misprinted)
    assert wrong.tolist() == [0, 0, 0, 1]
    assert pairwise_cost(line, wrong) > 8.5


@pytest.mark.syllabus("S4A-248")
def test_the_naive_criterion_compares_distances_within_and_between(rng):
    X = rng.normal(size=(8, 2)) + 6.0 * (np.arange(8) % 2)[:, None]
    truth = np.arange(8) % 2
    every = list(partitions(8, 2))
    ratios = [within_between_ratio(X, labels) for labels in every if labels.any()]
    assert within_between_ratio(X, truth) == pytest.approx(min(ratios))
    model = KMeans(2, random_state=0).fit(X)
    assert within_between_ratio(X, model.labels_) == pytest.approx(min(ratios))
    apart = cdist(X, X)
    same = truth[:, None] == truth
    by_hand = apart[np.triu(same, 1)].mean() / apart[np.triu(~same, 1)].mean()
    assert within_between_ratio(X, truth) == pytest.approx(by_hand)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_no_clustering_is_below_the_bound_from_the_spectrum(seed, k, d):
    X = np.random.default_rng(seed).normal(size=(7, d))
    assert k_means_lower_bound(X, k) <= cheapest(X, k) * (1 + 1e-12)
    weights = np.random.default_rng(seed).integers(1, 4, 7)
    weighted = k_means_lower_bound(X, k, weights)
    assert weighted == pytest.approx(k_means_lower_bound(np.repeat(X, weights, 0), k))


def test_the_bound_is_reached_where_clusters_lie_along_axes():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    model = KMeans(2, n_init=5, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(1.0)
    assert model.lower_bound_ == pytest.approx(model.inertia_)
