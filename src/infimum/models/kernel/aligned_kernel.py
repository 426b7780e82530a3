"""The mixture of kernels that is most like the targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.optimize import nnls

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import ConicCombination, Kernel, center_gram

__all__ = ["aligned_kernel"]


def aligned_kernel(kernels: Sequence[Kernel], X: Any, y: Any) -> ConicCombination:
    r"""Return the conic combination of greatest centred alignment with the targets.

    .. math:: \max_{μ ≥ 0} \frac{⟨\sum_p μ_p \bar K_p,\, y y^\top⟩_F}
              {\|\sum_p μ_p \bar K_p\|_F \,\|y y^\top\|_F}
              \;⇐\; \min_{v ≥ 0} v^\top M v - 2 v^\top a

    with :math:`M_{pq} = ⟨\bar K_p, \bar K_q⟩_F` and :math:`a_p = ⟨\bar K_p, y
    y^\top⟩_F`: non-negative least squares, whatever the number of samples. The weights
    sum to 1. Targets are numbers; code two classes as ±1.

    Parameters
    ----------
    kernels : sequence of Kernel
        What to mix.
    X : collection
        Things that all of them compare.
    y : array-like of shape (n,)
        Their targets.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Gaussian, Linear
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> aligned_kernel([Linear(), Gaussian(0.01)], X, X[:, 0]).weights
    (1.0, 0.0)

    References
    ----------
    Cortes, Mohri & Rostamizadeh (2012), JMLR 13.
    """
    if not kernels:
        raise InvalidParameterError("aligned_kernel needs one kernel or more, got 0.")
    targets = np.asarray(y, dtype=np.float64)
    targets = targets - targets.mean()
    grams = np.array([center_gram(kernel(X)) for kernel in kernels])
    if grams.shape[1:] != (len(targets), len(targets)):
        raise DataError(
            f"aligned_kernel needs one target per thing, got {len(targets)} for "
            f"{grams.shape[1]}."
        )
    moments = np.einsum("pij,qij->pq", grams, grams)
    shared = np.einsum("i,pij,j->p", targets, grams, targets)
    values, vectors = np.linalg.eigh(moments)
    kept = values > 1e-13 * max(values[-1], 0.0)
    roots = np.sqrt(values[kept])
    # ‖R v - R⁻ᵀa‖² = vᵀMv - 2vᵀa + constant, with M = RᵀR.
    weights, _ = nnls(
        roots[:, None] * vectors[:, kept].T, (vectors[:, kept].T @ shared) / roots
    )
    if not weights.any():
        raise DataError("aligned_kernel: no kernel is aligned with the targets.")
    shares = weights / weights.sum()
    return ConicCombination(tuple(kernels), tuple(float(s) for s in shares))
