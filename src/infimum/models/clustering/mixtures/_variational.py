r"""Beliefs about Gaussian components: a prior, and what samples make of it.

Weights have a Dirichlet distribution or come from breaking a stick, means and
precisions a normal and Wishart one. In standardised columns, as everything of EM.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, digamma, gammaln

from infimum.models.clustering.mixtures._mixture_components import Components
from infimum.models.clustering.mixtures._mixture_shapes import (
    factor_precisions,
    log_determinants,
)
from infimum.models.clustering.mixtures._mixture_steps import Pass
from infimum.typing import Matrix, Vector

__all__ = ["Belief", "Prior", "entropy_of"]


@dataclass(frozen=True)
class Prior:
    """What is believed before samples are seen; `shift` is the log of all scales."""

    kind: str
    stick: bool
    concentration: float
    mean_precision: float
    mean: Vector
    freedom: float
    covariance: Matrix
    shift: float

    def learn(self, found: Pass, ridge: Matrix) -> Belief:
        """Return the belief after moments of samples were seen."""
        mass, k = found.mass, len(found.mass)
        if self.stick:
            rest = np.append(np.cumsum(mass[::-1])[-2::-1], 0.0)
            concentration = np.array([1.0 + mass, self.concentration + rest])
        else:
            concentration = (self.concentration + mass)[None, :]
        precision = self.mean_precision + mass
        means = self.mean_precision * self.mean + mass[:, None] * found.means
        means /= precision[:, None]
        share = mass.sum() / k if self.kind == "tied" else mass
        freedom = self.freedom + share * np.ones(k)
        covariances = self._spread(found, ridge, precision, freedom)
        return Belief(self, concentration, precision, means, freedom, covariances)

    def _spread(
        self, found: Pass, ridge: Matrix, precision: Vector, freedom: Vector
    ) -> Matrix:
        """Return the expected covariances: prior, samples, and the way of the means."""
        apart, mass = found.means - self.mean, found.mass
        pull, seen = mass * self.mean_precision / precision, found.covariances + ridge
        if self.kind == "full":
            outer = pull[:, None, None] * apart[:, :, None] * apart[:, None, :]
            total = self.covariance + mass[:, None, None] * seen + outer
            return np.asarray(total / freedom[:, None, None])
        if self.kind == "tied":
            outer = (apart.T * pull) @ apart
            total = self.covariance + (seen * mass.sum() + outer) / len(mass)
            return np.asarray(total / freedom[0])
        squares = apart**2
        if self.kind == "spherical":
            total = self.covariance + mass * seen + pull * squares.mean(axis=1)
            return np.asarray(total / freedom)
        total = self.covariance + mass[:, None] * seen + pull[:, None] * squares
        return np.asarray(total / freedom[:, None])


@dataclass(frozen=True)
class Belief:
    """What is believed of each component; `covariances` are inverse mean precisions."""

    prior: Prior
    concentration: Matrix
    mean_precision: Vector
    means: Matrix
    freedom: Vector
    covariances: Matrix

    def weights(self) -> Vector:
        """Return the expected weights."""
        if not self.prior.stick:
            return np.asarray(self.concentration[0] / self.concentration[0].sum())
        broken, left = self.concentration / self.concentration.sum(axis=0)
        weights = broken * np.append(1.0, np.cumprod(left[:-1]))
        return np.asarray(weights / weights.sum())

    def components(self) -> Components:
        """Return Gaussians that share samples out as the expected log densities do."""
        d = self.means.shape[1]
        spread = digamma(0.5 * (self.freedom[:, None] - np.arange(d))).sum(axis=1)
        width = spread + d * (np.log(2.0) - np.log(self.freedom))
        weights = np.exp(self._log_weights() + 0.5 * (width - d / self.mean_precision))
        return Components.of(self.prior.kind, weights, self.means, self.covariances)

    def bound(self, entropy: float) -> float:
        """Return a lower bound on the log evidence, up to a constant of the prior."""
        k, d = self.means.shape
        factors = factor_precisions(self.covariances, self.prior.kind)
        halves = log_determinants(factors, self.prior.kind, d, k) - self.prior.shift
        halves = halves - 0.5 * d * np.log(self.freedom) + 0.5 * d * np.log(2.0)
        spread = gammaln(0.5 * (self.freedom[:, None] - np.arange(d))).sum()
        wishart = -(self.freedom @ halves + spread)
        if self.prior.stick:
            weights = -betaln(*self.concentration).sum()
        else:
            alone = self.concentration[0]
            weights = gammaln(alone.sum()) - gammaln(alone).sum()
        means = 0.5 * d * np.log(self.mean_precision).sum()
        return float(entropy - wishart - weights - means)

    def _log_weights(self) -> Vector:
        """Return the expected logarithms of the weights."""
        if not self.prior.stick:
            alone = self.concentration[0]
            return np.asarray(digamma(alone) - digamma(alone.sum()))
        total = digamma(self.concentration.sum(axis=0))
        broken, left = digamma(self.concentration) - total
        return np.asarray(broken + np.append(0.0, np.cumsum(left[:-1])))


def entropy_of(found: Pass, components: Components) -> float:
    """Return the entropy of the shares of a pass: -Σ r log r, from its moments.

    Log shares are log joint densities less the log likelihood, and the mean of the
    former is told by the moments.
    """
    mass, apart = found.mass, found.means - components.means
    kind, factors = components.kind, components.factors
    if kind in {"full", "tied"}:
        precisions = factors @ np.swapaxes(factors, -1, -2)
        rule = "ki,kij,kj->k" if kind == "full" else "ki,ij,kj->k"
        way = np.einsum(rule, apart, precisions, apart)
        seen = np.sum(precisions * found.covariances, axis=(-1, -2))
        spread = float(mass.sum() * seen if kind == "tied" else mass @ seen)
    else:
        wide = np.ones(apart.shape)
        precisions = factors.reshape(len(mass), -1) ** 2 * wide
        way = np.sum(precisions * apart**2, axis=1)
        seen = found.covariances.reshape(len(mass), -1) * wide
        spread = float(mass @ np.sum(precisions * seen, axis=1))
    constants = components.constants()
    some = np.isfinite(constants)
    joint = float(mass[some] @ constants[some]) - 0.5 * (spread + float(mass @ way))
    return found.log_likelihood - joint
