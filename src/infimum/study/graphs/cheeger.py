"""The Cheeger constant: how well a graph can be cut, exactly or between two bounds."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.models.graph._weights import accept_weights, degrees_of
from infimum.models.graph.spectrum import smallest_eigenpairs
from infimum.parameters import Choice, check_domain
from infimum.study.graphs.best_cut import OBJECTIVES, Cut, best_cut
from infimum.typing import Mask, Vector

__all__ = ["CheegerBracket", "cheeger_bracket", "cheeger_constant", "sweep_cut"]

_SWEPT = Choice(("conductance", "normalized_cut", "ratio_cut"))


@dataclass(frozen=True)
class CheegerBracket:
    """Two numbers with the Cheeger constant between them, and a cut near it.

    `upper` is the conductance of `side`, which the sweep found; `lower` is λ₂/2, less
    the residual of λ₂; `guarantee` is √(2λ₂), which the sweep can never exceed.
    """

    lower: float
    upper: float
    guarantee: float
    second_eigenvalue: float
    side: Mask


def cheeger_constant(W: Any) -> float:
    """Return the smallest conductance of all cuts of a small graph, by enumeration.

    Examples
    --------
    >>> import numpy as np
    >>> cheeger_constant(np.ones((4, 4)))
    0.5
    """
    return best_cut(W, "conductance").value


def cheeger_bracket(W: Any, *, tol: float = 1e-8) -> CheegerBracket:
    r"""Return bounds on the Cheeger constant of a graph of any size.

    .. math:: \frac{λ_2}{2} \le h(G) \le h(S_{sweep}) \le \sqrt{2 λ_2}

    with the second eigenvalue of the normalised Laplacian.

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> bracket = cheeger_bracket(path)
    >>> round(bracket.lower, 3), round(bracket.upper, 3)
    (0.25, 0.333)
    """
    weights = accept_weights("cheeger_bracket", W)
    if weights.shape[0] < 2:  # noqa: PLR2004
        raise DataError("cheeger_bracket needs 2 vertices or more, got 1.")
    found = smallest_eigenpairs(weights, 2, "random_walk", tol=tol)
    second = float(found.values[1])
    cut = _sweep(weights, found.vectors[:, 1], "conductance")
    lower = max(0.0, (second - float(found.residuals[1])) / 2.0)
    guarantee = float(np.sqrt(2.0 * second))
    return CheegerBracket(lower, cut.value, guarantee, second, cut.side)


def sweep_cut(W: Any, scores: Any = None, objective: str = "conductance") -> Cut:
    """Return the best cut among those that part small scores from large ones.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
    scores : array-like of shape (n,), optional
        The second eigenvector of the random-walk Laplacian unless given.
    objective : {'conductance', 'normalized_cut', 'ratio_cut'}, default='conductance'

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> sweep_cut(path, [4, 3, 2, 1]).side.tolist()
    [False, False, True, True]
    """
    check_domain("sweep_cut: objective", objective, _SWEPT)
    weights = accept_weights("sweep_cut", W)
    n = weights.shape[0]
    if n < 2:  # noqa: PLR2004
        raise DataError(f"sweep_cut needs 2 vertices or more, got {n}.")
    if scores is None:
        scores = smallest_eigenpairs(weights, 2, "random_walk").vectors[:, 1]
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (n,):
        raise DataError(
            f"sweep_cut: each of {n} vertices needs a score, got shape {values.shape}."
        )
    return _sweep(weights, values, objective)


def _sweep(weights: Any, scores: Vector, objective: str) -> Cut:
    """Judge all n - 1 cuts from one pass through the edges."""
    n = weights.shape[0]
    order = np.argsort(scores, kind="stable")
    places = np.empty(n, dtype=np.intp)
    places[order] = np.arange(n)
    edges = weights.tocoo()
    one, other = places[edges.coords[0]], places[edges.coords[1]]
    forth = one < other
    # An edge is cut from the place of its first end on, until its second has come.
    opened = np.bincount(one[forth], edges.data[forth], minlength=n)
    shut = np.bincount(other[forth], edges.data[forth], minlength=n)
    cuts = np.cumsum(opened - shut)[:-1]
    by_size = objective == "ratio_cut"
    sizes = np.ones(n) if by_size else degrees_of(weights)
    sides = np.cumsum(sizes[order])[:-1]
    rest = sizes.sum() - sides
    with np.errstate(divide="ignore", invalid="ignore"):
        if objective == "conductance":
            costs = cuts / np.minimum(sides, rest)
        else:
            costs = cuts * (1.0 / sides + 1.0 / rest)
    best = int(np.argmin(np.where(np.isnan(costs), np.inf, costs)))
    side = places <= best
    return Cut(float(OBJECTIVES[objective][0](weights, side)), side)
