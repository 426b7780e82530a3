"""The judge's own formulas of the penalties: value, cones, and the way inside.

Coefficients are a matrix (features, scores). `outside` is by how much a constraint is
broken, as a share of the numbers in it; `mend` moves a point inside.
"""

import numpy as np

from benchmarks.adversary.precision import LD

__all__ = ["PENALTIES", "Penalty", "make_penalty"]


class Penalty:
    """A price on coefficients; the parameters are those of the library's class."""

    def __init__(self, strength=1.0, **parameters):
        self.strength = LD(strength)
        self.__dict__.update(parameters)

    def value(self, W):
        return LD(0)

    def size(self, W):
        """Return the size of the numbers that the value comes from."""
        return abs(self.value(W))

    def conic(self, W):
        """Return an expression and a list of constraints of cvxpy."""
        return 0, []

    def outside(self, W):
        return 0.0

    def mend(self, W):
        return W

    def elastic(self, d):
        """Return prices l1 and l2 of each coefficient and the sign rule, if any."""
        return


class NoPenalty(Penalty):
    def elastic(self, d):
        return np.zeros(d, LD), np.zeros(d, LD), False


class WeightedElasticNet(Penalty):
    """Prices l1 and l2; the lasso, the ridge and the elastic net are special cases."""

    l1_ratio, weights, positive = 0.5, (), False

    def elastic(self, d):
        weights = np.array(self.weights or np.ones(d), LD) * self.strength
        mix = LD(self.l1_ratio)
        return mix * weights, (1 - mix) * weights, bool(self.positive)

    def value(self, W):
        l1, l2, _ = self.elastic(len(W))
        return (l1[:, None] * abs(W)).sum() + (l2[:, None] * W * W).sum() / 2

    def conic(self, W):
        import cvxpy as cp

        l1, l2, positive = self.elastic(W.shape[0])
        price = 0
        if l1.any():
            price = price + cp.sum(cp.abs(_rows(l1) @ W))
        if l2.any():
            price = price + cp.sum_squares(_rows(np.sqrt(l2)) @ W) / 2
        return price, [W >= 0] if positive else []

    def outside(self, W):
        return float(-min(W.min(initial=0), 0)) if self.positive else 0.0

    def mend(self, W):
        return np.maximum(W, 0) if self.positive else W


class Lasso(WeightedElasticNet):
    l1_ratio = 1.0


class Ridge(WeightedElasticNet):
    l1_ratio = 0.0


class Box(Penalty):
    low, high = -1.0, 1.0

    def conic(self, W):
        rules = [self.low <= W] if np.isfinite(self.low) else []
        return 0, rules + ([self.high >= W] if np.isfinite(self.high) else [])

    def outside(self, W):
        return float(max(abs(W - self.mend(W)).max(initial=0), 0))

    def mend(self, W):
        return np.clip(W, LD(self.low), LD(self.high))


class NonNegative(Box):
    low, high = 0.0, np.inf


class Ball(Penalty):
    radius, order = 1.0, 2

    def _length(self, W):
        if self.order == 1:
            return abs(W).sum()
        return np.sqrt((W * W).sum()) if self.order == 2 else abs(W).max(initial=0)

    def conic(self, W):
        import cvxpy as cp

        return 0, [cp.norm(cp.vec(W, order="C"), self.order) <= self.radius]

    def outside(self, W):
        return float(max(self._length(W) / self.radius - 1, 0))

    def mend(self, W):
        length = self._length(W)
        return W if length <= self.radius else W * (self.radius / length) * (1 - 1e-19)


class Simplex(Penalty):
    total = 1.0

    def conic(self, W):
        import cvxpy as cp

        return 0, [W >= 0, cp.sum(W, axis=0) == self.total]

    def outside(self, W):
        short = abs(W.sum(axis=0) - self.total).max() / self.total
        return float(max(short, -W.min(initial=0)))

    def mend(self, W):
        W = np.maximum(W, 0)
        W = np.where(W.sum(axis=0) > 0, W, 1)
        return W * (LD(self.total) / W.sum(axis=0))


class Entropy(Simplex):
    def value(self, W):
        safe = np.where(W > 0, W, 1)
        return max(self.strength * (W * np.log(len(W) * safe)).sum(), LD(0))

    def size(self, W):
        safe = np.where(W > 0, W, 1)
        return self.strength * (1 + abs(W * np.log(len(W) * safe)).sum())

    def conic(self, W):
        import cvxpy as cp

        price = -cp.sum(cp.entr(W)) + np.log(W.shape[0]) * cp.sum(W)
        return float(self.strength) * price, super().conic(W)[1]


class FusedLasso(Penalty):
    l1_ratio = 0.5

    def value(self, W):
        jumps, mix = abs(np.diff(W, axis=0)).sum(), LD(self.l1_ratio)
        return self.strength * (mix * abs(W).sum() + (1 - mix) * jumps)

    def conic(self, W):
        import cvxpy as cp

        price = self.l1_ratio * cp.sum(cp.abs(W))
        if W.shape[0] > 1:
            jumps = np.diff(np.eye(W.shape[0]), axis=0) @ W
            price = price + (1 - self.l1_ratio) * cp.sum(cp.abs(jumps))
        return float(self.strength) * price, []


