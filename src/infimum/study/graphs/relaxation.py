"""Balanced cuts as vectors, and what is left when the vectors may be any."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.models.graph._weights import accept_side, accept_weights, degrees_of
from infimum.models.graph.laplacian import LAPLACIANS, variation
from infimum.models.graph.spectrum import smallest_eigenpairs
from infimum.parameters import Choice, check_domain
from infimum.typing import Mask, Vector

__all__ = ["Bisection", "cut_vector", "degree_quotient", "spectral_bisection"]

_VECTORS = Choice(("balanced_cut", "ratio_cut", "normalized_cut", "conductance"))


@dataclass(frozen=True)
class Bisection:
    """Two sides of a graph by the sign of an eigenvector; no cut costs less than it.

    `side` is that of the first vertex: the values of at least 0. A graph in parts is
    cut for nothing between the vertices with a value of 0 and the others.
    """

    side: Mask
    vector: Vector
    eigenvalue: float


def cut_vector(W: Any, S: Any, objective: str = "ratio_cut") -> Vector:
    r"""Return the vector that stands for a cut in a quadratic programme.

    - 'balanced_cut': 1 on S and -1 off it, :math:`f^\top L f` = 4 cut(S, Sᶜ);
    - 'ratio_cut': √(\|Sᶜ\|/\|S\|) on S, -√(\|S\|/\|Sᶜ\|) off it, n RatioCut;
    - 'normalized_cut': the same with volumes for sizes, vol(V) Ncut;
    - 'conductance': 1/vol S on S, -1/vol Sᶜ off it.

    The last has the quotient cut (1/vol S + 1/vol Sᶜ) ≤ 2 h(S), see `degree_quotient`.

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> cut_vector(path, [0, 1])
    array([ 1.,  1., -1., -1.])
    """
    check_domain("cut_vector: objective", objective, _VECTORS)
    weights = accept_weights("cut_vector", W)
    side = accept_side("cut_vector", S, weights.shape[0])
    if objective == "balanced_cut":
        return np.asarray(np.where(side, 1.0, -1.0))
    d = degrees_of(weights)
    sizes = np.ones(len(d)) if objective == "ratio_cut" else d
    inside, outside = float(sizes[side].sum()), float(sizes[~side].sum())
    if inside <= 0 or outside <= 0:
        raise DataError("cut_vector: one side of the cut has no edges.")
    if objective == "conductance":
        high, low = 1.0 / inside, -1.0 / outside
    else:
        high, low = np.sqrt(outside / inside), -np.sqrt(inside / outside)
    return np.asarray(np.where(side, high, low))


def degree_quotient(W: Any, u: Any) -> float:
    r"""Return :math:`u^\top L u / u^\top D u`, of which λ₂ is the least value.

    That is, over vectors at right angles to D1, for λ₂ of the normalised Laplacians.

    Examples
    --------
    >>> degree_quotient([[0, 1], [1, 0]], [1.0, -1.0])
    2.0
    """
    weights = accept_weights("degree_quotient", W)
    d = degrees_of(weights)
    values = np.asarray(u, dtype=np.float64)
    below = float(d @ values**2)
    if not below > 0:
        raise DataError("degree_quotient: u is 0 wherever the graph has edges.")
    return variation(weights, values) / below


def spectral_bisection(
    W: Any, kind: str = "random_walk", *, tau: float = 0.0
) -> Bisection:
    """Cut a graph by the sign of the second eigenvector of a Laplacian.

    With 'unnormalized' this relaxes the hard balanced cut and the ratio cut: labels ±1
    become any vector of the same length at right angles to the constant one. The others
    relax the normalised cut; both have the same signs. How much worse than the best cut
    the result is has no bound.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
    kind : {'random_walk', 'symmetric', 'unnormalized'}, default='random_walk'
    tau : float, default=0.0
        Regularisation, as in `NormalizedAdjacency`.

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> spectral_bisection(path).side.tolist()
    [True, True, False, False]
    """
    check_domain("spectral_bisection: kind", kind, LAPLACIANS)
    weights = accept_weights("spectral_bisection", W)
    if weights.shape[0] < 2:  # noqa: PLR2004
        raise DataError("spectral_bisection needs 2 vertices or more, got 1.")
    found = smallest_eigenpairs(weights, 2, kind, tau=float(tau), tol=1e-10)
    vector = found.vectors[:, 1]
    if found.components > 1:  # nothing is cut between one component and the others
        side = vector != 0
        return Bisection(side if side[0] else ~side, vector, 0.0)
    vector = -vector if vector[0] < 0 else vector
    return Bisection(vector >= 0, vector, float(found.values[1]))
