"""Label functions on graphs: what the text states, and the error at every vertex."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.datasets import load_digits, make_moons

from infimum.errors import DataError
from infimum.models.graph import laplacian, variation
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.semi_supervised import (
    GraphLabelClassifier,
    GraphLabelRegressor,
    LabelPropagation,
)
from infimum.models.warnings import UncertifiedWarning

NONE = np.nan


def graph(rng, n, share=0.5):
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < share), 1)
    W[np.arange(n - 1), np.arange(1, n)] += 0.1  # a path keeps it connected
    return W + W.T


def some_labels(rng, n, count):
    y = np.full(n, NONE)
    y[rng.choice(n, count, replace=False)] = rng.standard_normal(count)
    return y


@pytest.mark.syllabus("S1-161")
def test_a_labelling_takes_weights_a_set_of_labels_and_their_values():
    W = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]  # cycles are fine
    signs = GraphLabelClassifier("precomputed").fit(W, [1, -1, 0])
    np.testing.assert_allclose(signs.label_distributions_[1], 0.5, atol=1e-14)
    numbers = GraphLabelRegressor("precomputed").fit(W, [1.0, NONE, 4.0])
    np.testing.assert_allclose(numbers.values_, [1.0, 2.5, 4.0], atol=1e-14)


@pytest.mark.syllabus("S1-162")
def test_smoothness_is_half_the_sum_over_all_pairs_and_the_laplacian_form():
    rng = np.random.default_rng(0)
    W, f = graph(rng, 8), rng.standard_normal(8)
    half = 0.5 * sum(W[i, j] * (f[i] - f[j]) ** 2 for i in range(8) for j in range(8))
    assert variation(W, f) == pytest.approx(half, rel=1e-13)
    assert f @ laplacian(W).toarray() @ f == pytest.approx(half, rel=1e-12)


@pytest.mark.syllabus("S1-163")
def test_exact_labels_give_the_harmonic_function():
    rng = np.random.default_rng(1)
    for _ in range(20):
        W, y = graph(rng, 9), some_labels(rng, 9, 3)
        f = GraphLabelRegressor("precomputed").fit(W, y).values_
        known = ~np.isnan(y)
        L = laplacian(W).toarray()
        direct = -np.linalg.solve(L[~known][:, ~known], L[~known][:, known] @ y[known])
        np.testing.assert_allclose(f[~known], direct, atol=1e-11)
        assert y[known].min() <= f.min()
        assert f.max() <= y[known].max()
        mean = W @ f / W.sum(axis=1)
        np.testing.assert_allclose(f[~known], mean[~known], atol=1e-11)

        def loss(u, y=y, W=W, known=known):
            full = y.copy()
            full[~known] = u
            return variation(W, full)

        best = minimize(loss, np.zeros(6), tol=1e-12).x
        np.testing.assert_allclose(f[~known], best, atol=1e-4)


@pytest.mark.syllabus("S1-164")
def test_the_constrained_function_uses_its_budget_and_no_smoother_one_fits():
    rng = np.random.default_rng(2)
    W, y = graph(rng, 10), some_labels(rng, 10, 5)
    known = ~np.isnan(y)
    model = GraphLabelRegressor("precomputed", how="constrained", budget=0.3).fit(W, y)
    missed = np.sum((model.values_[known] - y[known]) ** 2)
    assert missed == pytest.approx(0.3, rel=1e-8)
    penalty = {"how": "penalized", "strength": model.strength_}
    same = GraphLabelRegressor("precomputed", **penalty).fit(W, y).values_
    np.testing.assert_allclose(same, model.values_, atol=1e-12)
    for _ in range(200):
        other = model.values_ + 0.1 * rng.standard_normal(10)
        if np.sum((other[known] - y[known]) ** 2) <= 0.3:
            assert variation(W, other) >= variation(W, model.values_)
    flat = GraphLabelRegressor("precomputed", how="constrained", budget=1e3).fit(W, y)
    np.testing.assert_allclose(flat.values_, y[known].mean(), atol=1e-12)
    exact = GraphLabelRegressor("precomputed", how="constrained", budget=0.0).fit(W, y)
    np.testing.assert_allclose(exact.values_[known], y[known], atol=0)


@pytest.mark.syllabus("S1-165")
def test_the_penalised_function_solves_its_system_and_tends_to_the_exact_one():
    rng = np.random.default_rng(3)
    W, y = graph(rng, 9), some_labels(rng, 9, 4)
    known = ~np.isnan(y)
    J = np.diag(known.astype(float))
    model = GraphLabelRegressor("precomputed", how="penalized", strength=0.7).fit(W, y)
    left = laplacian(W).toarray() + 0.7 * J
    expected = np.linalg.solve(left, 0.7 * J @ np.nan_to_num(y))
    np.testing.assert_allclose(model.values_, expected, atol=1e-12)
    exact = GraphLabelRegressor("precomputed").fit(W, y).values_
    errors = [
        np.abs(
            GraphLabelRegressor("precomputed", how="penalized", strength=strength)
            .fit(W, y)
            .values_
            - exact
        ).max()
        for strength in (1e2, 1e4, 1e6, 1e8)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-6


@pytest.mark.syllabus("S1-166")
def test_one_label_a_moon_labels_both_moons():
    X, y = make_moons(300, noise=0.06, random_state=0)
    hidden = np.full(300, -1)
    for c in (0, 1):
        hidden[np.flatnonzero(y == c)[0]] = c
    model = GraphLabelClassifier(n_neighbors=8).fit(X, hidden)
    assert np.mean(model.transduction_ == y) > 0.95
    assert model.proved_.mean() > 0.95


@pytest.mark.syllabus("S1-167")
def test_appending_a_sample_is_fitting_again():
    X, y = make_moons(80, noise=0.06, random_state=1)
    hidden = np.where(np.arange(80) % 8 == 0, y, -1)
    model = GraphLabelClassifier(n_neighbors=6).fit(X, hidden)
    fresh = np.array([[0.3, 0.4], [1.2, -0.3]])
    told = model.predict_proba(fresh, how="append")
    for point, shares in zip(fresh, told, strict=True):
        again = GraphLabelClassifier(n_neighbors=6).fit(
            np.vstack([X, point]), np.append(hidden, -1)
        )
        np.testing.assert_array_equal(again.label_distributions_[-1], shares)
    values = np.where(hidden < 0, NONE, y)
    numbers = GraphLabelRegressor("rbf", gamma=3.0).fit(X, values)
    one = numbers.predict(fresh[:1], how="append")[0]
    again = GraphLabelRegressor("rbf", gamma=3.0).fit(
        np.vstack([X, fresh[:1]]), np.append(values, NONE)
    )
    assert again.values_[-1] == one


def test_the_error_told_dominates_the_true_one_in_a_thousand_problems():
    rng = np.random.default_rng(5)
    worst = 0.0
    for trial in range(1000):
        n = int(rng.integers(3, 12))
        W, y = graph(rng, n) * 10.0 ** rng.uniform(-3, 3), some_labels(rng, n, 2)
        how = ("exact", "penalized")[trial % 2]
        model = GraphLabelRegressor("precomputed", how=how, strength=0.3)
        if trial % 3 == 0:  # a rough answer must be told as rough
            model.set_params(tol=1e-2)
        model.fit(W, y)
        exact = reference(W, y, how)
        off = np.abs(model.values_ - exact)
        assert (off <= model.error_ + 1e-300).all()
        worst = max(worst, float(model.error_.max()))
    assert 0 < worst < 1e-6


def reference(W, y, how):
    """Solve in extended precision, by elimination."""
    known = ~np.isnan(y)
    L = (np.diag(W.sum(axis=1)) - W).astype(np.longdouble)
    np.fill_diagonal(L, 0)
    np.fill_diagonal(L, -L.sum(axis=1))
    if how == "exact":
        free = ~known
        out = np.array(y, dtype=np.longdouble)
        out[free] = eliminated(L[free][:, free], -L[free][:, known] @ y[known])
        return out
    J = np.diag(known.astype(np.longdouble)) * np.longdouble(0.3)
    return eliminated(L + J, J @ np.nan_to_num(y))


def eliminated(A, b):
    A, b = A.copy(), b.astype(np.longdouble)
    for i in range(len(b)):
        for j in range(i + 1, len(b)):
            factor = A[j, i] / A[i, i]
            A[j] -= factor * A[i]
            b[j] -= factor * b[i]
    for i in reversed(range(len(b))):
        b[i] = (b[i] - A[i, i + 1 :] @ b[i + 1 :]) / A[i, i]
    return b


def test_conjugate_gradients_prove_large_graphs():
    n = 3000
    W = sparse.diags_array([np.ones(n - 1)] * 2, offsets=[-1, 1], format="csr")
    y = np.full(n, NONE)
    y[0], y[-1] = 0.0, 1.0
    model = GraphLabelRegressor("precomputed").fit(W, y)
    np.testing.assert_allclose(model.values_, np.linspace(0, 1, n), atol=1e-7)
    off = np.abs(model.values_ - np.linspace(0, 1, n))
    assert (off <= model.error_).all()
    assert model.n_iter_ > 100
    with pytest.warns(UncertifiedWarning, match="proved within"):
        rough = GraphLabelRegressor("precomputed", max_iter=50).fit(W, y)
    assert (np.abs(rough.values_ - np.linspace(0, 1, n)) <= rough.error_).all()


def test_digits_with_ten_labels_a_class_beat_neighbours():
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    told = np.concatenate(
        [rng.choice(np.flatnonzero(y == c), 10, replace=False) for c in range(10)]
    )
    hidden = np.full(len(y), -1)
    hidden[told] = y[told]
    rest = hidden < 0
    spread = GraphLabelClassifier(n_neighbors=8).fit(X, hidden).transduction_
    near = KNeighborsClassifier(1).fit(X[told], y[told]).predict(X)
    assert np.mean(spread[rest] == y[rest]) > 0.95
    assert np.mean(spread[rest] == y[rest]) > np.mean(near[rest] == y[rest]) + 0.02


def test_exact_labels_are_where_label_propagation_goes():
    X, y = make_moons(60, noise=0.1, random_state=2)
    hidden = np.where(np.arange(60) % 10 == 0, y, -1)
    slow = LabelPropagation(gamma=5.0, tol=1e-13, max_iter=100_000).fit(X, hidden)
    quick = GraphLabelClassifier("rbf", gamma=5.0).fit(X, hidden)
    np.testing.assert_allclose(
        slow.label_distributions_, quick.label_distributions_, atol=1e-9
    )


def test_parts_without_a_label_are_told():
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = W[2, 3] = W[3, 2] = 1.0
    with pytest.warns(UncertifiedWarning, match="no label reaches 2 vertices"):
        model = GraphLabelClassifier("precomputed").fit(W, [0, 1, -1, -1])
    assert model.reached_.tolist() == [True, True, False, False]
    assert model.label_distributions_[2].tolist() == [0.5, 0.5]
    assert not model.proved_[2]
    assert np.isinf(model.error_[2])


@pytest.mark.parametrize(
    "W, y, message",
    [
        (np.ones((3, 3)), [-1, -1, -1], "needs a label"),
        (np.triu(np.ones((3, 3))), [0, 1, -1], "undirected"),
        (-np.ones((3, 3)), [0, 1, -1], "negative"),
        (np.ones((3, 2)), [0, 1, -1], "square"),
    ],
)
def test_graphs_that_are_none_are_refused(W, y, message):
    with pytest.raises(DataError, match=message):
        GraphLabelClassifier("precomputed").fit(W, y)


def test_weights_of_many_sizes_are_solved_or_told():
    W, y = np.diag([1e3, 1e-3], 1), np.array([1.0, NONE, -1.0])
    W = W + W.T
    held = GraphLabelRegressor("precomputed", how="constrained", budget=1.0).fit(W, y)
    missed = (held.values_[[0, 2]] - y[[0, 2]]) ** 2
    assert missed.sum() == pytest.approx(1.0, rel=1e-6)
    with pytest.raises(DataError, match="weights differ too much"):
        GraphLabelRegressor("precomputed", how="penalized", strength=1e-30).fit(W, y)
