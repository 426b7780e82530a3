"""Ridge classification: least squares on ±1 labels."""

from __future__ import annotations

from typing import Any

from infimum.data.doors import Rows
from infimum.models.linear.closed_form._ridge_label_sets import RidgeLabels, coding_of
from infimum.models.linear.closed_form._ridge_model import RidgeModel
from infimum.models.linear.fit import Recipe

__all__ = ["RidgeClassifier"]


class RidgeClassifier(RidgeModel, RidgeLabels):
    r"""Regularised least squares on labels coded ±1; the largest score wins.

    .. math:: \min_w \sum_i c_i (y_i - x_i^\top w - b)^2 + \alpha \|w\|_2^2

    All classes share one factorisation. Targets may be sets of labels, rows of zeros
    and ones: then each label is coded ±1, and all with a score above 0 are predicted.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    copy_X, max_iter, solver, random_state
        Accepted for compatibility with scikit-learn; the closed form needs none.
    tol : float, default=1e-4
        Bound on the gradient; certified when the relative gap is below tol².
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    positive : bool, default=False
        Forbid negative coefficients.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    multilabel_, sparse_output_ : bool
        Whether the targets were sets of labels, and sparse.
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        How far the least certain row of `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0], [4.0]])
    >>> RidgeClassifier().fit(X, ["a", "a", "b", "b"]).predict([[0.5]]).tolist()
    ['a']
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        class_weight: Any = None,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    def _recipe(self, rows: Rows) -> Recipe:
        return self._ridge(rows, coding_of(rows))
