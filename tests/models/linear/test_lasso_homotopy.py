"""The exact path of the lasso, corner by corner."""

import numpy as np
import pytest
from sklearn.linear_model import lars_path

from infimum.certificates import certify
from infimum.data.designs import as_design
from infimum.errors import DataError
from infimum.losses import Squared
from infimum.models.linear import ElasticNet, Lasso, lasso_homotopy
from infimum.objectives import LinearRisk
from infimum.penalties import Lasso as LassoPenalty


@pytest.fixture(params=[(40, 8), (20, 35)], ids=["tall", "wide"])
def problem(request, rng):
    n, d = request.param
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d)))
    return X + 2.0, X[:, 0] - X[:, 1] + rng.normal(size=n) + 5.0


def test_every_corner_meets_the_optimality_conditions(problem):
    X, y = problem
    path = lasso_homotopy(X, y, min_alpha=1e-3)
    assert path.violations.max() <= 1e-10
    assert (np.diff(path.alphas) <= 0).all()
    centred = X - X.mean(axis=0)
    for alpha, coef, b in zip(path.alphas, path.coefs, path.intercepts, strict=True):
        pull = centred.T @ (y - X @ coef - b) / len(y)
        assert np.abs(pull).max() <= alpha * (1 + 1e-8)
        active = coef != 0
        assert pull[active] == pytest.approx(alpha * np.sign(coef[active]), rel=1e-6)


def test_between_corners_the_path_is_a_straight_line_of_optima(problem):
    X, y = problem
    path = lasso_homotopy(X, y, min_alpha=1e-3)
    for high, low in zip(path.alphas[:-1:4], path.alphas[1::4], strict=False):
        alpha = 0.3 * high + 0.7 * low
        coef, b = path.at(alpha)
        risk = LinearRisk(as_design(X), y, Squared(), LassoPenalty(alpha))
        assert certify(risk, np.append(coef, b)).relative_gap <= 1e-9
    fitted = Lasso(alpha, tol=1e-13).fit(X, y)
    assert coef == pytest.approx(fitted.coef_, abs=1e-5)
    assert b == pytest.approx(fitted.intercept_, abs=1e-4)


def test_the_path_is_that_of_an_independent_program(problem):
    X, y = problem
    path = lasso_homotopy(X, y, min_alpha=1e-2)
    centred = X - X.mean(axis=0)
    alphas, _, coefs = lars_path(centred, y - y.mean(), method="lasso", alpha_min=1e-2)
    for alpha in np.geomspace(alphas[0], 1.01e-2, 20):
        theirs = [np.interp(alpha, alphas[::-1], row[::-1]) for row in coefs]
        assert path.at(alpha)[0] == pytest.approx(np.array(theirs), abs=1e-8)


def test_the_path_starts_where_the_first_feature_enters_and_ends_at_least_squares(rng):
    X = rng.normal(size=(30, 4))
    y = X @ [1.0, -2.0, 0.0, 0.5] + rng.normal(size=30)
    path = lasso_homotopy(X, y, fit_intercept=False)
    assert path.alphas[0] == pytest.approx(np.abs(X.T @ y).max() / 30)
    assert not path.coefs[0].any()
    assert path.coefs[-1] == pytest.approx(np.linalg.lstsq(X, y)[0])
    assert path.alphas[-1] == 0
    above, _ = path.at(2 * path.alphas[0])
    assert not above.any()


def test_a_coefficient_may_leave_again():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(25, 10)) @ (np.eye(10) + rng.normal(size=(10, 10)))
    y = X[:, :4].sum(axis=1) + rng.normal(size=25)
    path = lasso_homotopy(X, y)
    support = path.coefs != 0
    left = support[:-1] & ~support[1:]
    assert left.any()
    assert path.violations.max() <= 1e-10


def test_the_elastic_net_has_a_path_too(problem):
    X, y = problem
    path = lasso_homotopy(X, y, l2=0.2, min_alpha=1e-3)
    assert path.violations.max() <= 1e-10
    l1 = 0.5 * path.alphas[0]
    coef, _ = path.at(l1)
    total = l1 + 0.2
    fitted = ElasticNet(total, l1_ratio=l1 / total, tol=1e-13).fit(X, y)
    assert coef == pytest.approx(fitted.coef_, abs=1e-5)


def test_weights_are_copies(rng):
    X, y = rng.normal(size=(30, 5)), rng.normal(size=30)
    counts = rng.integers(0, 3, size=30)
    weighted = lasso_homotopy(X, y, sample_weight=counts)
    repeated = lasso_homotopy(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.alphas == pytest.approx(repeated.alphas, abs=1e-10)
    assert weighted.coefs == pytest.approx(repeated.coefs, abs=1e-8)


def test_tied_columns_are_left_out_or_shared(rng):
    X = rng.normal(size=(20, 3))
    y = X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=20)
    tied = np.hstack([X, X[:, :1], -X[:, 1:2]])
    path = lasso_homotopy(tied, y)
    assert path.violations.max() <= 1e-10
    assert path.alphas == pytest.approx(lasso_homotopy(X, y).alphas)
    shared = lasso_homotopy(tied, y, l2=0.1)
    assert shared.violations.max() <= 1e-10
    assert shared.coefs[-1][0] == pytest.approx(shared.coefs[-1][3])
    assert shared.coefs[-1][1] == pytest.approx(-shared.coefs[-1][4])


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]])
def test_columns_that_others_make_up_and_that_tie_are_no_trouble(order, rng):
    X = np.array([[1.0, 0.0, 0.3], [0.0, 1.0, 0.7]])[:, order]
    path = lasso_homotopy(X, [2.0, 2.0], fit_intercept=False)
    assert path.violations.max() <= 1e-10
    fit = X @ path.coefs[-1]
    assert fit == pytest.approx([2.0, 2.0])
    for _ in range(20):
        A = rng.normal(size=(12, 3))
        A = np.column_stack([A, A @ rng.normal(size=3)])
        y = rng.normal(size=12)
        path = lasso_homotopy(A, y)
        assert path.violations.max() <= 1e-9
        best = y - y.mean() - (A - A.mean(axis=0)) @ path.coefs[-1]
        assert (A - A.mean(axis=0)).T @ best == pytest.approx(0, abs=1e-9)


def test_questions_without_an_answer(rng):
    X, y = rng.normal(size=(10, 2)), rng.normal(size=10)
    path = lasso_homotopy(X, y, min_alpha=0.1)
    with pytest.raises(DataError, match=r"The path ends at 0\.1"):
        path.at(0.05)
    with pytest.raises(DataError, match="finite numbers only"):
        lasso_homotopy(X * np.nan, y)
    with pytest.raises(DataError, match="one target for each of its rows"):
        lasso_homotopy(X, y[:3])
    nothing = lasso_homotopy(X, np.ones(10))
    assert nothing.alphas.tolist() == [0.0]
    assert nothing.intercepts == pytest.approx([1.0])
