"""Variable selection by search and by greed: subsets, matching pursuits."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import orthogonal_mp

from infimum.data import sparse_regression
from infimum.errors import InvalidParameterError
from infimum.models.linear import (
    BestSubsetRegressor,
    Lasso,
    LinearRegression,
    MatchingPursuit,
    OrthogonalMatchingPursuit,
    Ridge,
    column_fits,
)
from infimum.study.features import support_size

PURSUITS = [
    MatchingPursuit(max_iter=12, fit_intercept=False),
    OrthogonalMatchingPursuit(n_nonzero_coefs=6, fit_intercept=False),
]
each_pursuit = pytest.mark.parametrize("model", PURSUITS, ids=repr)


def uneven(rng, n=40, d=12):
    """Return columns of different lengths and a target that three of them explain."""
    X = rng.standard_normal((n, d)) * np.geomspace(0.1, 10, d)
    y = 3 * X[:, 8] + 20 * X[:, 1] - X[:, 10] + 0.3 * rng.standard_normal(n)
    return X, y


def columns_risk(X, y, subset):
    """Return the mean squared error of least squares on some columns."""
    some = X[:, list(subset)]
    return np.mean((y - some @ np.linalg.lstsq(some, y, rcond=None)[0]) ** 2)


@pytest.mark.syllabus("S1-113")
def test_few_of_many_variables_explain_the_target_and_are_found():
    toy = sparse_regression(80, 200, relevant=4, noise=0.1, random_state=0)
    relevant = np.flatnonzero(toy.coefficients)
    x = toy.X[0]
    assert x @ toy.coefficients == pytest.approx(
        sum(toy.coefficients[j] * x[j] for j in relevant)
    )
    greedy = OrthogonalMatchingPursuit(n_nonzero_coefs=4).fit(toy.X, toy.y)
    assert sorted(greedy.selected_) == relevant.tolist()
    assert greedy.coef_ == pytest.approx(toy.coefficients, abs=0.1)
    lasso = Lasso(alpha=0.1).fit(toy.X, toy.y)
    assert np.flatnonzero(lasso.coef_).tolist() == relevant.tolist()
    ridge = Ridge(alpha=1.0).fit(toy.X, toy.y)
    assert support_size(ridge.coef_) == 200  # small is not zero


@pytest.mark.syllabus("S1-114")
def test_brute_force_tries_every_subset_of_variables(rng):
    X = rng.standard_normal((30, 8)) @ rng.standard_normal((8, 8))
    y = X[:, 2] - X[:, 5] + rng.standard_normal(30)
    subsets = [
        subset for size in range(1, 9) for subset in combinations(range(8), size)
    ]
    assert len(subsets) == 2**8 - 1 == 255
    risks = {subset: columns_risk(X, y, subset) for subset in subsets}
    model = BestSubsetRegressor(0.0, method="exhaustive", fit_intercept=False).fit(X, y)
    for size in range(1, 9):
        best = min((s for s in subsets if len(s) == size), key=risks.__getitem__)
        assert tuple(model.subsets_[size]) == best
        assert model.risks_[size] == pytest.approx(risks[best])


@pytest.mark.syllabus("S1-115")
@pytest.mark.parametrize("strength", [0.01, 0.1, 1.0])
def test_no_greedy_or_convex_answer_beats_the_price_per_variable(strength, rng):
    X = rng.standard_normal((40, 8)) @ rng.standard_normal((8, 8))
    y = X[:, 1] - 0.5 * X[:, 4] + rng.standard_normal(40)

    def price(w):
        return np.mean((y - X @ w) ** 2) + strength * support_size(w)

    exact = BestSubsetRegressor(strength, fit_intercept=False).fit(X, y).coef_
    brute = min(
        columns_risk(X, y, subset) + strength * size
        for size in range(1, 9)
        for subset in combinations(range(8), size)
    )
    assert price(exact) == pytest.approx(min(brute, np.mean(y**2)))
    others = [
        OrthogonalMatchingPursuit(n_nonzero_coefs=k, fit_intercept=False)
        for k in range(1, 9)
    ] + [Lasso(alpha=a, fit_intercept=False) for a in (0.01, 0.1, 1.0)]
    for other in others:
        assert price(exact) <= price(other.fit(X, y).coef_) + 1e-12


@pytest.mark.syllabus("S1-116")
@each_pursuit
def test_greedy_selection_repeats_five_steps(model, rng):
    X, y = uneven(rng)
    model.fit(X, y)
    for i in range(len(model.selected_) + 1):
        steps = {"max_iter": i} if "max_iter" in model.get_params() else {}
        steps = steps or {"n_nonzero_coefs": i}
        name = next(iter(steps))
        if i == 0:  # initially the residual is y and nothing is selected
            residual = y
            assert model.residual_squares_[0] == pytest.approx(y @ y)
        else:
            early = type(model)(fit_intercept=False, **{name: i}).fit(X, y)
            assert (early.selected_ == model.selected_[:i]).all()
            assert set(np.flatnonzero(early.coef_)) <= set(model.selected_[:i])
            residual = y - X @ early.coef_
            assert model.residual_squares_[i] == pytest.approx(residual @ residual)
        if i < len(model.selected_):  # the next is the most correlated variable
            correlation = np.abs(residual @ X) / np.linalg.norm(X, axis=0)
            assert model.selected_[i] == correlation.argmax()


@pytest.mark.syllabus("S1-117")
def test_matching_pursuit_takes_off_exactly_what_the_chosen_column_explains(rng):
    X, y = uneven(rng)
    model = MatchingPursuit(max_iter=30, fit_intercept=False).fit(X, y)
    residual, w = y.copy(), np.zeros(12)
    for step, k in enumerate(model.selected_):
        a = (residual @ X) ** 2 / (X**2).sum(axis=0)
        assert k == a.argmax()
        assert model.gains_[step] == pytest.approx(a[k])
        v = residual @ X[:, k] / (X[:, k] @ X[:, k])
        w[k] += v
        residual -= v * X[:, k]
        before, after = model.residual_squares_[step : step + 2]
        assert after == pytest.approx(before - a[k])
        assert after == pytest.approx(residual @ residual)
    assert model.coef_ == pytest.approx(w)
    assert residual == pytest.approx(y - X @ w)
    assert len(set(model.selected_)) < 30  # a column may come up again


@pytest.mark.syllabus("S1-117")
def test_matching_pursuit_ends_at_least_squares(rng):
    X, y = uneven(rng)
    X = X[:, :5] + 3.0
    model = MatchingPursuit(max_iter=2000).fit(X, y)
    plain = LinearRegression().fit(X, y)
    assert model.coef_ == pytest.approx(plain.coef_, rel=1e-6)
    assert model.intercept_ == pytest.approx(plain.intercept_)
    assert model.n_iter_ < 2000  # it notices that nothing is left


@pytest.mark.syllabus("S1-118")
def test_the_largest_projection_is_the_best_explanation_by_one_column(rng):
    X, r = uneven(rng)
    fits = column_fits(X, r)
    for j in range(12):
        alone = LinearRegression(fit_intercept=False).fit(X[:, [j]], r)
        assert fits.coefficients[j] == pytest.approx(alone.coef_[0])
        left = r - fits.coefficients[j] * X[:, j]
        assert left @ left == pytest.approx(r @ r - fits.gains[j])
        direction = X[:, j] / np.linalg.norm(X[:, j])
        assert fits.gains[j] == pytest.approx((direction @ r) ** 2)
    residuals = r[:, None] - fits.coefficients * X
    assert (residuals**2).sum(axis=0).argmin() == fits.gains.argmax()


@pytest.mark.syllabus("S1-119")
def test_orthogonal_matching_pursuit_refits_and_never_selects_twice(rng):
    X, y = uneven(rng)
    model = OrthogonalMatchingPursuit(n_nonzero_coefs=8, fit_intercept=False).fit(X, y)
    assert len(set(model.selected_)) == 8
    for size in range(1, 9):
        chosen = model.selected_[:size]
        least = 40 * columns_risk(X, y, chosen)
        assert model.residual_squares_[size] == pytest.approx(least)
    residual = y - X @ model.coef_
    scale = np.linalg.norm(X, axis=0) * np.linalg.norm(y)
    assert (residual @ X / scale)[model.selected_] == pytest.approx(0, abs=1e-12)
    refit = LinearRegression(fit_intercept=False).fit(X[:, model.selected_], y)
    assert model.coef_[model.selected_] == pytest.approx(refit.coef_)
    # A refit takes off at least what the new column would take off alone.
    drops = -np.diff(model.residual_squares_)
    assert (drops >= model.gains_ * (1 - 1e-9)).all()
    unit = X / np.linalg.norm(X, axis=0)
    ours = OrthogonalMatchingPursuit(n_nonzero_coefs=8, fit_intercept=False)
    assert ours.fit(unit, y).coef_ == pytest.approx(
        orthogonal_mp(unit, y, n_nonzero_coefs=8)
    )
    assert (ours.selected_ == model.selected_).all()  # lengths do not matter


@each_pursuit
def test_pursuits_take_sparse_data_weights_and_several_targets(model, rng):
    X = np.where(rng.random((40, 12)) < 0.4, rng.standard_normal((40, 12)), 0.0)
    Y = rng.standard_normal((40, 2))
    model = type(model)(fit_intercept=True)
    dense = model.fit(X, Y).coef_
    assert dense.shape == (2, 12)
    for kind in (sparse.csr_array, sparse.csc_matrix):
        again = type(model)(fit_intercept=True).fit(kind(X), Y)
        assert again.coef_ == pytest.approx(dense, abs=1e-9)
        assert again.predict(kind(X)) == pytest.approx(model.predict(X), abs=1e-9)
    for coef, y in zip(dense, Y.T, strict=True):
        assert type(model)().fit(X, y).coef_ == pytest.approx(coef)
    weight = rng.integers(0, 3, 40)
    weighted = type(model)().fit(X, Y, weight)
    repeated = type(model)().fit(np.repeat(X, weight, 0), np.repeat(Y, weight, 0))
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=1e-9)
    assert weighted.intercept_ == pytest.approx(repeated.intercept_)


def test_pursuits_stop_when_the_residual_is_small_or_unexplained(rng):
    X, y = uneven(rng)
    bound = 0.2 * y @ y
    for kind in (MatchingPursuit, OrthogonalMatchingPursuit):
        squares = kind(tol=bound, fit_intercept=False).fit(X, y).residual_squares_
        assert squares[-1] <= bound < squares[-2]
    twins = np.column_stack([X[:, 0], X[:, 0], np.zeros(40), X[:, 1]])
    model = OrthogonalMatchingPursuit(n_nonzero_coefs=4).fit(twins, y)
    assert sorted(model.selected_) in ([0, 3], [1, 3])
    assert MatchingPursuit().fit(X, np.ones(40)).n_iter_ == 0  # the offset suffices
    with pytest.raises(InvalidParameterError, match="n_nonzero_coefs"):
        OrthogonalMatchingPursuit(n_nonzero_coefs=13).fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"MatchingPursuit\.tol"):
        MatchingPursuit(tol=-1.0).fit(X, y)
