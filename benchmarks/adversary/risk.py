"""A regularised risk as the judge sees it: data, formulas, and nothing of the library.

P(W, b) = Σ q ℓ(y, x W + b) + Ω(W), evaluated in long doubles with scores that are right
to some 35 digits. A value comes with a bound on what the judge's rounding may be.
"""

from typing import NamedTuple

import numpy as np

from benchmarks.adversary.precision import EPS, LD, as_ld, scores_of, two_sum

__all__ = ["Point", "Risk", "Value"]

#: Numbers of candidates and rounds in the search for the best intercept.
GRID, ROUNDS = 9, 34


class Point(NamedTuple):
    """Coefficients (features, scores), intercepts (scores), and what else there is."""

    W: np.ndarray
    b: np.ndarray
    more: float = 0.0


class Value(NamedTuple):
    """A risk, and by how much it may be wrong."""

    risk: float
    error: float


class Risk:
    """Mean loss plus penalty of a linear function; weights of 0 are left out."""

    def __init__(self, X, y, weights, loss, penalty, *, intercept=True):
        y = as_ld(y)
        q = np.ones(len(y), LD) if weights is None else as_ld(weights)
        kept = q > 0
        self.X, self.y, q = as_ld(X)[kept], y[kept], q[kept]
        self.total, self.q = q.sum(), q / q.sum()
        self.loss, self.penalty, self.intercept = loss, penalty, intercept
        self.outputs, self._null = getattr(loss, "outputs", 1), None

    def argument(self, point):
        """Return z, of which the loss is a function: residual, margin or scores."""
        high, low = scores_of(self.X, point.W, point.b)
        return self._argument(high, low)

    def _argument(self, high, low):
        y = self.y.reshape(len(self.y), -1)
        if self.loss.reads == "residual":
            high, lost = two_sum(high, -y)
            low = low + lost
        z = high + low
        if self.loss.reads == "margin":
            z = z * y
        return z if self.loss.reads == "scores" or self.outputs > 1 else z[:, 0]

    def empirical(self, z):
        """Return the mean loss at z and the size of what was added up."""
        with np.errstate(over="ignore", invalid="ignore"):
            terms = self.loss.terms(self.y, z)
            mean = sum((self.q * term).sum() for term in terms)
            sizes = (*terms, self.loss.blur(self.y, z))
            size = sum((self.q * abs(term)).sum() for term in sizes)
        far = min(float(abs(z).max(initial=0)), 12e3)
        return mean, size * (EPS * (len(z) + 50 + far) + self.loss.doubt)

    def price(self, point):
        """Return Ω and its error."""
        price = self.penalty.value(point.W)
        doubt = 1e-14 if type(self.penalty).__name__ == "NuclearNorm" else 0.0
        size = self.penalty.size(point.W)
        return price, size * (EPS * (point.W.size + 50) + doubt)

    def value(self, point):
        """Return the risk at a point that keeps the constraints."""
        mean, error = self.empirical(self.argument(point))
        price, more = self.price(point)
        total = mean + price
        found = float(total) if np.isfinite(total) else np.inf
        return Value(found, float(error + more) + abs(found) * 2e-16)

    def search(self, points):
        """Yield candidates that may be better than these points."""
        from benchmarks.adversary.reference import search

        return search(self, points)

    def outside(self, point):
        """Return by how much the constraints are broken."""
        return self.penalty.outside(point.W)

    def blurred(self, value, _point):
        """Return a value with the rounding of kernel values added; there are none."""
        return value

    def mended(self, point):
        """Return the point moved into the constraints, for a witness must keep them."""
        return point._replace(W=self.penalty.mend(point.W))

    def null(self):
        """Return the point without coefficients and with the best intercept."""
        if self._null is None:
            self._null = self._find_null()
        return self._null

    def _find_null(self):
        d, k = self.X.shape[1], self.outputs
        W, b = np.zeros((d, k), LD), np.zeros(k, LD)
        if not self.intercept:
            return Point(W, b)
        if k == 1:
            b[0] = self.best_intercept(np.zeros(len(self.y), LD))
            return Point(W, b)
        if self.loss.reads == "scores" and self.y.ndim == 1 and k == 2:
            known = self._gaussian_null()
            if known is not None:
                return Point(W, known)
        from benchmarks.adversary.reference import conic_point

        nothing = np.zeros((len(self.y), 1))
        plain = Risk(nothing, self.y, self.q, self.loss, _Free())
        found = conic_point(plain)
        return Point(W, b if found is None else found.b)

    def _gaussian_null(self):
        """Return the parameters of one Gaussian for all, if that is the loss."""
        if type(self.loss).__name__ != "HeteroscedasticGaussian":
            return None
        mean = (self.q * self.y).sum()
        spread = (self.q * (self.y - mean) ** 2).sum()
        tau = 1 / max(spread, LD(1e-300))
        return np.array([mean * tau, tau], LD)

    def grain(self, point):
        """Return what rounding to double precision may change in scores and price."""
        z, top = self.argument(point), abs(point.b).max(initial=0)
        if self.loss.reads == "residual":
            top = max(top, abs(self.y).max(initial=0))
        move = 64 * np.finfo(float).eps * top
        here, apart = self.empirical(z)[0], 0
        for one in np.eye(self.outputs):  # each score is rounded by itself
            step = move * (one if z.ndim > 1 else 1)
            ends = [self.empirical(z + sign * step)[0] for sign in (-1, 1)]
            apart += max(abs(end - here) for end in ends)
        price = 0 if self.penalty is None else self.penalty.size(point.W)
        added = sum((self.q * abs(term)).sum() for term in self.loss.terms(self.y, z))
        eps = np.finfo(float).eps
        return float(apart + 4 * eps * price + 64 * eps * added)

    def scale(self):
        """Return what there is to gain: the null model's excess over the floor."""
        worst = self._null_risk()
        floor = (self.q * self.loss.least(self.y)).sum()
        if not np.isfinite(floor):
            return float(max(abs(worst), 1))
        return float(max(worst - floor, 0))

    def _null_risk(self):
        """Return the mean loss of the null model, or of the nearest that is allowed."""
        null = self.null()
        risk = self.empirical(self.argument(null))[0]
        if self.penalty is None or not self.penalty.outside(null.W) > 0:
            return risk
        point = self.mended(null)
        if self.outputs == 1 and self.intercept:
            high, low = scores_of(self.X, point.W, np.zeros(1, LD))
            b = self.best_intercept((high + low)[:, 0])
            point = point._replace(b=np.array([b], LD))
        return max(risk, self.empirical(self.argument(point))[0])

    def best_intercept(self, scores):
        """Return the best intercept of a loss of one score, by a grid that narrows."""
        low, high = self._reach(scores)
        for _ in range(ROUNDS):
            grid = low + (high - low) * np.arange(GRID).astype(LD) / (GRID - 1)
            values = [self.empirical(self._moved(scores, b))[0] for b in grid]
            best = int(np.argmin(np.where(np.isfinite(values), values, np.inf)))
            low, high = grid[max(best - 1, 0)], grid[min(best + 1, GRID - 1)]
        return grid[best]

    def _moved(self, scores, b):
        high = scores[:, None] + b
        return self._argument(high, np.zeros_like(high))

    def _reach(self, scores):
        if self.loss.reads == "residual":
            apart = self.y - scores
            return apart.min() - 1, apart.max() + 1
        far = abs(scores).max(initial=0) + 100
        return -far, far


class _Free:
    """No penalty at all."""

    def value(self, W):
        return LD(0)

    size = value

    def outside(self, W):
        return 0.0

    def conic(self, W):
        return 0, []

    def mend(self, W):
        return W

    def elastic(self, d):
        return np.zeros(d, LD), np.zeros(d, LD), False
