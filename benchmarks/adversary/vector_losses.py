"""The judge's own formulas of the losses that read several scores."""

import numpy as np

from benchmarks.adversary.precision import LD

__all__ = ["VECTOR", "Vector", "vector_loss"]


class Vector:
    """A loss of k scores; y is a code, a row of zeros and ones, or a row of numbers."""

    reads, smooth, doubt = "scores", False, 0.0

    def __init__(self, outputs):
        self.outputs = outputs

    def terms(self, y, F):
        raise NotImplementedError

    def blur(self, y, F):
        """Return what rounding acts on beside the terms themselves."""
        return np.zeros(len(y), LD)

    def conic(self, y, F):
        raise NotImplementedError

    def least(self, y):
        return np.zeros(len(y), LD)

    def rescaled(self, s):
        return 1.0, self

    def _shortfalls(self, y, F):
        """Return 1 - f_y + f_k for each class k, and 0 at y itself."""
        rows, codes = np.arange(len(y)), y.astype(int)
        gaps = 1 - F[rows, codes][:, None] + F
        gaps[rows, codes] = 0
        return gaps

    def _chosen(self, y):
        table = np.zeros((len(y), self.outputs))
        table[np.arange(len(y)), y.astype(int)] = 1
        return table


class Softmax(Vector):
    smooth = True

    def terms(self, y, F):
        top = F.max(axis=1)
        rows = np.arange(len(y))
        total = np.log(np.exp(F - top[:, None]).sum(axis=1))
        return (total, top - F[rows, y.astype(int)])

    def slope(self, y, F):
        P = np.exp(F - F.max(axis=1)[:, None])
        P /= P.sum(axis=1)[:, None]
        return P - self._chosen(y)

    def hessian(self, y, F):
        P = self.slope(y, F) + self._chosen(y)
        H = -P[:, :, None] * P[:, None, :]
        H[:, np.arange(self.outputs), np.arange(self.outputs)] += P
        return H

    def conic(self, y, F):
        import cvxpy as cp

        right = cp.sum(cp.multiply(self._chosen(y), F), axis=1)
        return cp.log_sum_exp(F, axis=1) - right


class MulticlassHinge(Vector):
    def terms(self, y, F):
        return (self._shortfalls(y, F).max(axis=1),)

    def conic(self, y, F):
        import cvxpy as cp

        chosen = self._chosen(y)
        right = cp.sum(cp.multiply(chosen, F), axis=1)
        return cp.max(F + (1 - chosen), axis=1) - right


class AdditiveMulticlassHinge(Vector):
    def terms(self, y, F):
        return (np.maximum(self._shortfalls(y, F), 0).sum(axis=1),)

    def conic(self, y, F):
        import cvxpy as cp

        chosen = self._chosen(y)
        right = cp.sum(cp.multiply(chosen, F), axis=1, keepdims=True)
        wide = right @ np.ones((1, self.outputs))
        return cp.sum(cp.multiply(1 - chosen, cp.pos(1 - wide + F)), axis=1)


class MultilabelHinge(Vector):
    def terms(self, y, F):
        inside, outside = y > 0, y <= 0
        low = np.where(inside, F, LD(np.inf)).min(axis=1)
        high = np.where(outside, F, -LD(np.inf)).max(axis=1)
        mixed = inside.any(axis=1) & outside.any(axis=1)
        with np.errstate(invalid="ignore"):
            return (np.where(mixed, np.maximum(1 - low + high, 0), 0),)

    def conic(self, y, F):
        import cvxpy as cp

        return cp.hstack([self._row(y[i], F[i]) for i in range(len(y))])

    def _row(self, y, f):
        import cvxpy as cp

        pairs = [(a, b) for a in np.flatnonzero(y) for b in np.flatnonzero(y == 0)]
        if not pairs:
            return 0 * f[0]
        return self._joined([cp.pos(1 - f[a] + f[b]) for a, b in pairs])

    def _joined(self, parts):
        import cvxpy as cp

        return cp.maximum(*parts) if len(parts) > 1 else parts[0]


