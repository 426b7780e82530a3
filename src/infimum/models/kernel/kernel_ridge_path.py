"""Kernel ridge regression for many strengths, from one eigendecomposition."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from infimum.certificates import Certificate
from infimum.models.kernel._ridge_fit import RidgeFit
from infimum.models.kernel._ridge_spectrum import (
    decompose,
    leverages,
    solve_decomposed,
)
from infimum.models.kernel._ridge_system import RidgeSystem
from infimum.parameters import check_domain, positive
from infimum.solvers import Record
from infimum.typing import Matrix, Vector

__all__ = ["KernelRidgePath"]


@dataclass(frozen=True, eq=False)
class KernelRidgePath:
    r"""What one eigendecomposition :math:`K = U S U^\top` says about every strength.

    .. math:: c(α) = U (S + αI)^{-1} U^\top y, \qquad
              y_i - f_{-i}(x_i) = \frac{c_i}{[(K + αI)^{-1}]_{ii}}

    The second is the error at a sample of the function learnt without it: leaving each
    out in turn costs nothing more. Of a sample of weight k > 1 one of its k copies is
    left out. Large matrices are decomposed in single precision; the solutions are then
    refined to double precision and certified, the errors keep some five digits.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
    dual_coefs : ndarray of shape (n_alphas, n_samples) or (…, n_targets)
        The coefficients for each strength.
    errors : ndarray of shape (n_alphas, n_samples) or (…, n_targets)
        Leave-one-out residuals; NaN for samples of weight 0.
    mean_errors : ndarray of shape (n_alphas,)
        Their weighted mean squares.
    degrees_of_freedom : ndarray of shape (n_alphas,)
        :math:`\sum_j s_j / (s_j + α)`.
    certificates : tuple of Certificate
    seconds : float
        What all of it took.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.kernel import KernelRidge
    >>> X, y = np.array([[0.0], [1.0], [3.0]]), np.array([0.0, 1.0, 0.0])
    >>> path = KernelRidge(kernel="rbf").path(X, y, [0.1, 1.0])
    >>> path.mean_errors.round(3), path.degrees_of_freedom.round(2)
    (array([0.371, 0.345]), array([2.7 , 1.46]))
    """

    alphas: Vector
    dual_coefs: Matrix
    errors: Matrix
    mean_errors: Vector
    degrees_of_freedom: Vector
    certificates: tuple[Certificate, ...]
    seconds: float

    def history(self, position: int) -> tuple[Record, ...]:
        """Return what was proved of one strength, as the history of a fit."""
        proof = self.certificates[position]
        return (Record(1, self.seconds, proof.primal, proof.dual),)

    @classmethod
    def of(
        cls, fit: RidgeFit, alphas: Vector, dimensions: int, tolerance: float
    ) -> KernelRidgePath:
        """Decompose once and solve for every strength."""
        began = time.perf_counter()
        for alpha in alphas:
            check_domain("KernelRidgePath.alphas", float(alpha), positive)
        system = fit.system(fit.targets)
        values, vectors = decompose(fit.gram, system.roots, float(alphas.min()))
        found = solve_decomposed(system, values, vectors, alphas)
        coefs, errors = [], []
        decisive = leverages(values, vectors, alphas)
        solved = system.unpack(found)[0]
        # One matrix product instead of reading the whole kernel for every strength.
        proofs = system.certify_each(solved, np.zeros(1), alphas, tolerance)
        parts = np.split(solved, len(alphas), axis=1)
        for k, (alpha, coefficients) in enumerate(zip(alphas, parts, strict=True)):
            coefs.append(fit.spread(coefficients))
            left_out = _left_out(system, coefficients, decisive[:, k], float(alpha))
            errors.append(fit.spread(left_out, np.nan))
        shape = (len(alphas), fit.count, *fit.targets.shape[1:][: dimensions - 1])
        squares = np.nanmean(np.array(errors)[:, fit.kept] ** 2, axis=2)
        return cls(
            alphas,
            np.reshape(coefs, shape),
            np.reshape(errors, shape),
            np.asarray(squares @ (fit.weights / fit.weights.sum())),
            np.array([(values / (values + alpha)).sum() for alpha in alphas]),
            tuple(replace(proof, reason="one eigendecomposition") for proof in proofs),
            time.perf_counter() - began,
        )


def _left_out(
    system: RidgeSystem, coefficients: Matrix, decisive: Vector, alpha: float
) -> Matrix:
    """Return the residuals of the functions learnt without one copy of each sample.

    The residual with it is αc/w, and taking away a share of its weight divides by what
    that share leaves of 1 minus the leverage.
    """
    share = np.minimum(1.0, 1.0 / system.weights)
    residuals = alpha * coefficients / system.weights[:, None]
    return np.asarray(residuals / (1.0 - share * decisive)[:, None])