class TotalVariation(FusedLasso):
    l1_ratio = 0.0


class GraphLaplacian(Penalty):
    """The graph is a chain."""

    def value(self, W):
        return self.strength * (np.diff(W, axis=0) ** 2).sum() / 2

    def conic(self, W):
        import cvxpy as cp

        if W.shape[0] == 1:
            return 0, []
        jumps = np.diff(np.eye(W.shape[0]), axis=0) @ W
        return float(self.strength) / 2 * cp.sum_squares(jumps), []


class SparseGroupLasso(Penalty):
    groups, l1_ratio = (), 0.5

    def _members(self, d):
        return self.groups or (tuple(range(d)),)

    def value(self, W):
        mix, total = LD(self.l1_ratio), LD(0)
        for g in self._members(len(W)):
            part = W[list(g)]
            root = np.sqrt(LD(len(g)))
            total += mix * abs(part).sum() + (1 - mix) * root * _norm(part)
        return self.strength * total

    def conic(self, W):
        import cvxpy as cp

        price = 0
        for g in self._members(W.shape[0]):
            part = W[list(g), :]
            price = price + self.l1_ratio * cp.sum(cp.abs(part))
            price = price + (1 - self.l1_ratio) * len(g) ** 0.5 * cp.norm(part, "fro")
        return float(self.strength) * price, []


class GroupLasso(SparseGroupLasso):
    l1_ratio = 0.0


class RowElasticNet(Penalty):
    l1_ratio = 1.0

    def value(self, W):
        mix, squares = LD(self.l1_ratio), (W * W).sum(axis=1)
        total = mix * np.sqrt(squares).sum() + (1 - mix) * squares.sum() / 2
        return self.strength * total

    def conic(self, W):
        import cvxpy as cp

        price = self.l1_ratio * cp.sum(cp.norm(W, 2, axis=1))
        price = price + (1 - self.l1_ratio) / 2 * cp.sum_squares(W)
        return float(self.strength) * price, []


class LinearEqualities(Penalty):
    """One equation: the coefficients of each score sum to 0."""

    def conic(self, W):
        import cvxpy as cp

        return 0, [cp.sum(W, axis=0) == 0]

    def outside(self, W):
        sums, sizes = abs(W.sum(axis=0)), abs(W).sum(axis=0)
        return float((sums / np.where(sizes > 0, sizes, 1)).max())

    def mend(self, W):
        for _ in range(3):
            W = W - W.mean(axis=0)
        return W


class NuclearNorm(Penalty):
    """Of one column: its length. Singular values of more come from their squares."""

    def value(self, W):
        if W.shape[1] == 1:
            return self.strength * _norm(W)
        values = np.linalg.svd(W.astype(np.float64), compute_uv=False)
        return self.strength * LD(values.sum())

    def conic(self, W):
        import cvxpy as cp

        whole = cp.norm(W, "fro") if W.shape[1] == 1 else cp.normNuc(W)
        return float(self.strength) * whole, []


class PNorm(Penalty):
    order = 1.5

    def value(self, W):
        top = abs(W).max(initial=0)
        if top == 0:
            return LD(0)
        length = ((abs(W) / top) ** LD(self.order)).sum() ** (1 / LD(self.order))
        return self.strength / 2 * (top * length) ** 2

    def conic(self, W):
        import cvxpy as cp

        length = cp.pnorm(cp.vec(W, order="C"), self.order)
        return float(self.strength) / 2 * cp.square(length), []


class SortedL1(Penalty):
    """The prices fall linearly from 1 to 1/size."""

    def value(self, W):
        sizes = np.sort(abs(W), axis=None)[::-1]
        prices = np.arange(W.size, 0, -1).astype(LD) / W.size
        return self.strength * (prices * sizes).sum()

    def conic(self, W):
        import cvxpy as cp

        flat, size = cp.abs(cp.vec(W, order="C")), W.shape[0] * W.shape[1]
        parts = [cp.sum_largest(flat, k) for k in range(1, size)] + [cp.sum(flat)]
        return float(self.strength) / size * sum(parts), []


def _rows(prices):
    return np.diag(prices.astype(float))


def _norm(part):
    top = abs(part).max(initial=0)
    return top * np.sqrt(((part / top) ** 2).sum()) if top > 0 else LD(0)


PENALTIES = {
    "ball": Ball, "box": Box, "elastic_net": WeightedElasticNet, "entropy": Entropy,
    "fused_lasso": FusedLasso, "graph_laplacian": GraphLaplacian, "group_lasso":
    GroupLasso, "lasso": Lasso, "linear_equalities": LinearEqualities, "non_negative":
    NonNegative, "no_penalty": NoPenalty, "nuclear_norm": NuclearNorm, "p_norm": PNorm,
    "ridge": Ridge, "row_elastic_net": RowElasticNet, "simplex": Simplex, "sorted_l1":
    SortedL1, "sparse_group_lasso": SparseGroupLasso, "total_variation":
    TotalVariation, "weighted_elastic_net": WeightedElasticNet, "weighted_lasso": Lasso,
    "weighted_ridge": Ridge,
}  # fmt: skip


def make_penalty(name, **parameters):
    """Return the formula of a penalty by its name."""
    return PENALTIES[name](**parameters)
