"""Means in feature space: the mean classifier, the discriminant and the clusters."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestCentroid as TheirNearestCentroid

from infimum.errors import DataError
from infimum.kernels import Gaussian, Linear, Polynomial, Spectrum, normalize_gram
from infimum.models.kernel import (
    KernelFisherDiscriminant,
    KernelKMeans,
    KernelMeanClassifier,
)
from infimum.models.linear import NearestCentroid
from infimum.study.features import QuadraticMonomials


def blobs(rng, classes=2, n=60):
    labels = rng.integers(0, classes, size=n)
    return rng.normal(size=(n, 3)) + 2.0 * np.eye(3)[labels], labels


def rings(rng, n=80):
    angles, labels = rng.uniform(0, 2 * np.pi, n), np.arange(n) % 2
    radius = np.where(labels == 1, 3.0, 1.0) + 0.1 * rng.normal(size=n)
    return np.column_stack([np.cos(angles), np.sin(angles)]) * radius[:, None], labels


@pytest.mark.syllabus("S0A-049")
def test_the_nearest_mean_is_a_linear_decision(rng):
    X, labels = blobs(rng)
    model = KernelMeanClassifier(kernel="linear").fit(X, labels)
    plus, minus = X[labels == 1].mean(axis=0), X[labels == 0].mean(axis=0)
    fresh = rng.normal(size=(20, 3))
    by_hand = fresh @ (plus - minus) + (minus @ minus - plus @ plus) / 2
    scores = model.decision_function(fresh)
    assert scores == pytest.approx(by_hand)
    nearer = ((fresh - plus) ** 2).sum(1) < ((fresh - minus) ** 2).sum(1)
    assert ((scores > 0) == nearer).all()
    for other in (TheirNearestCentroid(), NearestCentroid()):
        assert model.predict(fresh).tolist() == (
            other.fit(X, labels).predict(fresh).tolist()
        )
    three = blobs(rng, classes=3)
    assert KernelMeanClassifier(kernel="linear").fit(*three).predict(
        fresh
    ).tolist() == (TheirNearestCentroid().fit(*three).predict(fresh).tolist())


@pytest.mark.syllabus("S0A-050")
def test_the_mean_classifier_needs_inner_products_only(rng):
    X, labels = blobs(rng)
    y = np.where(labels == 1, 1.0, -1.0)
    model = KernelMeanClassifier(kernel="precomputed").fit(X @ X.T, labels)
    sizes = {s: (y == s).sum() for s in (1.0, -1.0)}
    assert model.dual_coef_[0] == pytest.approx(y / [sizes[s] for s in y])
    G = X @ X.T
    within = {s: G[np.ix_(y == s, y == s)].sum() / sizes[s] ** 2 for s in sizes}
    assert model.intercept_[0] == pytest.approx((within[-1.0] - within[1.0]) / 2)
    primal = KernelMeanClassifier(kernel="linear").fit(X, labels)
    fresh = rng.normal(size=(20, 3))
    assert model.decision_function(fresh @ X.T) == pytest.approx(
        primal.decision_function(fresh), abs=1e-12
    )


@pytest.mark.syllabus("S0A-051")
def test_a_kernel_takes_the_means_to_feature_space(rng):
    X, labels = rings(rng)
    square = KernelMeanClassifier(kernel=Polynomial(2, offset=0.0)).fit(X, labels)
    # The monomials of degree 2, mixed ones counted twice, have that inner product.
    monomials = QuadraticMonomials().fit(X)
    names = monomials.get_feature_names_out()
    mixed = np.array([name.count("x0") == name.count("x1") for name in names])
    scale = np.where(mixed, np.sqrt(2.0), 1.0)
    features = monomials.transform(X) * scale
    assert features @ features.T == pytest.approx(Polynomial(2, offset=0.0)(X))
    explicit = NearestCentroid().fit(features, labels)
    assert square.predict(X).tolist() == explicit.predict(features).tolist()
    assert KernelMeanClassifier(kernel="linear").fit(X, labels).score(X, labels) < 0.7
    curved = KernelMeanClassifier(kernel=Gaussian(0.5)).fit(X, labels)
    assert curved.score(X, labels) > 0.95


def test_a_weight_is_a_number_of_copies_of_a_mean(rng):
    X, labels = blobs(rng, classes=3)
    counts = rng.integers(0, 4, size=len(X))
    rows = np.repeat(np.arange(len(X)), counts)
    fresh = rng.normal(size=(9, 3))
    for cls in (KernelMeanClassifier, KernelFisherDiscriminant):
        weighted = cls().fit(X, labels, sample_weight=counts)
        repeated = cls().fit(X[rows], labels[rows])
        assert weighted.decision_function(fresh) == pytest.approx(
            repeated.decision_function(fresh)
        )
        with pytest.raises(DataError, match="every class"):
            cls().fit(X, labels, sample_weight=(labels > 0).astype(float))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_kernel_discriminant_is_the_linear_one_in_the_space(classes, rng):
    X, labels = blobs(rng, classes)
    model = KernelFisherDiscriminant(1e-9, kernel=Linear()).fit(X, labels)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, labels)
    fresh = rng.normal(size=(20, 3))
    ours, expected = model.decision_function(fresh), theirs.decision_function(fresh)
    assert ours == pytest.approx(expected, rel=1e-5, abs=1e-5)
    assert model.transform(fresh).shape == (20, classes - 1)


def test_no_direction_parts_the_classes_better(rng):
    X, labels = rings(rng, 40)
    alpha, K = 0.01, Gaussian(1.0)(X)
    model = KernelFisherDiscriminant(alpha, kernel=Gaussian(1.0)).fit(X, labels)

    def separation(c):
        scores = K @ c
        parts = [scores[labels == k] for k in (0, 1)]
        between = sum(0.5 * (p.mean() - scores.mean()) ** 2 for p in parts)
        within = sum(((p - p.mean()) ** 2).sum() for p in parts) / len(scores)
        return between / (within + alpha * c @ K @ c)

    best = separation(model.directions_[0])
    assert best == pytest.approx(model.separations_[0])
    for _ in range(50):
        other = model.directions_[0] + 0.1 * rng.normal(size=40)
        assert separation(other) <= best
    assert model.score(X, labels) > 0.95


def test_clusters_of_any_shape_and_an_objective_that_never_rises(rng):
    X, labels = rings(rng)
    model = KernelKMeans(2, kernel=Gaussian(0.4), n_init=20, random_state=0).fit(X)
    assert (np.diff(model.objectives_) <= 1e-12).all()
    assert model.objectives_[-1] == model.inertia_
    # With a heat kernel over the nearest neighbours the rings come apart.
    near = ((X[:, None] - X) ** 2).sum(2) < 1.5
    step = near / np.sqrt(np.outer(near.sum(1), near.sum(1)))
    heat = np.linalg.matrix_power(step, 40)
    parted = KernelKMeans(2, kernel="precomputed", random_state=0).fit(
        normalize_gram(heat @ heat.T)
    )
    assert adjusted_rand_score(labels, parted.labels_) == 1.0
    fresh = X + 0.01 * rng.normal(size=X.shape)
    assert adjusted_rand_score(model.predict(fresh), model.labels_) > 0.9
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert (np.bincount(model.labels_, minlength=2) > 0).all()


def test_with_the_linear_kernel_clusters_are_those_of_k_means(rng):
    X, labels = blobs(rng, classes=3)
    Z = X + 6.0 * np.eye(3)[labels]
    model = KernelKMeans(3, kernel="linear", random_state=0).fit(Z)
    assert adjusted_rand_score(labels, model.labels_) == 1.0
    centres = np.array([Z[model.labels_ == k].mean(axis=0) for k in range(3)])
    spread = ((Z - centres[model.labels_]) ** 2).sum()
    assert model.inertia_ == pytest.approx(spread)
    words = ["banana", "bananas", "cherry", "cherries"]
    text = KernelKMeans(2, kernel=Spectrum(2), random_state=0).fit(words)
    assert text.predict(["ananas", "sherry"]).tolist() == (
        text.labels_[[0, 2]].tolist()
    )
    copies = KernelKMeans(3, random_state=0).fit(np.zeros((3, 1)))
    assert sorted(copies.labels_.tolist()) == [0, 1, 2]
    with pytest.raises(DataError, match="as many samples as clusters"):
        KernelKMeans(5).fit(X[:3])