class AdditiveMultilabelHinge(MultilabelHinge):
    def terms(self, y, F):
        gaps = np.maximum(1 - F[:, :, None] + F[:, None, :], 0)
        pairs = (y > 0)[:, :, None] & (y <= 0)[:, None, :]
        return (np.where(pairs, gaps, 0).sum(axis=(1, 2)),)

    def _joined(self, parts):
        return sum(parts)


class CorrelatedMultilabelHinge(Vector):
    """With the identity as its matrix: the least lead, or the sum of those below 0."""

    def terms(self, y, F):
        leads = 2 * np.where(y > 0, F, -F)
        below = np.minimum(leads, 0).sum(axis=1)
        least = np.where((leads < 0).any(axis=1), below, leads.min(axis=1))
        return (np.maximum(1 - least, 0),)

    def conic(self, y, F):
        import cvxpy as cp

        leads = 2 * cp.multiply(np.where(y > 0, 1.0, -1.0), F)
        below = -cp.sum(cp.minimum(leads, 0), axis=1)
        return cp.pos(1 + cp.maximum(below, -cp.min(leads, axis=1)))


class MultivariateSquared(Vector):
    reads, smooth = "residual", True

    def terms(self, y, F):
        return ((F * F).sum(axis=1) / 2,)

    def slope(self, y, F):
        return F

    def hessian(self, y, F):
        return np.tile(np.eye(self.outputs, dtype=LD), (len(F), 1, 1))

    def conic(self, y, F):
        import cvxpy as cp

        return cp.sum(cp.square(F), axis=1) / 2

    def rescaled(self, s):
        return s * s, self


class HeteroscedasticGaussian(Vector):
    smooth = True

    def terms(self, y, F):
        eta, tau = F[:, 0], np.where(F[:, 1] > 0, F[:, 1], 1)
        wall = np.where(F[:, 1] > 0, LD(0), LD(np.inf))
        return (tau * (y - eta / tau) ** 2 / 2, -np.log(tau) / 2, wall)

    def blur(self, y, F):
        tau = np.maximum(F[:, 1], 0)
        with np.errstate(all="ignore"):
            apart = abs(y - F[:, 0] / tau)
            return np.where(tau > 0, 4 * tau * apart * abs(y), 0)

    def slope(self, y, F):
        eta, tau = F[:, 0], F[:, 1]
        mean = eta / tau
        return np.stack([mean - y, (y * y - mean * mean - 1 / tau) / 2], axis=1)

    def hessian(self, y, F):
        eta, tau = F[:, 0], F[:, 1]
        mixed = -eta / tau**2
        corner = eta * eta / tau**3 + 1 / tau**2 / 2
        return np.stack(
            [np.stack([1 / tau, mixed], 1), np.stack([mixed, corner], 1)], axis=1
        )

    def conic(self, y, F):
        import cvxpy as cp

        y = y.astype(float)
        eta, tau = F[:, 0], F[:, 1]
        bows = [cp.quad_over_lin(eta[i], tau[i]) / 2 for i in range(len(y))]
        plain = cp.multiply(y * y / 2, tau) - cp.multiply(y, eta)
        return plain + cp.hstack(bows) - cp.log(tau) / 2

    def least(self, y):
        return np.full(len(y), -LD(np.inf))


VECTOR = {
    "additive_multiclass_hinge": AdditiveMulticlassHinge,
    "additive_multilabel_hinge": AdditiveMultilabelHinge,
    "correlated_multilabel_hinge": CorrelatedMultilabelHinge,
    "heteroscedastic_gaussian": HeteroscedasticGaussian,
    "multiclass_hinge": MulticlassHinge,
    "multilabel_hinge": MultilabelHinge,
    "multivariate_squared": MultivariateSquared,
    "scaled_multiclass_hinge": MulticlassHinge,
    "softmax": Softmax,
}


def vector_loss(name, outputs):
    """Return the formula of a loss by its name and its number of scores."""
    return VECTOR[name](outputs)
