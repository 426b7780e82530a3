"""Problems whose constants are known, and how far solvers are from their minimum."""

import numpy as np

from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.objectives import LinearRisk
from infimum.solvers import choose
from infimum.study.convexity import linear_rate_bound
from infimum.study.solvers import trace


def risk_of(loss, penalty, n=60, d=5):
    """Return a risk without an intercept, whose moduli are eigenvalues."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n, d)) * np.linspace(0.5, 1.5, d)
    scores = X @ rng.normal(size=d) + rng.normal(size=n)
    y = scores if loss.target == "real" else np.where(scores > 0, 1.0, -1.0)
    return LinearRisk(as_design(X), y, loss, penalty, intercept=False)


def moduli(risk):
    """Return bounds (σ, L) on the eigenvalues of the Hessian of the mean loss."""
    values = np.linalg.eigvalsh(risk.design.gram(risk.weights))
    sure = 1.0 if isinstance(risk.loss, Squared) else 0.0
    return sure * values[0], risk.loss.curvature * values[-1]


def optimum(risk):
    solution = choose(risk)(1e-13).solve(risk)
    assert solution.certificate.relative_gap <= 1e-9
    return solution


def longest_row(risk):
    return float(np.linalg.norm(risk.design.toarray(), axis=1).max())


def excess(solver, risk, start=None):
    """Return the iterations, the least errors up to them, and the trace."""
    seen = trace(solver, risk, start)
    errors = np.minimum.accumulate(seen.values) - optimum(risk).certificate.primal
    return seen.numbers, errors, seen


def linear(solver, risk, share=1.0):
    """Compare with the rate (1 - share·σ/L)^k."""
    (sigma, L), strength = moduli(risk), risk.penalty.quadratic or 0.0
    sigma, L = sigma + strength, L + strength
    k, errors, _ = excess(solver, risk)
    bound = [linear_rate_bound(L / share, sigma, errors[0], int(i)) for i in k]
    return errors, np.array(bound)
