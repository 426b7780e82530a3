"""The inequalities of convex analysis, as numbers: the slack, below 0 if violated.

Each function returns right side minus left side of one stated inequality, so that a
reader can see how tight it is. Compare with `rounding_allowance` of the terms involved.
"""

from typing import NamedTuple

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.norms import dual_order, norm
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Matrix, Vector

__all__ = [
    "FourSlacks",
    "fenchel_young_gap",
    "jensen_gap",
    "optimality_slack",
    "rounding_allowance",
    "smoothness_slacks",
    "strong_convexity_slacks",
    "tangent_slack",
]


def rounding_allowance(*terms: float, operations: int = 64) -> float:
    """Return a bound on the rounding of a sum of terms, each computed in few steps."""
    return (
        operations * np.finfo(float).eps * (1e-300 + sum(abs(term) for term in terms))
    )


def jensen_gap(function: ConvexFunction, points: Matrix, weights: Vector) -> float:
    """Return Σ λᵢ f(xᵢ) - f(Σ λᵢ xᵢ), not negative by Jensen's inequality.

    >>> import numpy as np
    >>> from infimum.study.convexity import SquaredNorm
    >>> jensen_gap(SquaredNorm(), np.array([[-1.0], [1.0]]), np.array([0.5, 0.5]))
    0.5
    """
    mean_value = sum(
        weight * function.value(point)
        for weight, point in zip(weights, points, strict=True)
    )
    return float(mean_value) - function.value(weights @ points)


def tangent_slack(
    function: ConvexFunction, x: Vector, y: Vector, slope: Vector | None = None
) -> float:
    """Return f(y) - f(x) - ⟨y - x, slope⟩; slope is a subgradient at x if never < 0."""
    rise = function.gradient(x) if slope is None else slope
    return function.value(y) - function.value(x) - float((y - x) @ rise)


def fenchel_young_gap(function: ConvexFunction, x: Vector, s: Vector) -> float:
    """Return f(x) + f*(s) - ⟨x, s⟩: zero exactly when s is a subgradient at x."""
    return function.value(x) + function.conjugate().value(s) - float(x @ s)


def optimality_slack(function: ConvexFunction, x: Vector, region: ConvexSet) -> float:
    """Return the least of ⟨x' - x, ∇f(x)⟩ over the set; x is a minimiser if it is ≥ 0.

    For a convex function the value at x exceeds the minimum by at most its negative.
    """
    gradient = function.gradient(x)
    return -region.support(-gradient) - float(x @ gradient)


class FourSlacks(NamedTuple):
    """Slacks of the four equivalent inequalities, in the order of their statement."""

    by_points: float
    by_gradients: float
    monotone_by_points: float
    monotone_by_gradients: float


class _Pair(NamedTuple):
    tangent: float  # f(y) - f(x) - ⟨y - x, g(x)⟩
    monotone: float  # ⟨x - y, g(x) - g(y)⟩
    points: float  # ‖x - y‖²
    gradients: float  # ‖g(x) - g(y)‖² in the dual norm


def _pair(function: ConvexFunction, x: Vector, y: Vector) -> _Pair:
    turn = function.gradient(x) - function.gradient(y)
    return _Pair(
        tangent_slack(function, x, y),
        float((x - y) @ turn),
        norm(x - y, function.norm_order) ** 2,
        norm(turn, dual_order(function.norm_order)) ** 2,
    )


def strong_convexity_slacks(
    function: ConvexFunction, x: Vector, y: Vector, modulus: float | None = None
) -> FourSlacks:
    r"""Return the slacks of the four consequences of σ-strong convexity.

    .. math:: \tfrac\sigma2\|y-x\|^2 \le T \le \tfrac1{2\sigma}\|g_x-g_y\|_*^2,
              \quad \sigma\|x-y\|^2 \le M \le \tfrac1\sigma\|g_x-g_y\|_*^2

    with T the error of the tangent plane at x and M = ⟨x - y, g_x - g_y⟩.
    """
    sigma = function.strong_convexity if modulus is None else modulus
    pair = _pair(function, x, y)
    return FourSlacks(
        pair.tangent - 0.5 * sigma * pair.points,
        pair.gradients / (2.0 * sigma) - pair.tangent,
        pair.monotone - sigma * pair.points,
        pair.gradients / sigma - pair.monotone,
    )


def smoothness_slacks(
    function: ConvexFunction, x: Vector, y: Vector, modulus: float | None = None
) -> FourSlacks:
    r"""Return the slacks of the four consequences of an L-Lipschitz gradient.

    .. math:: \tfrac1{2L}\|g_x-g_y\|_*^2 \le T \le \tfrac L2\|y-x\|^2,
              \quad \tfrac1L\|g_x-g_y\|_*^2 \le M \le L\|x-y\|^2

    with T the error of the tangent plane at x and M = ⟨x - y, g_x - g_y⟩.
    """
    bound = function.smoothness if modulus is None else modulus
    pair = _pair(function, x, y)
    return FourSlacks(
        0.5 * bound * pair.points - pair.tangent,
        pair.tangent - pair.gradients / (2.0 * bound),
        bound * pair.points - pair.monotone,
        pair.monotone - pair.gradients / bound,
    )
