"""A mixture's likelihood as a difference of convex functions; EM as its procedure."""

from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.study.convexity.concave_convex.difference import DifferenceOfConvex
from infimum.study.convexity.functions.oracle import Oracle
from infimum.typing import Matrix, Vector

__all__ = ["GaussianMixtureLikelihood"]


@dataclass(frozen=True, eq=False)
class GaussianMixtureLikelihood:
    r"""The negative log-likelihood of a mixture of K unit Gaussians on the line.

    In the natural parameters :math:`w = (\mu_1..\mu_K, b_1..b_K)`, with weights
    :math:`\pi_k \propto \exp(b_k + \mu_k^2/2)`, the pair of sample and hidden component
    is an exponential family, and (up to a constant)

    .. math:: -\sum_i \log p(x_i) = \underbrace{n \log\sum_k e^{b_k + \mu_k^2/2}}_f
              - \underbrace{\sum_i \log\sum_k e^{x_i\mu_k + b_k}}_g

    with f and g convex. ∇g are the expected sufficient statistics (the E step), and
    :math:`\nabla f(w') = \nabla g(w)` matches the moments to them (the M step): EM is
    the concave-convex procedure on this split.

    >>> import numpy as np
    >>> from infimum.study.convexity import ConcaveConvexProcedure
    >>> mixture = GaussianMixtureLikelihood(np.array([-2.1, -1.9, 2.0, 2.2, 1.8]), 2)
    >>> w = mixture.natural(np.array([0.5, 0.5]), np.array([-1.0, 1.0]))
    >>> method = ConcaveConvexProcedure(mixture.moments_matched)
    >>> weights, means = mixture.moments(method.minimize(mixture.split, w).point)
    >>> weights.round(2).tolist(), means.round(1).tolist()
    ([0.4, 0.6], [-2.0, 2.0])
    """

    samples: Vector
    components: int

    @property
    def split(self) -> DifferenceOfConvex:
        """The two convex functions."""
        return DifferenceOfConvex(
            Oracle(self._log_partition, self._moments_of_model, self._bend),
            Oracle(self._log_evidence, self._expected_statistics),
        )

    def natural(self, weights: Vector, means: Vector) -> Vector:
        """Return the natural parameters of a mixture."""
        return np.concatenate([means, np.log(weights) - 0.5 * means**2])

    def moments(self, w: Vector) -> tuple[Vector, Vector]:
        """Return weights and means that natural parameters stand for."""
        means, height = self._parts(w)
        shares = np.exp(height - np.max(height))
        return shares / np.sum(shares), means

    def moments_matched(self, statistics: Vector) -> Vector:
        """Return the parameters whose model has the given statistics: the M step."""
        counts = statistics[self.components :]
        if np.min(counts) <= 0.0:
            raise DataError(
                "GaussianMixtureLikelihood has a component that no sample belongs to."
            )
        means = statistics[: self.components] / counts
        return self.natural(counts / np.sum(counts), means)

    def responsibilities(self, w: Vector) -> Matrix:
        """Return the probability of each component (column) given each sample."""
        scores = self._scores(w)
        shares = np.exp(scores - np.max(scores, axis=1, keepdims=True))
        return np.asarray(shares / np.sum(shares, axis=1, keepdims=True))

    def _parts(self, w: Vector) -> tuple[Vector, Vector]:
        means = w[: self.components]
        return means, w[self.components :] + 0.5 * means**2

    def _scores(self, w: Vector) -> Matrix:
        means, heights = w[: self.components], w[self.components :]
        return np.asarray(self.samples[:, None] * means + heights)

    def _log_partition(self, w: Vector) -> float:
        return float(len(self.samples) * np.logaddexp.reduce(self._parts(w)[1]))

    def _moments_of_model(self, w: Vector) -> Vector:
        weights, means = self.moments(w)
        return np.asarray(len(self.samples) * np.append(weights * means, weights))

    def _bend(self, w: Vector) -> Matrix:
        weights, means = self.moments(w)
        jacobian = np.vstack([np.diag(means), np.eye(self.components)])
        spread = np.diag(weights) - np.outer(weights, weights)
        inner = np.diag(np.append(weights, np.zeros(self.components)))
        return np.asarray(len(self.samples) * (jacobian @ spread @ jacobian.T + inner))

    def _log_evidence(self, w: Vector) -> float:
        return float(np.sum(np.logaddexp.reduce(self._scores(w), axis=1)))

    def _expected_statistics(self, w: Vector) -> Vector:
        shares = self.responsibilities(w)
        return np.concatenate([self.samples @ shares, np.sum(shares, axis=0)])
