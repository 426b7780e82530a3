"""Triplets: distances known only by comparisons, and what can be made of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from infimum.errors import DataError
from infimum.parameters import Choice, check_domain, closed, positive, whole
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = [
    "complete_distances",
    "count_triplet_answers",
    "draw_triplets",
    "half_space",
    "query_complexity",
]

#: Steps of an embedding; more move no distance past another.
_STEPS: Any = {"maxiter": 150}
_METHODS = Choice(("embedding", "counting"))


def draw_triplets(
    X: Any,
    count: int,
    *,
    noise: float = 0.0,
    quadruplets: bool = False,
    random_state: Any = None,
) -> Indices:
    """Ask an oracle which of two distances is smaller, and return its answers.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
    count : int
    noise : float, default=0.0
        Probability of a wrong answer.
    quadruplets : bool, default=False
        Whether any two distances are compared, in rows (i, j, k, l) with
        d(i, j) < d(k, l); else those from one point, in rows (i, j, k) with
        d(i, j) < d(i, k).

    Examples
    --------
    >>> draw_triplets([[0.0], [1.0], [5.0]], 1, random_state=1).shape
    (1, 3)
    """
    points = np.asarray(X, dtype=np.float64)
    n = len(points)
    check_domain("draw_triplets: count", count, whole(1))
    check_domain("draw_triplets: noise", noise, closed(0, 1))
    if points.ndim != 2 or n < 3:  # noqa: PLR2004
        raise DataError("draw_triplets needs a table of three points or more.")
    draw = np.random.default_rng(random_state)
    if quadruplets:
        pairs = np.array(list(combinations(range(n), 2)))
        rows = np.array([draw.choice(len(pairs), 2, False) for _ in range(int(count))])
        asked = np.hstack([pairs[rows[:, 0]], pairs[rows[:, 1]]])
    else:
        asked = np.array([draw.choice(n, 3, False) for _ in range(int(count))])
        asked = asked[:, [0, 1, 0, 2]]
    near = _far(points, asked[:, 0], asked[:, 1])
    far = _far(points, asked[:, 2], asked[:, 3])
    turned = (near > far) ^ (draw.random(len(asked)) < noise)
    told = np.where(turned[:, None], asked[:, [2, 3, 0, 1]], asked)
    return np.asarray(told if quadruplets else told[:, [0, 1, 3]])


def half_space(Xi: Any, Xj: Any, Xk: Any) -> Mask:
    """Tell whether Xi lies on Xj's side of the plane halfway between Xj and Xk.

    It does if and only if it is nearer to Xj: a triplet is a half-space.

    Examples
    --------
    >>> bool(half_space([0.0], [1.0], [3.0]))
    True
    """
    i, j, k = (np.asarray(x, dtype=np.float64) for x in (Xi, Xj, Xk))
    side = np.sum((k - j) * (i - 0.5 * (j + k)), axis=-1)
    return np.asarray(side < 0)


def complete_distances(
    triplets: Any,
    n: int,
    *,
    method: str = "embedding",
    n_components: int = 2,
    random_state: int = 0,
) -> Matrix:
    """Estimate all distances, up to a scale, from comparisons of some.

    Parameters
    ----------
    triplets : array-like of shape (n_triplets, 3) or (n_quadruplets, 4)
        As `draw_triplets` returns them.
    n : int
        Points.
    method : {"embedding", "counting"}, default="embedding"
        Points in space that violate few comparisons (with a logistic loss), or the
        share of comparisons in which each distance was the larger.
    n_components : int, default=2
        Dimensions of the embedding.

    Examples
    --------
    >>> X = [[0.0], [1.0], [5.0]]
    >>> told = draw_triplets(X, 50, random_state=0)
    >>> D = complete_distances(told, 3, n_components=1)
    >>> bool(D[0, 1] < D[0, 2]), bool(D[2, 1] < D[2, 0])
    (True, True)
    """
    check_domain("complete_distances: method", method, _METHODS)
    check_domain("complete_distances: n", n, whole(3))
    check_domain("complete_distances: n_components", n_components, whole(1))
    told = np.asarray(triplets, dtype=np.intp)
    if told.ndim != 2 or told.shape[1] not in (3, 4):  # noqa: PLR2004
        raise DataError("complete_distances takes rows of three or four points.")
    if told.size and (told.min() < 0 or told.max() >= n):
        raise DataError(f"complete_distances: points are numbers in [0, {n}).")
    four = told if told.shape[1] == 4 else told[:, [0, 1, 0, 2]]  # noqa: PLR2004
    if method == "counting":
        return _counted(four, n)
    return _embedded(four, n, int(n_components), int(random_state))


def query_complexity(n: int, d: int, eps: float = 0.1) -> dict[str, float]:
    """Return how many answers it takes, in order of magnitude, by what one wants.

    For n² distances: sorting them actively; an order of all that errs on a share eps
    of comparisons; the exact order by counting; and a share eps for points in d
    dimensions, of whose answers there are only about 2^{d n log n}.

    Examples
    --------
    >>> found = query_complexity(1000, 2)
    >>> sorted(found, key=found.get)
    ['euclidean', 'sorting', 'erm', 'counting']
    """
    check_domain("query_complexity: n", n, whole(2))
    check_domain("query_complexity: d", d, whole(1))
    check_domain("query_complexity: eps", eps, positive)
    m = float(n) ** 2
    return {
        "sorting": m * np.log2(m),
        "erm": m / eps**2,
        "counting": m**3 * float(np.log(m)),
        "euclidean": d * n * float(np.log(n)) / eps**2,
    }


def count_triplet_answers(n: int, grid: int = 31) -> int:
    """Return how many different answers to all triplets n points on a line can give.

    By trying points of a grid, the first in its middle, without ties.

    Examples
    --------
    >>> count_triplet_answers(3, 7)
    6
    """
    check_domain("count_triplet_answers: n", n, whole(3, 4))
    check_domain("count_triplet_answers: grid", grid, whole(3))
    asked = [
        (i, j, k)
        for i in range(n)
        for j, k in combinations([p for p in range(n) if p != i], 2)
    ]
    i, j, k = np.array(asked).T
    axes = [np.arange(grid)] * (n - 1)
    rest = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, n - 1)
    X = np.column_stack([np.full(len(rest), grid // 2), rest])
    near, far = np.abs(X[:, i] - X[:, j]), np.abs(X[:, i] - X[:, k])
    clear = (near != far).all(axis=1)
    codes = np.packbits((near < far)[clear], axis=1)
    return len(np.unique(codes, axis=0))


def _far(points: Matrix, one: Indices, other: Indices) -> Vector:
    return np.asarray(np.linalg.norm(points[one] - points[other], axis=1))


def _counted(four: Indices, n: int) -> Matrix:
    larger, seen = np.zeros((n, n)), np.zeros((n, n))
    np.add.at(larger, (four[:, 2], four[:, 3]), 1.0)
    for i, j in ((0, 1), (2, 3)):
        np.add.at(seen, (four[:, i], four[:, j]), 1.0)
    larger, seen = larger + larger.T, seen + seen.T
    out = np.divide(larger, seen, out=np.full((n, n), 0.5), where=seen > 0)
    np.fill_diagonal(out, 0.0)
    return np.asarray(out)


def _embedded(four: Indices, n: int, d: int, seed: int) -> Matrix:
    near, far = _differences(four[:, :2], n), _differences(four[:, 2:], n)

    def loss(flat: Vector) -> tuple[float, Vector]:
        X = flat.reshape(n, d)
        one, other = near @ X, far @ X
        margin = (other**2).sum(axis=1) - (one**2).sum(axis=1)
        slope = -0.5 * (1.0 - np.tanh(0.5 * margin))[:, None]
        G = 2.0 * (far.T @ (slope * other) - near.T @ (slope * one)) + 2e-3 * X
        value = np.logaddexp(0.0, -margin).sum() + 1e-3 * float(flat @ flat)
        return float(value), G.ravel()

    draw = np.random.default_rng(seed)
    starts = [draw.standard_normal(n * d) for _ in range(2)]
    fits = [
        minimize(loss, s, jac=True, method="L-BFGS-B", options=_STEPS) for s in starts
    ]
    X = min(fits, key=lambda fit: float(fit.fun)).x.reshape(n, d)
    return np.asarray(np.linalg.norm(X[:, None] - X[None, :], axis=2))


def _differences(pairs: Indices, n: int) -> Any:
    """Return the matrix that subtracts the second point of each pair from the first."""
    rows = np.repeat(np.arange(len(pairs)), 2)
    signs = np.tile([1.0, -1.0], len(pairs))
    return sparse.csr_array((signs, (rows, pairs.ravel())), shape=(len(pairs), n))
