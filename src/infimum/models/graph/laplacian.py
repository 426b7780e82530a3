"""The three Laplacians of a graph, and what they measure."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models.graph._weights import accept_weights, degrees_of
from infimum.parameters import Choice, check_domain
from infimum.typing import Vector

__all__ = ["LAPLACIANS", "degrees", "inverse_roots", "laplacian", "variation"]

LAPLACIANS = Choice(("unnormalized", "symmetric", "random_walk"))


def degrees(W: Any) -> Vector:
    """Return the degree of each vertex: the sum of the weights of its edges.

    Examples
    --------
    >>> degrees([[0, 1], [1, 0]])
    array([1., 1.])
    """
    weights = accept_weights("degrees", W)
    return degrees_of(weights)


def inverse_roots(d: Vector) -> Vector:
    """Return 1/√d, and 0 for vertices without an edge."""
    roots = np.sqrt(d)
    return np.asarray(np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0))


def laplacian(W: Any, kind: str = "unnormalized") -> sparse.csr_array:
    r"""Return a Laplacian of an undirected graph, sparse.

    .. math:: L = D - W, \qquad
              L_{sym} = D^{-1/2} L D^{-1/2}, \qquad
              L_{rw} = D^{-1} L

    All are positive semi-definite in their geometry, and the multiplicity of their
    eigenvalue 0 is the number of connected components. A vertex without an edge has a
    row of zeros in each of them, so that it counts as the component it is.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
        Symmetric weights, none negative. Loops do not matter for L, but for the
        degrees of the others.
    kind : {'unnormalized', 'symmetric', 'random_walk'}, default='unnormalized'

    Examples
    --------
    >>> laplacian([[0, 2], [2, 0]]).toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    >>> laplacian([[0, 2], [2, 0]], "symmetric").toarray()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    check_domain("laplacian: kind", kind, LAPLACIANS)
    weights = accept_weights("laplacian", W)
    d = degrees_of(weights)
    plain = sparse.csr_array(sparse.diags_array(d) - weights)
    if kind == "unnormalized":
        return plain
    scale = inverse_roots(d)
    left = sparse.diags_array(scale if kind == "symmetric" else scale**2)
    right = sparse.diags_array(scale if kind == "symmetric" else np.ones(len(d)))
    return sparse.csr_array(left @ plain @ right)


def variation(W: Any, f: Any, *, normalized: bool = False) -> float:
    r"""Return how much a function on the vertices varies along the edges.

    .. math:: f^\top L f = \tfrac12 \sum_{ij} w_{ij} (f_i - f_j)^2

    summed over edges, without forming L. With ``normalized``, f is divided by the roots
    of the degrees first, which gives :math:`f^\top L_{sym} f`.

    Examples
    --------
    >>> variation([[0, 2], [2, 0]], [0.0, 3.0])
    18.0
    """
    weights = accept_weights("variation", W)
    values = np.asarray(f, dtype=np.float64)
    if values.shape != (weights.shape[0],):
        raise DataError(
            f"variation: f must have one value for each of {weights.shape[0]} "
            f"vertices, got shape {values.shape}."
        )
    if normalized:
        values = values * inverse_roots(degrees_of(weights))
    edges = weights.tocoo()
    apart = values[edges.coords[0]] - values[edges.coords[1]]
    return float(0.5 * np.sum(edges.data * apart**2))
