"""The judge's own formulas of the losses with one score: value, slopes, cones.

A formula is a function of z, which is the residual f - y, the margin y·f, or the score
f itself. `terms` returns what is added up, so that the judge knows how large the
numbers were that its sum came from.
"""

import numpy as np
from scipy.special import log_ndtr

from benchmarks.adversary.precision import LD

__all__ = ["SCALAR", "Scalar", "scalar_loss"]


class Scalar:
    """A loss of one score."""

    reads = "residual"
    smooth = True
    #: What share of a term may be wrong beyond the rounding of long doubles.
    doubt = 0.0

    def __init__(self, **parameters):
        self.parameters = parameters
        self.__dict__.update({name: LD(value) for name, value in parameters.items()})

    def terms(self, y, z):
        raise NotImplementedError

    def blur(self, y, z):
        """Return what rounding acts on beside the terms themselves."""
        return np.zeros(len(y), LD)

    def slope(self, y, z):
        raise NotImplementedError

    def bend(self, y, z):
        raise NotImplementedError

    def conic(self, y, z):
        """Return the losses as a convex expression of cvxpy."""
        raise NotImplementedError

    def least(self, y):
        return np.zeros(len(y), LD)

    def rescaled(self, s):
        """Return a factor and a loss with ℓ(s·z) = factor·loss(z)."""
        return 1.0, self


class Squared(Scalar):
    def terms(self, y, z):
        return (z * z / 2,)

    def slope(self, y, z):
        return z

    def bend(self, y, z):
        return np.ones_like(z)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.square(z) / 2

    def rescaled(self, s):
        return s * s, self


class Absolute(Scalar):
    smooth = False

    def terms(self, y, z):
        return (abs(z),)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.abs(z)

    def rescaled(self, s):
        return s, self


class Quantile(Absolute):
    def terms(self, y, z):
        return (np.maximum(-self.level * z, (1 - self.level) * z),)

    def conic(self, y, z):
        import cvxpy as cp

        level = float(self.level)
        return cp.maximum(-level * z, (1 - level) * z)


class Huber(Scalar):
    def terms(self, y, z):
        inner = np.minimum(abs(z), self.delta)
        return (inner * inner / 2, self.delta * (abs(z) - inner))

    def slope(self, y, z):
        return np.clip(z, -self.delta, self.delta)

    def bend(self, y, z):
        return (abs(z) <= self.delta).astype(LD)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.huber(z, float(self.delta)) / 2

    def rescaled(self, s):
        return s * s, Huber(delta=self.delta / LD(s))


class EpsilonInsensitive(Scalar):
    smooth = False

    def terms(self, y, z):
        return (np.maximum(abs(z) - self.epsilon, 0),)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.pos(cp.abs(z) - float(self.epsilon))

    def rescaled(self, s):
        return s, EpsilonInsensitive(epsilon=self.epsilon / LD(s))


class SquaredEpsilonInsensitive(Scalar):
    def terms(self, y, z):
        return (np.maximum(abs(z) - self.epsilon, 0) ** 2,)

    def slope(self, y, z):
        return 2 * np.sign(z) * np.maximum(abs(z) - self.epsilon, 0)

    def bend(self, y, z):
        return 2 * (abs(z) > self.epsilon).astype(LD)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.square(cp.pos(cp.abs(z) - float(self.epsilon)))

    def rescaled(self, s):
        return s * s, SquaredEpsilonInsensitive(epsilon=self.epsilon / LD(s))


class Hinge(Scalar):
    reads, smooth, at = "margin", False, 1

    def terms(self, y, z):
        return (np.maximum(self.at - z, 0),)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.pos(float(self.at) - z)


class Perceptron(Hinge):
    at = 0


class Novelty(Hinge):
    reads = "score"

    def __init__(self, rho=1.0):
        super().__init__(rho=rho)
        self.at = LD(rho)


class SquaredHinge(Scalar):
    reads = "margin"

    def terms(self, y, z):
        return (np.maximum(1 - z, 0) ** 2,)

    def slope(self, y, z):
        return -2 * np.maximum(1 - z, 0)

    def bend(self, y, z):
        return 2 * (z < 1).astype(LD)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.square(cp.pos(1 - z))


