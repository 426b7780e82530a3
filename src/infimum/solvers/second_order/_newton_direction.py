"""The Newton direction: by factorising the Hessian, or by conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from infimum.data.designs import Design
from infimum.losses import Loss, VectorLoss
from infimum.objectives import Evaluation
from infimum.typing import Matrix, Vector

__all__ = ["LARGE", "Linear", "conjugate_gradient", "factorized", "inverse_of"]

MAX_PRODUCTS = 500
#: Entries from which a second copy in single precision pays.
LARGE = 5_000_000

Linear: TypeAlias = Callable[[Vector], Vector]


def factorized(hessian: Matrix, gradient: Vector) -> Vector:
    """Return -H⁻¹g."""
    return -inverse_of(hessian)(gradient)


def inverse_of(hessian: Matrix) -> Callable[[Vector], Vector]:
    """Return g ↦ H⁻¹g after scaling H to unit diagonal, which makes bad units harmless.

    Collinear columns leave a choice: the shortest solution will do.
    """
    # Rounding may leave a diagonal entry below 0: such a column has no curvature.
    roots = np.sqrt(np.maximum(hessian.diagonal(), 0.0))
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
    scaled = hessian * (inverse[:, None] * inverse)
    scaled.flat[:: len(scaled) + 1] += np.where(roots > 0, 1e-15, 1.0)
    if not np.isfinite(scaled).all():
        return np.zeros_like  # numbers too large or small leave no direction
    # The transpose is the same matrix, in the order that LAPACK takes.
    factor, wrong = dpotrf(scaled.T, lower=1, clean=0)
    if wrong:
        values, vectors = np.linalg.eigh(scaled)
        kept = values > 1e-12 * values[-1]
        basis = vectors[:, kept] / np.sqrt(values[kept])
        return lambda gradient: inverse * (basis @ (basis.T @ (inverse * gradient)))
    return lambda gradient: (
        inverse * np.asarray(dpotrs(factor, inverse * gradient, lower=1)[0])
    )


def conjugate_gradient(here: Evaluation, precondition: Linear | None = None) -> Vector:
    """Return an approximate Newton direction from products with the Hessian only.

    `precondition` maps a residual to a guess at the direction that it asks for; the
    inverse of the diagonal when None.
    """
    gradient, bend = here.gradient, _hessian_products(here)
    size = float(np.linalg.norm(gradient))
    goal = min(0.1, np.sqrt(size)) * size
    guess = precondition or _by_diagonal(here)
    direction, residual = np.zeros_like(gradient), -gradient
    preconditioned = guess(residual)
    search, agreement = preconditioned, float(np.sum(residual * preconditioned))
    for _ in range(MAX_PRODUCTS):
        if np.linalg.norm(residual) <= goal:
            break
        bent = bend(search)
        along = float(np.sum(search * bent))
        if not along > 0.0:
            break
        step = agreement / along
        direction = direction + step * search
        residual = residual - step * bent
        preconditioned = guess(residual)
        previous, agreement = agreement, float(np.sum(residual * preconditioned))
        search = preconditioned + agreement / previous * search
    return direction if direction.any() else guess(-gradient)


class _Single(NamedTuple):
    """A design in single precision."""

    design: Design


def _hessian_products(here: Evaluation) -> Linear:
    """Return the product with the Hessian, as a function of the direction.

    Directions need few digits: a large design for a loss with several scores is read
    in single precision, at half the price.
    """
    risk, curve, design = here.risk, _curve(here), here.risk.design
    if not isinstance(risk.loss, Loss) and design.shape[0] * design.shape[1] > LARGE:
        design = risk.memory.made(_Single, lambda: _Single(risk.design.single())).design

    def product(direction: Vector) -> Vector:
        moved = np.asarray(design.scores(direction[:-1]))
        bent = curve(moved + float(risk.intercept) * direction[-1])
        pulled = design.pull_back(bent)
        product = np.concatenate([pulled, bent.sum(axis=0, keepdims=True)])
        product = product.astype(np.float64)
        product[:-1] += (risk.penalty.quadratic or 0.0) * direction[:-1]
        if not risk.intercept:
            product[-1] = direction[-1]
        return product

    return product


def _curve(here: Evaluation) -> Linear:
    """Return the change of the weighted slopes, as a function of that of the scores."""
    risk = here.risk
    if isinstance(risk.loss, Loss):
        weighted = here.bends * risk.weights
        return lambda moved: weighted * moved
    bend = risk.loss.bending(risk.y, here.scores)
    return lambda moved: (bend(moved).T * risk.weights).T


def _by_diagonal(here: Evaluation) -> Linear:
    inverse = 1.0 / _diagonal(here)
    return lambda residual: (residual.T * inverse).T


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
