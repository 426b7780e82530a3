"""Families with an objective of their own: Huber's scale, precisions, thresholds."""

import numpy as np

from benchmarks.adversary.data import draw_data
from benchmarks.adversary.families import Case
from benchmarks.adversary.losses import Squared
from benchmarks.adversary.penalties import make_penalty
from benchmarks.adversary.precision import EPS, LD, as_ld, scores_of
from benchmarks.adversary.reading import total_of
from benchmarks.adversary.reference import search, solve_conic
from benchmarks.adversary.risk import Point, Risk, Value
from benchmarks.adversary.vector_losses import vector_loss

__all__ = ["JOINT"]


class HuberRisk(Risk):
    """σ + Σ q σ H(r/σ) + λ‖w‖², with H(z) = z² up to ε and 2ε|z| - ε² beyond."""

    def __init__(self, table, epsilon, strength, *, intercept):
        plain = make_penalty("ridge", strength=2 * LD(strength))
        super().__init__(table.X, table.y, table.weights, Squared(), plain,
                         intercept=intercept)  # fmt: skip
        self.epsilon = LD(epsilon)

    def value(self, point):
        r, sigma = abs(self.argument(point)), LD(point.more)
        edge = self.epsilon * sigma
        inner = np.minimum(r, edge)
        with np.errstate(invalid="ignore", divide="ignore"):
            bowl = np.where(inner > 0, inner * (inner / sigma), 0)
        mean = (self.q * (bowl + 2 * self.epsilon * (r - inner))).sum()
        total = sigma + mean + self.price(point)[0]
        return Value(float(total), float(abs(total) * (EPS * (len(r) + 99) + 2e-16)))

    def grain(self, point):
        return float(256 * np.finfo(float).eps * self.epsilon * abs(self.y).max())

    def scale(self):
        null = super().null()
        return self.value(self._with_scale(null)).risk

    def search(self, points):
        found = self._conic()
        if found is not None:
            yield "Clarabel", self._with_scale(found)
        for name, point in search(self, points):
            yield name, self._with_scale(point)
        for point in points:
            yield "best scale", self._with_scale(point)

    def _with_scale(self, point):
        """Return the point with its best scale, by bisection of a convex function."""
        r = abs(self.argument(point))
        low, high = LD(0), r.max() + 1
        for _ in range(16):
            grid = low + (high - low) * np.arange(33).astype(LD) / 32
            values = [self.value(point._replace(more=s)).risk for s in grid]
            best = int(np.argmin(values))
            low, high = grid[max(best - 1, 0)], grid[min(best + 1, 32)]
        return point._replace(more=grid[best])

    def _conic(self):
        import cvxpy as cp

        from benchmarks.adversary.frame import Frame

        frame, n = Frame(self), len(self.y)
        V, beta = cp.Variable(frame.shape), cp.Variable()
        sigma, rest = cp.Variable(nonneg=True), cp.Variable(n)
        r = frame.phi.astype(float) @ V[:, 0] - frame.y.astype(float)
        r = r + (beta if self.intercept else 0)
        q = self.q.astype(float)
        bowl = cp.quad_over_lin(cp.multiply(np.sqrt(q), r - rest), sigma)
        objective = sigma + bowl + 2 * float(self.epsilon) * q @ cp.abs(rest)
        if not frame.free:
            factors = np.diag((np.sqrt(frame.s) / frame.sizes).astype(float))
            objective = objective + self.penalty.conic(factors @ V)[0]
        if not solve_conic(objective, [], 1.0) or V.value is None:
            return None
        offset = LD(beta.value) if self.intercept else LD(0)
        return frame.back(V.value, np.array([offset], LD))


def _huber(rng):
    from infimum.models.linear import HuberRegressor

    data = draw_data(rng, "real", largest=(120, 12))
    model = HuberRegressor(
        epsilon=float(rng.choice([1.35, 1.0, 3.0])),
        alpha=0.0 if rng.random() < 0.3 else float(10.0 ** rng.uniform(-8, 2)),
        fit_intercept=bool(rng.random() < 0.85),
    )
    return Case(model, data, _read_huber)


def _read_huber(model, table):
    strength = model.alpha / total_of(table)
    risk = HuberRisk(table, model.epsilon, strength, intercept=model.fit_intercept)
    W = np.asarray(model.coef_).astype(LD)[:, None]
    return [(risk, Point(W, np.array([model.intercept_], LD), LD(model.scale_)))]


class PrecisionRisk(Risk):
    """The heteroscedastic likelihood; rays are tried too, as it may have no floor."""

    def search(self, points):
        yield from search(self, points)
        for point in points:
            for power in (1, 3, 10, 30, 100, 200):
                grown = LD(10) ** power
                alone = np.zeros_like(point.W)
                yield "a ray", Point(alone, np.array([0, grown], LD))
                yield "a ray", Point(point.W * grown, point.b * grown)
                yield "a ray", Point(point.W, point.b * np.array([1, grown], LD))


