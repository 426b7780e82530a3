"""A joint law of finitely many inputs and two labels: everything can be computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["JointTable"]


@dataclass(frozen=True, eq=False)
class JointTable:
    r"""P(X = x, Y = y) for inputs x = 0, …, m - 1 (rows) and labels y = 0, 1 (columns).

    The marginal μ of X and the regression function η say the same as the table:

    .. math:: P(X = x, Y = 1) = \eta(x)\,\mu(x), \qquad
              P(X = x, Y = 0) = (1 - \eta(x))\,\mu(x)

    Examples
    --------
    >>> table = JointTable.of([0.5, 0.5], [0.1, 0.8])
    >>> table.bayes_classifier(), table.risk(table.bayes_classifier()).__round__(3)
    (array([0, 1]), 0.15)
    """

    probabilities: Matrix

    def __post_init__(self) -> None:
        table = np.asarray(self.probabilities, dtype=np.float64)
        shaped = table.ndim == 2 and table.shape[1] == 2  # noqa: PLR2004
        if not shaped or table.min() < 0 or abs(table.sum() - 1.0) > 1e-9:
            raise DataError(
                "JointTable.probabilities must have two columns of non-negative "
                "numbers that sum to 1."
            )
        object.__setattr__(self, "probabilities", table)

    @classmethod
    def of(cls, marginal: ArrayLike, regression_function: ArrayLike) -> Self:
        """Return the only law with this μ and this η."""
        mu = np.asarray(marginal, dtype=np.float64)
        eta = np.asarray(regression_function, dtype=np.float64)
        return cls(np.column_stack([(1.0 - eta) * mu, eta * mu]))

    @property
    def marginal(self) -> Vector:
        """The law μ of the input."""
        return np.asarray(self.probabilities.sum(axis=1))

    @property
    def regression_function(self) -> Vector:
        """η(x) = E[Y | X = x] = P(Y = 1 | X = x); one half where x never occurs."""
        mu = self.marginal
        safe = np.where(mu > 0, mu, 1.0)
        return np.where(mu > 0, self.probabilities[:, 1] / safe, 0.5)

    def bayes_classifier(
        self, false_positive: float = 1.0, false_negative: float = 1.0
    ) -> NDArray[np.intp]:
        """Return the label of least conditional risk for each input; ties go to 1.

        Under equal costs this is 1 where η ≥ 1/2, in general 1 where η is at least
        the share of `false_positive` in the sum of both costs.
        """
        negative, positive = self.probabilities.T
        return np.asarray(false_negative * positive >= false_positive * negative, int)

    def risk(
        self,
        rule: ArrayLike,
        false_positive: float = 1.0,
        false_negative: float = 1.0,
    ) -> float:
        """Return the expected cost of a rule that gives each input a label 0 or 1."""
        says_one = np.asarray(rule) == 1
        negative, positive = self.probabilities.T
        wrong = false_positive * negative[says_one].sum()
        return float(wrong + false_negative * positive[~says_one].sum())

    def pointwise_error(self, rule: ArrayLike) -> Vector:
        """Return P(f(x) ≠ Y | X = x) of a rule at each input."""
        eta = self.regression_function
        return np.where(np.asarray(rule) == 1, 1.0 - eta, eta)
