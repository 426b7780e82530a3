"""Tweedie regression: amounts whose variance is a power of their mean."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import Rows
from infimum.errors import DataError, InvalidParameterError
from infimum.losses import Gamma, Loss, Poisson, Squared, Tweedie
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.fit import Recipe, Start
from infimum.models.linear.generalized._linked import LinkedRegressor
from infimum.models.linear.generalized._linked_deviance import (
    LinkedDeviance,
    score_by_score,
)
from infimum.objectives import Evaluation
from infimum.parameters import Choice, Domains
from infimum.solvers import Solution
from infimum.typing import Vector

__all__ = ["TweedieRegressor"]

_LINKS = Choice(("auto", "identity", "log"))


class TweedieRegressor(LinkedRegressor):
    r"""Generalised linear model whose variance is a power of the mean.

    .. math:: \min_w \tfrac1{2n} \sum_i d_p\bigl(y_i, \mu_i\bigr)
              + \tfrac{\alpha}{2} \|w\|_2^2, \qquad
              g(\mu_i) = x_i^\top w + b + o_i

    with the deviance d of the power p and the link g. Powers 0, 1 and 2 are the
    normal, Poisson and Gamma distributions, those between 1 and 2 sums of a Poisson
    number of Gamma amounts (insurance claims: often 0, else positive), 3 the inverse
    Gaussian. The normal with no link and the powers from 1 to 2 with the logarithm are
    convex, and the fit is proved optimal; for the others it ends at a stationary
    point, and its certificate says so.

    Parameters
    ----------
    power : float, default=0.0
        The power p; none in (0, 1) belongs to a distribution.
    alpha : float, default=1.0
        Weight of the penalty.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    link : {'auto', 'identity', 'log'}, default='auto'
        'auto' is the identity for powers up to 0 and the logarithm above.
    solver, verbose
        Accepted for compatibility with scikit-learn; Newton's method is used.
    max_iter : int, default=100
        Most iterations; left at its default, the solver's own limit holds.
    tol : float, default=1e-4
        Bound on the gradient, as in scikit-learn; the fit stops when the relative
        duality gap is below tol².
    warm_start : bool, default=False
        Start from the last solution.

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
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = TweedieRegressor(power=1.5, alpha=0.0, tol=1e-6)
    >>> model.fit(X, [1.0, 2.0, 4.0, 8.0]).predict([[4.0]]).round(3)
    array([16.])
    >>> model.certificate_.closed
    True
    """

    _domains: ClassVar[Domains] = {
        "link": _LINKS,
    }

    def __init__(
        self,
        *,
        power: float = 0.0,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        link: str = "auto",
        solver: str = "lbfgs",
        max_iter: int = 100,
        tol: float = 1e-4,
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        self.power = power
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.link = link
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose

    def predict(self, X: Any, *, offset: Any = None, exposure: Any = None) -> Vector:
        """Return the expected target of each sample; the rest as in `fit`."""
        scores = self._scores(X, offset, exposure)
        return np.exp(scores) if self._logarithmic() else scores

    def _recipe(self, rows: Rows) -> Recipe:
        least, power = rows.y.min(), self._power()
        floor = "[0, inf)" if power < 2 else "(0, inf)"  # noqa: PLR2004
        if power >= 1 and (least < 0 or (least == 0 and floor.startswith("("))):
            raise DataError(
                f"TweedieRegressor(power={power:g}) needs targets in {floor}: some "
                f"values of y are out of the valid range, the least is {least:g}."
            )
        if power >= 1 and not rows.y.any():
            raise DataError("TweedieRegressor needs a target above 0: all are 0.")
        recipe = self._glm(self._loss())
        if recipe.loss.convex:
            return recipe
        return replace(recipe, solve=partial(_stationary, recipe))

    def _loss(self) -> Loss:
        power, log = self._power(), self._logarithmic()
        if power == 0 and not log:
            return Squared()
        if not log or not 1 <= power <= 2:  # noqa: PLR2004
            return LinkedDeviance(power, log)
        if power in {1.0, 2.0}:
            return Poisson() if power == 1 else Gamma()
        return Tweedie(power)

    def _power(self) -> float:
        power = self.power
        if isinstance(power, bool) or not np.isreal(power) or not np.isfinite(power):
            raise InvalidParameterError(
                f"TweedieRegressor.power must be a finite number, got {power!r}."
            )
        if 0 < power < 1:
            raise InvalidParameterError(
                "TweedieRegressor.power must be outside (0, 1), where no distribution "
                f"has it, got {power!r}."
            )
        return float(power)

    def _logarithmic(self) -> bool:
        return self.link == "log" or (self.link == "auto" and self._power() > 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        try:
            tags.target_tags.positive_only = self._power() > 0
        except InvalidParameterError:
            tags.target_tags.positive_only = False
        return tags


def _stationary(
    recipe: Recipe, problem: LinearProblem, starts: list[Start], report: Any
) -> list[Solution]:
    """Go down to a stationary point of a risk that is not convex."""
    [risk], [start] = recipe.risks(problem), starts
    point = start.point if isinstance(start, Evaluation) else start
    return [score_by_score(risk, point, recipe.tolerance, recipe.max_iterations)]