def _precisions(rng):
    from infimum.models.linear import HeteroscedasticRegressor

    data = draw_data(rng, "real", largest=(50, 6))
    alpha = float(10.0 ** rng.uniform(-6, 1))
    return Case(HeteroscedasticRegressor(alpha=alpha), data, _read_precisions)


def _read_precisions(model, table):
    m, s = LD(model.location_), LD(model.scale_)
    y = (as_ld(table.y) - m) / s
    loss = vector_loss("heteroscedastic_gaussian", 2)
    ridge = make_penalty("ridge", strength=model.alpha)
    risk = PrecisionRisk(table.X, y, table.weights, loss, ridge)
    coef, b = np.asarray(model.coef_).astype(LD), np.asarray(model.intercept_, LD)
    # τ of the user times s², and η of the user times s less m·τ/s.
    back = np.array([[s, -m * s], [0, s * s]], LD)
    return [(risk, Point((back @ coef).T, back @ b))]


class OrderedRisk(Risk):
    """Mean cost + ½‖w‖²/(C Σ weights) of codes between ordered thresholds."""

    def __init__(self, table, codes, count, C):
        strength = 1 / (LD(C) * LD(total_of(table)))
        super().__init__(table.X, codes, table.weights, Squared(),
                         make_penalty("ridge", strength=strength))  # fmt: skip
        self.last = count - 1

    def value(self, point):
        """Return the risk; the thresholds are the negative intercepts."""
        high, low = scores_of(self.X, point.W, np.zeros(1, LD))
        f, codes = (high + low)[:, 0], self.y.astype(int)
        ends = np.concatenate([[-LD(np.inf)], -point.b, [LD(np.inf)]])
        a, b = ends[codes + 1] - f, ends[codes] - f
        with np.errstate(all="ignore"):
            cost = np.log1p(np.exp(-a)) + np.log1p(np.exp(b))
            cost = np.maximum(cost - np.log1p(-np.exp(b - a)), 0)
        mean = (self.q * np.where(np.isnan(cost), LD(np.inf), cost)).sum()
        total = mean + self.price(point)[0]
        return Value(float(total), float(abs(total) * 1e-15))

    def grain(self, point):
        return 1e-15 * abs(self.value(point).risk)

    def scale_from(self, best):
        shares = np.cumsum([self.q[self.y == k].sum() for k in range(self.last + 1)])
        chance = shares[:-1]
        null = Point(np.zeros((self.X.shape[1], 1), LD), -np.log(chance / (1 - chance)))
        return self.value(null).risk - best

    def search(self, points):
        import cvxpy as cp

        d, codes = self.X.shape[1], self.y.astype(int)
        w, t = cp.Variable(d), cp.Variable(self.last)
        sizes = abs(self.X).max(axis=0)
        sizes = np.where(sizes > 0, sizes, LD(1))
        f = (self.X / sizes).astype(float) @ w
        q, costs, rules = self.q.astype(float), [], []
        for i, code in enumerate(codes):
            below = cp.logistic(f[i] - t[code]) if code < self.last else 0
            above = cp.logistic(t[code - 1] - f[i]) if code else 0
            costs.append(q[i] * (below + above))
        for k in range(1, self.last):  # -log(1 - e^-u) = -log(e^u - 1) + u
            step = t[k] - t[k - 1]
            share = float(self.q[codes == k].sum())
            extra = cp.Variable()
            rules.append(cp.exp(-step) + cp.exp(-extra) <= 1)
            costs.append(share * extra)
        roots = np.diag(1 / sizes.astype(float))
        price = self.penalty.conic(roots @ cp.reshape(w, (d, 1), order="C"))[0]
        solved = solve_conic(sum(costs) + price, rules, 1.0)
        if solved and w.value is not None:
            W = (w.value.astype(LD) / sizes)[:, None]
            yield "Clarabel", Point(W, -t.value.astype(LD))


def _ordered(rng):
    from infimum.models.linear import OrdinalLogisticRegression

    data = draw_data(rng, "class", largest=(50, 6))
    C = float(10.0 ** rng.uniform(-3, 5))
    return Case(OrdinalLogisticRegression(C=C), data, _read_ordered)


def _read_ordered(model, table):
    codes = np.searchsorted(model.classes_, np.asarray(table.y))
    risk = OrderedRisk(table, codes, len(model.classes_), model.C)
    W = np.asarray(model.coef_).astype(LD).reshape(-1, 1)
    return [(risk, Point(W, -np.asarray(model.thresholds_).astype(LD)))]


#: Family -> how often it is drawn, and how.
JOINT = {"Huber with scale": (5, _huber), "heteroscedastic": (4, _precisions),
         "ordinal": (3, _ordered)}  # fmt: skip
