"""Quantile regression: a line below which a given share of the targets lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import refuse_streamed
from infimum.losses import Quantile
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Number, Pair
from infimum.models.linear.fit import Recipe
from infimum.parameters import Choice, Domains, nonnegative
from infimum.penalties import Lasso, NoPenalty
from infimum.typing import Vector

__all__ = ["QuantileRegressor"]

#: A coefficient that moves no score by this share of the targets' size is 0.
NOTHING = 1e-12


#: Accepted for compatibility: programs that scikit-learn lets solve it.
SOLVERS = Choice(
    ("highs-ds", "highs-ipm", "highs", "interior-point", "revised simplex")
)


@dataclass(frozen=True)
class _Corner(Number):
    """A target whose solution lies in a corner, where coefficients are 0 exactly."""

    #: The least coefficient of each feature that can be told from 0.
    least: Vector

    def stored(self, pairs: Sequence[Pair]) -> Pair:
        """Return a vector and a number."""
        coef, intercept = super().stored(pairs)
        return np.where(np.abs(coef) <= self.least, 0.0, coef), intercept


class QuantileRegressor(LinearRegressor):
    r"""Linear model of a conditional quantile with an ℓ₁ penalty.

    .. math:: \min_w \tfrac1n \sum_i \max\bigl(\tau r_i, (\tau - 1) r_i\bigr)
              + \alpha \|w\|_1, \qquad r_i = y_i - x_i^\top w - b

    Parameters
    ----------
    quantile : float, default=0.5
        τ, in (0, 1); 0.5 is the median.
    alpha : float, default=1.0
        Weight of the penalty.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    solver, solver_options
        Accepted for compatibility with scikit-learn; an interior-point method of our
        own solves the linear program, to a relative gap of 1e-7.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.zeros((5, 1)), np.array([1.0, 2.0, 3.0, 4.0, 100.0])
    >>> float(QuantileRegressor(alpha=0.1).fit(X, y).intercept_.round(3))
    3.0
    """

    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "solver": SOLVERS,
    }

    def __init__(
        self,
        *,
        quantile: float = 0.5,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        solver: str = "highs",
        solver_options: Any = None,
    ) -> None:
        self.quantile = quantile
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.solver_options = solver_options

    def _recipe(self, rows: Rows) -> Recipe:
        penalised = self.alpha > 0
        if penalised:
            refuse_streamed(self, rows.X)
        return Recipe(
            Quantile(self.quantile),
            Lasso(float(self.alpha)) if penalised else NoPenalty(),
            _Corner(_least_seen(rows)) if penalised else Number(),
            tolerance=1e-7,
            intercept=self.fit_intercept,
        )


def _least_seen(rows: Rows) -> Vector:
    """Return what a coefficient of each feature must be to matter to the targets."""
    largest: Any = abs(rows.X).max(axis=0)
    dense = largest.toarray() if hasattr(largest, "toarray") else largest
    size = np.asarray(dense, dtype=np.float64).ravel()
    spread = float(np.ptp(rows.y))
    return np.asarray(NOTHING * spread / np.maximum(size, np.finfo(float).tiny))
