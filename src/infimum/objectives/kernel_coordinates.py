"""Samples in coordinates of their own: what a kernel matrix says about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = ["KernelCoordinates"]

#: Negative eigenvalues up to this share of the largest are rounding.
ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class KernelCoordinates:
    r"""Vectors with the inner products of a kernel matrix, and the way back.

    .. math:: K = U S U^\top, \qquad X = U S^{1/2}, \qquad
              X X^\top = K, \qquad w = X^\top c \;⇐\; c = U S^{-1/2} w

    Rows of X are the samples in as many coordinates as they span. A weight vector w in
    them is the function :math:`\sum_i c_i k(x_i, ·)`, and :math:`\|w\|` is its norm in
    the space of the kernel.

    Attributes
    ----------
    root : ndarray of shape (n_samples, rank)
        X.
    back : ndarray of shape (n_samples, rank)
        :math:`U S^{-1/2}`.

    Examples
    --------
    >>> import numpy as np
    >>> K = np.array([[4.0, 2.0], [2.0, 2.0]])
    >>> space = KernelCoordinates.of(K)
    >>> c = space.back @ space.root.T @ np.array([1.0, -3.0])
    >>> (space.root @ space.root.T).round(6).tolist(), c.round(6).tolist()
    ([[4.0, 2.0], [2.0, 2.0]], [1.0, -3.0])
    """

    root: Matrix
    back: Matrix

    @classmethod
    def of(cls, gram: Matrix) -> KernelCoordinates:
        """Decompose a kernel matrix; refuse what no vectors have as inner products."""
        gram = np.asarray(gram, dtype=np.float64)
        if gram.ndim != 2 or gram.shape[0] != gram.shape[1]:  # noqa: PLR2004
            raise DataError(f"A kernel matrix must be square, got shape {gram.shape}.")
        scale = float(np.abs(gram).max(initial=0.0))
        if np.abs(gram - gram.T).max(initial=0.0) > ROUNDING * scale:
            raise DataError("A kernel matrix must be symmetric: k(x, z) = k(z, x).")
        if not len(gram):
            return cls(np.zeros((0, 0)), np.zeros((0, 0)))
        values, vectors = eigh(gram, driver="evd", check_finite=False)
        if values[0] < -ROUNDING * scale * len(gram):
            raise DataError(
                "A kernel matrix must be positive semi-definite, its smallest "
                f"eigenvalue is {values[0]:.3g}: no vectors have these inner products."
            )
        kept = values > np.finfo(np.float64).eps * len(gram) * max(values[-1], 0.0)
        roots = np.sqrt(values[kept])
        # Rows one after another: each is read as a whole when scores are computed.
        root = np.ascontiguousarray(vectors[:, kept] * roots)
        return cls(root, vectors[:, kept] / roots)
