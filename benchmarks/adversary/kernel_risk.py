"""Risks of functions f = Σ c k(xᵢ, ·), with kernel values in long doubles."""

import numpy as np

from benchmarks.adversary.penalties import make_penalty
from benchmarks.adversary.precision import EPS, LD, as_ld, scores_of
from benchmarks.adversary.reference import search, solve_conic
from benchmarks.adversary.risk import Point, Risk, Value

__all__ = ["KernelRisk", "MachineRisk", "ShareRisk", "gram"]

#: Directions of less than this share of the largest are left out of the features.
CUTS = (1e-13, 1e-9)


def gram(X, kernel, gamma, coef0=0.0, degree=3):
    """Return all kernel values of the rows of X."""
    X = as_ld(X)
    if kernel == "rbf":
        squares = sum((x[:, None] - x[None, :]) ** 2 for x in X.T)
        return np.exp(-LD(gamma) * squares)
    products = sum(x[:, None] * x[None, :] for x in X.T)
    if kernel == "linear":
        return products
    return (LD(gamma) * products + LD(coef0)) ** int(degree)


class KernelRisk(Risk):
    """multiplier · (Σ q ℓ(y, f + b) + strength/2 ‖f‖²); the point W holds the c."""

    def __init__(self, K, y, weights, loss, strength, *, intercept=True):
        kept = np.ones(len(K), bool) if weights is None else np.asarray(weights) > 0
        super().__init__(K[np.ix_(kept, kept)], _rows(y, kept), _rows(weights, kept),
                         loss, None, intercept=intercept)  # fmt: skip
        self.kept, self.strength, self.multiplier = kept, LD(strength), 1.0

    def price(self, point):
        """Return half the squared norm times the strength; products cancel in it."""
        high, low = scores_of(self.X, point.W, np.zeros(point.W.shape[1], LD))
        square = (point.W * high).sum() + (point.W * low).sum()
        size = (abs(point.W) * (abs(self.X) @ abs(point.W))).sum()
        half = self.strength / 2
        return half * max(square, LD(0)), half * size * EPS * (len(self.X) + 99)

    def value(self, point):
        found = super().value(point)
        error = found.error + float(self._blur)
        return Value(self.multiplier * found.risk, self.multiplier * error)

    def argument(self, point):
        z = super().argument(point)
        # Kernel values are rounded themselves: what that may do to the losses.
        size = (abs(self.X) @ abs(point.W)).sum(axis=1)
        self._blur = (
            4
            * EPS
            * (self.q * size * (1 + abs(z).reshape(len(z), -1).max(axis=1))).sum()
        )
        return z

    def outside(self, _point):
        return 0.0

    def grain(self, point):
        rounding = 1e-15 * abs(self.value(point).risk)
        return max(rounding, self.multiplier * super().grain(point))

    def blurred(self, value, point):
        """Return a value with what double precision does to kernel values added."""
        size = abs(self.X) @ abs(point.W)
        half = self.strength / 2 * (abs(point.W) * size).sum()
        moved = (self.q * size.sum(axis=1)).sum()
        blur = 16 * np.finfo(float).eps * float(half + moved) * self.multiplier
        return value._replace(error=value.error + blur)

    def mended(self, point):
        return point

    def scale(self):
        return self.multiplier * super().scale()

    def search(self, points):
        for cut in CUTS:
            features, back = self._features(cut)
            ridge = make_penalty("ridge", strength=self.strength)
            inner = Risk(features, self.y, self.q, self.loss, ridge,
                         intercept=self.intercept)  # fmt: skip
            for name, point in search(inner, ()):
                yield name, Point(back @ point.W, point.b)

    def _features(self, cut):
        values, vectors = np.linalg.eigh(self.X.astype(np.float64))
        kept = values > cut * max(values[-1], 1e-300)
        if not kept.any():
            kept[-1], values[-1] = True, 1.0
        roots = np.sqrt(values[kept])
        vectors = vectors[:, kept]
        return vectors * roots, (vectors / roots).astype(LD)


class MachineRisk(KernelRisk):
    """The same as support vector machines count it: a sum, not a mean."""

    def __init__(self, K, y, weights, loss, C):
        total = LD(len(K)) if weights is None else as_ld(weights).sum()
        super().__init__(K, y, weights, loss, 1 / (LD(C) * total))
        self.multiplier = float(LD(C) * total)


