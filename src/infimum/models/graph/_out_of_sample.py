"""Spectral embeddings of vertices that were not in the graph."""

from typing import Any

import numpy as np

from infimum.models.graph._weights import degrees_of
from infimum.typing import Matrix, Vector

__all__ = ["extend", "orient"]

#: Eigenvalues this near to 1 leave nothing of a function after one step of the walk.
BLIND = 1e-6


def extend(
    weights: Any,
    coordinates: Matrix,
    eigenvalues: Vector,
    *,
    tau: float = 0.0,
    unnormalized: bool = False,
) -> Matrix:
    r"""Return the rows that the eigenvectors' equation gives to new vertices.

    .. math:: g(x) = \frac{\sum_j w(x, x_j)\, g_j}{(1 - λ)\, d(x)}
              \qquad\text{or}\qquad
              f(x) = \frac{\sum_j w(x, x_j)\, f_j}{d(x) - λ}

    What they leave open, and vertices without weights, are placed at 0.
    """
    sums = np.asarray(weights @ coordinates)
    degrees = degrees_of(weights)
    if tau:
        sums = sums + tau * coordinates.mean(axis=0)
        degrees = degrees + tau
    if unnormalized:
        below = degrees[:, None] - eigenvalues
        clear = below > BLIND * np.maximum(degrees, 1e-300)[:, None]
    else:
        below = degrees[:, None] * (1.0 - eigenvalues)
        clear = (np.abs(1.0 - eigenvalues) > BLIND) & (degrees > 0)[:, None]
    return np.asarray(np.divide(sums, below, out=np.zeros_like(sums), where=clear))


def orient(rows: Matrix) -> Matrix:
    """Return rows scaled to length 1; those of length 0 as they are."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(
        np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    )
