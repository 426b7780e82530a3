"""Dirichlet-multinomial: counts of a die whose probabilities vary."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import gammaln

from infimum.distributions._distribution import Distribution
from infimum.distributions.dirichlet import concentrations
from infimum.distributions.inference._likeliest import likeliest
from infimum.errors import DataError
from infimum.parameters import check_domains, whole
from infimum.typing import Mask, Matrix, Vector

__all__ = ["DirichletMultinomial"]


@dataclass(frozen=True, eq=False)
class DirichletMultinomial(Distribution):
    r"""The law of the counts of `trials` rolls of a die drawn from a Dirichlet law.

    .. math:: p(k; \alpha) = \frac{n!\,\Gamma(A)}{\Gamma(n + A)}
              \prod_j \frac{\Gamma(k_j + \alpha_j)}{k_j!\,\Gamma(\alpha_j)},
              \qquad A = \sum_j \alpha_j

    Examples
    --------
    >>> DirichletMultinomial([1.0, 1.0], trials=3).density([[1, 2]]).round(3)
    array([0.25])
    """

    concentration: Vector
    trials: int = field(default=1, metadata={"domain": whole(1)})

    support: ClassVar[str] = "counts that sum to trials"
    discrete: ClassVar[bool] = True
    event_axes: ClassVar[int] = 1

    def __post_init__(self) -> None:
        check_domains(self)
        taken = concentrations("DirichletMultinomial", self.concentration)
        object.__setattr__(self, "concentration", taken)

    def covers(self, y: Vector) -> Mask:
        if y.ndim == 0 or y.shape[-1] != len(self.concentration):
            raise DataError(
                f"DirichletMultinomial reads {len(self.concentration)} counts, got an "
                f"array of shape {y.shape}."
            )
        counts = ((y >= 0) & (y == np.floor(y))).all(axis=-1)
        return np.asarray(counts & (y.sum(axis=-1) == self.trials))

    def _log_density(self, y: Vector) -> Vector:
        alpha, total = self.concentration, float(self.concentration.sum())
        each = gammaln(y + alpha) - gammaln(y + 1.0) - gammaln(alpha)
        whole_ = gammaln(self.trials + 1.0) + gammaln(total)
        return np.asarray(each.sum(axis=-1) + whole_ - gammaln(self.trials + total))

    @property
    def mean(self) -> Vector:
        return np.asarray(self.trials * self.concentration / self.concentration.sum())

    @property
    def variance(self) -> Matrix:
        """The covariance matrix."""
        total = float(self.concentration.sum())
        share = self.concentration / total
        single = np.diag(share) - np.outer(share, share)
        return np.asarray(self.trials * single * (self.trials + total) / (1.0 + total))

    @property
    def deviation(self) -> Vector:
        """The standard deviation of each count."""
        return np.sqrt(np.diag(self.variance))

    def _sample(self, n: int, rng: np.random.Generator) -> Matrix:
        shares = rng.dirichlet(self.concentration, size=n)
        return rng.multinomial(self.trials, shares).astype(np.float64)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.dirichlet_multinomial(self.concentration, np.array(self.trials))

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        trials = int(y[0].sum())
        start = cls(np.ones(y.shape[1]), max(trials, 1))
        if trials < 1 or not start.covers(y).all():
            raise DataError(
                "DirichletMultinomial reads counts that have the same sum in every row."
            )

        first = weights @ y / trials * y.shape[1] + 0.1
        found: Any = likeliest(
            lambda *alpha: cls(np.array(alpha), trials),
            *(y, weights, first.tolist(), [True] * y.shape[1]),
        )
        return cls(found.concentration, trials)
