"""The similarity matrix of a graph, scaled by its degrees, as an operator."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.models.graph._weights import accept_weights, degrees_of, dense
from infimum.models.graph.laplacian import inverse_roots
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["NormalizedAdjacency", "multiply_weights"]


class NormalizedAdjacency:
    r"""The operator :math:`I - L_{sym}` of a graph, regularised or not.

    .. math:: \tilde D^{-1/2} \tilde W \tilde D^{-1/2} v
              = \tilde D^{-1/2} W \tilde D^{-1/2} v
              + \frac{τ}{n} \tilde D^{-1/2} 1 \,(1^\top \tilde D^{-1/2} v)

    with :math:`\tilde W = W + \frac{τ}{n} 1 1^\top`. The regularised matrix is
    full, but never formed: a sparse product and one of rank one do.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
        Symmetric weights.
    tau : float, default=0.0
        What every degree grows by. About the mean degree keeps small sets that dangle
        on a single edge from looking like clusters.

    Attributes
    ----------
    degrees : ndarray of shape (n,)
        Degrees of the regularised graph.

    Examples
    --------
    >>> import numpy as np
    >>> operator = NormalizedAdjacency([[0.0, 1.0], [1.0, 0.0]], tau=1.0)
    >>> operator.degrees
    array([2., 2.])
    >>> operator.multiply(np.eye(2))
    array([[0.25, 0.75],
           [0.75, 0.25]])
    """

    def __init__(self, W: Any, tau: float = 0.0) -> None:
        check_domain("NormalizedAdjacency: tau", tau, nonnegative)
        self._start(accept_weights("NormalizedAdjacency", W), float(tau))

    @classmethod
    def of(cls, weights: Any, tau: float = 0.0) -> "NormalizedAdjacency":
        """Return the operator of admitted weights, sparse or dense."""
        operator = cls.__new__(cls)
        operator._start(weights, tau)
        return operator

    def _start(self, weights: Any, tau: float) -> None:
        n = weights.shape[0]
        self.degrees: Vector = degrees_of(weights) + tau
        scale = inverse_roots(self.degrees)
        if not isinstance(weights, np.ndarray):
            left: Any = sparse.diags_array(scale)
            self._scaled: Any = sparse.csr_array(left @ weights @ left)
        else:
            self._scaled = scale[:, None] * weights * scale
        self._share = np.sqrt(tau / n) * scale if tau else None
        self._alone = np.flatnonzero(self.degrees == 0)

    def multiply(self, V: Matrix) -> Matrix:
        """Return the operator applied to each column; lone vertices stay."""
        out = multiply_weights(self._scaled, V)
        if self._share is not None:
            out += np.outer(self._share, self._share @ V)
        out[self._alone] = V[self._alone]
        return out

    def formed(self) -> Matrix:
        """Return the operator as a matrix."""
        matrix = np.array(dense(self._scaled))
        if self._share is not None:
            matrix += np.outer(self._share, self._share)
        matrix[self._alone, self._alone] = 1.0
        return matrix


def multiply_weights(weights: Any, V: Matrix) -> Matrix:
    """Return admitted weights, sparse or dense, times a block of vectors."""
    if isinstance(weights, np.ndarray):
        return np.asarray(weights @ V)
    from infimum.compiled.products.sparse_blocks import multiply_lines

    return multiply_lines(weights.indptr, weights.indices, weights.data, V)
