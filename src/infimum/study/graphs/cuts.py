"""Costs of a cut through a graph: cut, volume, ratio cut, normalised cut."""

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.models.graph._weights import accept_side, accept_weights, degrees_of
from infimum.typing import Indices, Vector

__all__ = [
    "balance",
    "conductance",
    "cut_weight",
    "normalized_cut",
    "ratio_cut",
    "volume",
]


def volume(W: Any, S: Any) -> float:
    """Return vol(S), the sum of the degrees of some vertices.

    Examples
    --------
    >>> volume([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 1])
    3.0
    """
    weights = accept_weights("volume", W)
    d = degrees_of(weights)
    given = np.asarray(S)
    return float(d[given if given.dtype == bool else given.astype(np.intp)].sum())


def cut_weight(W: Any, S: Any) -> float:
    """Return cut(S, Sᶜ), the weight of the edges that leave S.

    Examples
    --------
    >>> cut_weight([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0])
    1.0
    """
    weights = accept_weights("cut_weight", W)
    side = accept_side("cut_weight", S, weights.shape[0])
    return float(weights[side][:, ~side].sum())


def conductance(W: Any, S: Any) -> float:
    """Return h(S) = cut(S, Sᶜ) / min{vol S, vol Sᶜ}; infinite if a volume is 0.

    Examples
    --------
    >>> conductance([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0])
    1.0
    """
    weights = accept_weights("conductance", W)
    side = accept_side("conductance", S, weights.shape[0])
    least = min(volume(weights, side), volume(weights, ~side))
    return cut_weight(weights, side) / least if least > 0 else np.inf


def balance(size: float, rest: float) -> float:
    """Return 1/size + 1/rest: the price of sides that are not equally large.

    Examples
    --------
    >>> balance(5, 5), round(balance(1, 9), 3)
    (0.4, 1.111)
    """
    return 1.0 / size + 1.0 / rest


def ratio_cut(W: Any, labels: Any) -> float:
    r"""Return the sum of cut(A, Aᶜ)/\|A\| over the clusters A.

    For two clusters that is cut(A, B) (1/\|A\| + 1/\|B\|).

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
    labels : array-like of shape (n,)
        The cluster of each vertex, or a mask of one side.

    Examples
    --------
    >>> ratio_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 1, 1])
    1.5
    """
    cuts, sizes, _ = _clusters("ratio_cut", W, labels)
    return float(np.sum(cuts / sizes))


def normalized_cut(W: Any, labels: Any) -> float:
    """Return the sum of cut(A, Aᶜ)/vol(A) over the clusters A.

    For two clusters that is cut(A, B) (1/vol A + 1/vol B).

    Parameters
    ----------
    W, labels
        As in `ratio_cut`.

    Examples
    --------
    >>> round(normalized_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 1, 1]), 3)
    1.333
    """
    cuts, _, volumes = _clusters("normalized_cut", W, labels)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.sum(np.where(volumes > 0, cuts / volumes, np.inf)))


def _clusters(owner: str, W: Any, labels: Any) -> tuple[Vector, Vector, Vector]:
    """Return the cut, the number of vertices and the volume of each cluster."""
    weights = accept_weights(owner, W)
    given = np.asarray(labels)
    if given.shape != (weights.shape[0],):
        raise DataError(
            f"{owner}: each of {weights.shape[0]} vertices needs a label, got shape "
            f"{given.shape}."
        )
    codes: Indices
    names, codes = np.unique(given, return_inverse=True)
    count = len(names)
    edges = weights.tocoo()
    one, other = codes[edges.coords[0]], codes[edges.coords[1]]
    leaving = one != other
    cuts = np.bincount(one[leaving], edges.data[leaving], minlength=count)
    volumes = np.bincount(one, edges.data, minlength=count)
    sizes = np.bincount(codes, minlength=count)
    return np.asarray(cuts, float), np.asarray(sizes, float), np.asarray(volumes, float)
