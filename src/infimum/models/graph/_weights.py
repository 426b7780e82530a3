"""The one door for weight matrices of graphs."""

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.canonical import canonical
from infimum.errors import DataError
from infimum.typing import Mask, Matrix, Vector

__all__ = [
    "TABLE",
    "accept_side",
    "accept_weights",
    "both_ways",
    "degrees_of",
    "dense",
    "looks_like_distances",
    "real_numbers",
    "square_table",
]

#: Weights that differ from those of the way back by no more than this are equal.
SLACK = 1e-8
TABLE = 2
#: Sums and products of larger weights might overflow.
LARGEST = 1e150


def accept_weights(owner: str, W: Any) -> Any:
    """Admit the weights of an undirected graph: square, symmetric, none negative."""
    weights = square_table(owner, W)
    if not weights.shape[0]:
        raise DataError(f"{owner} needs a graph with at least one vertex.")
    if weights.nnz:
        if not np.isfinite(weights.data).all():
            raise DataError(f"{owner}: a weight is not finite.")
        if np.abs(weights.data).max() > LARGEST:
            raise DataError(
                f"{owner} takes weights up to {LARGEST:.0e}, got "
                f"{np.abs(weights.data).max():.3g}: scale them."
            )
        if weights.data.min() < 0:
            raise DataError(
                f"{owner}: weights are similarities and cannot be negative, got "
                f"{weights.data.min():.3g}."
            )
        off = abs(weights - weights.T)
        if off.nnz and off.max() > SLACK * weights.data.max():
            raise DataError(
                f"{owner} needs an undirected graph: weights differ from those of the "
                f"way back by up to {off.max():.3g}."
            )
    weights.eliminate_zeros()
    return weights


def both_ways(owner: str, W: Any) -> Any:
    """Return weights of which both directions count half, where they differ.

    So a graph of nearest neighbours, which need not be mutual, becomes undirected.
    """
    weights = square_table(owner, W)
    if weights.nnz and np.isfinite(weights.data).all():
        off = abs(weights - weights.T)
        if off.nnz and off.max() > SLACK * np.abs(weights.data).max():
            warnings.warn(
                f"{owner}: the affinities are not symmetric; the mean of both "
                "directions is taken.",
                UserWarning,
                stacklevel=5,
            )
            return sparse.csr_array(0.5 * (weights + weights.T))
    return weights


def square_table(owner: str, W: Any) -> Any:
    """Return a square matrix of real numbers in compressed rows, whatever they are."""
    given = real_numbers(owner, W)
    if given.ndim != TABLE or given.shape[0] != given.shape[1]:
        raise DataError(
            f"{owner} reads a square weight matrix, got shape {given.shape}."
        )
    return sparse.csr_array(given, dtype=np.float64, copy=True)


def real_numbers(owner: str, W: Any) -> Any:
    """Return what was given as an array or sparse matrix of real numbers."""
    try:
        given: Any = canonical(W) if sparse.issparse(W) else np.asarray(W)
    except ValueError:
        raise DataError(f"{owner} takes rows of the same length.") from None
    if given.dtype.kind in "biuf":
        return given
    try:
        if given.dtype.kind != "c":
            return given.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise DataError(f"{owner} takes real numbers, got {given.dtype}.")


def accept_side(owner: str, S: Any, n: int) -> Mask:
    """Admit one side of a cut, as a mask or as a list of vertices."""
    given = np.asarray(S)
    side = np.zeros(n, dtype=bool)
    if given.dtype == bool and given.shape == (n,):
        side = given.copy()
    else:
        side[given.astype(np.intp)] = True
    if not 0 < side.sum() < n:
        raise DataError(
            f"{owner}: a cut has two sides with a vertex each, got {side.sum()} of {n} "
            "vertices on one side."
        )
    return side


def degrees_of(weights: Any) -> Vector:
    """Return the row sums of admitted weights, sparse or dense."""
    return np.asarray(weights.sum(axis=1), dtype=np.float64).ravel()


def dense(W: Any) -> Matrix:
    """Return admitted weights as a plain matrix."""
    return W if isinstance(W, np.ndarray) else np.asarray(W.toarray())


def looks_like_distances(W: Any) -> bool:
    """Tell whether a matrix is 0 on its diagonal only, and obeys the triangle.

    Similarities are largest there; a matrix of distances taken for similarities joins
    what is far apart.
    """
    if sparse.issparse(W) or W.shape[0] < 3 or np.diag(W).any():  # noqa: PLR2004
        return False
    off: Vector = W[~np.eye(len(W), dtype=bool)]
    if off.min() <= 0 or off.max() - off.min() <= SLACK * off.max():
        return False
    draw = np.random.default_rng(0)
    i, j, k = draw.integers(0, len(W), (3, 1000))
    return bool(np.all(W[i, j] <= W[i, k] + W[k, j] + SLACK * off.max()))
