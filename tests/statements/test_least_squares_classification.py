"""Classification by least squares, between the nearest centroid and Mahalanobis."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial import distance
from sklearn import linear_model
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NearestCentroid as PeerCentroid

from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import NearestCentroid, Ridge, RidgeClassifier
from infimum.models.linear.closed_form import _ridge_system
from infimum.study.features import Whitener


def balanced(rng, per_class=60, d=4):
    """Return two stretched clouds with equally many points, labelled ±1."""
    shape = rng.standard_normal((d, d))
    X = rng.standard_normal((2 * per_class, d)) @ shape + rng.standard_normal(d)
    y = np.repeat([-1, 1], per_class)
    X[y == 1] += 1.5 * rng.standard_normal(d)
    return X, y


@pytest.mark.syllabus("S1-045")
def test_the_nearest_centroid_wins(rng):
    X, y = balanced(rng)
    model = NearestCentroid().fit(X, y)
    n = len(y)
    means = [2 / n * X[y == label].sum(axis=0) for label in (-1, 1)]
    assert model.centroids_ == pytest.approx(np.array(means))
    new = 3 * rng.standard_normal((200, 4)) + X.mean(axis=0)
    h = ((new - means[0]) ** 2).sum(axis=1) - ((new - means[1]) ** 2).sum(axis=1)
    assert (model.predict(new) == np.sign(h)).all()
    assert (model.predict(new) == PeerCentroid().fit(X, y).predict(new)).all()


@pytest.mark.syllabus("S1-046")
def test_the_nearest_centroid_rule_is_linear_with_its_border_halfway(rng):
    X, y = balanced(rng)
    model = NearestCentroid().fit(X, y)
    low, high = model.centroids_
    middle = (low + high) / 2
    assert middle == pytest.approx(X.mean(axis=0))  # the classes are balanced
    new = rng.standard_normal((50, 4))
    h = ((new - low) ** 2).sum(axis=1) - ((new - high) ** 2).sum(axis=1)
    assert model.decision_function(new) == pytest.approx(h)
    assert h == pytest.approx(2 * (new - middle) @ (high - low))
    assert model.coef_[0] == pytest.approx(2 * (high - low))
    assert model.intercept_[0] == pytest.approx(-2 * (high - low) @ middle)
    assert model.decision_function(middle[None]) == pytest.approx(0, abs=1e-12)


@pytest.mark.syllabus("S1-047")
@pytest.mark.parametrize("strength", [1e-3, 0.1, 10.0])
def test_least_squares_on_balanced_labels_is_a_classifier_with_offset(strength, rng):
    X, y = balanced(rng)
    n, m = len(y), X.mean(axis=0)
    model = RidgeClassifier(alpha=n * strength).fit(X, y)
    centred = X - m
    C = centred.T @ centred / n + strength * np.eye(4)
    w = np.linalg.solve(C, centred.T @ y / n)
    assert model.coef_[0] == pytest.approx(w)
    assert model.intercept_[0] == pytest.approx(-m @ w)  # the mean label is 0
    assert (model.predict(X) == np.sign(X @ w - m @ w)).all()
    regression = Ridge(alpha=n * strength).fit(X, y)
    assert (np.sign(regression.predict(X)) == model.predict(X)).all()
    peer = linear_model.RidgeClassifier(alpha=n * strength).fit(X, y)
    assert (peer.predict(X) == model.predict(X)).all()


@pytest.mark.syllabus("S1-048")
def test_least_squares_is_the_centroid_rule_in_another_inner_product(rng):
    X, y = balanced(rng)
    n, strength = len(y), 0.3
    low, high = NearestCentroid().fit(X, y).centroids_
    centred = X - X.mean(axis=0)
    assert centred.T @ y / n == pytest.approx(X.T @ y / n)
    assert X.T @ y / n == pytest.approx((high - low) / 2)
    C = centred.T @ centred / n + strength * np.eye(4)
    model = RidgeClassifier(alpha=n * strength).fit(X, y)
    form = 0.5 * centred @ np.linalg.solve(C, high - low)
    assert model.decision_function(X) == pytest.approx(form)


@pytest.mark.syllabus("S1-049")
def test_under_a_strong_penalty_least_squares_becomes_the_nearest_centroid(rng):
    X, y = balanced(rng)
    n, strength = len(y), 1e7
    f = RidgeClassifier(alpha=n * strength, tol=1e-6).fit(X, y)
    h = NearestCentroid().fit(X, y)
    new = X.mean(axis=0) + 3 * rng.standard_normal((300, 4))
    assert (f.predict(new) == h.predict(new)).all()
    scaled = 4 * strength * f.decision_function(new)
    assert scaled == pytest.approx(h.decision_function(new), rel=1e-5, abs=1e-4)


@pytest.mark.syllabus("S1-050")
def test_without_penalty_least_squares_measures_by_mahalanobis(rng):
    X, y = balanced(rng)
    n = len(y)
    whitener = Whitener().fit(X)
    inverse = np.linalg.inv(np.cov(X.T, bias=True))
    new = X.mean(axis=0) + 3 * rng.standard_normal((200, 4))
    expected = [distance.mahalanobis(x, X.mean(axis=0), inverse) ** 2 for x in new]
    assert whitener.mahalanobis(new) == pytest.approx(expected)
    assert np.cov(whitener.transform(X).T, bias=True) == pytest.approx(
        np.eye(4), abs=1e-12
    )
    # In whitened coordinates the rule is the nearest centroid again.
    f = RidgeClassifier(alpha=n * 1e-12).fit(X, y)
    h = NearestCentroid().fit(whitener.transform(X), y)
    there = h.decision_function(whitener.transform(new))
    assert f.decision_function(new) == pytest.approx(there / 4)
    discriminant = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, y)
    assert (f.predict(new) == discriminant.predict(new)).all()
    plain = NearestCentroid().fit(X, y).predict(new)
    assert (plain != f.predict(new)).any()  # the shape of the clouds matters


@pytest.mark.syllabus("S1-050")
def test_whitening_stretches_the_axes_with_little_variance(rng):
    X = rng.standard_normal((500, 2)) * [10.0, 0.1]
    whitener = Whitener().fit(X)
    assert whitener.variances_[0] > 1000 * whitener.variances_[1]
    origin, steps = whitener.transform([X.mean(axis=0)]), [[1.0, 0.0], [0.0, 1.0]]
    moved = whitener.transform(X.mean(axis=0) + steps) - origin
    lengths = np.linalg.norm(moved, axis=1)
    assert lengths[1] > 50 * lengths[0]
    assert lengths.min() == pytest.approx(whitener.variances_[0] ** -0.5, rel=1e-2)


def three_classes(rng, n=90):
    X = np.column_stack([rng.standard_normal((n, 3)), np.ones(n)])
    y = np.repeat(["a", "b", "c"], n // 3)
    X[:, :3] += 2.0 * (y[:, None] == ["a", "b", "c"])
    return X, y


@pytest.mark.syllabus("S1-051")
def test_several_classes_are_coded_by_signs_and_the_highest_score_wins(rng):
    X, y = three_classes(rng)
    n, strength = len(y), 0.05
    model = RidgeClassifier(alpha=n * strength, fit_intercept=False).fit(X, y)
    Y = np.where(y[:, None] == model.classes_, 1.0, -1.0)
    W = np.linalg.solve(X.T @ X + strength * n * np.eye(4), X.T @ Y)
    assert model.coef_ == pytest.approx(W.T)
    assert (model.predict(X) == model.classes_[(X @ W).argmax(axis=1)]).all()
    peer = linear_model.RidgeClassifier(alpha=n * strength, fit_intercept=False)
    assert model.coef_ == pytest.approx(peer.fit(X, y).coef_)


@pytest.mark.syllabus("S1-052")
def test_one_class_against_the_rest_at_a_time_gives_the_same_weights(rng, monkeypatch):
    X, y = three_classes(rng)
    n, strength = len(y), 0.05
    factored, original = [], _ridge_system.cho_factor
    monkeypatch.setattr(
        _ridge_system,
        "cho_factor",
        lambda matrix, **options: (factored.append(1), original(matrix, **options))[1],
    )
    joint = RidgeClassifier(alpha=n * strength).fit(X, y)
    assert len(factored) == 1  # the classes share the matrix
    total = 0.0
    for label, weights, proof in zip(
        joint.classes_, joint.coef_, joint.certificates_, strict=True
    ):
        binary = RidgeClassifier(alpha=n * strength).fit(X, y == label)
        assert weights == pytest.approx(binary.coef_[0])
        total += 2 * proof.primal
    Y = np.where(y[:, None] == joint.classes_, 1.0, -1.0)
    scores = joint.decision_function(X)
    risk = ((Y - scores) ** 2).sum() / n + strength * (joint.coef_**2).sum()
    assert total == pytest.approx(risk)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "options", [{}, {"shrink_threshold": 0.8}, {"priors": "empirical"}], ids=repr
)
def test_centroids_agree_with_scikit_learn_dense_and_sparse(classes, options, rng):
    X = np.where(rng.random((60, 5)) < 0.6, rng.standard_normal((60, 5)), 0.0)
    y = rng.integers(0, classes, 60)
    X[:, 0] += y
    model, peer = NearestCentroid(**options).fit(X, y), PeerCentroid(**options)
    peer.fit(X, y)
    new = 2 * rng.standard_normal((200, 5))
    assert (model.predict(new) == peer.predict(new)).all()
    assert model.centroids_ == pytest.approx(peer.centroids_)
    assert model.deviations_ == pytest.approx(peer.deviations_)
    for kind in (sparse.csr_array, sparse.csc_matrix):
        again = NearestCentroid(**options).fit(kind(X), y)
        assert again.coef_ == pytest.approx(model.coef_)
        assert again.intercept_ == pytest.approx(model.intercept_)


def test_centroids_take_weights_as_repetition_and_say_what_is_wrong(rng):
    X, y = balanced(rng, 15)
    weight = rng.integers(0, 3, 30)
    one = NearestCentroid(shrink_threshold=0.1).fit(X, y, weight)
    copies = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    two = NearestCentroid(shrink_threshold=0.1).fit(*copies)
    assert one.coef_ == pytest.approx(two.coef_)
    with pytest.raises(DataError, match="has no weight"):
        NearestCentroid().fit(X, y, y > 0)
    with pytest.raises(InvalidParameterError, match=r"NearestCentroid\.metric"):
        NearestCentroid("chebyshev").fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"NearestCentroid\.priors"):
        NearestCentroid(priors=[0.2, 0.3, 0.5]).fit(X, y)
