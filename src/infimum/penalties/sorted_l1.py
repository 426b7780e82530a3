"""Sorted ℓ₁ norm (SLOPE): the larger a coefficient, the more each unit costs."""

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import isotonic_regression

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.parameters import check_domains, positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["SortedL1"]


@dataclass(frozen=True)
class SortedL1(Penalty):
    r"""Sorted ℓ₁ norm: decreasing weights meet the sizes in decreasing order.

    .. math:: \Omega(w) = \text{strength} \sum_j \lambda_j |w|_{(j)}, \qquad
              |w|_{(1)} \ge |w|_{(2)} \ge \dots

    `weights` are the λ, non-increasing and not all 0, one per coefficient; left empty
    they fall linearly from 1 to 1/d (OSCAR). Coefficients of correlated columns become
    equal in size; equal weights make it the lasso.

    References
    ----------
    Bogdan, van den Berg, Sabatti, Su & Candès (2015), Annals of Applied Statistics 9.
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_domains(self)
        given = np.array(self.weights or (1.0,), dtype=np.float64)
        falling = np.all(np.diff(given) <= 0) and given[-1] >= 0 < given[0]
        if not falling or not np.isfinite(given).all():
            raise InvalidParameterError(
                "SortedL1.weights must not increase, must not be negative and must "
                f"start above 0, got {self.weights!r}."
            )

    def value(self, w: Vector) -> float:
        sizes = np.sort(np.abs(w), axis=None)[::-1]
        return float(self._prices(w) @ sizes)

    def conjugate(self, v: Vector) -> float:
        return 0.0 if self._gauge(v) <= 1.0 + 1e-12 else np.inf

    def prox(self, w: Vector, step: float) -> Vector:
        # Sort, take off the prices, pool adjacent violators of the order, cut at 0.
        flat = np.abs(w).ravel()
        order = np.argsort(-flat, kind="stable")
        reduced = flat[order] - step * self._prices(w)
        pooled = isotonic_regression(reduced, increasing=False).x
        out = np.empty(flat.size)
        out[order] = np.maximum(pooled, 0.0)
        return np.asarray(np.sign(w) * out.reshape(w.shape))

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        # Coefficients pooled to one size move by the mean of their moves.
        found = self.prox(w, float(step)).ravel()
        size, sign = np.abs(found), np.sign(found)
        together = (size[:, None] == size[None, :]) & (size > 0.0)[:, None]
        means = together / np.maximum(together.sum(axis=0), 1)
        return np.asarray((np.eye(w.size) - np.outer(sign, sign) * means) / step)

    def dual_scale(self, v: Vector) -> float:
        gauge = self._gauge(v)
        return min(1.0, 1.0 / gauge) if gauge > 0 else 1.0

    def _gauge(self, v: Vector) -> float:
        sizes = np.sort(np.abs(v), axis=None)[::-1]
        return float((np.cumsum(sizes) / np.cumsum(self._prices(v))).max(initial=0.0))

    def _prices(self, w: Vector) -> Vector:
        if not self.weights:
            return self.strength * np.arange(w.size, 0, -1) / w.size
        if len(self.weights) != w.size:
            raise IncompatibleError(
                f"SortedL1.weights has {len(self.weights)} numbers for {w.size} "
                "coefficients; give one for each."
            )
        return self.strength * np.array(self.weights, dtype=np.float64)
