"""Ordinary least squares agrees with LAPACK and scikit-learn on every kind of X."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression as Reference
from sklearn.utils.estimator_checks import check_estimator

from infimum.errors import InvalidParameterError
from infimum.models.linear import LinearRegression, RiskMinimizer
from infimum.models.warnings import UncertifiedWarning

VARIANTS = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    LinearRegression(positive=True),
]


@pytest.mark.parametrize("estimator", VARIANTS, ids=repr)
def test_scikit_learn_contract(estimator):
    results = check_estimator(estimator, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 45


@pytest.mark.parametrize("shape", [(12, 4), (200, 5), (6, 10), (50, 40)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("positive", [True, False])
def test_agrees_with_scikit_learn(shape, fit_intercept, weighted, positive, rng):
    X = rng.standard_normal(shape) + 3
    Y = rng.standard_normal((shape[0], 2))
    weight = rng.integers(0, 4, shape[0]) if weighted else None
    options = {"fit_intercept": fit_intercept, "positive": positive}
    for y in (Y, Y[:, 0]):
        ours = LinearRegression(**options).fit(X, y, weight)
        theirs = Reference(**options).fit(X, y, weight)
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-8)
        assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-8)
        assert ours.predict(X) == pytest.approx(theirs.predict(X), abs=1e-8)


@pytest.mark.parametrize("shape", [(60, 5), (8, 20)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_and_dense_agree(shape, fit_intercept, kind, rng):
    X = np.where(rng.random(shape) < 0.4, rng.standard_normal(shape), 0.0)
    Y = rng.standard_normal((shape[0], 3))
    weight = rng.random(shape[0])
    options = {"fit_intercept": fit_intercept, "tol": 1e-12}
    dense = LinearRegression(**options).fit(X, Y, weight)
    flat = LinearRegression(**options).fit(kind(X), Y, weight)
    assert flat.coef_ == pytest.approx(dense.coef_, abs=1e-9)
    assert flat.predict(kind(X)) == pytest.approx(dense.predict(X), abs=1e-9)


def test_weights_mean_repetition(rng):
    X, y = rng.standard_normal((20, 3)), rng.standard_normal(20)
    weight = rng.integers(0, 4, 20)
    weighted = LinearRegression().fit(X, y, weight)
    repeated = LinearRegression().fit(np.repeat(X, weight, 0), np.repeat(y, weight))
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=1e-12)
    assert weighted.intercept_ == pytest.approx(repeated.intercept_, abs=1e-12)


@pytest.mark.parametrize("condition", [1e1, 1e3, 1e5])
def test_ill_conditioned_columns_do_not_cost_digits(condition, rng):
    U, _ = np.linalg.qr(rng.standard_normal((300, 6)))
    V, _ = np.linalg.qr(rng.standard_normal((6, 6)))
    X = U * np.geomspace(1, 1 / condition, 6) @ V.T
    y = rng.standard_normal(300)
    ours = LinearRegression(fit_intercept=False).fit(X, y)
    exact = np.linalg.lstsq(X, y)[0]
    assert ours.coef_ == pytest.approx(exact, rel=1e-9 * condition**0.5)
    assert ours.rank_ == 6
    assert ours.singular_ == pytest.approx(np.geomspace(1, 1 / condition, 6), rel=1e-4)


def test_columns_far_from_the_origin_do_not_cost_digits(rng):
    X = rng.standard_normal((400, 3)) + np.array([1e6, 0, -1e4])
    y = X @ [1.0, 2, 3] + 5
    model = LinearRegression().fit(X, y)
    assert model.coef_ == pytest.approx([1, 2, 3], rel=1e-8)
    assert model.certificate_.closed


def test_sparse_columns_with_large_entries_do_not_cost_digits(rng):
    X = rng.standard_normal((400, 3)) + np.array([1e3, 0, -50])
    X[rng.random((400, 3)) < 0.5] = 0.0
    y = X @ [1.0, 2, 3] + rng.standard_normal(400)
    flat = LinearRegression().fit(sparse.csr_array(X), y)
    full = LinearRegression().fit(X, y)
    assert flat.coef_ == pytest.approx(full.coef_, rel=1e-9)
    assert flat.certificate_.closed


@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize("shape", [(60, 5), (8, 20)])
def test_every_fit_carries_a_proof_that_can_be_checked_again(shape, positive, rng):
    X, Y = rng.standard_normal(shape), rng.standard_normal((shape[0], 2))
    weight = rng.random(shape[0])
    model = LinearRegression(positive=positive).fit(X, Y, weight)
    proof = model.certify(X, Y, weight)
    for one in (proof, model.certificate_):
        assert one.relative_gap < 1e-8
    worse = LinearRegression(positive=positive).fit(X, Y, weight)
    worse.coef_ = worse.coef_ + 0.1
    assert worse.certify(X, Y, weight).gap > 1e-4
    assert model.history_[-1].primal == pytest.approx(model.certificate_.primal)
    risks = [one.primal for one in model.certificates_]
    assert min(abs(risk - proof.primal) for risk in risks) < 1e-9


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.asarray, np.asfortranarray, sparse.csr_array])
def test_repeated_and_summed_columns_are_proved(seed, weighted, kind):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-9, 10, size=(20, 4)) / 8.0, rng.standard_normal(20)
    X = np.column_stack([X, X[:, 0], 2.0 * X[:, 1], X[:, 2] - X[:, 3]])
    weight = rng.integers(1, 4, 20) if weighted else None
    model = LinearRegression(tol=1e-9).fit(kind(X + 0.5 * (seed > 5)), y, weight)
    assert model.certificate_.closed
    assert model.certify(kind(X + 0.5 * (seed > 5)), y, weight).closed


@pytest.mark.parametrize("seed", range(12))
def test_a_copy_of_a_column_is_proved_whatever_its_numbers(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((20, 4)) + seed, rng.standard_normal(20)
    model = LinearRegression().fit(np.column_stack([X, X[:, seed % 4]]), y)
    assert model.certificate_.closed


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("factor", [3.0, 7.0, 2.5])
def test_a_rounded_multiple_of_a_column_is_no_copy(seed, factor):
    # What rounding left of the product is a column of its own: times 1e16 it fits.
    rng = np.random.default_rng(seed)
    column, y = rng.standard_normal(6), rng.standard_normal(6)
    exact = [Fraction(factor) * Fraction(x) for x in column]
    left = [float(Fraction(factor * x) - z) for x, z in zip(column, exact, strict=True)]
    Z = np.column_stack([column, np.array(left) * 2.0**52, np.ones(6)])
    rest = y - Z @ np.linalg.lstsq(Z, y)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        model = LinearRegression().fit(np.column_stack([column, factor * column]), y)
    assert model.certificate_.dual <= 0.5 * np.mean(rest**2) * (1.0 + 1e-9)


@pytest.mark.parametrize("tiny", [1e-20, 1e-17, 1e-200])
def test_rows_that_only_centring_makes_equal_differ(tiny):
    a = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    b = np.concatenate([[tiny], a[1:]])  # (b - a) 5/tiny fits the first row alone
    with pytest.warns(UncertifiedWarning):
        model = LinearRegression().fit(np.column_stack([a, b]), [5, 0, 1, 1, 0, 0])
    assert model.certificate_.dual <= 0.0


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-200])
@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_a_column_whose_products_underflow_still_fits(tiny, loss):
    # 5/tiny times the second column serves the first row alone: the infimum is 0.
    X = np.array([[0, tiny], [0, 0], [1, 0], [1, 0], [0, 0], [0, 0]])
    with pytest.warns(UncertifiedWarning):
        model = RiskMinimizer(loss, "none").fit(X, [5, 0, 1, 1, 0, 0])
    assert model.certificate_.dual <= 0.0


def test_a_singular_value_that_mattered_and_was_dropped_is_reported(rng):
    X = rng.standard_normal((20, 2)) * [1.0, 1e-7]
    y = 1e7 * X[:, 1]
    with pytest.warns(UncertifiedWarning, match="lower tol"):
        assert LinearRegression().fit(X, y).rank_ == 1
    assert LinearRegression(tol=1e-10).fit(X, y).rank_ == 2


def test_single_precision_stays_single_precision(rng):
    X, y = rng.standard_normal((100, 4)).astype(np.float32), rng.standard_normal(100)
    model = LinearRegression().fit(X, y)
    assert model.coef_.dtype == model.predict(X).dtype == np.float32
    assert model.coef_ == pytest.approx(
        LinearRegression().fit(X * 1.0, y).coef_, abs=1e-5
    )


def test_says_what_is_wrong():
    with pytest.raises(InvalidParameterError, match=r"LinearRegression\.tol"):
        LinearRegression(tol=-1).fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="at least one non-zero"):
        LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0], [0, 0])
