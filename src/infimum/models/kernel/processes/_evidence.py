"""The evidence of a Gaussian process, and its maximum over the kernel's parameters."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg, optimize
from scipy.linalg.lapack import dpotri

from infimum.errors import DataError, InvalidParameterError
from infimum.models.kernel.processes._noisy_values import NoisyValues
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["Objective", "cholesky", "evidence_of", "gaussian_evidence", "maximise"]

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


def evidence_of(fitted: float, log_determinant: float, shape: tuple[int, ...]) -> float:
    r"""Return log p(y | X) summed over targets.

    .. math:: -\tfrac12 y^\top A^{-1} y - \tfrac12 \log|A| - \tfrac n2 \log 2π

    `fitted` is the first quadratic form, summed; `shape` that of the targets.
    """
    n, outputs = shape
    return -0.5 * (fitted + outputs * (log_determinant + n * float(np.log(2 * np.pi))))


def gaussian_evidence(
    owner: str, kernel: TunedKernel, data: NoisyValues
) -> tuple[float, Vector]:
    """Return log p(y | X) summed over targets, and its slope in log-parameters."""
    targets, outputs = data.targets, data.targets.shape[1]
    noisy = data.smooth_gram(kernel)
    noisy[np.diag_indices_from(noisy)] += data.noise(kernel)
    factor = cholesky(owner, noisy)
    weights = linalg.cho_solve((factor, True), targets, check_finite=False)
    value = evidence_of(
        float(np.vdot(targets, weights)),
        2.0 * float(np.log(np.diag(factor)).sum()),
        targets.shape,
    )
    value += outputs * data.copied(kernel)
    if not len(kernel.theta):
        return value, np.empty(0)
    inverse, _ = dpotri(factor, lower=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    pull = 0.5 * (weights @ weights.T - outputs * inverse)
    slopes = [float(np.vdot(pull, slope)) for slope in kernel.slopes(data.X)]
    each = pull.diagonal() / outputs
    return value, np.array(slopes) + outputs * data.correction(kernel, each)


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
    best = max(found, key=lambda pair: pair[1])[0]
    # Kernels of scikit-learn warn of a parameter on its bound in words of their own.
    warn = getattr(kernel.at(best).kernel, "_check_bounds_params", None)
    if warn is not None and np.isfinite(bounds).all():
        warn()
    return best


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
