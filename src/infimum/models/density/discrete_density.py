"""Discrete density: how often each value was seen, smoothed by pseudo-counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Vector

__all__ = ["DiscreteDensity"]


@dataclass(frozen=True, eq=False)
class DiscreteDensity:
    r"""Probabilities of finitely many values, from counts.

    .. math:: \hat p(x) = \frac{c + \#\{i : x_i = x\}}{n + c\,|\mathcal X|}

    Without pseudo-counts (c = 0) a value that was never seen is impossible; with c = 1
    (Laplace) every value starts as if it had been seen once.

    Attributes
    ----------
    support : tuple
        The values.
    counts : ndarray
        How often each was seen.
    pseudo_count : float

    Examples
    --------
    >>> coin = DiscreteDensity.fit("HHT", pseudo_count=1.0)
    >>> coin.probabilities.round(2), round(coin.entropy(), 3)
    (array([0.6, 0.4]), 0.673)
    """

    support: tuple[Hashable, ...]
    counts: Vector
    pseudo_count: float = 0.0

    @classmethod
    def fit(
        cls,
        samples: Iterable[Hashable],
        *,
        support: Sequence[Hashable] | None = None,
        pseudo_count: float = 0.0,
        sample_weight: Any = None,
    ) -> Self:
        """Count samples; return their density.

        Parameters
        ----------
        samples : iterable of hashable values
        support : sequence, optional
            All possible values; those seen, sorted where they can be, by default.
        pseudo_count : float, default=0.0
        sample_weight : array-like, optional
            A weight of k means the same as k copies.
        """
        check_domain("DiscreteDensity.pseudo_count", pseudo_count, nonnegative)
        seen: list[Hashable] = list(samples)
        weights = np.ones(len(seen)) if sample_weight is None else sample_weight
        if np.min(weights, initial=0.0) < 0 or not np.all(np.isfinite(weights)):
            raise DataError(
                "DiscreteDensity: weights must be finite and not negative, got "
                f"{np.min(weights):.3g} at least."
            )
        tally: Counter[Hashable] = Counter()
        for value, weight in zip(seen, weights, strict=True):
            tally[value] += weight
        values = _sorted(tally) if support is None else tuple(support)
        unknown = set(tally) - set(values)
        if unknown:
            raise DataError(
                f"DiscreteDensity: the value {next(iter(unknown))!r} is not in the "
                "support."
            )
        counts = np.array([tally[value] for value in values], dtype=np.float64)
        if not values or counts.sum() + pseudo_count <= 0:
            raise DataError("DiscreteDensity needs a sample or a pseudo-count.")
        return cls(values, counts, float(pseudo_count))

    @property
    def probabilities(self) -> Vector:
        """The estimate of each value of the support."""
        raised = self.counts + self.pseudo_count
        return np.asarray(raised / raised.sum())

    def probability(self, value: Hashable) -> float:
        """Return the estimate of one value; 0 outside of the support."""
        if value not in self.support:
            return 0.0
        return float(self.probabilities[self.support.index(value)])

    def log_likelihood(self, samples: Iterable[Hashable]) -> float:
        """Return the sum of logarithms, which does not underflow as products do."""
        with np.errstate(divide="ignore"):
            return float(sum(np.log(self.probability(value)) for value in samples))

    def entropy(self) -> float:
        """Return -Σ p log p, in nats."""
        shares = self.probabilities[self.probabilities > 0]
        return float(-shares @ np.log(shares))


def _sorted(tally: Counter[Hashable]) -> tuple[Hashable, ...]:
    try:
        return tuple(sorted(tally))  # type: ignore[type-var]
    except TypeError:
        return tuple(tally)
