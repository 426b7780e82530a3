"""Newton's method in long doubles, for smooth losses and prices on single coefficients.

Coefficients that a kink of the price holds at 0 stay there until their slope exceeds
it; the others keep their sign. It only improves a point that somebody else has found.
"""

import numpy as np

from benchmarks.adversary.precision import LD, triangle_of

__all__ = ["newton"]

STEPS = 40


def newton(frame, start):
    """Return a better point, or None where the method does not apply."""
    elastic = frame.risk.penalty.elastic(frame.risk.X.shape[1])
    if elastic is None or not frame.loss.smooth or not frame.shape[0]:
        return None
    V, beta = frame.forth(start)
    problem = _Problem(frame, elastic)
    here = problem.value(V, beta)
    if not np.isfinite(here):
        return None
    for _ in range(STEPS):
        moved = problem.step(V, beta, here)
        if moved is None:
            break
        V, beta, there = moved
        if here - there <= 1e-18 * abs(here):
            break
        here = there
    return frame.back(V, beta)


class _Problem:
    def __init__(self, frame, elastic):
        self.phi, self.loss, self.y = frame.phi, frame.loss, frame.y
        self.reads, self.q = frame.risk.loss.reads, frame.risk.q
        self.factor, self.k = LD(frame.factor), frame.shape[1]
        self.intercept = frame.risk.intercept
        d = frame.shape[0]
        self.l1, self.l2, self.positive = np.zeros(d, LD), np.zeros(d, LD), elastic[2]
        if not frame.free:
            unit = frame.s / frame.sizes
            self.l1, self.l2 = elastic[0] * unit, elastic[1] * unit**2

    def _z(self, V, beta):
        scores = self.phi @ V + beta
        if self.reads == "residual":
            scores = scores - self.y.reshape(len(scores), -1)
        if self.reads == "margin":
            scores = scores * self.y[:, None]
        return scores if self.k > 1 or self.reads == "scores" else scores[:, 0]

    def value(self, V, beta):
        with np.errstate(all="ignore"):
            terms = self.loss.terms(self.y, self._z(V, beta))
            mean = self.factor * sum((self.q * term).sum() for term in terms)
        price = (self.l1[:, None] * abs(V)).sum()
        if self.positive and (V < 0).any():
            return LD(np.inf)
        return mean + price + (self.l2[:, None] * V * V).sum() / 2

    def step(self, V, beta, here):
        with np.errstate(all="ignore"):
            z = self._z(V, beta)
            slopes = self.loss.slope(self.y, z).reshape(len(z), -1)
            if self.reads == "margin":
                slopes = slopes * self.y[:, None]
            slopes = self.factor * self.q[:, None] * slopes
            g = self.phi.T @ slopes + self.l2[:, None] * V
            held = self._held(V, g)
            signs = np.where(V != 0, np.sign(V), -np.sign(g))
            g = g + self.l1[:, None] * signs
            direction = self._direction(z, g, slopes.sum(axis=0), ~held)
        if direction is None or not all(np.isfinite(d).all() for d in direction):
            return None
        return self._search_line(V, beta, direction, signs, here)

    def _held(self, V, g):
        """Tell which coefficients stay at 0."""
        kink = (self.l1[:, None] > 0) | self.positive
        held = kink & (V == 0)
        if self.positive:
            return held & (g + self.l1[:, None] >= 0)
        return held & (abs(g) <= self.l1[:, None])

    def _direction(self, z, g, g0, free):
        if self.k == 1:
            return self._scalar_direction(z, g, g0, free[:, 0])
        return self._vector_direction(z, g, g0)

    def _scalar_direction(self, z, g, g0, free):
        bends = self.loss.bend(self.y, z)
        roots = np.sqrt(np.maximum(self.factor * self.q * bends, 0))
        columns = [self.phi[:, free] * roots[:, None]]
        if self.intercept:
            columns.append(roots[:, None])
        J, d = np.hstack(columns), int(free.sum())
        ridge = np.zeros((d, J.shape[1]), LD)
        ridge[:, :d] = np.diag(np.sqrt(self.l2[free]))
        J = np.vstack([J, ridge])
        if not J.any():
            return None
        slope = np.append(g[free, 0], g0 if self.intercept else [])
        found = -triangle_of(J).solve_squares(slope)
        dV = np.zeros_like(g)
        dV[free, 0] = found[:d]
        return dV, found[d:] if self.intercept else np.zeros(1, LD)

    def _vector_direction(self, z, g, g0):
        if self.l1.any() or self.positive:
            return None
        wide = np.hstack([self.phi, np.full((len(z), int(self.intercept)), LD(1))])
        H, D = self.loss.hessian(self.y, z), wide.shape[1]
        whole = np.zeros((D, self.k, D, self.k), LD)
        for a in range(self.k):
            for b in range(self.k):
                shares = self.factor * self.q * H[:, a, b]
                whole[:, a, :, b] = wide.T @ (shares[:, None] * wide)
        for j, price in enumerate(self.l2):
            whole[j, range(self.k), j, range(self.k)] += price
        slope = np.vstack([g, g0[None, :]]) if self.intercept else g
        matrix = whole.reshape(D * self.k, D * self.k)
        if not np.isfinite(matrix).all():
            return None
        tri = triangle_of(matrix, cut=1e-16)
        found = -tri.solve((tri.basis().T @ slope.ravel())[:, None]).reshape(D, self.k)
        rest = found[-1] if self.intercept else np.zeros(self.k, LD)
        return found[: len(g)], rest

    def _search_line(self, V, beta, direction, signs, here):
        length = LD(1)
        for _ in range(60):
            there_V = V + length * direction[0]
            crossed = (self.l1[:, None] > 0) & (np.sign(there_V) == -signs)
            there_V = np.where(crossed, 0, there_V)
            if self.positive:
                there_V = np.maximum(there_V, 0)
            there_beta = beta + length * direction[1]
            value = self.value(there_V, there_beta)
            if value < here:
                return there_V, there_beta, value
            length /= 2
        return None
