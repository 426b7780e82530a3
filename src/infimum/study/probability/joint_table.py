"""A joint law of finitely many inputs and labels: everything can be computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.distributions._given import generator
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["JointTable"]


@dataclass(frozen=True, eq=False)
class JointTable:
    r"""P(X = x, Y = y) for inputs x (rows) and labels y (columns), both 0, 1, ….

    With two labels the marginal μ of X and the regression function η say the same:

    .. math:: P(X = x, Y = 1) = \eta(x)\,\mu(x), \qquad
              P(X = x, Y = 0) = (1 - \eta(x))\,\mu(x)

    Costs say what an error is worth: ``costs[y, z]`` for deciding z when y is true, or
    ``costs[x, y, z]`` if it depends on the input. Labels can stand for real numbers:
    `expected_loss` and `best_predictions` take their `targets`.

    Examples
    --------
    >>> from infimum.study.probability import JointTable
    >>> table = JointTable.of([0.5, 0.5], [0.1, 0.8])
    >>> table.bayes_classifier(), table.risk(table.bayes_classifier()).__round__(3)
    (array([0, 1]), 0.15)
    >>> three = JointTable([[0.2, 0.1, 0.1], [0.0, 0.4, 0.2]])
    >>> three.bayes_rule(), round(three.risk(three.bayes_rule()), 3)
    (array([0, 1]), 0.4)
    """

    probabilities: Matrix

    def __post_init__(self) -> None:
        table = np.asarray(self.probabilities, dtype=np.float64)
        shaped = table.ndim == 2 and table.shape[1] >= 2  # noqa: PLR2004
        if not shaped or table.min() < 0 or abs(table.sum() - 1.0) > 1e-9:
            raise DataError(
                "JointTable.probabilities must have two or more columns of "
                "non-negative numbers that sum to 1."
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

    def bayes_rule(self, costs: ArrayLike | None = None) -> NDArray[np.intp]:
        """Return the decision of least expected cost for each input; ties go first."""
        return np.asarray(self._expected_costs(costs).argmin(axis=1))

    def risk(
        self,
        rule: ArrayLike,
        false_positive: float = 1.0,
        false_negative: float = 1.0,
        *,
        costs: ArrayLike | None = None,
    ) -> float:
        """Return the expected cost of a rule that gives each input a decision."""
        if costs is None and self.probabilities.shape[1] == 2:  # noqa: PLR2004
            costs = [[0.0, false_positive], [false_negative, 0.0]]
        decided = np.asarray(rule, dtype=np.intp)
        if decided.shape != (len(self.probabilities),):
            raise DataError(
                f"A rule gives each of {len(self.probabilities)} inputs a decision, "
                f"got an array of shape {decided.shape}."
            )
        return float(
            self._expected_costs(costs)[np.arange(len(decided)), decided].sum()
        )

    def expected_loss(
        self,
        actions: ArrayLike,
        loss: Callable[[Any, Any], Any],
        targets: ArrayLike | None = None,
    ) -> float:
        """Return E[loss(target of Y, action at X)]; actions need not be labels.

        `targets` has a number for each label; None takes 0, 1, …
        """
        y = self._targets(targets)
        taken = np.asarray(actions, dtype=np.float64)
        prices = np.asarray(loss(y[None, :], taken[:, None]), dtype=np.float64)
        return float(np.sum(self.probabilities * prices))

    def best_predictions(self, targets: ArrayLike | None = None) -> Vector:
        """Return E[target | X = x], of least squared error; NaN where x is never."""
        mu = self.marginal
        means = self.probabilities @ self._targets(targets) / np.where(mu > 0, mu, 1.0)
        return np.where(mu > 0, means, np.nan)

    def pointwise_error(self, rule: ArrayLike) -> Vector:
        """Return P(f(x) ≠ Y | X = x) of a rule at each input."""
        mu, decided = self.marginal, np.asarray(rule, dtype=np.intp)
        if self.probabilities.shape[1] == 2:  # noqa: PLR2004
            eta = self.regression_function
            return np.where(decided == 1, 1.0 - eta, eta)
        right = self.probabilities[np.arange(len(mu)), decided]
        return 1.0 - right / np.where(mu > 0, mu, 1.0)

    def sample(
        self, n: int, random_state: Any = None
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Draw n independent pairs: positions of inputs, and labels."""
        check_domain("JointTable.sample.n", n, whole(0))
        rng = generator("JointTable.sample", random_state)
        flat = self.probabilities.ravel()
        drawn = rng.choice(len(flat), size=int(n), p=flat / flat.sum())
        places, labels = np.divmod(drawn, self.probabilities.shape[1])
        return places, labels

    def _targets(self, targets: ArrayLike | None) -> Vector:
        k = self.probabilities.shape[1]
        y = np.arange(k) * 1.0 if targets is None else np.asarray(targets, np.float64)
        if y.shape != (k,):
            raise DataError(f"JointTable needs a target for each of {k} labels.")
        return y

    def _expected_costs(self, costs: ArrayLike | None) -> Matrix:
        """Return E[cost of z, X = x] for each input x and decision z."""
        m, k = self.probabilities.shape
        prices = 1.0 - np.eye(k) if costs is None else np.asarray(costs, np.float64)
        if prices.shape[:-1] not in ((k,), (m, k)):
            raise DataError(
                f"Costs have a row for each of {k} labels, or such a table for each of "
                f"{m} inputs; got an array of shape {prices.shape}."
            )
        if prices.ndim == 2:  # noqa: PLR2004
            return np.asarray(self.probabilities @ prices)
        return np.asarray(np.einsum("xy,xyz->xz", self.probabilities, prices))
