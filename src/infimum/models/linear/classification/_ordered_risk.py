"""The risk of ordered classes: value, slopes, curvature, and the dual bound.

A row of class k costs -log(σ(a) - σ(b)) with a = θ_k - f and b = θ_{k-1} - f, which is
log(1 + e⁻ᵃ) + log(1 + eᵇ) - log(1 - e^{b - a}): three convex terms, whose conjugates
have closed forms. The first class has no b, the last no a.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, log1p, xlogy

from infimum.certificates import gamma
from infimum.typing import Indices, Matrix, Vector

__all__ = ["OrderedRisk", "Point"]

_FAR = 1e3


class Point(NamedTuple):
    """Weights, thresholds, and what the rows cost and pull there."""

    weights: Vector
    thresholds: Vector
    value: float
    below: Vector
    above: Vector
    between: Vector
    within: Vector


class OrderedRisk:
    """C Σ cost + ½‖w‖² of codes 0, …, K - 1, as a function of (w, θ)."""

    def __init__(self, X: Any, codes: Indices, row_weights: Vector, count: int) -> None:
        self.X, self.codes, self.row_weights = X, codes, row_weights
        self.last = count - 1

    def at(self, weights: Vector, thresholds: Vector) -> Point | None:
        """Return the point, None where thresholds are out of order."""
        if np.any(np.diff(thresholds) <= 0):
            return None
        scores = np.asarray(self.X @ weights)
        ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
        upper, lower = ends[self.codes + 1] - scores, ends[self.codes] - scores
        step = np.minimum(ends[self.codes + 1] - ends[self.codes], _FAR)
        shut = np.exp(-step)  # e^{b - a}; about 0 for the first and the last class
        outer = (self.codes == 0) | (self.codes == self.last)
        shut = np.where(outer, 0.0, shut)
        cost = np.logaddexp(0, -upper) + np.logaddexp(0, lower) - log1p(-shut)
        value = float(self.row_weights @ cost + 0.5 * weights @ weights)
        return Point(
            weights,
            thresholds,
            value,
            np.asarray(expit(-upper)),
            np.asarray(expit(lower)),
            shut / (1 - shut),
            shut / (1 - shut) ** 2,
        )

    def gradient(self, here: Point) -> Vector:
        """Return the slopes in (w, θ)."""
        pull = self.row_weights * (here.below - here.above)
        slope = np.asarray(self.X.T @ pull).ravel() + here.weights
        return np.concatenate([slope, self._of_thresholds(here)])

    def hessian(self, here: Point) -> Matrix:
        """Return the curvature in (w, θ)."""
        wide, count = len(here.weights), self.last
        upper = self.row_weights * here.below * (1 - here.below)
        lower = self.row_weights * here.above * (1 - here.above)
        linked = self.row_weights * here.within
        spread = upper + lower
        X = self.X
        inner = (
            np.asarray((X.T * spread) @ X)
            if not hasattr(X, "indptr")
            else (X.T @ X.multiply(spread[:, None])).toarray()
        )
        whole = np.zeros((wide + count, wide + count))
        whole[:wide, :wide] = inner + np.eye(wide)
        for j in range(count):
            own, next_one = self.codes == j, self.codes == j + 1
            at = np.where(own, upper, 0.0) + np.where(next_one, lower, 0.0)
            whole[:wide, wide + j] = -np.asarray(X.T @ at).ravel()
            whole[wide + j, :wide] = whole[:wide, wide + j]
            whole[wide + j, wide + j] = at.sum() + linked[own | next_one].sum()
            if j:
                cross = -linked[own].sum()
                whole[wide + j, wide + j - 1] = whole[wide + j - 1, wide + j] = cross
        return whole

    def lower_bound(self, here: Point) -> float:
        """Return a number that no weights and thresholds can go below.

        The slopes of the rows are a dual point as soon as they cancel at every
        threshold; where they do not, the larger side is scaled down until they do.
        """
        below, above = here.below.copy(), here.above.copy()
        weigh = self.row_weights
        for j in range(self.last):
            own, next_one = self.codes == j, self.codes == j + 1
            excess = weigh[next_one] @ (above + here.between)[next_one]
            excess -= weigh[own] @ (below + here.between)[own]
            side, rows = (above, next_one) if excess > 0 else (below, own)
            total = weigh[rows] @ side[rows]
            if abs(excess) >= total:
                return -np.inf
            side[rows] *= 1 - abs(excess) / total
        pull = np.asarray(self.X.T @ (weigh * (below - above))).ravel()
        apart = here.between
        paid = _entropy(below) + _entropy(above)
        paid += xlogy(apart, apart) - (1 + apart) * log1p(apart)
        return float(-(weigh @ paid) - 0.5 * pull @ pull)

    def rounding(self, here: Point) -> float:
        """Bound what rounding may have added between `value` and `lower_bound`.

        Sums lose γ of their sizes. What is off balance at a threshold afterwards is
        removed by shrinking one side a little more, whose conjugates are at most 1.
        """
        n, d = self.X.shape
        pull = here.below - here.above
        size = float(np.sqrt(self.row_weights @ pull**2))
        squares = self.X.multiply(self.X) if hasattr(self.X, "indptr") else self.X**2
        lengths = np.sqrt(np.asarray(squares.T @ self.row_weights).ravel())
        lost = gamma(n + 16.0) * size * float(np.linalg.norm(lengths))
        total = float(self.row_weights.sum()) + abs(here.value)
        slack = 4.0 * gamma(n + 16.0) * total + 0.5 * lost**2
        slack += lost * (float(np.linalg.norm(here.weights)) + lost)
        return slack + gamma(d + 8.0) * size * float(np.abs(here.weights) @ lengths)

    def _of_thresholds(self, here: Point) -> Vector:
        count = self.last + 1
        rise = self.row_weights * (here.above + here.between)
        fall = self.row_weights * (here.below + here.between)
        into = np.bincount(self.codes, rise, minlength=count)[1:]
        out = np.bincount(self.codes, fall, minlength=count)[:-1]
        return np.asarray(into - out)


def _entropy(share: Vector) -> Vector:
    return np.asarray(xlogy(share, share) + xlogy(1 - share, 1 - share))
