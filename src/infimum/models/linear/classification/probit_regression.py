"""Probit regression: class probabilities from a normal quantile that is linear."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.special import ndtr

from infimum.data.doors import Rows
from infimum.data.doors.weights import known_scores
from infimum.errors import InvalidParameterError
from infimum.losses import Probit
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear.classification._linked_classifier import LinkedClassifier
from infimum.models.linear.coding import Signs
from infimum.models.linear.fit import Recipe, limit_of
from infimum.penalties import NoPenalty, Ridge
from infimum.typing import Matrix, Vector

__all__ = ["ProbitRegression"]


class ProbitRegression(LinkedClassifier):
    r"""Classifier under the probit loss: Bernoulli regression with a normal transfer.

    .. math:: P(y = 1 \mid x) = \Phi(x^\top w + b), \qquad
              \min_w\; -C \sum_i c_i \log \Phi\bigl(y_i (x_i^\top w + b)\bigr)
              + \tfrac12 \|w\|_2^2

    Φ is the distribution function of the standard normal: a label is 1 where the score
    exceeds normal noise. Its predictions are close to those of logistic regression
    with weights 1.6 to 1.8 times as large. More than two classes are learnt one
    against the rest.

    Parameters
    ----------
    C : float, default=1.0
        Inverse weight of the penalty; infinity means none.
    tol : float, default=1e-4
        Bound on the gradient; the fit stops when the relative duality gap is below
        tol².
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    max_iter : int, default=100
        Most iterations; left at its default, the solver's own limit holds.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = ProbitRegression().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict_proba([[1.5]]).round(3)
    array([[0.5, 0.5]])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        class_weight: Any = None,
        max_iter: int = 100,
        warm_start: bool = False,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.warm_start = warm_start

    def decision_function(self, X: Any, *, offset: Any = None) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        scores = LinearClassifier.decision_function(self, X)
        known = known_scores(type(self).__name__, len(scores), offset)
        return scores if known is None else np.asarray((scores.T + known).T)

    def predict_proba(self, X: Any, *, offset: Any = None) -> Matrix:
        """Return the probability of each class; `offset` as in `fit`."""
        scores = self.decision_function(X, offset=offset)
        if scores.ndim == 1:
            return np.column_stack([ndtr(-scores), ndtr(scores)])
        shares = np.maximum(np.asarray(ndtr(scores)), 1e-300)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _recipe(self, rows: Rows) -> Recipe:
        if not isinstance(self.C, Real) or not self.C > 0:
            raise InvalidParameterError(
                f"ProbitRegression.C must be in (0, inf], got {self.C!r}."
            )
        C = float(self.C)
        return Recipe(
            Probit(),
            lambda total: NoPenalty() if np.isinf(C) else Ridge(1.0 / (C * total)),
            Signs(len(rows.classes)),
            tolerance=float(self.tol**2),
            intercept=self.fit_intercept,
            max_iterations=limit_of(self),
        )
