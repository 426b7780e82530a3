"""The least C under which a sparse linear classifier has a coefficient at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.models.linear._overflow import blaming_numbers
from infimum.models.linear.classification.linear_svc import LinearSVC
from infimum.models.linear.classification.logistic_regression import LogisticRegression
from infimum.models.linear.estimator import LinearEstimator, stated
from infimum.parameters import Choice, check_domain, positive

__all__ = ["l1_min_c"]

#: Slopes this small, relative to the length of their column, are rounding.
ROUNDING = 1e-13


def l1_min_c(
    X: Any,
    y: Any,
    *,
    loss: str = "squared_hinge",
    fit_intercept: bool = True,
    intercept_scaling: float = 1.0,
) -> float:
    r"""Return the C up to which the lasso keeps every coefficient of a classifier at 0.

    .. math:: C = 1 \Big/ \max_{j, k} \Big| \sum_i x_{ij}\, s_{ik} \Big|

    with the slopes s of the loss where only intercepts are learnt. From there on
    ``LinearSVC(penalty="l1", C=C)`` and ``LogisticRegression(l1_ratio=1, C=C)``, fitted
    without class weights, begin to use features: a path of models starts here.

    Intercepts are free in both, so the slopes are those at the best intercepts, and the
    bound is exact. Scikit-learn's function of the same name is exact for intercepts
    that are penalised like the other coefficients; without an intercept the two agree
    for two classes, and for several under the squared hinge.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Their classes.
    loss : {'squared_hinge', 'log'}, default='squared_hinge'
        The loss of `LinearSVC` or that of `LogisticRegression`.
    fit_intercept : bool, default=True
        Whether intercepts are learnt.
    intercept_scaling : float, default=1.0
        Accepted for compatibility with scikit-learn; free intercepts have no scale.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.linear import LogisticRegression
    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), [0, 0, 1, 1]
    >>> least = l1_min_c(X, y, loss="log")
    >>> round(least, 6)
    0.333333
    >>> for C in (0.99 * least, 1.01 * least):
    ...     print(LogisticRegression(l1_ratio=1.0, C=C).fit(X, y).coef_.any())
    False
    True
    """
    check_domain("l1_min_c.loss", loss, Choice(("squared_hinge", "log")))
    check_domain("l1_min_c.intercept_scaling", intercept_scaling, positive)
    model: LinearEstimator = LogisticRegression(
        l1_ratio=1.0, fit_intercept=fit_intercept
    )
    if loss == "squared_hinge":
        model = LinearSVC(penalty="l1", fit_intercept=fit_intercept)
    with blaming_numbers(model, X, y):
        recipe, rows = stated(model, X, y)
        problem = recipe.problem(rows)
        pulls = [
            np.abs(risk.evaluate(risk.null).pulled_back).reshape(len(problem.means), -1)
            for risk in recipe.risks(problem)
        ]
        squares = problem.design.squared_norms(problem.shares) + problem.means**2
        pull = np.column_stack(pulls).max(axis=1)
        largest = float(pull[pull > ROUNDING * np.sqrt(squares)].max(initial=0.0))
    if largest == 0.0:
        raise DataError(
            "l1_min_c finds no feature that separates the classes: coefficients are "
            "0 under every C."
        )
    return 1.0 / (largest * problem.total)
