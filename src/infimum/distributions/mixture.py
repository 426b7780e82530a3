"""Mixture: one of several laws, chosen at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import logsumexp

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import laws, numbers
from infimum.errors import InvalidParameterError
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Mixture"]


@dataclass(frozen=True, eq=False)
class Mixture(Distribution):
    r"""The law of a value drawn from one of several `laws`, chosen by `weights`.

    .. math:: p(y) = \sum_k \alpha_k\, p_k(y)

    The laws may be of numbers or of vectors, but of the same kind. `fit_mixture`
    learns one.

    Examples
    --------
    >>> from infimum.distributions import Normal
    >>> two = Mixture((Normal(-1.0, 1.0), Normal(3.0, 1.0)), (0.5, 0.5))
    >>> two.mean, two.variance
    (1.0, 5.0)
    """

    laws: tuple[Distribution, ...]
    weights: tuple[float, ...]

    support: ClassVar[str] = "the union of the supports"

    def __post_init__(self) -> None:
        object.__setattr__(self, "laws", laws("Mixture.laws", self.laws))
        shares = numbers("Mixture.weights", self.weights)
        if shares.shape != (len(self.laws),) or not len(shares):
            raise InvalidParameterError("Mixture takes one weight for each law.")
        if not (shares >= 0).all() or abs(shares.sum() - 1.0) > 1e-9:
            raise InvalidParameterError(
                "Mixture.weights must be non-negative numbers that sum to 1, got "
                f"{self.weights!r}."
            )
        kinds = {(law.discrete, law.event_axes) for law in self.laws}
        if len(kinds) > 1:
            raise InvalidParameterError(
                "Mixture.laws must all be discrete or all continuous, with events of "
                "the same shape."
            )
        discrete, axes = kinds.pop()
        object.__setattr__(self, "discrete", discrete)
        object.__setattr__(self, "event_axes", axes)

    def covers(self, y: Vector) -> Mask:
        return np.asarray(np.any([law.covers(y) for law in self.laws], axis=0))

    def joint_log_density(self, y: Any) -> Matrix:
        """Return log αₖpₖ(y), one row for each law."""
        with np.errstate(divide="ignore"):
            logs = np.log(np.array(self.weights))
        found = [law._logs(y) for law in self.laws]
        return np.stack([log + each for log, each in zip(logs, found, strict=True)])

    def responsibilities(self, y: Any) -> Matrix:
        """Return the probability of each law (a row) given each value."""
        joint = self.joint_log_density(y)
        return np.exp(joint - logsumexp(joint, axis=0))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(logsumexp(self.joint_log_density(y), axis=0))

    @property
    def mean(self) -> Any:
        means = [np.asarray(law.mean) for law in self.laws]
        total = sum(w * m for w, m in zip(self.weights, means, strict=True))
        return np.asarray(total) if self.event_axes else float(np.asarray(total))

    @property
    def variance(self) -> Any:
        """The variance; for vectors the covariance matrix."""
        total: Any = 0.0
        for weight, law in zip(self.weights, self.laws, strict=True):
            apart = np.asarray(law.mean) - self.mean
            square = np.outer(apart, apart) if self.event_axes else apart**2
            total = total + weight * (np.asarray(law.variance) + square)
        return np.asarray(total) if self.event_axes else float(total)

    @property
    def ends(self) -> tuple[float, float]:
        sides = np.array([law.ends for law in self.laws])
        return float(sides[:, 0].min()), float(sides[:, 1].max())

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(self._blended([law.cdf(y) for law in self.laws]))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(self._blended([law.survival(y) for law in self.laws]))

    def expect(
        self, function: Callable[[Any], Any], *, return_error: bool = False
    ) -> Any:
        parts = [law.expect(function, return_error=True) for law in self.laws]
        value, error = (self._blended(list(each)) for each in zip(*parts, strict=True))
        return (float(value), float(error)) if return_error else float(value)

    def _characteristic(self, omega: Vector) -> Any:
        return self._blended([law.characteristic(omega) for law in self.laws])

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        counts = rng.multinomial(n, np.array(self.weights) / sum(self.weights))
        drawn = [
            law.sample(int(count), rng)
            for law, count in zip(self.laws, counts, strict=True)
        ]
        return rng.permutation(np.concatenate(drawn))

    def _blended(self, parts: list[Any]) -> Any:
        return sum(w * part for w, part in zip(self.weights, parts, strict=True))
