"""Linear support vector regression."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.losses import EpsilonInsensitive, SquaredEpsilonInsensitive
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Column
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Choice, Domains, nonnegative, positive
from infimum.penalties import Ridge

__all__ = ["LinearSVR"]

_LOSSES = Choice(("epsilon_insensitive", "squared_epsilon_insensitive"))


class LinearSVR(LinearRegressor):
    r"""Linear regression that forgives errors up to `epsilon`.

    .. math:: \min_w \tfrac12 \|w\|_2^2
              + C \sum_i c_i \max(0, |y_i - x_i^\top w - b| - \epsilon)

    The intercept is never penalised (scikit-learn's class of the same name penalises
    it).

    Parameters
    ----------
    epsilon : float, default=0.0
        Half-width of the tube within which errors are free.
    tol : float, default=1e-4
        Stop when the relative duality gap is below it (below tol² for the squared
        loss, whose excess risk is quadratic in the gradient that tol bounds).
    C : float, default=1.0
        Inverse weight of the penalty.
    loss : {'epsilon_insensitive', 'squared_epsilon_insensitive'}
        Whether errors beyond the tube count linearly or squared.
    fit_intercept : bool, default=True
        Whether to learn an intercept.
    intercept_scaling, dual, verbose
        Accepted for compatibility with scikit-learn; they need no setting here.
    random_state : int or None, default=None
        Seed of the order in which dual coordinate ascent visits samples.
    max_iter : int, default=1000
        Most iterations; left at its default, the solver's own limit holds.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : ndarray of shape (1,)
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> float(LinearSVR(C=100.0).fit(X, [1.0, 3.0, 5.0, 7.0]).coef_[0].round(3))
    2.0
    """

    _domains: ClassVar[Domains] = {
        "loss": _LOSSES,
        "epsilon": nonnegative,
        "C": positive,
    }

    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        tol: float = 1e-4,
        C: float = 1.0,
        loss: str = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        dual: Any = "auto",
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
    ) -> None:
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def _recipe(self, rows: Rows) -> Recipe:
        C = float(self.C)
        plain, width = self.loss == "epsilon_insensitive", float(self.epsilon)
        return Recipe(
            EpsilonInsensitive(width) if plain else SquaredEpsilonInsensitive(width),
            lambda total: Ridge(1.0 / (C * total)),
            Column(),
            # The excess of a smooth risk is quadratic in the gradient bounded by tol.
            tolerance=self.tol if plain else float(self.tol**2),
            intercept=self.fit_intercept,
            max_iterations=limit_of(self),
            random_state=self.random_state,
        )
