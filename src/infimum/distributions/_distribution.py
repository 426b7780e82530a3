"""`Distribution`: density, mean, draws and likelihood of every law in this room."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.compiled.threads import one_blas_thread
from infimum.distributions import _given, _numbers
from infimum.distributions._given import generator, numbers
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.parameters import check_domain, check_domains, closed, opened, whole
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Distribution", "positive_definite"]


class Distribution(ABC):
    """One law p(y; θ) of a parametric model {p(·; θ) : θ ∈ Θ}.

    Subclasses are frozen dataclasses whose fields are θ, checked against Θ. Densities
    are handled as logarithms: products of many probabilities underflow. A law must
    tell its support, its density, its mean and its variance; everything else follows
    from them by quadrature or summation where it does not know better.
    """

    #: Where the density is positive, in words.
    support: ClassVar[str]
    #: Whether the values are whole numbers and the density is a probability.
    discrete: ClassVar[bool] = False
    #: Axes of one event: 0 for numbers, 1 for vectors, 2 for matrices.
    event_axes: ClassVar[int] = 0

    __post_init__ = check_domains

    @abstractmethod
    def covers(self, y: Vector) -> Mask:
        """Tell for each value whether it lies in the support."""

    @abstractmethod
    def _log_density(self, y: Vector) -> Vector:
        """Return log p(y; θ) on the support."""

    @property
    @abstractmethod
    def mean(self) -> Any:
        """The expectation of y."""

    @property
    @abstractmethod
    def variance(self) -> Any:
        """The variance of y."""

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest value of the support."""
        return (0.0, np.inf) if self.discrete else (-np.inf, np.inf)

    @property
    def deviation(self) -> Any:
        """The standard deviation, the root of the variance."""
        return np.sqrt(self.variance)

    @property
    def median(self) -> float:
        """The value that half of the probability lies below."""
        return float(self.quantile(0.5))

    def sample(self, n: int, random_state: Any = None) -> Vector:
        """Draw n independent values; the same seed draws the same values."""
        owner = f"{type(self).__name__}.sample"
        check_domain(f"{owner}.n", n, whole(0))
        return self._sample(int(n), generator(owner, random_state))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        """Put uniform numbers through the quantiles, where no other way is known."""
        return self.quantile(rng.uniform(size=n))

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:  # noqa: ARG003
        """Return the law with the largest likelihood; the weights sum to 1."""
        raise IncompatibleError(f"{cls.__name__} cannot be fitted; fit its parts.")

    @classmethod
    def _of_sums(cls, y: Vector) -> Self | None:  # noqa: ARG003
        """Return the likeliest law by one reading of the values; None if it cannot."""
        return None

    @classmethod
    def fit(cls, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Return the law under which the values `y` are most likely.

        A weight of k means the same as k copies of the value.
        """
        values = numbers(f"{cls.__name__}.fit", y)
        if sample_weight is None:
            found = cls._of_sums(values)
            if found is not None:
                return found
        return cls._most_likely(*cls._accepted(values, sample_weight))

    @classmethod
    def _accepted(
        cls, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Vector, Vector]:
        values = numbers(f"{cls.__name__}.fit", y)
        known = values.ndim == 1 + cls.event_axes and values.size > 0
        if not known or not np.isfinite(values).all():
            what = ("a vector of", "rows of", "a stack of matrices of")[cls.event_axes]
            raise DataError(
                f"{cls.__name__}.fit takes {what} finite numbers, got an array "
                f"of shape {values.shape}."
            )
        if sample_weight is None:
            return values, np.full(len(values), 1.0 / len(values))
        weights = cls._weights(sample_weight, len(values))
        kept = weights > 0
        return values[kept], weights[kept] / weights.sum()

    @classmethod
    def _weights(cls, sample_weight: ArrayLike, count: int) -> Vector:
        """Return one weight for each of `count` values, or refuse them."""
        weights = numbers(f"{cls.__name__}: sample_weight", sample_weight)
        proper = weights.shape == (count,) and bool((weights >= 0).all())
        if not proper or not 0 < weights.sum() < np.inf:
            raise DataError(
                f"{cls.__name__} takes one finite weight for each value, not all 0."
            )
        return weights

    def log_density(self, y: ArrayLike) -> Vector:
        """Return log p(y; θ) of each value: -inf outside the support."""
        return self._logs(y)

    def _logs(self, y: ArrayLike) -> Vector:
        """Return what `log_density` does, without a word."""
        values = numbers(type(self).__name__, y)
        inside = self.covers(values)
        with np.errstate(over="ignore"):  # values so far away that the density is 0
            if inside.all():
                return np.asarray(self._log_density(values))
            out = np.full(inside.shape, -np.inf)
            out[inside] = self._log_density(values[inside])
        return out

    def density(self, y: ArrayLike) -> Vector:
        """Return p(y; θ): a density, or a probability where y is discrete."""
        return np.exp(self._logs(y))

    def log_likelihood(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return Σ log p(yᵢ; θ), the logarithm of the likelihood of the sample."""
        if sample_weight is None:
            return float(self.log_density(y).sum())
        weights = self._weights(sample_weight, len(np.atleast_1d(np.asarray(y))))
        kept = weights > 0
        return float(weights[kept] @ self.log_density(np.asarray(y)[kept]))

    def cdf(self, y: ArrayLike) -> Vector:
        """Return F(y) = P(Y ≤ y)."""
        return self._below(y, self._cdf, 0.0)

    def survival(self, y: ArrayLike) -> Vector:
        """Return P(Y > y), exact also where it is tiny."""
        return self._below(y, self._survival, 1.0)

    def probability(self, low: ArrayLike, high: ArrayLike) -> Vector:
        """Return P(low ≤ Y ≤ high); both ends belong to the range."""
        owner = f"{type(self).__name__}.probability"
        first, last = numbers(owner, low), numbers(owner, high)
        upper = self.survival(first) - self.survival(last)
        lower = self.cdf(last) - self.cdf(first)
        # The difference of two small numbers is more exact than that of two near 1.
        between = np.where(self.survival(first) < 0.5, upper, lower)
        atom = self.density(first) if self.discrete else 0.0
        return np.where(first <= last, np.clip(between + atom, 0.0, 1.0), 0.0)

    def quantile(self, q: ArrayLike) -> Vector:
        """Return the least x with P(Y ≤ x) ≥ q.

        It fulfils both inequalities: P(Y < x) ≤ q and P(Y > x) ≤ 1 - q.
        """
        self._refuse_vectors("quantile")
        levels = numbers(f"{type(self).__name__}.quantile", q)
        if not ((levels >= 0) & (levels <= 1)).all():
            raise DataError(f"{type(self).__name__}.quantile takes levels of [0, 1].")
        out = np.where(levels == 0, *self.ends)
        inner = (levels > 0) & (levels < 1)
        out[inner] = self._quantile(levels[inner])
        return np.asarray(out)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the quantiles that leave the same probability on both sides."""
        check_domain(f"{type(self).__name__}.interval.level", level, opened(0, 1))
        low, high = self.quantile([0.5 - 0.5 * level, 0.5 + 0.5 * level]).tolist()
        return low, high

    def expect(
        self, function: Callable[[Any], Any], *, return_error: bool = False
    ) -> Any:
        """Return E[f(Y)], by a sum or by quadrature; its error, too, if asked for.

        Examples
        --------
        >>> from infimum.distributions import Exponential
        >>> round(Exponential(rate=2.0).expect(lambda y: y**2), 6)
        0.5
        """
        self._refuse_vectors("expect")
        function = _given.function(f"{type(self).__name__}.expect: f", function)
        value, error = _numbers.expectation(self, function)
        return (value, error) if return_error else value

    def moment(self, order: int, *, central: bool = False) -> float:
        """Return E[Yᵏ], or E[(Y - E Y)ᵏ] if `central`."""
        check_domain(f"{type(self).__name__}.moment.order", order, whole(0))
        middle = float(self.mean) if central else 0.0
        return float(self.expect(lambda y: (y - middle) ** order))

    def entropy(self) -> float:
        """Return -E[log p(Y)], in nats."""
        return -float(self.expect(lambda y: self.log_density(np.atleast_1d(y))))

    def characteristic(self, frequency: ArrayLike) -> NDArray[np.complex128]:
        """Return φ(ω) = E[exp(iωY)] at each frequency."""
        self._refuse_vectors("characteristic")
        omega = numbers(f"{type(self).__name__}.characteristic", frequency)
        return np.asarray(self._characteristic(omega), dtype=np.complex128)

    def to_scipy(self) -> Any:
        """Return the same law as a frozen distribution of `scipy.stats`."""
        raise IncompatibleError(f"scipy.stats has no law like {type(self).__name__}.")

    def atoms(self, beyond: float = 1e-18) -> Vector:
        """Return the values of a discrete law that are not rarer than `beyond`."""
        check_domain(f"{type(self).__name__}.atoms.beyond", beyond, closed(0, 1))
        return _numbers.atoms(self, beyond)

    def _cdf(self, y: Vector) -> Vector:
        return _numbers.accumulated(self, y)

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(1.0 - self._cdf(y))

    def _quantile(self, q: Vector) -> Vector:
        return _numbers.bisected(self, q)

    def _characteristic(self, omega: Vector) -> Any:
        return _numbers.transformed(self, omega)

    def _below(
        self, y: ArrayLike, inside: Callable[[Vector], Vector], low: float
    ) -> Vector:
        """Answer `low` under the support, its opposite above, `inside` within."""
        self._refuse_vectors("cdf")
        values = numbers(type(self).__name__, y)
        values = np.floor(values) if self.discrete else values
        first, last = self.ends
        before = values < first if self.discrete else values <= first
        out = np.where(before, low, 1.0 - low)
        within = ~before & (values < last)
        out[within] = inside(values[within])
        out[np.isnan(values)] = np.nan
        return np.asarray(out)

    def _refuse_vectors(self, what: str) -> None:
        if self.event_axes:
            raise IncompatibleError(
                f"{type(self).__name__}.{what}: its events are not single numbers."
            )


def positive_definite(owner: str, matrix: ArrayLike) -> tuple[Matrix, Matrix]:
    """Return a symmetric matrix and its Cholesky factor, or refuse it."""
    square = numbers(owner, matrix).copy()
    if square.ndim != 2 or square.shape[0] != square.shape[1]:  # noqa: PLR2004
        raise InvalidParameterError(
            f"{owner} must be a square matrix, got shape {square.shape}."
        )
    even = np.isfinite(square).all() and np.allclose(square, square.T, rtol=1e-9)
    try:
        with one_blas_thread():  # the same bits, however many threads it has
            return square, np.linalg.cholesky(square if even else -np.eye(1))
    except np.linalg.LinAlgError:
        raise InvalidParameterError(
            f"{owner} must be symmetric and positive definite; its Cholesky "
            "factorisation fails."
        ) from None
