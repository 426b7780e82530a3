"""The evidence of a Gaussian process, and its maximum over the kernel's parameters."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg, optimize

from infimum.certificates import Certificate
from infimum.errors import DataError, InvalidParameterError
from infimum.models.kernel._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["Objective", "cholesky", "gaussian_evidence", "maximise", "prove_mean"]

#: Log-parameters to the evidence and its gradient there.
Objective = Callable[[Vector], tuple[float, Vector]]


def cholesky(owner: str, gram: Matrix) -> Matrix:
    """Return the lower Cholesky factor, or say what to do about a singular matrix."""
    try:
        return np.asarray(linalg.cholesky(gram, lower=True, check_finite=False))
    except linalg.LinAlgError:
        raise DataError(
            f"{owner}: the kernel matrix is not positive definite; raise alpha, or "
            "check the kernel with infimum.kernels.check_definite."
        ) from None


def gaussian_evidence(
    owner: str, kernel: TunedKernel, X: Any, targets: Matrix, noise: Vector | float
) -> tuple[float, Vector]:
    r"""Return log p(y | X) summed over targets, and its slope in log-parameters.

    .. math:: -\tfrac12 y^\top K^{-1} y - \tfrac12 \log|K| - \tfrac n2 \log 2π
    """
    gram = kernel.gram(X)
    gram[np.diag_indices_from(gram)] += noise
    factor = cholesky(owner, gram)
    weights = linalg.cho_solve((factor, True), targets, check_finite=False)
    n, outputs = targets.shape
    value = -0.5 * float(np.vdot(targets, weights))
    value -= outputs * float(np.log(np.diag(factor)).sum() + n / 2 * np.log(2 * np.pi))
    if not len(kernel.theta):
        return value, np.empty(0)
    inverse = linalg.cho_solve((factor, True), np.eye(n), check_finite=False)
    inner = weights @ weights.T - outputs * inverse
    slopes = [0.5 * float(np.vdot(inner, slope)) for slope in kernel.slopes(X)]
    return value, np.array(slopes)


def maximise(
    owner: str,
    evidence: Objective,
    kernel: TunedKernel,
    optimizer: Any,
    restarts: int,
    draw: Any,
) -> Vector:
    """Return the log-parameters with the largest evidence found.

    The evidence has many hills: the first climb starts from the kernel as given, the
    others from random points of its box.
    """
    bounds = kernel.bounds
    if restarts and not np.isfinite(bounds).all():
        raise InvalidParameterError(
            f"{owner}.n_restarts_optimizer needs finite bounds of every parameter."
        )
    starts = [kernel.theta]
    starts += [draw.uniform(bounds[:, 0], bounds[:, 1]) for _ in range(restarts)]
    found = [_climb(owner, evidence, start, bounds, optimizer) for start in starts]
    return max(found, key=lambda pair: pair[1])[0]


def _climb(
    owner: str, evidence: Objective, start: Vector, bounds: Matrix, optimizer: Any
) -> tuple[Vector, float]:
    def descend(theta: Any, *, eval_gradient: bool = True) -> Any:
        try:
            value, slope = evidence(np.asarray(theta))
        except DataError:  # singular just here: no evidence for these parameters
            value, slope = -np.inf, np.zeros(len(start))
        return (-value, -slope) if eval_gradient else -value

    if optimizer == "fmin_l_bfgs_b":
        result = optimize.minimize(
            descend, start, method="L-BFGS-B", jac=True, bounds=bounds.tolist()
        )
        return np.asarray(result.x), -float(result.fun)
    if callable(optimizer):
        theta, least = optimizer(descend, start, bounds=bounds)
        return np.asarray(theta), -float(least)
    raise InvalidParameterError(
        f"{owner}.optimizer must be 'fmin_l_bfgs_b', a callable or None, got "
        f"{optimizer!r}."
    )


def prove_mean(
    gram: Matrix, weights: Matrix, targets: Matrix, noise: Any
) -> Certificate:
    """Return primal and dual value at the weights; they differ by the residual."""
    fitted = gram @ weights
    size = float(np.vdot(weights, fitted))
    spread = np.broadcast_to(noise, (len(targets),))[:, None]
    apart = targets - fitted
    # Noiseless samples are constraints: whatever is left of them is rounding.
    loss = np.divide(apart**2, spread, out=np.zeros_like(apart), where=spread > 0)
    null = np.divide(targets**2, spread, out=np.zeros_like(apart), where=spread > 0)
    dual = float(np.vdot(targets, weights)) - 0.5 * (
        size + float(np.vdot(weights * spread, weights))
    )
    return Certificate(
        primal=0.5 * (float(loss.sum()) + size),
        dual=dual,
        scale=max(0.5 * float(null.sum()) - dual, np.finfo(float).tiny),
        reason="solved directly",
    )