class Logistic(Scalar):
    reads = "margin"

    def terms(self, y, z):
        return (np.maximum(-z, 0), np.log1p(np.exp(-abs(z))))

    def slope(self, y, z):
        return -1 / (1 + np.exp(z))

    def bend(self, y, z):
        tail = np.exp(-abs(z))
        return tail / (1 + tail) ** 2

    def conic(self, y, z):
        import cvxpy as cp

        return cp.logistic(-z)


class Exponential(Scalar):
    reads = "margin"

    def terms(self, y, z):
        return (np.exp(-z),)

    def slope(self, y, z):
        return -np.exp(-z)

    def bend(self, y, z):
        return np.exp(-z)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.exp(-z)


class Probit(Scalar):
    """The logarithm of Φ comes from SciPy, right to about 14 digits."""

    reads, doubt = "margin", 2e-14

    def terms(self, y, z):
        return (-LD(1) * log_ndtr(z.astype(np.float64)),)

    def slope(self, y, z):
        z = z.astype(np.float64)
        return -LD(1) * np.exp(-z * z / 2 - log_ndtr(z)) / np.sqrt(2 * np.pi)

    def bend(self, y, z):
        ratio = -self.slope(y, z)
        return np.maximum(ratio * (ratio + z), 0)


class Binomial(Scalar):
    reads = "score"

    def terms(self, y, z):
        safe, other = np.where(y > 0, y, 1), np.where(y < 1, 1 - y, 1)
        entropy = y * np.log(safe) + (1 - y) * np.log(other)
        return (
            np.maximum(z, 0), np.log1p(np.exp(-abs(z))), -y * z, entropy
        )  # fmt: skip

    def slope(self, y, z):
        return 1 / (1 + np.exp(-z)) - y

    def bend(self, y, z):
        return Logistic().bend(y, z)

    def conic(self, y, z):
        import cvxpy as cp

        rest = self.terms(y, np.zeros(len(y), LD))[3].astype(float)
        return cp.logistic(z) - cp.multiply(y.astype(float), z) + rest


class Poisson(Scalar):
    reads = "score"

    def terms(self, y, z):
        return (np.exp(z), -y * z)

    def slope(self, y, z):
        return np.exp(z) - y

    def bend(self, y, z):
        return np.exp(z)

    def conic(self, y, z):
        import cvxpy as cp

        return cp.exp(z) - cp.multiply(y.astype(float), z)

    def least(self, y):
        return y - y * np.log(np.where(y > 0, y, 1))


class Gamma(Scalar):
    reads = "score"

    def terms(self, y, z):
        return (z, y * np.exp(-z))

    def slope(self, y, z):
        return 1 - y * np.exp(-z)

    def bend(self, y, z):
        return y * np.exp(-z)

    def conic(self, y, z):
        import cvxpy as cp

        return z + cp.multiply(y.astype(float), cp.exp(-z))

    def least(self, y):
        return 1 + np.log(y)


class Tweedie(Scalar):
    reads = "score"

    def _rates(self):
        return 2 - self.power, self.power - 1

    def terms(self, y, z):
        up, down = self._rates()
        return (np.exp(up * z) / up, y * np.exp(-down * z) / down)

    def slope(self, y, z):
        up, down = self._rates()
        return np.exp(up * z) - y * np.exp(-down * z)

    def bend(self, y, z):
        up, down = self._rates()
        return up * np.exp(up * z) + down * y * np.exp(-down * z)

    def conic(self, y, z):
        import cvxpy as cp

        up, down = map(float, self._rates())
        tail = cp.multiply(y.astype(float) / down, cp.exp(-down * z))
        return cp.exp(up * z) / up + tail

    def least(self, y):
        up, down = self._rates()
        return np.where(y > 0, np.where(y > 0, y, 1) ** up * (1 / up + 1 / down), 0)


SCALAR = {
    "absolute": Absolute, "binomial": Binomial, "epsilon_insensitive":
    EpsilonInsensitive, "exponential": Exponential, "gamma": Gamma, "hinge": Hinge,
    "huber": Huber, "logistic": Logistic, "novelty": Novelty, "perceptron": Perceptron,
    "poisson": Poisson, "probit": Probit, "quantile": Quantile, "squared": Squared,
    "squared_epsilon_insensitive": SquaredEpsilonInsensitive, "squared_hinge":
    SquaredHinge, "tweedie": Tweedie,
}  # fmt: skip


def scalar_loss(name, **parameters):
    """Return the formula of a loss by its name."""
    return SCALAR[name](**parameters)
