"""Fisher's discriminant: the statements of the lecture on linear discriminants."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.stats import norm

from infimum.errors import DataError
from infimum.models.kernel import SVC
from infimum.models.linear import LinearRegression
from infimum.models.probabilistic import (
    FisherDiscriminant,
    LinearDiscriminantAnalysis,
    fisher_criterion,
    scatter_matrices,
)


def _cloud(sizes, seed=0, spreads=(1.0, 2.0)):
    rng = np.random.default_rng(seed)
    turn = rng.standard_normal((3, 3))
    X = np.vstack(
        [
            spread * rng.standard_normal((n, 3)) @ (turn if k else np.eye(3)) + 2.0 * k
            for k, (n, spread) in enumerate(zip(sizes, spreads, strict=True))
        ]
    )
    return X, np.repeat([-1, 1], sizes)


def _cosine(a, b):
    return abs(np.ravel(a) @ np.ravel(b)) / np.linalg.norm(a) / np.linalg.norm(b)


@pytest.mark.syllabus("S4A-093")
def test_the_criterion_is_the_distance_of_the_projected_means_in_units_of_spread():
    X, y = _cloud((40, 60))
    w = np.array([0.3, -1.0, 0.5])
    left, right = X[y < 0] @ w, X[y > 0] @ w
    by_hand = (right.mean() - left.mean()) ** 2 / (right.var() + left.var())
    assert fisher_criterion(w, X, y) == pytest.approx(by_hand, rel=1e-12)
    assert fisher_criterion(-7.0 * w, X, y) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.syllabus("S4A-094")
def test_scatter_matrices_give_the_criterion_and_count_classes_alike():
    X, y = _cloud((40, 160))
    between, within = scatter_matrices(X, y)
    apart = X[y > 0].mean(0) - X[y < 0].mean(0)
    assert np.allclose(between, np.outer(apart, apart))
    alike = np.cov(X[y > 0].T, bias=True) + np.cov(X[y < 0].T, bias=True)
    assert np.allclose(within, alike)
    w = np.array([1.0, 2.0, -0.4])
    assert fisher_criterion(w, X, y) == pytest.approx(
        (w @ between @ w) / (w @ within @ w)
    )
    pooled = 0.4 * np.cov(X[y < 0].T, bias=True) + 1.6 * np.cov(X[y > 0].T, bias=True)
    assert np.allclose(scatter_matrices(X, y, weighting="pooled")[1], pooled)


@pytest.mark.syllabus("S4A-095")
def test_the_direction_is_the_leading_generalised_eigenvector():
    X, y = _cloud((40, 60))
    model = FisherDiscriminant().fit(X, y)
    values, vectors = eigh(*scatter_matrices(X, y))
    assert _cosine(model.coef_, vectors[:, -1]) == pytest.approx(1.0, abs=1e-12)
    assert model.criterion_ == pytest.approx(values[-1])
    tried = np.random.default_rng(1).standard_normal((500, 3))
    assert max(fisher_criterion(w, X, y) for w in tried) <= model.criterion_
    twice = FisherDiscriminant().fit(np.hstack([X, X[:, :1]]), y)  # singular
    assert twice.criterion_ == pytest.approx(model.criterion_)


@pytest.mark.syllabus("S4A-095")
def test_balanced_classes_give_the_direction_of_linear_discriminant_analysis():
    X, y = _cloud((50, 50))
    theirs = LinearDiscriminantAnalysis().fit(X, y)
    mine = FisherDiscriminant(threshold="gaussian").fit(X, y)
    assert _cosine(mine.coef_, theirs.coef_) == pytest.approx(1.0, abs=1e-12)
    assert np.array_equal(mine.predict(X), theirs.predict(X))


@pytest.mark.syllabus("S4A-096")
@pytest.mark.parametrize("seed", range(20))
def test_the_threshold_has_the_least_error_of_all_cuts(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (25, 2)).astype(float), rng.choice([-1, 1], 25)
    weights = rng.integers(1, 4, 25)
    model = FisherDiscriminant().fit(X, y, sample_weight=weights)
    along = X @ model.coef_[0]
    cuts = np.concatenate([[-np.inf], np.unique(along)])
    errors = [weights @ (np.where(along > cut, 1, -1) != y) for cut in cuts]
    assert weights @ (model.predict(X) != y) == min(errors)


@pytest.mark.syllabus("S4A-097")
@pytest.mark.parametrize("sizes, exact", [((100, 100), True), ((200, 20), False)])
def test_least_squares_on_labels_has_the_pooled_direction(sizes, exact):
    X, y = _cloud(sizes, seed=3)
    squares = LinearRegression().fit(X, y).coef_
    pooled = FisherDiscriminant(weighting="pooled").fit(X, y).coef_
    equal = FisherDiscriminant(weighting="equal").fit(X, y).coef_
    assert _cosine(squares, pooled) == pytest.approx(1.0, abs=1e-12)
    assert (_cosine(squares, equal) > 1.0 - 1e-12) == exact


@pytest.mark.syllabus("S4A-098")
def test_normal_classes_of_one_covariance_are_told_apart_as_bayes_would():
    rng = np.random.default_rng(0)
    root = np.array([[1.0, 0.0], [0.8, 0.5]])
    means = np.array([[0.0, 0.0], [1.0, -0.5]])
    y = rng.integers(0, 2, 40_000)
    X = rng.standard_normal((40_000, 2)) @ root.T + means[y]
    model = FisherDiscriminant(threshold="gaussian").fit(X[:20_000], y[:20_000])
    best = np.linalg.solve(root @ root.T, means[1])
    assert _cosine(model.coef_, best) > 0.999
    delta = np.sqrt(means[1] @ best)
    level = -0.5 * best @ means.sum(0) / np.linalg.norm(best)
    own = model.intercept_[0] / np.linalg.norm(model.coef_)
    assert own == pytest.approx(level, abs=0.05)
    error = np.mean(model.predict(X[20_000:]) != y[20_000:])
    bayes = norm.cdf(-delta / 2)
    assert abs(error - bayes) < 4.0 * np.sqrt(bayes * (1 - bayes) / 20_000)


@pytest.mark.syllabus("S4A-099")
def test_a_ring_around_a_blob_defeats_every_direction():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0.0, 2.0 * np.pi, 300)
    ring = 4.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.vstack([ring, rng.standard_normal((300, 2))])
    X[:300] += 0.2 * rng.standard_normal((300, 2))
    y = np.repeat([0, 1], 300)
    straight = FisherDiscriminant(threshold="gaussian").fit(X, y).score(X, y)
    assert 0.4 < straight < 0.65
    assert SVC().fit(X, y).score(X, y) > 0.99


def test_shifts_scales_and_turns_change_no_answer():
    X, y = _cloud((40, 60))
    wanted = FisherDiscriminant().fit(X, y).predict(X)
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    for other in (X + 1e6, X * 1e-8, X @ turn, X * [1.0, 1e5, 1e-5]):
        assert np.array_equal(FisherDiscriminant().fit(other, y).predict(other), wanted)


def test_what_makes_no_sense_is_refused():
    X, y = _cloud((10, 10))
    with pytest.raises(DataError, match="has 3 classes"):
        FisherDiscriminant().fit(X, np.arange(20) % 3)
    with pytest.raises(DataError, match="needs 2 classes"):
        FisherDiscriminant().fit(X, np.zeros(20))
    with pytest.raises(DataError, match="not all 0"):
        fisher_criterion(np.zeros(3), X, y)
