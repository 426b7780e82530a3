"""The count of nonzero weights as a penalty: exact for few columns, greedy for many."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from infimum.errors import InvalidParameterError
from infimum.models.linear import BestSubsetRegressor, LinearRegression
from infimum.study.features import PolynomialBasis, support_size

VARIANTS = [
    BestSubsetRegressor(),
    BestSubsetRegressor(method="forward", fit_intercept=False),
    BestSubsetRegressor(0.01, method="nested"),
]


def risk_of(X, y, subset, weight=None):
    """Return the mean squared error of least squares on some columns."""
    X = X[:, list(subset)] if subset else np.zeros((len(y), 1))
    model = LinearRegression().fit(X, y, weight)
    return np.average((y - model.predict(X)) ** 2, weights=weight)


def brute_force(X, y, size, weight=None):
    subsets = combinations(range(X.shape[1]), size)
    return min(risk_of(X, y, subset, weight) for subset in subsets)


@pytest.mark.parametrize("estimator", VARIANTS, ids=repr)
def test_scikit_learn_contract(estimator):
    results = check_estimator(estimator, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 40


@pytest.mark.syllabus("S4A-074", "S1-114", "S1-115")
@pytest.mark.parametrize("strength", [0.0, 0.02, 0.1, 0.5, 100.0])
def test_the_best_subset_minimises_risk_plus_the_number_of_nonzeros(strength, rng):
    X = rng.standard_normal((40, 7)) @ rng.standard_normal((7, 7))
    y = X[:, 1] - 0.5 * X[:, 4] + 0.3 * X[:, 6] + rng.standard_normal(40)
    model = BestSubsetRegressor(strength).fit(X, y)
    brute = [brute_force(X, y, size) for size in range(8)]
    assert model.risks_ == pytest.approx(brute, rel=1e-9)
    price = np.mean((y - model.predict(X)) ** 2) + strength * support_size(model.coef_)
    assert price == pytest.approx(np.min(brute + strength * np.arange(8)))
    assert support_size(model.coef_) == model.support_.sum()


def test_branch_and_bound_solves_far_fewer_problems_than_there_are_subsets(rng):
    X = rng.standard_normal((100, 16))
    y = X[:, :4] @ [3.0, -2, 2, 1] + rng.standard_normal(100)
    model = BestSubsetRegressor(method="exhaustive").fit(X, y)
    assert np.flatnonzero(model.support_).tolist() == [0, 1, 2, 3]
    assert model.n_iter_ < 2**16 / 10


def test_weights_mean_repetition(rng):
    X, y = rng.standard_normal((30, 5)), rng.standard_normal(30)
    weight = rng.integers(0, 3, 30)
    weighted = BestSubsetRegressor(0.05).fit(X, y, weight)
    repeated = BestSubsetRegressor(0.05).fit(
        np.repeat(X, weight, 0), np.repeat(y, weight)
    )
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=1e-10)
    assert weighted.risks_ == pytest.approx(repeated.risks_)


def test_forward_selection_adds_the_most_helpful_column_each_time(rng):
    X, y = rng.standard_normal((60, 9)), rng.standard_normal(60)
    model = BestSubsetRegressor(0.0, method="forward", max_features=4).fit(X, y)
    chosen = ()
    for size in range(1, 5):
        rest = set(range(9)) - set(chosen)
        best = min(rest, key=lambda j: risk_of(X, y, (*chosen, j)))
        chosen = (*chosen, best)
        assert set(model.subsets_[size]) == set(chosen)
    exact = BestSubsetRegressor(0.0, max_features=4).fit(X, y)
    assert (exact.risks_ <= model.risks_ + 1e-12).all()
    assert support_size(exact.coef_) == 4


@pytest.mark.syllabus("S4B-196")
def test_the_sparsest_solution_of_few_equations_is_the_sparse_truth(rng):
    # Six equations, twelve unknowns, two of them nonzero: the least count wins.
    W, truth = rng.standard_normal((6, 12)), np.zeros(12)
    truth[[3, 8]] = [2.0, -1.0]
    y = W @ truth
    model = BestSubsetRegressor(1e-9, max_features=3, fit_intercept=False).fit(W, y)
    assert model.coef_ == pytest.approx(truth)
    assert W @ model.coef_ == pytest.approx(y)
    assert model.risks_[1] > 1e-3  # no single column explains y
    short = LinearRegression(fit_intercept=False).fit(W, y).coef_
    assert W @ short == pytest.approx(y)
    assert support_size(short) == 12  # the shortest solution is another one


def test_greed_can_be_wrong_where_search_is_right(rng):
    # y is the difference of two nearly equal columns; a third mimics it alone.
    n = 200
    common, y = 10 * rng.standard_normal(n), rng.standard_normal(n)
    X = np.column_stack([common + y, common, y + 0.5 * rng.standard_normal(n)])
    exact = BestSubsetRegressor(0.0, max_features=2).fit(X, y)
    greedy = BestSubsetRegressor(0.0, max_features=2, method="forward").fit(X, y)
    assert exact.support_.tolist() == [True, True, False]
    assert exact.risks_[2] < 1e-10 < greedy.risks_[2]


@pytest.mark.syllabus("S4A-042")
def test_the_degree_of_a_polynomial_as_a_penalty(rng):
    x = rng.uniform(-1, 1, (60, 1))
    y = 1 - 2 * x[:, 0] + 3 * x[:, 0] ** 2 + 0.1 * rng.standard_normal(60)

    def degree(strength):
        model = make_pipeline(
            PolynomialBasis(9), BestSubsetRegressor(strength, method="nested")
        ).fit(x, y)
        return np.flatnonzero(np.append(True, model[-1].support_)).max(), model[-1]

    # λ → 0 fits the largest class, λ → ∞ the constant, in between the true degree.
    assert degree(0.0)[0] == 9
    assert degree(0.01)[0] == 2
    assert degree(1e3)[0] == 0
    risks = [
        np.polynomial.Polynomial.fit(x[:, 0], y, k, full=True)[1][0][0] / 60
        for k in range(10)
    ]
    assert degree(0.01)[1].risks_ == pytest.approx(risks)
    prices = np.array(risks) + 0.01 * np.arange(10)
    assert degree(0.01)[0] == np.argmin(prices)


def test_linearly_dependent_columns_are_survived(rng):
    X = rng.standard_normal((5, 8))
    X[:, 3] = X[:, 2]
    y = rng.standard_normal(5)
    for method in ("exhaustive", "forward", "nested"):
        model = BestSubsetRegressor(1e-6, method=method).fit(X, y)
        assert np.isfinite(model.coef_).all()
        assert support_size(model.coef_) <= 5


def test_says_what_is_wrong(rng):
    X, y = rng.standard_normal((40, 31)), rng.standard_normal(40)
    with pytest.raises(InvalidParameterError, match="method='forward'"):
        BestSubsetRegressor(method="exhaustive").fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"\.method must be one of"):
        BestSubsetRegressor(method="backward").fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"\.strength"):
        BestSubsetRegressor(-1.0).fit(X[:, :3], y)
    with pytest.raises(InvalidParameterError, match=r"\.max_features"):
        BestSubsetRegressor(max_features=-1).fit(X[:, :3], y)
