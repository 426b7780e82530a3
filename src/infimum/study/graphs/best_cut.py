"""The best cut of a graph: by looking at all of them, or where theory is kind."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.models.graph._weights import accept_weights, dense
from infimum.parameters import Choice, check_domain
from infimum.study.graphs.cuts import (
    conductance,
    cut_weight,
    normalized_cut,
    ratio_cut,
)
from infimum.typing import Indices, Mask, Matrix

__all__ = ["OBJECTIVES", "Cut", "best_cut", "minimum_cut"]

#: Most vertices whose cuts are all looked at: 2²⁵ of them.
FEW = 26
#: Each objective: how it is computed for a cut, and its code in the compiled loop.
OBJECTIVES = {
    "ratio_cut": (ratio_cut, 0),
    "normalized_cut": (normalized_cut, 0),
    "conductance": (conductance, 1),
    "cut": (cut_weight, 2),
    "balanced_cut": (cut_weight, 2),
}


@dataclass(frozen=True)
class Cut:
    """One side of a cut, and what it costs."""

    value: float
    side: Mask


def best_cut(W: Any, objective: str = "normalized_cut") -> Cut:
    """Return the best of all cuts of a small graph, by enumeration.

    Minimising these (other than the plain cut) is NP-hard; up to 26 vertices one can
    afford it, and knows what heuristics lose.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
    objective : str, default='normalized_cut'
        'ratio_cut', 'normalized_cut', 'conductance' (whose minimum is the Cheeger
        constant), 'cut', or 'balanced_cut', which asks for sides of equal size.

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> best_cut(path, "ratio_cut").value
    1.0
    """
    check_domain("best_cut: objective", objective, Choice(tuple(OBJECTIVES)))
    weights = accept_weights("best_cut", W)
    n = weights.shape[0]
    if not 2 <= n <= FEW:  # noqa: PLR2004
        raise InvalidParameterError(
            f"best_cut looks at all cuts of 2 to {FEW} vertices, got {n}."
        )
    if objective == "balanced_cut" and n % 2:
        raise DataError(f"best_cut: {n} vertices cannot be cut into equal halves.")
    from infimum.compiled.graphs.cut_enumeration import enumerate_cuts

    measure, code = OBJECTIVES[objective]
    by_size = objective in {"ratio_cut", "cut", "balanced_cut"}
    plain = dense(weights)
    sizes = np.ones(n) if by_size else plain.sum(axis=1)
    side = np.zeros(n, dtype=np.int64)
    value = enumerate_cuts(plain, sizes, code, int(objective == "balanced_cut"), side)
    if not np.isfinite(value):
        raise DataError(
            "best_cut: no cut has edges on both sides; every volume is 0 on one."
        )
    chosen = side.astype(bool)
    return Cut(float(measure(weights, chosen)), chosen)


def minimum_cut(W: Any) -> Cut:
    """Return the lightest cut of all, in polynomial time (Stoer and Wagner, 1997).

    It often parts a single outlier from the rest, which is why clusterings ask for
    balance as well.

    Examples
    --------
    >>> W = [[0, 3, 0], [3, 0, 1], [0, 1, 0]]
    >>> cut = minimum_cut(W)
    >>> cut.value, cut.side.tolist()
    (1.0, [False, False, True])
    """
    weights = accept_weights("minimum_cut", W)
    n = weights.shape[0]
    if n < 2:  # noqa: PLR2004
        raise DataError(f"minimum_cut needs 2 vertices or more, got {n}.")
    merged = dense(weights)
    np.fill_diagonal(merged, 0.0)
    groups = np.eye(n, dtype=bool)
    alive = np.arange(n)
    best, side = np.inf, groups[0]
    while len(alive) > 1:
        last, before, weight = _most_tightly_joined(merged, alive)
        if weight < best:
            best, side = weight, groups[last].copy()
        groups[before] |= groups[last]
        merged[before] += merged[last]
        merged[:, before] += merged[:, last]
        merged[before, before] = 0.0
        alive = alive[alive != last]
    return Cut(cut_weight(weights, side), side)


def _most_tightly_joined(merged: Matrix, alive: Indices) -> tuple[int, int, float]:
    """Return the last two vertices of a maximum adjacency order, and the last's cut."""
    pull = merged[alive[0]].copy()
    waiting = np.zeros(len(merged), dtype=bool)
    waiting[alive[1:]] = True
    before = last = int(alive[0])
    weight = 0.0
    while waiting.any():
        before = last
        last = int(np.where(waiting, pull, -1.0).argmax())
        weight = float(pull[last])
        waiting[last] = False
        pull += merged[last]
    return last, before, weight
