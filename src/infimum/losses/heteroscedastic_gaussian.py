"""Heteroscedastic Gaussian loss: mean and precision are learnt together."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infimum.losses._loss import VectorLoss
from infimum.typing import Matrix, Vector

__all__ = ["HeteroscedasticGaussian"]

#: The least variance of a constant model, relative to the size of the targets.
LEAST_SPREAD = 1e-12


@dataclass(frozen=True)
class HeteroscedasticGaussian(VectorLoss):
    r"""Negative log-likelihood of a Gaussian in its two natural parameters.

    .. math:: \ell(y, (\eta, \tau)) = \tfrac12 \tau y^2 - \eta y
              + \frac{\eta^2}{2 \tau} - \tfrac12 \log \tau, \qquad \tau > 0

    τ is the precision 1/σ² and η = μ/σ²: in these, and not in (μ, σ), the loss is
    jointly convex. The fitted mean is η/τ and the fitted variance 1/τ. The loss is
    infinite where the precision is not positive, and unbounded below for one sample
    alone, so gaps are judged in nats.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[4.0, 2.0]])  # mean 2, variance 1/2
    >>> HeteroscedasticGaussian().derivative(np.array([2.0]), scores)
    array([[ 0.  , -0.25]])

    References
    ----------
    Le, Smola & Canu (2005), ICML.
    """

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = np.inf
    positive_scores: ClassVar[tuple[int, ...]] = (1,)

    @property
    def smooth(self) -> bool:
        return True

    @property
    def outputs(self) -> int:
        return 2

    def value(self, y: Vector, f: Matrix) -> Vector:
        eta, tau = f[:, 0], np.where(f[:, 1] > 0.0, f[:, 1], 1.0)
        value = 0.5 * tau * (y - eta / tau) ** 2 - 0.5 * np.log(tau)
        return np.where(f[:, 1] > 0.0, value, np.inf)

    def derivative(self, y: Vector, f: Matrix) -> Matrix:
        mean, variance = _moments(f)
        return np.column_stack([mean - y, 0.5 * (y**2 - mean**2 - variance)])

    def curve(self, y: Vector, f: Matrix, u: Matrix) -> Matrix:
        # The covariance of (y, -y²/2) under the fitted Gaussian.
        mean, variance = _moments(f)
        cross = -mean * variance
        fourth = mean**2 * variance + 0.5 * variance**2
        first = variance * u[:, 0] + cross * u[:, 1]
        return np.column_stack([first, cross * u[:, 0] + fourth * u[:, 1]])

    def conjugate(self, y: Vector, s: Matrix) -> Vector:
        spread = self._spread(y, s)
        safe = np.where(spread > 0.0, spread, 1.0)
        return np.where(spread > 0.0, -0.5 - 0.5 * np.log(safe), np.inf)

    def unbounded(self, y: Vector) -> str | None:
        if len(y) and np.all(y == y[0]):
            return (
                "no lower bound: the smaller the variance of equal targets, the better"
            )
        return None

    def slack(self, y: Vector, s: Matrix) -> Vector:
        # Moving both entries by δ takes at most δ² + 2(1 + |mean|)·δ off the variance;
        # half of what is left keeps the conjugate finite.
        edge = 1.0 + np.abs(s[:, 0] + y)
        spread = np.maximum(self._spread(y, s), 0.0)
        return np.asarray(0.5 * (np.sqrt(edge**2 + spread) - edge))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> Vector:
        mean = float(np.average(y, weights=weights))
        variance = float(np.average((y - mean) ** 2, weights=weights))
        least = LEAST_SPREAD * (1.0 + float(np.abs(y).max()) ** 2)
        precision = 1.0 / max(variance, least)
        return np.array([mean * precision, precision])

    @staticmethod
    def _spread(y: Vector, s: Matrix) -> Vector:
        """Return the variance of the Gaussian that the slopes belong to."""
        # y² - 2·s₁ - (s₀ + y)², without squaring y
        return np.asarray(-2.0 * s[:, 1] - s[:, 0] * (s[:, 0] + 2.0 * y))


def _moments(f: Matrix) -> tuple[Vector, Vector]:
    # Beyond the domain any slopes will do, as long as they are those of a Gaussian.
    variance = 1.0 / np.where(f[:, 1] > 0.0, f[:, 1], 1.0)
    return np.asarray(f[:, 0] * variance), np.asarray(variance)
