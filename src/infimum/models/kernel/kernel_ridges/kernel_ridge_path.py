"""Kernel ridge regression for many strengths, from one eigendecomposition."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from infimum.certificates import Certificate
from infimum.models.kernel.kernel_ridges._ridge_fit import RidgeFit
from infimum.models.kernel.kernel_ridges._ridge_spectrum import (
    decompose,
    leverages,
    solve_decomposed,
)
from infimum.models.kernel.kernel_ridges._ridge_system import RidgeSystem
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
    intercepts : ndarray of shape (n_alphas, n_targets)
        0 for a regressor, which has none.
    errors : ndarray of shape (n_alphas, n_samples) or (…, n_targets)
        Leave-one-out residuals; NaN for samples of weight 0.
    mean_errors : ndarray of shape (n_alphas,)
        Their weighted mean squares.
    degrees_of_freedom : ndarray of shape (n_alphas,)
        :math:`\sum_j s_j / (s_j + α)`, and what a free intercept adds.
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
    intercepts: Matrix
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
        cls,
        fit: RidgeFit,
        alphas: Vector,
        dimensions: int,
        tolerance: float,
        copies: Vector | None = None,
    ) -> KernelRidgePath:
        """Decompose once and solve for every strength.

        `copies` says how many copies a sample stands for where that is not its weight.
        """
        began = time.perf_counter()
        for alpha in alphas:
            check_domain("KernelRidgePath.alphas", float(alpha), positive)
        system = fit.system(fit.targets)
        values, vectors = decompose(fit.gram, system.roots, float(alphas.min()))
        found = solve_decomposed(system, values, vectors, alphas)
        parts = np.split(found, len(alphas), axis=1)
        solved, offsets = zip(*map(system.unpack, parts), strict=True)
        # One matrix product instead of reading the whole kernel for every strength.
        proofs = system.certify_each(
            np.hstack(solved), np.concatenate(offsets), alphas, tolerance
        )
        copies = fit.weights if copies is None else copies
        moved = _moved(system, parts, alphas)
        decisive = leverages(values, vectors, alphas) + moved
        residuals = alphas * np.stack(solved, axis=-1) / system.weights[:, None, None]
        # Taking away a share of the weight divides by what it leaves of 1 - leverage.
        share = np.minimum(1.0, 1.0 / copies)[:, None]
        left_out = residuals / (1.0 - share * decisive)[:, None, :]
        coefs = [fit.spread(part) for part in solved]
        errors = [fit.spread(part, np.nan) for part in np.moveaxis(left_out, -1, 0)]
        shape = (len(alphas), fit.count, *fit.targets.shape[1:][: dimensions - 1])
        squares = np.nanmean(np.array(errors)[:, fit.kept] ** 2, axis=2)
        return cls(
            alphas,
            np.reshape(coefs, shape),
            np.array(offsets),
            np.reshape(errors, shape),
            np.asarray(squares @ (copies / copies.sum())),
            (values[:, None] / (values[:, None] + alphas) + moved).sum(axis=0),
            tuple(replace(proof, reason="one eigendecomposition") for proof in proofs),
            time.perf_counter() - began,
        )


def _moved(system: RidgeSystem, parts: list[Matrix], alphas: Vector) -> Matrix:
    """Return what a free intercept adds to the leverages: it follows every sample.

    With u the roots of the weights and z = (W½KW½ + αI)⁻¹u that is αz²/(u·z).
    """
    if not system.intercept:
        return np.zeros((len(system.roots), len(alphas)))
    followed = np.column_stack([part[:, -1] for part in parts])
    return np.asarray(alphas * followed**2 / (system.roots @ followed))
