"""Coordinates in which a hostile problem is a friendly one.

Columns are centred where an intercept absorbs it, targets are centred and scaled to 1.
Without a penalty the columns become orthonormal; with one each is scaled to size 1. All
in long doubles, and the way back too.
"""

import numpy as np

from benchmarks.adversary.precision import LD, scores_of, triangle_of
from benchmarks.adversary.risk import Point

__all__ = ["Frame"]


class Frame:
    """Features Φ, targets and a loss such that f = c + s (Φ V + β)."""

    def __init__(self, risk):
        self.risk, self.free = risk, _is_free(risk)
        X, k = risk.X, risk.outputs
        self.means = np.zeros(X.shape[1], LD)
        if risk.intercept:
            for _ in range(2):  # the second round removes the rounding of the first
                self.means += (risk.q[:, None] * (X - self.means)).sum(axis=0)
        centred = X - self.means
        self._scale_targets()
        if self.free:
            self.triangle = triangle_of(centred, cut=1e-18)
            self.phi = self.triangle.basis() * np.sqrt(LD(len(X)))
        else:
            sizes = abs(centred).max(axis=0)
            self.sizes = np.where(sizes > 0, sizes, LD(1))
            self.phi = centred / self.sizes
        self.shape = (self.phi.shape[1], k)

    def _scale_targets(self):
        risk = self.risk
        self.c, self.s = np.zeros(risk.outputs, LD), LD(1)
        self.y = risk.y
        self.factor, self.loss = 1.0, risk.loss
        if risk.loss.reads != "residual":
            return
        y = risk.y.reshape(len(risk.y), -1)
        if risk.intercept:
            self.c = (risk.q[:, None] * y).sum(axis=0)
        apart = y - self.c
        self.s = abs(apart).max() or LD(1)
        self.y = (apart / self.s).reshape(risk.y.shape)
        self.factor, self.loss = risk.loss.rescaled(self.s)

    def coefficients(self, V):
        """Return W for V."""
        if self.free:
            return self.s * np.sqrt(LD(len(self.phi))) * self.triangle.solve(V)
        return self.s * V / self.sizes[:, None]

    def back(self, V, beta):
        """Return the point of the risk for V and β."""
        W = self.risk.penalty.mend(self.coefficients(V.astype(LD)))
        b = np.zeros(self.shape[1], LD)
        if self.risk.intercept:
            high, low = scores_of(self.means[None, :], W, b)
            b = self.s * beta + self.c - high[0] - low[0]
        return Point(W, b)

    def forth(self, point):
        """Return V and β for a point."""
        shift = (self.means[:, None] * point.W).sum(axis=0)
        beta = (point.b + shift - self.c) / self.s
        if not self.free:
            return point.W * self.sizes[:, None] / self.s, beta
        centred = self.risk.X - self.means
        high, low = scores_of(centred, point.W, np.zeros(self.shape[1], LD))
        fitted = (high + low) / self.s
        return self.phi.T @ fitted / len(self.phi), beta


def _is_free(risk):
    """Tell whether coefficients have no price."""
    found = risk.penalty.elastic(risk.X.shape[1])
    return found is not None and not (found[0].any() or found[1].any() or found[2])
