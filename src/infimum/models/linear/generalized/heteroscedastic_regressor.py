"""Heteroscedastic regression: the mean and its uncertainty are learnt together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import Rows
from infimum.losses import HeteroscedasticGaussian
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Pair
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Domains, positive
from infimum.penalties import Ridge
from infimum.typing import Matrix, Vector

__all__ = ["HeteroscedasticRegressor"]

#: The least precision predicted, as a share of the one of a constant model.
LEAST_PRECISION = 1e-6


class HeteroscedasticRegressor(LinearRegressor):
    r"""Gaussian regression whose precision changes with the sample.

    .. math:: y \mid x \sim N\!\left(\frac{\eta(x)}{\tau(x)}, \frac{1}{\tau(x)}\right),
              \qquad \eta(x) = x^\top v + c,\quad \tau(x) = x^\top w + b

    The natural parameters η and τ are linear in x, since in these the likelihood is
    jointly convex: the fit is provably the best. Both are learnt for the standardised
    target, under the penalty α/2·(‖v‖² + ‖w‖²), and translated back. Far from the
    data τ can fall to 0 or below; predictions stop at a millionth of the precision of
    a constant model.

    Parameters
    ----------
    alpha : float, default=0.01
        Weight of the penalty, above 0.
    max_iter : int, default=100
        Most iterations; left at its default, the solver's own limit holds.
    tol : float, default=1e-12
        Relative duality gap at which to stop.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    coef_ : ndarray of shape (2, n_features)
        The coefficients v of η and w of τ.
    intercept_ : ndarray of shape (2,)
        c and b.
    location_, scale_ : float
        Mean and standard deviation of the target.
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(500, 1))
    >>> y = 1.0 + rng.normal(size=500) / np.sqrt(1.0 + 20.0 * X[:, 0])
    >>> mean, deviation = HeteroscedasticRegressor().fit(X, y).predict(
    ...     [[0.0], [1.0]], return_std=True
    ... )
    >>> bool(deviation[0] > 2.0 * deviation[1])
    True

    References
    ----------
    Le, Smola & Canu (2005), Heteroscedastic Gaussian process regression, ICML.
    """

    _domains: ClassVar[Domains] = {
        "alpha": positive,
    }

    def __init__(
        self,
        alpha: float = 0.01,
        *,
        max_iter: int = 100,
        tol: float = 1e-12,
        warm_start: bool = False,
    ) -> None:
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start

    def predict(self, X: Any, *, return_std: bool = False) -> Any:
        """Return the mean of each sample, and with `return_std` its deviation too."""
        scores = super().predict(X)
        least = LEAST_PRECISION / self.scale_**2
        precision = np.maximum(scores[:, 1], least)
        mean = scores[:, 0] / precision
        return (mean, 1.0 / np.sqrt(precision)) if return_std else mean

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        rows = super()._rows(X, y, sample_weight, reset=reset)
        if reset:
            self.location_ = float(np.average(rows.y, weights=rows.weights))
            squares = (rows.y - self.location_) ** 2
            spread = float(np.average(squares, weights=rows.weights))
            self.scale_ = float(np.sqrt(spread)) or 1.0
        return rows

    def _recipe(self, rows: Rows) -> Recipe:
        return Recipe(
            HeteroscedasticGaussian(),
            Ridge(float(self.alpha)),
            _Standardized(self.location_, self.scale_),
            tolerance=self.tol,
            max_iterations=limit_of(self),
        )


@dataclass(frozen=True)
class _Standardized:
    """A target in units of its own: with y = m + s·z, (η, τ) is (η/s + mτ/s², τ/s²)."""

    location: float
    scale: float

    def targets(self, y: Vector) -> tuple[Vector, ...]:
        return ((y - self.location) / self.scale,)

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        [(coef, intercept)] = pairs
        return self._to_user() @ coef, self._to_user() @ intercept

    def pairs(self, coef: Matrix, intercept: Vector) -> list[Pair]:
        back = np.linalg.inv(self._to_user())
        return [(back @ coef, back @ intercept)]

    def _to_user(self) -> Matrix:
        m, s = self.location, self.scale
        return np.array([[1.0 / s, m / s**2], [0.0, 1.0 / s**2]])
