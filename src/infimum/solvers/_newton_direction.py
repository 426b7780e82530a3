"""The Newton direction: by factorising the Hessian, or by conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from infimum.losses import Loss, VectorLoss
from infimum.objectives import Evaluation
from infimum.typing import Matrix, Vector

__all__ = ["conjugate_gradient", "factorized", "inverse_of"]

MAX_PRODUCTS = 500


def factorized(hessian: Matrix, gradient: Vector) -> Vector:
    """Return -H⁻¹g."""
    return -inverse_of(hessian)(gradient)


def inverse_of(hessian: Matrix) -> Callable[[Vector], Vector]:
    """Return g ↦ H⁻¹g after scaling H to unit diagonal, which makes bad units harmless.

    Collinear columns leave a choice: the shortest solution will do.
    """
    roots = np.sqrt(np.diag(hessian))
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
    scaled = hessian * np.outer(inverse, inverse)
    scaled[np.diag_indices_from(scaled)] += np.where(roots > 0, 1e-15, 1.0)
    try:
        factor = cho_factor(scaled)
    except LinAlgError:
        values, vectors = np.linalg.eigh(scaled)
        kept = values > 1e-12 * values[-1]
        basis = vectors[:, kept] / np.sqrt(values[kept])
        return lambda gradient: inverse * (basis @ (basis.T @ (inverse * gradient)))
    return lambda gradient: inverse * np.asarray(cho_solve(factor, inverse * gradient))


def conjugate_gradient(here: Evaluation) -> Vector:
    """Return an approximate Newton direction from products with the Hessian only."""
    gradient = here.gradient
    size = float(np.linalg.norm(gradient))
    goal = min(0.1, np.sqrt(size)) * size
    inverse = 1.0 / _diagonal(here)
    direction, residual = np.zeros_like(gradient), -gradient
    preconditioned = (residual.T * inverse).T
    search, agreement = preconditioned, float(np.sum(residual * preconditioned))
    for _ in range(MAX_PRODUCTS):
        if np.linalg.norm(residual) <= goal:
            break
        bent = _hessian_product(here, search)
        along = float(np.sum(search * bent))
        if along <= 0.0:
            break
        step = agreement / along
        direction = direction + step * search
        residual = residual - step * bent
        preconditioned = (residual.T * inverse).T
        previous, agreement = agreement, float(np.sum(residual * preconditioned))
        search = preconditioned + agreement / previous * search
    return direction if direction.any() else -(gradient.T * inverse).T


def _hessian_product(here: Evaluation, direction: Vector) -> Vector:
    risk = here.risk
    moved = np.asarray(risk.design.scores(direction[:-1]), dtype=np.float64)
    moved = moved + float(risk.intercept) * direction[-1]
    if isinstance(risk.loss, Loss):
        bent = here.bends * moved * risk.weights
    else:
        bent = (risk.loss.curve(risk.y, here.scores, moved).T * risk.weights).T
    product = np.concatenate(
        [risk.design.pull_back(bent), bent.sum(axis=0, keepdims=True)]
    ).astype(np.float64)
    product[:-1] += (risk.penalty.quadratic or 0.0) * direction[:-1]
    if not risk.intercept:
        product[-1] = direction[-1]
    return product


def _diagonal(here: Evaluation) -> Vector:
    """Return the diagonal of the Hessian, or of a bound on it for vector losses."""
    risk = here.risk
    if isinstance(risk.loss, Loss):
        bends = here.bends
    elif not np.isfinite(risk.loss.curvature):
        return _vector_diagonal(here, risk.loss)
    else:
        bends = np.full(len(risk.y), 0.5 * risk.loss.curvature)
    weighted = risk.weights * bends
    last = weighted.sum() if risk.intercept else 1.0
    diagonal = np.append(risk.design.squared_norms(weighted), last)
    diagonal[:-1] += risk.penalty.quadratic or 0.0
    return np.where(diagonal > 0, diagonal, 1.0)


def _vector_diagonal(here: Evaluation, loss: VectorLoss) -> Vector:
    """Return the mean curvature of the scores, for a loss without a bound on it."""
    risk, units = here.risk, np.eye(loss.outputs)
    bends = sum(
        loss.curve(risk.y, here.scores, np.tile(unit, (len(risk.y), 1)))[:, k]
        for k, unit in enumerate(units)
    )
    weighted = risk.weights * np.asarray(bends) / loss.outputs
    diagonal = np.append(risk.design.squared_norms(weighted), weighted.sum())
    diagonal[:-1] += risk.penalty.quadratic or 0.0
    return np.where(diagonal > 0, diagonal, 1.0)
