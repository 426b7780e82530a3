"""Queries to ask next, and kernels that learn from unlabelled samples."""

import numpy as np
import pytest
from sklearn.datasets import make_moons

from infimum.errors import DataError
from infimum.kernels import Deformed, Gaussian
from infimum.models.graph import laplacian, nearest_neighbor_graph, variation
from infimum.models.kernel import SVC, KernelRidge
from infimum.models.semi_supervised import (
    GraphLabelClassifier,
    GraphLabelRegressor,
    suggest_queries,
)


def ring(n):
    return np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)


def test_the_expected_risk_is_that_of_refitting_with_each_answer():
    rng = np.random.default_rng(0)
    W = np.triu(rng.random((8, 8)), 1)
    W = W + W.T
    y = np.array([0, 1, 2, -1, -1, -1, -1, -1])
    model = GraphLabelClassifier("precomputed").fit(W, y)
    risks = {}
    for j in range(3, 8):
        risks[j] = 0.0
        for c in range(3):
            again = y.copy()
            again[j] = c
            F = GraphLabelClassifier("precomputed").fit(W, again).label_distributions_
            share = model.label_distributions_[j, c]
            risks[j] += share * np.sum(1 - F[3:].max(axis=1))
    expected = sorted(risks, key=risks.get)
    assert suggest_queries(model, 5).tolist() == expected


def test_the_most_uncertain_vertices_are_far_from_labels_and_from_each_other():
    y = np.full(12, np.nan)
    y[0] = 1.0
    model = GraphLabelRegressor("precomputed").fit(ring(12), y)
    first, second = suggest_queries(model, 2, how="variance").tolist()
    assert first == 6
    assert second in (3, 9)
    with pytest.raises(DataError, match="no classes"):
        suggest_queries(model)


def test_queries_beat_chance_on_two_moons():
    X, y = make_moons(120, noise=0.08, random_state=0)
    right = {}
    for way in ("asked", "drawn"):
        scores = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            labels = np.full(120, -1)
            start = [np.flatnonzero(y == c)[rng.integers(60)] for c in (0, 1)]
            labels[start] = y[start]
            for _ in range(4):
                model = GraphLabelClassifier("rbf", gamma=30.0).fit(X, labels)
                free = np.flatnonzero(labels < 0)
                drawn = rng.choice(free)
                j = suggest_queries(model)[0] if way == "asked" else drawn
                labels[j] = y[j]
            model = GraphLabelClassifier("rbf", gamma=30.0).fit(X, labels)
            scores.append(np.mean(model.transduction_ == y))
        right[way] = np.mean(scores)
    assert right["asked"] >= right["drawn"]


def test_bent_kernels_are_the_inverse_of_both_norms():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((7, 2))
    W = np.triu(rng.random((7, 7)), 1)
    L = laplacian(W + W.T).toarray()
    k = Gaussian(0.8)
    bent = Deformed(k, X, L, 0.7)
    expected = np.linalg.inv(np.linalg.inv(k(X)) + 0.7 * L)
    np.testing.assert_allclose(bent(X), expected, atol=1e-9)
    Z = rng.standard_normal((3, 2))
    inner = np.linalg.solve(np.eye(7) + 0.7 * L @ k(X), 0.7 * L @ k(X, Z))
    np.testing.assert_allclose(bent(Z), k(Z) - k(Z, X) @ inner, atol=1e-10)
    np.testing.assert_allclose(bent.diagonal(Z), np.diag(bent(Z)), atol=1e-12)
    np.testing.assert_allclose(Deformed(k, X, L, 0.0)(Z), k(Z), atol=1e-14)


def test_machines_learn_from_unlabelled_samples_with_proof():
    X, y = make_moons(200, noise=0.07, random_state=1)
    told = [int(np.flatnonzero(y == c)[k]) for c in (0, 1) for k in range(2)]
    graph = nearest_neighbor_graph(X, 8)
    bent = Deformed(Gaussian(0.5), X, laplacian(graph), 20.0)
    plain = SVC(kernel=Gaussian(0.5), C=10.0).fit(X[told], y[told]).score(X, y)
    model = SVC(kernel=bent, C=10.0).fit(X[told], y[told])
    assert model.certificate_.closed
    assert model.score(X, y) > max(0.95, plain)
    fresh, truth = make_moons(100, noise=0.07, random_state=2)
    assert model.score(fresh, truth) > 0.93


def test_bent_ridge_minimises_the_manifold_objective():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((12, 2))
    W = nearest_neighbor_graph(X, 3)
    y = rng.standard_normal(4)
    k = Gaussian(1.0)
    bent = Deformed(k, X, laplacian(W), 0.3)
    model = KernelRidge(alpha=0.1, kernel=bent).fit(X[:4], y)
    f = model.predict(X)

    def objective(values):
        norm = values @ np.linalg.solve(k(X) + 1e-12 * np.eye(12), values)
        return np.sum((values[:4] - y) ** 2) + 0.1 * (norm + 0.3 * variation(W, values))

    for _ in range(50):
        away = f + 1e-2 * k(X) @ rng.standard_normal(12)
        assert objective(away) > objective(f) - 1e-9


def test_graphs_that_fit_no_sample_are_refused():
    X = np.zeros((3, 1))
    with pytest.raises(DataError, match="3 × 3"):
        Deformed(Gaussian(), X, np.eye(2))
    with pytest.raises(DataError, match="symmetric"):
        Deformed(Gaussian(), X, np.triu(np.ones((3, 3))))
