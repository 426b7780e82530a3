"""Support vector machines written out as quadratic programs, for any solver of such."""

import numpy as np

from infimum.study.convexity import PathFollowing, QuadraticProgram


def clouds(rng, n=30, gap=0.0, d=2):
    """Return two clouds with labels -1 and +1; a gap moves them apart."""
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, d))
    X[:, 0] += gap * y
    return X, y


def solved(program):
    """Solve to more digits than any comparison needs."""
    return PathFollowing(tolerance=1e-10).solve(program)


def hard_primal(X, y):
    """Return ½‖w‖² under y(⟨w, x⟩ + b) ≥ 1; the point is (w, b)."""
    d = X.shape[1]
    walls = -y[:, None] * np.column_stack([X, np.ones(len(y))])
    half = np.diag(np.append(np.ones(d), 0.0))
    return QuadraticProgram(
        half,
        np.zeros(d + 1),
        inequality_matrix=walls,
        inequality_limit=-np.ones(len(y)),
    )


def soft_primal(X, y, price):
    """Return ½‖w‖² + price·Σξ under y(⟨w, x⟩ + b) ≥ 1 - ξ; the point is (w, b, ξ)."""
    n, d = X.shape
    rows = -y[:, None] * np.column_stack([X, np.ones(n)])
    walls = np.block([[rows, -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return QuadraticProgram(
        np.diag(np.concatenate([np.ones(d), np.zeros(n + 1)])),
        np.concatenate([np.zeros(d + 1), np.full(n, price)]),
        inequality_matrix=walls,
        inequality_limit=np.concatenate([-np.ones(n), np.zeros(n)]),
    )


def margin_dual(gram, y, ceiling=None, *, balanced=True):
    """Return ½α'Hα - Σα with H = yy'K, α ≥ 0, α ≤ ceiling, and y'α = 0 if balanced."""
    n = len(y)
    walls, limits = [-np.eye(n)], [np.zeros(n)]
    if ceiling is not None:
        walls.append(np.eye(n))
        limits.append(np.full(n, ceiling))
    return QuadraticProgram(
        np.outer(y, y) * gram,
        -np.ones(n),
        y[None, :] if balanced else np.empty((0, n)),
        np.zeros(1) if balanced else np.empty(0),
        np.vstack(walls),
        np.concatenate(limits),
    )


def share_dual(hessian, ceiling, rows, targets):
    """Return ½α'Hα for 0 ≤ α ≤ ceiling and given sums of α."""
    n = len(hessian)
    return QuadraticProgram(
        hessian,
        np.zeros(n),
        np.atleast_2d(rows),
        np.atleast_1d(targets),
        np.vstack([-np.eye(n), np.eye(n)]),
        np.concatenate([np.zeros(n), np.full(n, ceiling)]),
    )


def weights_of(model, n):
    """Return the signed coefficient of every sample, 0 for those that support not."""
    out = np.zeros(n)
    out[model.support_] = model.dual_coef_[0]
    return out
