"""The bounds of the graphical lasso hold in 60 digits, whatever the scales."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.models.covariance import GraphicalLasso
from infimum.models.covariance._sparse_precision import solve_precision

STRENGTHS = (0.0, 1e-8, 0.1, 10.0)


def risk(precision, sample, alpha):
    """Return the objective: rational but for a logarithm of 60 digits."""
    S, T = (
        [[Fraction(x) for x in row] for row in M.tolist()] for M in (sample, precision)
    )
    pairs = [(i, j) for i in range(len(S)) for j in range(len(S))]
    trace = sum(S[i][j] * T[i][j] for i, j in pairs)
    paid = sum(abs(T[i][j]) for i, j in pairs if i != j)
    with localcontext(prec=60):
        det, rest = determinant(T), trace + Fraction(alpha) * paid
        logarithm = (Decimal(det.numerator) / Decimal(det.denominator)).ln()
        return Decimal(rest.numerator) / Decimal(rest.denominator) - logarithm


def determinant(M):
    """Return the determinant of a definite matrix, by elimination."""
    M, det = [list(row) for row in M], Fraction(1)
    for k, pivot in enumerate(M):
        det *= pivot[k]
        for row in M[k + 1 :]:
            share = row[k] / pivot[k]
            row[:] = [a - share * b for a, b in zip(row, pivot, strict=True)]
    return det


def covariance(rng, kind):
    X = rng.standard_normal((50, 4))
    if kind == "scales":
        X *= [1e-6, 1.0, 1e6, 1e2]
    if kind == "copies":
        X[:, 2:] = X[:, :2] + 1e-5 * X[:, 2:]
    centred = X - X.mean(axis=0)
    return centred.T @ centred / len(X)


@pytest.mark.parametrize("kind", ["plain", "scales", "copies"])
@pytest.mark.parametrize("seed", range(3))
def test_no_precision_found_for_another_strength_is_below_a_bound(kind, seed):
    sample = covariance(np.random.default_rng(seed), kind)
    how = {"tol": 1e-4, "max_iter": 100}
    found = [solve_precision(sample, alpha, **how) for alpha in STRENGTHS]
    known = [each for each in found if np.isfinite(each.certificate.primal)]
    for alpha, solved in zip(STRENGTHS, found, strict=True):
        risks = [risk(other.precision, sample, alpha) for other in known]
        assert solved.certificate.dual <= min(risks)
        if solved in known:
            assert risk(solved.precision, sample, alpha) <= solved.certificate.primal
    assert all(solved.certificate.closed for solved in found[2:])


def test_columns_of_other_scales_are_solved_as_well(rng):
    X = rng.standard_normal((60, 4)) * [1e-6, 1.0, 1e6, 1e2]
    assert GraphicalLasso(alpha=0.1).fit(X).certificate_.closed


@pytest.mark.parametrize(("columns", "alpha"), [(30, 0.01), (30, 0.1), (120, 0.05)])
def test_columns_that_add_up_one_after_the_other_are_proved(columns, alpha, rng):
    # Newton's steps alone, from a far start, do not arrive in a hundred.
    X = np.cumsum(rng.standard_normal((1000, columns)), axis=1)
    if columns > 100:
        X /= X.std(axis=0)
    assert GraphicalLasso(alpha=alpha).fit(X).certificate_.closed


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.0, 1e-9])
def test_a_covariance_that_is_given_is_taken_as_it_stands(seed, alpha):
    rng = np.random.default_rng(seed)
    scales = 10.0 ** rng.uniform(-6.0, 6.0, 5)
    X = rng.standard_normal((30, 5)) * scales
    sample = X.T @ X / 30
    sample = 0.5 * (sample + sample.T)
    model = GraphicalLasso(alpha, covariance="precomputed").fit(sample)
    proof = model.certificate_
    assert proof.dual <= risk(model.precision_, sample, alpha) <= proof.primal


def test_a_covariance_whose_halves_differ_is_refused_in_one_sentence():
    given = np.array([[1.0, 0.5], [-0.5, 1.0]])
    with pytest.raises(DataError, match=r"must be symmetric: entry \(0, 1\) is 0\.5"):
        GraphicalLasso(0.1, covariance="precomputed").fit(given)
