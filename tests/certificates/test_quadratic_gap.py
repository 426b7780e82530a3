"""Least squares is proved by its curvature: never above the optimum, rarely open."""

from fractions import Fraction

import numpy as np
import pytest

from infimum.certificates import certify_least_squares
from infimum.data.designs import DenseDesign
from infimum.losses import Squared
from infimum.models.linear import LinearRegression
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty, Ridge


def least_squares(rng, n=20, d=3, weights=None):
    X = rng.standard_normal((n, d))
    shares = np.full(n, 1 / n) if weights is None else weights / weights.sum()
    X = X - shares @ X
    y = X @ rng.standard_normal(d) + rng.standard_normal(n)
    return LinearRisk(DenseDesign(X), y, Squared(), NoPenalty(), weights)


def spectrum_of(risk):
    X = risk.design.toarray()
    return np.linalg.eigvalsh(X.T @ (risk.weights[:, None] * X))


def least_risk(risk):
    """Return the least risk, in exact arithmetic on the stored numbers."""
    rows = [[*map(Fraction, row.tolist()), Fraction(1)] for row in risk.design.X]
    targets = [Fraction(value) for value in risk.y.tolist()]
    weights = [1] * len(targets)
    if risk.sample_weight is not None:
        weights = [Fraction(weight) for weight in risk.sample_weight.tolist()]
    triples, size = list(zip(rows, targets, weights, strict=True)), len(rows[0])
    A = [
        [sum(c * r[i] * r[j] for r, _, c in triples) for j in range(size)]
        + [sum(c * r[i] * y for r, y, c in triples)]
        for i in range(size)
    ]
    for k in range(size):
        for i in range(size):
            if i != k:
                factor = A[i][k] / A[k][k]
                A[i] = [a - factor * b for a, b in zip(A[i], A[k], strict=True)]
    w = [A[k][size] / A[k][k] for k in range(size)]
    left = [y - sum(a * b for a, b in zip(r, w, strict=True)) for r, y, _ in triples]
    squares = sum(c * r * r for c, r in zip(weights, left, strict=True))
    return squares / (2 * sum(weights))


@pytest.mark.parametrize("step", [0.0, 1e-9, 1e-5, 1e-2, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_bound_is_below_the_least_risk_wherever_it_is_asked(step, weighted, rng):
    risk = least_squares(rng, weights=rng.random(20) if weighted else None)
    root = np.sqrt(risk.weights)[:, None]
    table = np.column_stack([risk.design.X, np.ones(20)])
    best = np.linalg.lstsq(root * table, root[:, 0] * risk.y)[0]
    here = risk.evaluate(best + step * rng.standard_normal(4))
    proof = certify_least_squares(here, spectrum_of(risk))
    exact = least_risk(risk)
    assert Fraction(proof.dual) <= exact
    assert proof.primal - proof.slack <= float(exact) + proof.gap
    assert float(exact) - proof.dual <= 100 * step**2 + 1e-12
    assert proof.closed == (step <= 1e-5)


def test_columns_that_are_nearly_dependent_prove_nothing(rng):
    risk = least_squares(rng)
    twin = risk.design.X.copy()
    twin[:, 1] = twin[:, 0] * (1 + 1e-9)
    near = LinearRisk(DenseDesign(twin), risk.y, Squared(), NoPenalty())
    assert certify_least_squares(near.at_null, spectrum_of(near)) is None


def test_another_risk_is_not_taken_for_least_squares(rng):
    risk = least_squares(rng)
    other = risk.with_penalty(Ridge(0.1))
    assert certify_least_squares(other.at_null, spectrum_of(risk)) is None


def test_a_fit_and_an_auditor_agree(rng):
    X = rng.standard_normal((200, 4)) + 50.0
    y = X @ rng.standard_normal(4) + rng.standard_normal(200)
    model = LinearRegression().fit(X, y)
    proof = model.certify(X, y, rigorous=True)
    assert model.certificate_.closed
    assert proof.closed
    assert model.certificate_.dual <= proof.primal
    assert proof.dual <= model.certificate_.primal + model.certificate_.slack
