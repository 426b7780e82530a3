"""Laws made of another law: of a function of it, and of the largest of its draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import law
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.parameters import check_domains, whole
from infimum.typing import Mask, Vector

__all__ = ["Maximum", "Transformed"]

#: The step of a difference quotient, relative to the size of the argument.
STEP = 6e-6


@dataclass(frozen=True, eq=False)
class Transformed(Distribution):
    r"""The law of T(Y) for a strictly monotone function T and a law of Y.

    .. math:: p(x) = p_Y\bigl(T^{-1}(x)\bigr)\,
              \bigl|\tfrac{d}{dx} T^{-1}(x)\bigr|

    Attributes
    ----------
    law : Distribution
        The law of Y, continuous and of single numbers.
    forward, inverse : callable
        T and its inverse, on arrays. T may fall as well as rise.
    inverse_derivative : callable, optional
        The derivative of the inverse; by default a difference quotient.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.distributions import Normal
    >>> incomes = Transformed(Normal(0.0, 1.0), np.exp, np.log, lambda x: 1.0 / x)
    >>> float(incomes.quantile(0.5)), incomes.density([1.0]).round(4)
    (1.0, array([0.3989]))
    """

    law: Distribution
    forward: Callable[[Any], Any]
    inverse: Callable[[Any], Any]
    inverse_derivative: Callable[[Any], Any] | None = None

    support: ClassVar[str] = "the image of the support"

    def __post_init__(self) -> None:
        if not all(map(callable, (self.forward, self.inverse))):
            raise InvalidParameterError(
                "Transformed.forward and inverse must be callable."
            )
        if self.law.discrete or self.law.event_axes:
            raise IncompatibleError(
                "Transformed takes a continuous law of single numbers, got "
                f"{type(self.law).__name__}."
            )
        low, high = np.asarray(self.forward(self.law.quantile([0.25, 0.75])))
        if not low != high:
            raise InvalidParameterError("Transformed.forward must be monotone.")
        object.__setattr__(self, "_rises", bool(low < high))

    def covers(self, y: Vector) -> Mask:
        low, high = self.ends
        return np.asarray((y > low) & (y < high))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(
            self.law.log_density(self.inverse(y)) + np.log(self._slope(y))
        )

    @property
    def mean(self) -> float:
        return float(self.law.expect(self.forward))

    @property
    def variance(self) -> float:
        middle = self.mean
        return float(self.law.expect(lambda y: (self.forward(y) - middle) ** 2))

    @property
    def ends(self) -> tuple[float, float]:
        with np.errstate(all="ignore"):
            images = np.asarray(self.forward(np.array(self.law.ends)), dtype=np.float64)
        low, high = (images if self._rising else images[::-1]).tolist()
        return (
            -np.inf if np.isnan(low) else low,
            np.inf if np.isnan(high) else high,
        )

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return np.asarray(self.forward(self.law.sample(n, rng)))

    @property
    def _rising(self) -> bool:
        return bool(self.__dict__["_rises"])

    def _cdf(self, y: Vector) -> Vector:
        before = self.inverse(y)
        return self.law.cdf(before) if self._rising else self.law.survival(before)

    def _survival(self, y: Vector) -> Vector:
        before = self.inverse(y)
        return self.law.survival(before) if self._rising else self.law.cdf(before)

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(
            self.forward(self.law.quantile(q if self._rising else 1.0 - q))
        )

    def _slope(self, y: Vector) -> Vector:
        if self.inverse_derivative is not None:
            return np.asarray(np.abs(self.inverse_derivative(y)))
        low, high = self.ends
        step = STEP * np.maximum(np.abs(y), 1e-3)
        left, right = np.maximum(y - step, low), np.minimum(y + step, high)
        left = np.where(left <= low, y, left)
        right = np.where(right >= high, y, right)
        rise = self.inverse(right) - self.inverse(left)
        return np.asarray(np.abs(rise / (right - left)))


@dataclass(frozen=True, eq=False)
class Maximum(Distribution):
    """The law of the largest of `count` independent draws; its cdf is Fⁿ.

    Examples
    --------
    >>> from infimum.distributions import Discrete
    >>> larger = Maximum(Discrete.uniform(range(1, 7)), 2)
    >>> (36 * larger.density([1, 2, 3, 4, 5, 6])).round(6)
    array([ 1.,  3.,  5.,  7.,  9., 11.])
    """

    law: Distribution
    count: int = field(default=2, metadata={"domain": whole(1)})

    support: ClassVar[str] = "the support of the law"

    def __post_init__(self) -> None:
        check_domains(self)
        law("Maximum.law", self.law, scalar=True)
        object.__setattr__(self, "discrete", self.law.discrete)

    @classmethod
    def draws_needed(cls, level: float = 0.95, confidence: float = 0.95) -> int:
        """Return how many draws have their largest above the `level` quantile.

        They do so with at least the probability `confidence`, whatever the law.
        """
        if not (0 < level < 1 and 0 <= confidence < 1):
            raise InvalidParameterError(
                "Maximum.draws_needed takes a level of (0, 1) and a confidence of "
                f"[0, 1), got {level!r} and {confidence!r}."
            )
        return max(1, int(np.ceil(np.log1p(-confidence) / np.log(level))))

    def covers(self, y: Vector) -> Mask:
        return self.law.covers(y)

    def _log_density(self, y: Vector) -> Vector:
        with np.errstate(divide="ignore"):
            if self.law.discrete:
                below = self.law.cdf(y)
                before = np.clip(below - self.law.density(y), 0.0, 1.0)
                return np.log(below**self.count - before**self.count)
            grown = (self.count - 1) * np.log(self.law.cdf(y)) if self.count > 1 else 0
        return np.asarray(np.log(self.count) + grown + self.law.log_density(y))

    @property
    def mean(self) -> float:
        return self.moment(1)

    @property
    def variance(self) -> float:
        return self.moment(2, central=True)

    @property
    def ends(self) -> tuple[float, float]:
        return self.law.ends

    def atoms(self, beyond: float = 1e-18) -> Vector:
        return self.law.atoms(beyond / self.count)

    def _below(self, y: Any, inside: Any, low: float) -> Vector:
        if low:
            with np.errstate(divide="ignore"):
                logs = np.log1p(-self.law.survival(y))
            return np.asarray(-np.expm1(self.count * logs))
        return np.asarray(self.law.cdf(y) ** self.count)

    def _quantile(self, q: Vector) -> Vector:
        return self.law.quantile(q ** (1.0 / self.count))
