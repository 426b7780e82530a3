"""Entropy and mutual information, estimated from samples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree
from scipy.special import digamma

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.models.density.kernel_density import KernelDensity
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Matrix

__all__ = ["discrete_mutual_information", "entropy", "mutual_information"]

_METHODS = Choice(("neighbors", "windows"))


def entropy(
    X: Any, *, method: str = "neighbors", n_neighbors: int = 3, bandwidth: Any = None
) -> float:
    r"""Return an estimate of the differential entropy :math:`-\int p \log p`, in nats.

    From distances εᵢ to the k-th neighbour (Kozachenko and Leonenko),

    .. math:: ψ(n) - ψ(k) + \log c_d + \frac{d}{n} \sum_i \log ε_i

    with c the volume of the unit ball; or the mean of -log p̂ of a kernel density of
    the other samples.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    method : {'neighbors', 'windows'}, default='neighbors'
    n_neighbors : int, default=3
    bandwidth : float, optional
        For windows; the width of the best leave-one-out likelihood by default.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(0, 2, size=(2000, 1))
    >>> bool(abs(entropy(X) - np.log(2)) < 0.05)
    True
    """
    check_domain("entropy: method", method, _METHODS)
    X = array(X, ensure_min_samples=2)
    n, d = X.shape
    if method == "windows":
        rule = "leave_one_out" if bandwidth is None else bandwidth
        return float(-KernelDensity(bandwidth=rule).fit(X).leave_one_out() / n)
    check_domain("entropy: n_neighbors", n_neighbors, whole(1, n - 1))
    model = NearestNeighbors(n_neighbors=n_neighbors).fit(X)
    far = model.kneighbors()[0][:, -1]
    if not far.all():
        raise DataError(
            f"entropy: sample {np.argmin(far)} has {n_neighbors} copies: a law with "
            "atoms has no differential entropy."
        )
    ball = 0.5 * d * math.log(math.pi) - math.lgamma(0.5 * d + 1.0)
    return float(digamma(n) - digamma(n_neighbors) + ball + d * np.log(far).mean())


def mutual_information(X: Any, Y: Any, *, n_neighbors: int = 3) -> float:
    r"""Return an estimate of the mutual information of two continuous vectors, in nats.

    With εᵢ the distance to the k-th neighbour in the larger of the two distances, and
    counts of samples strictly within εᵢ in each of the two spaces (Kraskov, Stögbauer
    and Grassberger),

    .. math:: ψ(k) + ψ(n) - \frac{1}{n} \sum_i
              \bigl(ψ(n_x(i) + 1) + ψ(n_y(i) + 1)\bigr)

    Negative estimates are reported as 0.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples, n_features) or (n_samples,)
    n_neighbors : int, default=3

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.random.default_rng(0).normal(size=(2, 1000))
    >>> mutual_information(X, Y) < 0.05 < mutual_information(X, X + 0.1 * Y)
    True
    """
    left, right = _columns(X), _columns(Y)
    if len(left) != len(right):
        raise DataError(
            f"mutual_information: {len(left)} samples stand beside {len(right)}."
        )
    n = len(left)
    check_domain("mutual_information: n_neighbors", n_neighbors, whole(1, n - 1))
    joint = cKDTree(np.hstack([left, right]))
    far = np.asarray(joint.query(joint.data, n_neighbors + 1, p=np.inf)[0])
    reach = np.nextafter(far[:, -1], 0.0)
    total = 0.0
    for side in (left, right):
        tree = cKDTree(side)
        near = tree.query_ball_point(side, reach, p=np.inf, return_length=True)
        total += float(np.mean(digamma(np.maximum(near, 1))))
    return max(0.0, float(digamma(n_neighbors) + digamma(n)) - total)


def discrete_mutual_information(table: ArrayLike) -> float:
    r"""Return :math:`\sum p_{xy} \log (p_{xy}/(p_x p_y))` of a table, in nats.

    Parameters
    ----------
    table : array-like of shape (n_values, n_other_values)
        Counts or probabilities.

    Examples
    --------
    >>> round(discrete_mutual_information([[1, 0], [0, 1]]), 4)
    0.6931
    """
    counts = array(table)
    if counts.min() < 0 or counts.sum() <= 0:
        raise DataError("discrete_mutual_information needs counts that are not all 0.")
    joint = counts / counts.sum()
    alone = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    return float(joint[seen] @ np.log(joint[seen] / alone[seen]))


def _columns(X: Any) -> Matrix:
    given = np.asarray(X, dtype=np.float64)
    given = given[:, None] if given.ndim == 1 else given
    return np.asarray(array(given, ensure_min_samples=2))