class ShareRisk(KernelRisk):
    """½‖f‖² plus losses beyond a level that is learnt, as ν-machines have it.

    `kind` says which: "classes" and "novelty" pay below the level ρ and gain ν n ρ,
    "tube" pays outside a tube of half-width ε that costs ν n ε.
    """

    def __init__(self, kind, K, y, weights, nu, C=1.0):
        from benchmarks.adversary.losses import scalar_loss

        loss = scalar_loss("squared")
        super().__init__(K, y, weights, loss, 1.0, intercept=kind != "novelty")
        self.kind, self.a = kind, LD(C) * self.q * self.total
        self.fee = LD(nu) * self.a.sum() * (1 if kind == "tube" else -1)

    def value(self, point):
        high, low = scores_of(self.X, point.W, point.b)
        f, level = (high + low)[:, 0], LD(point.more)
        if self.kind == "tube":
            short = abs((high[:, 0] - self.y) + low[:, 0]) - level
        elif self.kind == "classes":
            short = level - self.y * f
        else:
            short = level - f
        losses = (self.a * np.maximum(short, 0)).sum()
        price, error = self.price(point)
        total = price + losses + self.fee * level
        size = price + losses + abs(self.fee * level)
        return Value(float(total), float(error + size * (EPS * 999 + 2e-16)))

    def null(self):
        return None

    def grain(self, point):
        top = abs(self.y).max() if self.kind == "tube" else 0
        moved = 64 * np.finfo(float).eps * top * self.a.sum()
        return float(moved) + 1e-15 * abs(self.value(point).risk)

    def scale_from(self, best):
        """Return what there is to gain, given the best risk that is known.

        The losses of a tube are at least 0; of the others the null risk is 0, and
        what a function without knowledge has to lose is counted too.
        """
        if self.kind != "tube":
            return max(-best, *map(self._half_square, self._first_guesses()))
        zero = Point(np.zeros((len(self.y), 1), LD), np.zeros(1, LD))
        offsets = np.unique(self.y)
        found = []
        for b in offsets[:: max(1, len(offsets) // 60)]:
            for e in np.unique(abs(self.y - b))[:: max(1, len(self.y) // 60)]:
                point = Point(zero.W, np.array([b], LD), e)
                found.append(self.value(point).risk)
        return min(found)

    def _first_guesses(self):
        """Yield coefficients without knowledge: all alike, and those in front."""
        sides = [self.y == s for s in np.unique(self.y)]
        for fill in (_evenly, _from_the_front):
            c = np.zeros(len(self.y), LD)
            for side in sides:
                c[side] = fill(self.a[side], abs(self.fee) / len(sides))
            yield c * self.y

    def _half_square(self, c):
        return float(c @ (self.X @ c)) / 2

    def search(self, points):
        import cvxpy as cp

        for cut in CUTS:
            features, back = self._features(cut)
            u, level = cp.Variable(features.shape[1]), cp.Variable()
            b = cp.Variable() if self.intercept else 0.0
            centre, s = self._frame()
            y, a = ((self.y - centre) / s).astype(float), self.a.astype(float)
            f = features @ u + b
            if self.kind == "tube":
                short = cp.abs(f - y) - level
            else:
                short = level - (cp.multiply(y, f) if self.kind == "classes" else f)
            price = float(s) * cp.sum_squares(u) / 2
            objective = price + a @ cp.pos(short) + float(self.fee) * level
            rules = [level >= 0] if self.kind == "tube" else []
            unit = max(float(abs(self.fee)), 1e-300)
            if solve_conic(objective, rules, unit) and u.value is not None:
                offset = LD(b.value) * s + centre if self.intercept else LD(0)
                W = (back @ (u.value.astype(LD) * s))[:, None]
                yield "Clarabel", Point(W, np.array([offset], LD), LD(level.value) * s)

    def _frame(self):
        if self.kind != "tube":
            return LD(0), LD(1)
        centre = (self.q * self.y).sum()
        return centre, abs(self.y - centre).max() or LD(1)


def _evenly(a, total):
    return a * (total / a.sum())


def _from_the_front(a, total):
    before = np.concatenate([[LD(0)], np.cumsum(a)[:-1]])
    return np.clip(total - before, 0, a)


def _rows(array, kept):
    return None if array is None else np.asarray(array)[kept]
